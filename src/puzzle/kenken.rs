//! How a KenKen becomes groups.

use super::operators::Operator;
use super::{Defect, Group, Kind, Puzzle, square};

/// A cage as a text gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cage {
    /// The operator; whatever it is, one cell makes a given.
    pub operator: Operator,
    /// The target.
    pub target: i64,
    /// Its cells, `(row, column)` from 0.
    pub cells: Vec<(usize, usize)>,
    /// Whether a digit may occur twice where no line forbids it. KenKen cages allow it.
    pub repeats: bool,
}

impl Cage {
    /// A cage in which digits may repeat.
    pub fn new(operator: Operator, target: i64, cells: Vec<(usize, usize)>) -> Self {
        Self { operator, target, cells, repeats: true }
    }
}

/// Everything a KenKen of one size is made of; [`build`](Self::build) checks it and makes the groups.
#[derive(Clone, Debug)]
pub struct KenKen {
    /// The side, 1 to 32.
    pub size: usize,
    /// The digits; 1 to `size` when absent.
    pub digits: Option<Vec<u8>>,
    /// The cages; together they hold every cell once.
    pub cages: Vec<Cage>,
    /// Digits printed in cells besides the cages: `(row, column, digit)`.
    pub givens: Vec<(usize, usize, u8)>,
    /// Further groups as they are (a region, say).
    pub groups: Vec<Group>,
}

impl KenKen {
    /// A KenKen with the digits 1 to `size` and nothing but cages.
    pub fn new(size: usize, cages: Vec<Cage>) -> Self {
        Self { size, digits: None, cages, givens: Vec::new(), groups: Vec::new() }
    }

    /// Checks the structure and builds the puzzle: distinct rows and columns, cages, givens.
    ///
    /// # Errors
    /// The first [`Defect`] found: a size or digit set out of range, a cage without cells, outside the grid, in
    /// pieces, with a negative target or an operator not meant for its cells, a cell in no cage or in two.
    pub fn build(self) -> Result<Puzzle, Defect> {
        let n = self.size;
        let digits = square::digits(n, self.digits)?;
        square::check_cages(&self.cages, n)?;
        square::check_cover(&self.cages, n)?;
        let mut groups = square::lines(n);
        groups.extend(self.cages.iter().map(|cage| square::cage_group(cage, n)));
        groups.extend(square::givens(&self.givens, (n, n))?);
        groups.extend(self.groups);
        Puzzle::new(Kind::KenKen, (n, n), digits, vec![false; n * n], groups)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Role;
    use crate::puzzle::operators::{self, GIVEN};

    fn op(symbol: &str) -> Operator {
        operators::find(symbol).expect("a known operator")
    }

    fn two_by_two(cages: Vec<Cage>) -> Result<Puzzle, Defect> {
        KenKen::new(2, cages).build()
    }

    #[test]
    fn rows_columns_and_cages_become_groups() {
        let cages =
            vec![Cage::new(op("+"), 3, vec![(0, 1), (0, 0)]), Cage::new(op("-"), 1, vec![(1, 0), (1, 1)])];
        let puzzle = two_by_two(cages).expect("a sound puzzle");
        assert_eq!(puzzle.groups().len(), 6);
        assert_eq!(puzzle.groups_with(Role::Cage).next().expect("a cage").cells, [0, 1]);
    }

    #[test]
    fn one_cell_is_a_given_whatever_its_operator() {
        let puzzle = KenKen::new(1, vec![Cage::new(op("/"), 1, vec![(0, 0)])]).build().expect("n = 1");
        assert!(puzzle.groups_with(Role::Cage).all(|cage| cage.clue.expect("a clue").operator == GIVEN));
    }

    #[test]
    fn every_defect_is_named() {
        let whole = vec![(0, 0), (0, 1), (1, 0), (1, 1)];
        let sum = |target, cells| Cage::new(op("+"), target, cells);
        assert_eq!(KenKen::new(40, vec![]).build(), Err(Defect::Size { size: 40 }));
        assert_eq!(KenKen::new(0, vec![]).build(), Err(Defect::Size { size: 0 }));
        assert_eq!(two_by_two(vec![sum(6, vec![])]), Err(Defect::Empty { cage: 0 }));
        assert_eq!(two_by_two(vec![sum(-6, whole.clone())]), Err(Defect::Negative { cage: 0, target: -6 }));
        let outside = Defect::Outside { cage: 0, cell: (2, 0), size: (2, 2) };
        assert_eq!(two_by_two(vec![sum(6, vec![(2, 0)])]), Err(outside));
        let twice = Defect::Twice { cell: (0, 0), first: 0, cage: 1 };
        assert_eq!(two_by_two(vec![sum(6, whole.clone()), sum(1, vec![(0, 0)])]), Err(twice));
        assert_eq!(two_by_two(vec![sum(3, vec![(0, 0), (0, 1)])]), Err(Defect::Uncovered { cell: (1, 0) }));
        let pieces = Defect::Pieces { cage: 0, cell: (1, 1), from: (0, 0) };
        let split = vec![sum(2, vec![(0, 0), (1, 1)]), sum(4, vec![(0, 1), (1, 0)])];
        assert_eq!(two_by_two(split), Err(pieces));
        let given = two_by_two(vec![Cage::new(GIVEN, 6, whole)]);
        assert!(matches!(given, Err(Defect::Arity { cage: 0, cells: 4, .. })));
    }
}
