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
//! A new rule is a key of `json::RULES` with what it adds to the grid, and the same for `write`. **Invariant:** what is
//! written is read as the same puzzle; what cannot be is refused.

mod json;
mod labelled;
mod link;
mod lz_string;
mod sudokupad;
mod write;

use super::super::Puzzle;
use super::Format;
use super::error::WriteError;
use super::node::{first_object, object_end};

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

/// Says whether the first object has a `grid`, and neither `cages` nor a `kind`, nor `clues`.
fn is_fpuzzles(text: &str) -> bool {
    let Some(keys) = first_object(text) else { return false };
    let others = ["cages", "kind", "clues"];
    keys.get("grid").is_some() && !others.iter().any(|key| keys.get(key).is_some())
}

/// Says whether the first object has cells, and no key of another format.
fn is_sudokupad(text: &str) -> bool {
    let Some(keys) = first_object(text) else { return false };
    let others = ["size", "grid", "kind", "rules", "puzzle"];
    keys.get("cells").is_some_and(|node| node.is_list()) && !others.iter().any(|key| keys.get(key).is_some())
}

fn object(puzzle: &Puzzle, format: &'static str) -> Result<String, WriteError> {
    write::object(puzzle).map_err(|what| WriteError { format, what })
}
