//! Which cells share a distinct group.

use super::super::super::Puzzle;

/// The distinct groups of every cell, by index into the puzzle's groups, ascending.
pub(super) struct Lines {
    of: Vec<Vec<usize>>,
}

impl Lines {
    pub(super) fn new(puzzle: &Puzzle) -> Self {
        let mut of = vec![Vec::new(); puzzle.rows() * puzzle.cols()];
        for (index, group) in puzzle.groups().iter().enumerate().filter(|(_, group)| group.distinct) {
            group.cells.iter().for_each(|cell| of[*cell].push(index));
        }
        Self { of }
    }

    /// Two different cells may not hold the same digit.
    pub(super) fn must_differ(&self, a: usize, b: usize) -> bool {
        self.of[a].iter().any(|line| self.of[b].contains(line))
    }
}
