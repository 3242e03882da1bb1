//! The kinds of puzzles in JSON: KenKen, Sudoku, Killer and Latin squares; and Kakuro:
//! `{"kind":"kakuro","rows":3,"cols":3,"runs":[{"target":4,"cells":[[1,1],[1,2]]},…]}`.

use super::super::super::{
    Defect, Entry, Kakuro, Kind, MAX_CELLS, MAX_DIGITS, Puzzle, Role, Square, usual_boxes,
};
use super::super::cages::{CagePlaces, GridShape, PlacedCages, Places, build, locate};
use super::super::error::Fault;
use super::super::node::{Keys, Node};
use super::parts::{CellText, assign_cells, cage, cell, digits, each, given, group};

/// The keys for the size in various programs, that of kenga first.
pub(super) const SIZE_KEYS: [&str; 4] = ["size", "n", "dimension", "width"];

const SIZE: &str = "a size from 1 to 32";

/// Reads a square puzzle with or without cages.
pub(super) fn square(kind: Kind, keys: &Keys<'_>) -> Result<Puzzle, Fault> {
    let size_node = keys.need_one(&SIZE_KEYS)?;
    let size = size(size_node)?;
    if let Some(height) = keys.get("height").filter(|_| keys.get("width").is_some())
        && height.number::<usize>(SIZE)? != size
    {
        return Err(height.unexpected("a height that is the width"));
    }
    let (cages, places) = cages(kind, keys, (size, size_node))?;
    let digits = keys.get_one(&["digits", "values"])?.map(digits).transpose()?;
    let givens = each(keys.get("givens"), "a list of givens", |node| given(node, (size, size)))?;
    let groups = each(keys.get("groups"), "a list of groups", |node| group(node, (size, size)))?;
    let boxes = matches!(kind, Kind::Sudoku | Kind::Killer).then(|| boxes(keys, size)).transpose()?;
    build(Square { kind, size, boxes, digits, cages: Vec::new(), givens, groups }, cages, &places)
}

/// Reads a list of cages alone, which cover a square: how many cells they have tells its size.
pub(super) fn cage_list(list: Node<'_>) -> Result<Puzzle, Fault> {
    let items = list.list("a list of cages")?;
    if items.is_empty() {
        return Err(list.unexpected("a list with a cage in it"));
    }
    if let Some(puzzle) =
        items.iter().find(|item| item.has_any(&[&SIZE_KEYS[..], &["cages", "kind"]].concat()))
    {
        return Err(puzzle
            .unexpected("a cage of a list of cages")
            .help("write one puzzle per line, without a list"));
    }
    let read = |item: &Node<'_>| cage(*item, Kind::KenKen).map(|(cage, place, cells)| ((cage, place), cells));
    let (mut cages, texts): (Vec<_>, Vec<_>) =
        items.iter().map(read).collect::<Result<Vec<_>, Fault>>()?.into_iter().unzip();
    let cells: usize = texts.iter().map(Vec::len).sum();
    let size = cells.isqrt();
    if size * size != cells {
        let fault = Fault::unexpected("cages that cover a square", format!("{cells} cells"), list.span());
        return Err(fault.help("without a size the cages tell it; or write {\"size\": 4, \"cages\": […]}"));
    }
    check_size(size, list)?;
    assign_cells(&mut cages, &texts, size, true);
    let (size_at, end) = (list.span(), list.closing());
    let places = Places { size: size_at, digits: 0..0, end, naming: "rows and columns are counted from 0" };
    build(Square::kenken(size, Vec::new()), cages, &places)
}

/// A size of a square puzzle.
pub(in super::super) fn size(node: Node<'_>) -> Result<usize, Fault> {
    check_size(node.number(SIZE)?, node)
}

/// The size, where a square puzzle may have it; `node` is what tells it.
pub(in super::super) fn check_size(size: usize, node: Node<'_>) -> Result<usize, Fault> {
    if (1..=MAX_DIGITS).contains(&size) {
        return Ok(size);
    }
    Err(Fault::new(Defect::Size(size), node.span(), format!("expected {SIZE}")))
}

/// The cages, which a KenKen must have, a Killer and a Latin square may have.
fn cages(
    kind: Kind,
    keys: &Keys<'_>,
    (size, place): (usize, Node<'_>),
) -> Result<(PlacedCages, Places), Fault> {
    const NAMES: [&str; 2] = ["cages", "rules"];
    let list = if kind == Kind::KenKen { Some(keys.need_one(&NAMES)?) } else { keys.get("cages") };
    let mut places = Places {
        size: place.span(),
        digits: keys.get("digits").map_or(0..0, |node| node.span()),
        end: list.unwrap_or(place).closing(),
        naming: "rows and columns are counted from 0",
    };
    let items = match list {
        Some(list) if list.is_object() => Keys::read(list, "cages by their names")?.entries,
        _ => Vec::new(),
    };
    let named: Vec<_> = items.iter().map(|entry| cage(entry.value, kind)).collect::<Result<_, Fault>>()?;
    let list = list.filter(|_| items.is_empty());
    let listed = each(list, "the list of cages", |node| cage(node, kind))?;
    let all = named.into_iter().chain(listed);
    let (mut cages, texts): (Vec<_>, Vec<_>) = all.map(|(cage, place, cells)| ((cage, place), cells)).unzip();
    if texts.iter().flatten().all(|cell| matches!(cell, CellText::Known(_))) {
        places.naming = "A1 or R1C1 is the first";
    }
    let from_one = assign_cells(&mut cages, &texts, size, kind == Kind::KenKen);
    match keys.get("givens").or_else(|| keys.get("groups")) {
        Some(node) if from_one => Err(node.unexpected("cages whose cells count from 0 beside this")),
        _ => Ok((cages, places)),
    }
}

/// The rows and columns of a box: `"box": [2, 3]`, or the usual ones.
fn boxes(keys: &Keys<'_>, size: usize) -> Result<(usize, usize), Fault> {
    const BOX: &str = "the rows and columns of a box, as in [2, 3]";
    let Some(node) = keys.get("box") else {
        return match usual_boxes(size) {
            Some(shape) => Ok(shape),
            None => keys.need("box").map(|_| (1, size)),
        };
    };
    let [rows, cols] = node.array(BOX)?;
    let shape: (usize, usize) = (rows.number(BOX)?, cols.number(BOX)?);
    if shape.0.checked_mul(shape.1) == Some(size) {
        return Ok(shape);
    }
    let label = format!("expected two numbers whose product is the size, {size}");
    Err(Fault::new(Defect::Box { shape, size }, node.span(), label))
}

const SIDE: &str = "a number of rows or columns, from 1";

/// Reads a Kakuro.
pub(super) fn kakuro(keys: &Keys<'_>) -> Result<Puzzle, Fault> {
    let (rows, cols) = (keys.need("rows")?, keys.need("cols")?);
    let shape = shape(rows, cols)?;
    let runs = keys.need("runs")?;
    let (entries, at): (Vec<Entry>, Vec<CagePlaces>) =
        each(Some(runs), "the list of runs", run)?.into_iter().unzip();
    let mut is_white = vec![false; shape.0 * shape.1];
    for &(row, column) in entries.iter().flat_map(|entry| &entry.cells) {
        if row < shape.0 && column < shape.1 {
            is_white[row * shape.1 + column] = true;
        }
    }
    let groups = each(keys.get("groups"), "a list of groups", |node| {
        let group = group(node, shape)?;
        if group.role == Role::Entry {
            group.cells.iter().for_each(|cell| is_white[*cell] = true);
        }
        Ok((group, node))
    })?;
    if let Some((_, node)) = groups.iter().find(|(group, _)| group.cells.iter().any(|cell| !is_white[*cell]))
    {
        return Err(node.unexpected("a group of cells that lie in runs"));
    }
    let groups = groups.into_iter().map(|(group, _)| group).collect();
    let givens = each(keys.get("givens"), "a list of givens", |node| {
        let given = given(node, shape)?;
        match is_white[given.0 * shape.1 + given.1] {
            true => Ok(given),
            false => Err(node.unexpected("a given in a cell of a run")),
        }
    })?;
    let places = Places {
        size: rows.span(),
        digits: keys.get("digits").map_or(0..0, |node| node.span()),
        end: runs.closing(),
        naming: "rows and columns are counted from 0",
    };
    let digits = keys.get("digits").map(digits).transpose()?;
    let kakuro = Kakuro { digits, givens, groups, ..Kakuro::new(shape, entries) };
    kakuro.clone().build().map_err(|defect| {
        let entry = defect.part().map(|index| (&*kakuro.entries[index].cells, &at[index]));
        locate(defect, entry, &places)
    })
}

fn shape(rows: Node<'_>, cols: Node<'_>) -> Result<GridShape, Fault> {
    let shape: GridShape = (rows.number(SIDE)?, cols.number(SIDE)?);
    if shape.0.checked_mul(shape.1).is_some_and(|area| (1..=MAX_CELLS).contains(&area)) {
        return Ok(shape);
    }
    let what = Defect::Area { rows: shape.0, cols: shape.1 };
    let place = if shape.0 == 0 { rows } else { cols };
    Err(Fault::new(what, place.span(), format!("expected 1 to {MAX_CELLS} cells in all")))
}

fn run(node: Node<'_>) -> Result<(Entry, CagePlaces), Fault> {
    let keys = Keys::read(node, "a run: an object with `target` and `cells`")?;
    let keys = keys.only(&["target", "sum", "cells"])?;
    let target = keys.need_one(&["target", "sum"])?;
    let list = keys.need("cells")?;
    let mut entry = Entry { target: target.whole("a sum, a whole number")?, cells: Vec::new() };
    let (whole, operator) = (list.span(), target.span());
    let mut places = CagePlaces { whole, operator, target: target.span(), cells: Vec::new() };
    for item in list.list("a list of cells")? {
        entry.cells.push(cell(item)?);
        places.cells.push(item.span());
    }
    Ok((entry, places))
}
