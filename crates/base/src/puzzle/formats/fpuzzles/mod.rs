//! Puzzles of f-puzzles.com and SudokuPad: Sudoku, Killer, and KenKen as labelled cages; as JSON, one object per puzzle,
//! and as links.
//!
//! ```text
//! {"size": 4, "grid": [[{"value": 1, "given": true}, {}, …], …],
//!  "killercage": [{"cells": ["R1C2", "R1C3"], "value": "5"}]}
//! ```
//!
//! A digit that is not a given is progress of a solver and is ignored. The rules that kenga knows: givens, boxes or the
//! `region` of each cell, `killercage`, `extraregion`, `diagonal+`, `diagonal-`, `disjointgroups`. Any other rule is
//! refused, because without it the puzzle would be another; decoration is ignored. Where the label of a cage is a clue
//! with an operator, such as `11+`, all cages with a number are cages with clues, those of `cage` too.
//!
//! Cages that overlap or fall apart make the puzzle one of the kind `grid`.
//!
//! A new rule is a key of `json::RULES` with what it adds to the grid, and the same for `write`. **Invariant:** what is
//! written is read as the same puzzle; what cannot be is refused.

mod json;
mod labelled;
mod link;
mod lz_string;
mod sudokupad;
mod write;

pub(super) use labelled::{LabelledCage, LabelledGrid};

use super::super::Puzzle;
use super::Format;
use super::error::WriteError;
use super::node::{JsonNode, first_object, object_end};

pub(super) const FORMAT: Format = Format::new(
    "fpuzzles",
    "JSON of f-puzzles.com: {\"size\": 9, \"grid\": [[{\"value\": 1, \"given\": true}, …]]}",
    is_fpuzzles,
    |record| Ok((json::read(record)?, 0..0)),
)
.cut_by(object_end)
.written_by(|puzzle| object(puzzle, "fpuzzles"));

pub(super) const LINK: Format = Format::new(
    "fpuzzles_link",
    "links https://f-puzzles.com/?load=…, one per line",
    link::is_fpuzzles,
    link::read,
)
.by_lines()
.written_by(|puzzle| {
    let packed = lz_string::compress(&object(puzzle, "fpuzzles_link")?);
    Ok(format!("https://f-puzzles.com/?load={packed}"))
});

pub(super) const SUDOKUPAD: Format = Format::new(
    "sudokupad",
    "JSON of SudokuPad: {\"cells\": [[{\"value\": 1}, …]], \"regions\": […], \"cages\": […]}",
    is_sudokupad,
    |record| Ok((sudokupad::read(record)?, 0..0)),
)
.cut_by(object_end);

pub(super) const SUDOKUPAD_LINK: Format = Format::new(
    "sudokupad_link",
    "links https://sudokupad.app/fpuzzles… or …/scl…, one per line",
    link::is_sudokupad,
    link::read,
)
.by_lines()
.written_by(|puzzle| {
    let packed = lz_string::compress(&object(puzzle, "sudokupad_link")?);
    Ok(format!("https://sudokupad.app/fpuzzles{}", link::escaped(&packed)))
});

/// The value of a key of the first object, where it has none of the others, which are keys of other formats.
fn value<'a>(text: &'a str, key: &str, others: &[&str]) -> Option<JsonNode<'a>> {
    let keys = first_object(text)?;
    if others.iter().any(|key| keys.get(key).is_some()) {
        return None;
    }
    keys.get(key)
}

/// Says whether the first object has a `grid` of anything but digits: rows that are texts, or begin with no object.
fn is_fpuzzles(text: &str) -> bool {
    let Some(grid) = value(text, "grid", &["cages", "kind", "clues"]) else { return false };
    let rows = grid.list("").unwrap_or_default();
    let Some(row) = rows.first() else { return !grid.is_text() };
    let cells = row.list("").unwrap_or_default();
    !row.is_text() && cells.first().is_none_or(JsonNode::is_object)
}

/// Says whether the first object has a list of cells.
fn is_sudokupad(text: &str) -> bool {
    value(text, "cells", &["size", "grid", "kind", "rules", "puzzle"]).is_some_and(|node| node.is_list())
}

fn object(puzzle: &Puzzle, format: &'static str) -> Result<String, WriteError> {
    write::object(puzzle).map_err(|what| WriteError { format, what })
}
