//! Kakuro in JSON: `{"kind":"kakuro","rows":3,"cols":3,"runs":[{"target":4,"cells":[[1,1],[1,2]]},…]}`.

use super::super::super::{Defect, Entry, EntryFlaw, Kakuro, MAX_CELLS, Puzzle};
use super::super::error::{Fault, Span};
use super::keys::Keys;
use super::node::Node;
use super::parts::{Shape, cell, digits, each, given, group};

const SIDE: &str = "a number of rows or columns, from 1";

/// Where the parts of an entry stand.
struct Places {
    whole: Span,
    target: Span,
    cells: Vec<Span>,
}

pub(super) fn read(keys: &Keys<'_>) -> Result<Puzzle, Fault> {
    let (rows, cols) = (keys.need("rows")?, keys.need("cols")?);
    let shape = shape(rows, cols)?;
    let both = each(Some(keys.need("runs")?), "the list of runs", run)?;
    let (entries, places): (Vec<Entry>, Vec<Places>) = both.into_iter().unzip();
    let mut is_white = vec![false; shape.0 * shape.1];
    for &(row, column) in entries.iter().flat_map(|entry| &entry.cells) {
        if row < shape.0 && column < shape.1 {
            is_white[row * shape.1 + column] = true;
        }
    }
    let givens = each(keys.get("givens"), "a list of givens", |node| {
        let given = given(node, shape)?;
        match is_white[given.0 * shape.1 + given.1] {
            true => Ok(given),
            false => Err(node.unexpected("a given in a cell of a run")),
        }
    })?;
    let groups = each(keys.get("groups"), "a list of groups", |node| {
        let group = group(node, shape)?;
        match group.cells.iter().all(|cell| is_white[*cell]) {
            true => Ok(group),
            false => Err(node.unexpected("a group of cells that lie in runs")),
        }
    })?;
    let digits_span = keys.get("digits").map_or(0..0, |node| node.span());
    let digits = keys.get("digits").map(digits).transpose()?;
    let kakuro = Kakuro { digits, givens, groups, ..Kakuro::new(shape, entries.clone()) };
    kakuro.build().map_err(|defect| locate(defect, &entries, &places, digits_span))
}

fn shape(rows: Node<'_>, cols: Node<'_>) -> Result<Shape, Fault> {
    let shape: Shape = (rows.number(SIDE)?, cols.number(SIDE)?);
    if shape.0.checked_mul(shape.1).is_some_and(|area| (1..=MAX_CELLS).contains(&area)) {
        return Ok(shape);
    }
    let what = Defect::Area { rows: shape.0, cols: shape.1 };
    let place = if shape.0 == 0 { rows } else { cols };
    Err(Fault::new(what, place.span(), format!("expected 1 to {MAX_CELLS} cells in all")))
}

fn run(node: Node<'_>) -> Result<(Entry, Places), Fault> {
    let keys = Keys::read(node, "a run: an object with `target` and `cells`")?;
    let keys = keys.only(&["target", "sum", "cells"])?;
    let target = keys.need_one(&["target", "sum"])?;
    let list = keys.need("cells")?;
    let mut entry = Entry { target: target.whole("a sum, a whole number")?, cells: Vec::new() };
    let mut places = Places { whole: list.span(), target: target.span(), cells: Vec::new() };
    for item in list.list("a list of cells")? {
        entry.cells.push(cell(item)?);
        places.cells.push(item.span());
    }
    Ok((entry, places))
}

/// Shows a defect in the text.
fn locate(defect: Defect, entries: &[Entry], places: &[Places], digits: Span) -> Fault {
    let Defect::Entry { entry, flaw } = &defect else {
        return Fault::new(defect, digits, "expected 1 to 32 different digits");
    };
    let at = &places[*entry];
    let cell = |cell: (usize, usize)| {
        let index = entries[*entry].cells.iter().rposition(|other| *other == cell);
        index.map_or(at.whole.clone(), |index| at.cells[index].clone())
    };
    let (span, label) = match flaw {
        EntryFlaw::Empty => (at.whole.clone(), "expected one cell or more"),
        EntryFlaw::Negative { .. } => (at.target.clone(), "expected 0 or more"),
        EntryFlaw::Outside { cell: place, .. } => {
            (cell(*place), "expected a cell of the grid: rows and columns are counted from 0")
        }
        EntryFlaw::Bent { cell: place, .. } => {
            (cell(*place), "expected cells side by side in one row or one column")
        }
        EntryFlaw::Twice { cell: place, .. } => {
            (cell(*place), "expected a cell without another run in this direction")
        }
    };
    Fault::new(defect, span, label)
}
