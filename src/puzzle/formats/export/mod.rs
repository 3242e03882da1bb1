//! Models of a puzzle for other programs to solve: written, never read.
//!
//! Each holds puzzles of every kind. What they share: [`lines`], which cells must differ; [`tuples`], a bounded walk over
//! the digits of one clue; [`formula`], a clue in words that any modelling language has; [`model`], all rules in order.

pub(super) mod dimacs;
mod formula;
mod lines;
pub(super) mod minizinc;
mod model;
pub(super) mod smtlib;
mod tuples;

use super::super::Puzzle;

/// The puzzle's id on one line, whatever it contains.
fn title(puzzle: &Puzzle) -> String {
    let id: String = puzzle.id.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if id.is_empty() { puzzle.kind.name().to_owned() } else { format!("{} {id}", puzzle.kind.name()) }
}

/// The cells that hold a digit, row-major.
fn white(puzzle: &Puzzle) -> impl Iterator<Item = usize> + '_ {
    (0..puzzle.rows() * puzzle.cols()).filter(|cell| !puzzle.is_black(*cell))
}
