//! The groups of n queens: one row of cells, a cell for each column of the board, whose digit is the row of its queen.

use super::operators::APART;
use super::{Clue, Defect, DigitSet, Group, Kind, MAX_DIGITS, Puzzle, Role, square};

/// The parts of n queens; [`build`](Self::build) checks them and makes the groups.
#[derive(Clone, Debug)]
pub struct Queens {
    /// The rows and columns of the board, 1 to 32.
    pub size: usize,
    /// Queens that are there: `(0, column, row)`, the column from 0 and the row from 1.
    pub givens: Vec<(usize, usize, u8)>,
    /// Further groups as they are.
    pub groups: Vec<Group>,
}

impl Queens {
    /// An empty board.
    pub fn new(size: usize) -> Self {
        Self { size, givens: Vec::new(), groups: Vec::new() }
    }

    /// Checks the structure and builds the puzzle: the rows of all queens differ, and two of them not by as much as their
    /// columns.
    ///
    /// # Errors
    /// The first [`Defect`] found: a size out of range; a queen outside the board's columns.
    pub fn build(self) -> Result<Puzzle, Defect> {
        let n = self.size;
        if n == 0 || n > MAX_DIGITS {
            return Err(Defect::Size(n));
        }
        let mut groups = board_groups(n);
        groups.extend(square::givens(&self.givens, (1, n))?);
        groups.extend(self.groups);
        Puzzle::new(Kind::Queens, (1, n), DigitSet::one_to(n)?, vec![false; n], groups)
    }
}

/// The groups of every board of this size.
fn board_groups(n: usize) -> Vec<Group> {
    let mut groups = vec![Group::all_different(Role::Row, (0..n).collect())];
    for first in 0..n {
        for second in first + 1..n {
            let clue = Some(Clue { operator: APART, target: (second - first) as i64 });
            groups.push(Group { role: Role::Group, cells: vec![first, second], distinct: false, clue });
        }
    }
    groups
}

/// The groups that the size of n queens implies; `None` for any other kind.
pub(super) fn queens_groups(puzzle: &Puzzle) -> Option<Vec<Group>> {
    (puzzle.kind == Kind::Queens).then(|| board_groups(puzzle.cols()))
}
