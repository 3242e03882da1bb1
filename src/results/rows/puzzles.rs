//! The rows of `puzzles.csv`: exact facts.

use serde::{Deserialize, Serialize};

use super::Row;
use crate::experiment::Truth;
use crate::puzzle::Puzzle;

/// A row of `puzzles.csv`: exact facts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PuzzleRow {
    /// Id of the puzzle.
    pub puzzle: String,
    /// Cells that hold digits.
    pub cells: usize,
    /// Digits.
    pub digits: usize,
    /// Solutions found.
    pub solutions: Option<usize>,
    /// There are no others.
    pub solutions_exact: Option<bool>,
    /// Cells in which all solutions agree.
    pub backbone: Option<usize>,
    /// Decisions of the exact solver.
    pub nodes: Option<u64>,
    /// Candidates over all cells after propagation.
    pub candidates: Option<u32>,
}

impl PuzzleRow {
    /// The row of a puzzle; `asked` says whether the exact solver was.
    pub fn new(puzzle: &Puzzle, cells: usize, truth: &Truth, asked: bool) -> Self {
        Self {
            puzzle: puzzle.id.clone(),
            cells,
            digits: puzzle.digits().len(),
            solutions: asked.then_some(truth.solutions.len()),
            solutions_exact: asked.then_some(truth.exact),
            backbone: truth.backbone(),
            nodes: asked.then_some(truth.nodes),
            candidates: asked.then_some(truth.candidates),
        }
    }
}

impl Row for PuzzleRow {}
