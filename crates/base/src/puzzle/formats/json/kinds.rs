//! The kinds of puzzles in JSON: KenKen, Sudoku, Killer and Latin squares; and Kakuro:
//! `{"kind":"kakuro","rows":3,"cols":3,"runs":[{"target":4,"cells":[[1,1],[1,2]]},…]}`.

use super::super::super::kakuro::checked_area;
use super::super::super::{
    BoxShape, Defect, Entry, Kakuro, Kind, MAX_CELLS, MAX_DIGITS, Puzzle, Role, Square, usual_boxes,
};
use super::super::cages::{CagePlaces, DefectiveCage, GridShape, Places, build, locate};
use super::super::error::Fault;
use super::super::node::{JsonNode, Keys};
use super::parts::{CellText, Unplaced, assign_cells, cage, cell, digits, given, givens, group, groups};

/// The keys for the size in various programs, that of kenga first.
pub(super) const SIZE_KEYS: [&str; 4] = ["size", "n", "dimension", "width"];

const SIZE: &str = "a size from 1 to 32";

const FROM_ZERO: &str = "rows and columns are counted from 0";

/// Reads a square puzzle with or without cages.
pub(super) fn square(kind: Kind, keys: &Keys<'_>) -> Result<Puzzle, Fault> {
    let size_node = keys.need_one(&SIZE_KEYS)?;
    let size = size(size_node)?;
    if keys.get("width").is_some()
        && let Some(height) = keys.get("height")
        && height.number(SIZE)? != size
    {
        return Err(height.unexpected("a height that is the width"));
    }
    let list =
        if kind == Kind::KenKen { Some(keys.need_one(&["cages", "rules"])?) } else { keys.get("cages") };
    let mut places = Places {
        size: size_node.span(),
        digits: span_of(keys, "digits"),
        end: list.unwrap_or(size_node).closing(),
        naming: FROM_ZERO,
    };
    let unplaced = cages(kind, list)?;
    if unplaced.iter().flat_map(|cage| &cage.cells).all(|cell| matches!(cell, CellText::Known(_))) {
        places.naming = "A1 or R1C1 is the first";
    }
    let (cages, from_one) = assign_cells(unplaced, size, kind == Kind::KenKen);
    // Givens and groups count from 0: cages from 1 beside them are a trap.
    if from_one && let Some(node) = keys.get("givens").or_else(|| keys.get("groups")) {
        return Err(node.unexpected("cages whose cells count from 0 beside this"));
    }
    let digits = digits(keys.get_one(&["digits", "values"])?)?;
    let (givens, groups) = (givens(keys, (size, size))?, groups(keys, (size, size))?);
    let has_boxes = matches!(kind, Kind::Sudoku | Kind::Killer);
    let boxes = if has_boxes { Some(boxes(keys, size)?) } else { None };
    build(Square { kind, size, boxes, digits, cages: Vec::new(), givens, groups }, cages, &places)
}

/// The place of a key's value; an empty span where the key is absent.
fn span_of(keys: &Keys<'_>, key: &str) -> super::super::error::Span {
    keys.get(key).map_or(0..0, |node| node.span())
}

/// The cages of a list, or of an object in which they have names.
fn cages(kind: Kind, list: Option<JsonNode<'_>>) -> Result<Vec<Unplaced>, Fault> {
    let Some(list) = list else { return Ok(Vec::new()) };
    let mut items = Vec::new();
    if list.is_object() {
        for entry in Keys::read(list, "cages by their names")?.entries {
            items.push(entry.value);
        }
    }
    if items.is_empty() {
        // Also of an object without entries, which is refused in the words for a list.
        items = list.list("the list of cages")?;
    }
    let mut cages = Vec::with_capacity(items.len());
    for item in items {
        cages.push(cage(item, kind)?);
    }
    Ok(cages)
}

/// Reads a list of cages alone, which cover a square: how many cells they have tells its size.
pub(super) fn cage_list(list: JsonNode<'_>) -> Result<Puzzle, Fault> {
    let items = list.list("a list of cages")?;
    if items.is_empty() {
        return Err(list.unexpected("a list with a cage in it"));
    }
    for item in &items {
        // A list of puzzles looks like a list of cages.
        if item.has_any(&SIZE_KEYS) || item.has_any(&["cages", "kind"]) {
            let fault = item.unexpected("a cage of a list of cages");
            return Err(fault.help("write one puzzle per line, without a list"));
        }
    }
    let mut unplaced = Vec::with_capacity(items.len());
    let mut cells = 0;
    for item in items {
        let cage = cage(item, Kind::KenKen)?;
        cells += cage.cells.len();
        unplaced.push(cage);
    }
    let size = cells.isqrt();
    if size * size != cells {
        let fault = Fault::unexpected("cages that cover a square", format!("{cells} cells"), list.span());
        return Err(fault.help("without a size the cages tell it; or write {\"size\": 4, \"cages\": […]}"));
    }
    check_size(size, list)?;
    let (cages, _) = assign_cells(unplaced, size, true);
    let places = Places { size: list.span(), digits: 0..0, end: list.closing(), naming: FROM_ZERO };
    build(Square::kenken(size, Vec::new()), cages, &places)
}

/// A size of a square puzzle.
pub(in super::super) fn size(node: JsonNode<'_>) -> Result<usize, Fault> {
    check_size(node.number(SIZE)?, node)
}

/// The size, where a square puzzle may have it; `node` is what tells it.
pub(in super::super) fn check_size(size: usize, node: JsonNode<'_>) -> Result<usize, Fault> {
    if (1..=MAX_DIGITS).contains(&size) {
        return Ok(size);
    }
    Err(Fault::new(Defect::Size(size), node.span(), format!("expected {SIZE}")))
}

/// The rows and columns of a box: `"box": [2, 3]`, or the usual ones.
pub(super) fn boxes(keys: &Keys<'_>, size: usize) -> Result<BoxShape, Fault> {
    const BOX: &str = "the rows and columns of a box, as in [2, 3]";
    let Some(node) = keys.get("box") else {
        return usual_boxes(size).ok_or_else(|| keys.missing("box"));
    };
    let [rows, cols] = node.array(BOX)?;
    let shape = (rows.number(BOX)?, cols.number(BOX)?);
    if shape.0.checked_mul(shape.1) == Some(size) {
        return Ok(shape);
    }
    let label = format!("expected two numbers whose product is the size, {size}");
    Err(Fault::new(Defect::Box { shape, size }, node.span(), label))
}

/// Reads a Kakuro.
pub(super) fn kakuro(keys: &Keys<'_>) -> Result<Puzzle, Fault> {
    let (rows, cols) = (keys.need("rows")?, keys.need("cols")?);
    let shape = shape(rows, cols)?;
    let runs = keys.need("runs")?;
    let mut kakuro = Kakuro::new(shape, Vec::new());
    let mut at = Vec::new();
    let mut is_white = vec![false; shape.0 * shape.1];
    for node in runs.list("the list of runs")? {
        let (entry, places) = run(node)?;
        for &(row, column) in &entry.cells {
            // Cells outside the grid are refused below, where their places are known.
            if row < shape.0 && column < shape.1 {
                is_white[row * shape.1 + column] = true;
            }
        }
        kakuro.entries.push(entry);
        at.push(places);
    }
    let group_nodes = keys.list("groups", "a list of groups")?;
    for node in &group_nodes {
        let group = group(*node, shape)?;
        if group.role == Role::Entry {
            for &cell in &group.cells {
                is_white[cell] = true;
            }
        }
        kakuro.groups.push(group);
    }
    // A later group in the role of an entry makes cells white too.
    for (group, node) in kakuro.groups.iter().zip(&group_nodes) {
        if group.cells.iter().any(|cell| !is_white[*cell]) {
            return Err(node.unexpected("a group of cells that lie in runs"));
        }
    }
    for node in keys.list("givens", "a list of givens")? {
        let given = given(node, shape)?;
        if !is_white[given.0 * shape.1 + given.1] {
            return Err(node.unexpected("a given in a cell of a run"));
        }
        kakuro.givens.push(given);
    }
    let places =
        Places { size: rows.span(), digits: span_of(keys, "digits"), end: runs.closing(), naming: FROM_ZERO };
    kakuro.digits = digits(keys.get("digits"))?;
    kakuro.clone().build().map_err(|defect| {
        let part =
            defect.part().map(|index| DefectiveCage { cells: &kakuro.entries[index].cells, at: &at[index] });
        locate(defect, part, &places)
    })
}

/// The rows and columns of a rectangle.
pub(super) fn shape(rows: JsonNode<'_>, cols: JsonNode<'_>) -> Result<GridShape, Fault> {
    const SIDE: &str = "a number of rows or columns, from 1";
    let shape = (rows.number(SIDE)?, cols.number(SIDE)?);
    match checked_area(shape) {
        Ok(_) => Ok(shape),
        Err(defect) => {
            let place = if shape.0 == 0 { rows } else { cols };
            Err(Fault::new(defect, place.span(), format!("expected 1 to {MAX_CELLS} cells in all")))
        }
    }
}

fn run(node: JsonNode<'_>) -> Result<(Entry, CagePlaces), Fault> {
    let keys = Keys::read(node, "a run: an object with `target` and `cells`")?;
    let keys = keys.only(&["target", "sum", "cells"])?;
    let target = keys.need_one(&["target", "sum"])?;
    let list = keys.need("cells")?;
    let mut entry = Entry { target: target.whole("a sum, a whole number")?, cells: Vec::new() };
    let mut places = CagePlaces { whole: list.span(), ..CagePlaces::at(&target.span(), Vec::new()) };
    for item in list.list("a list of cells")? {
        entry.cells.push(cell(item)?);
        places.cells.push(item.span());
    }
    Ok((entry, places))
}
