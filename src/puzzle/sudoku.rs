//! How a Sudoku becomes groups.

use super::{Defect, Group, Kind, Puzzle, square};

/// Everything a Sudoku is made of; [`build`](Self::build) checks it and makes the groups.
#[derive(Clone, Debug)]
pub struct Sudoku {
    /// The side, 1 to 32.
    pub size: usize,
    /// The rows and columns of a box; together as many cells as a row.
    pub boxes: (usize, usize),
    /// The digits; 1 to `size` when absent.
    pub digits: Option<Vec<u8>>,
    /// Digits printed in cells: `(row, column, digit)`.
    pub givens: Vec<(usize, usize, u8)>,
    /// Further groups as they are (a diagonal, say).
    pub groups: Vec<Group>,
}

impl Sudoku {
    /// A Sudoku with the digits 1 to `size` and nothing printed in it.
    pub fn new(size: usize, boxes: (usize, usize)) -> Self {
        Self { size, boxes, digits: None, givens: Vec::new(), groups: Vec::new() }
    }

    /// Checks the structure and builds the puzzle: distinct rows, columns and boxes, givens.
    ///
    /// # Errors
    /// The first [`Defect`] found: a size or digit set out of range, boxes that do not fit, a given outside the grid.
    pub fn build(self) -> Result<Puzzle, Defect> {
        self.into_puzzle(Kind::Sudoku, Vec::new())
    }

    /// The puzzle of a kind that has all that a Sudoku has, and `more` groups.
    pub(super) fn into_puzzle(self, kind: Kind, more: Vec<Group>) -> Result<Puzzle, Defect> {
        let n = self.size;
        let digits = square::digits(n, self.digits)?;
        let mut groups = square::lines(n);
        groups.extend(square::boxes(n, self.boxes)?);
        groups.extend(more);
        groups.extend(square::givens(&self.givens, (n, n))?);
        groups.extend(self.groups);
        Puzzle::new(kind, (n, n), digits, vec![false; n * n], groups)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Role;

    #[test]
    fn rows_columns_boxes_and_givens_become_groups() {
        let sudoku = Sudoku { givens: vec![(0, 5, 3)], ..Sudoku::new(6, (2, 3)) };
        let puzzle = sudoku.build().expect("a sound puzzle");
        let count = |role| puzzle.groups_with(role).count();
        assert_eq!([Role::Row, Role::Column, Role::Region, Role::Given].map(count), [6, 6, 6, 1]);
        assert!(puzzle.groups_with(Role::Region).all(|region| region.distinct && region.cells.len() == 6));
    }

    #[test]
    fn every_defect_is_named() {
        assert_eq!(Sudoku::new(40, (5, 8)).build(), Err(Defect::Size { size: 40 }));
        assert_eq!(Sudoku::new(6, (3, 3)).build(), Err(Defect::Box { shape: (3, 3), size: 6 }));
        let outside = Sudoku { givens: vec![(0, 4, 1)], ..Sudoku::new(4, (2, 2)) };
        assert_eq!(outside.build(), Err(Defect::Outside { cage: 0, cell: (0, 4), size: (4, 4) }));
    }
}
