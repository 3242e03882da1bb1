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

mod json;
mod labelled;
mod link;
mod lz_string;
mod sudokupad;
mod write;

use super::super::Puzzle;
use super::error::WriteError;
use super::json_object::{self, first_object, is_fpuzzles, is_sudokupad};
use super::{Format, line_end};

pub(super) const FORMAT: Format = Format {
    name: "fpuzzles",
    about: "JSON of f-puzzles.com: {\"size\": 9, \"grid\": [[{\"value\": 1, \"given\": true}, …]]}",
    many: true,
    recognise: |text| first_object(text, is_fpuzzles),
    end: json_object::end,
    read: |record| json::read(record).map(|puzzle| (puzzle, 0..0)),
    write: Some(|puzzle| object(puzzle, "fpuzzles")),
};

pub(super) const LINK: Format = Format {
    name: "fpuzzles_link",
    about: "links https://f-puzzles.com/?load=…, one per line",
    many: true,
    recognise: link::is_fpuzzles,
    end: line_end,
    read: link::read,
    write: Some(|puzzle| {
        let packed = lz_string::compress(&object(puzzle, "fpuzzles_link")?);
        Ok(format!("https://f-puzzles.com/?load={packed}"))
    }),
};

pub(super) const SUDOKUPAD: Format = Format {
    name: "sudokupad",
    about: "JSON of SudokuPad: {\"cells\": [[{\"value\": 1}, …]], \"regions\": […], \"cages\": […]}",
    many: true,
    recognise: |text| first_object(text, is_sudokupad),
    end: json_object::end,
    read: |record| sudokupad::read(record).map(|puzzle| (puzzle, 0..0)),
    write: None,
};

pub(super) const SUDOKUPAD_LINK: Format = Format {
    name: "sudokupad_link",
    about: "links https://sudokupad.app/fpuzzles… or …/scl…, one per line",
    many: true,
    recognise: link::is_sudokupad,
    end: line_end,
    read: link::read,
    write: Some(|puzzle| {
        let packed = lz_string::compress(&object(puzzle, "sudokupad_link")?);
        Ok(format!("https://sudokupad.app/fpuzzles{}", link::escaped(&packed)))
    }),
};

fn object(puzzle: &Puzzle, format: &'static str) -> Result<String, WriteError> {
    write::object(puzzle).map_err(|what| WriteError { format, what })
}
