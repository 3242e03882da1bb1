//! How a Latin square becomes groups.

use super::{Defect, Group, Kind, Puzzle, square};

/// A Latin square with cells given; [`build`](Self::build) checks it and makes the groups.
#[derive(Clone, Debug)]
pub struct Latin {
    /// The side, 1 to 32.
    pub size: usize,
    /// The digits; 1 to `size` when absent.
    pub digits: Option<Vec<u8>>,
    /// Digits printed in cells: `(row, column, digit)`.
    pub givens: Vec<(usize, usize, u8)>,
    /// Further groups as they are (an irregular region, say).
    pub groups: Vec<Group>,
}

impl Latin {
    /// An empty Latin square with the digits 1 to `size`.
    pub fn new(size: usize) -> Self {
        Self { size, digits: None, givens: Vec::new(), groups: Vec::new() }
    }

    /// Checks the structure and builds the puzzle: distinct rows and columns, givens.
    ///
    /// # Errors
    /// The first [`Defect`] found: a size or digit set out of range, a given outside the grid.
    pub fn build(self) -> Result<Puzzle, Defect> {
        let n = self.size;
        let digits = square::digits(n, self.digits)?;
        let mut groups = square::lines(n);
        groups.extend(square::givens(&self.givens, (n, n))?);
        groups.extend(self.groups);
        Puzzle::new(Kind::Latin, (n, n), digits, vec![false; n * n], groups)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Role;

    #[test]
    fn rows_columns_and_givens_become_groups() {
        let square = Latin { digits: Some(vec![2, 3, 5, 7]), givens: vec![(1, 2, 5)], ..Latin::new(4) };
        let puzzle = square.build().expect("a sound puzzle");
        assert_eq!(puzzle.groups().len(), 9);
        assert_eq!(puzzle.groups_with(Role::Given).next().expect("a given").cells, [6]);
        assert_eq!(puzzle.digits().values(), [2, 3, 5, 7]);
    }

    #[test]
    fn every_defect_is_named() {
        assert_eq!(Latin::new(33).build(), Err(Defect::Size { size: 33 }));
        let digits = Latin { digits: Some(vec![]), ..Latin::new(2) };
        assert_eq!(digits.build(), Err(Defect::Digits { count: 0, twice: false }));
    }
}
