//! How a Killer becomes groups.

use super::{Cage, Defect, Kind, Puzzle, Sudoku, square};

/// A Sudoku and cages, which need not hold every cell; [`build`](Self::build) checks it and makes the groups.
#[derive(Clone, Debug)]
pub struct Killer {
    /// Size, boxes, digits, givens.
    pub sudoku: Sudoku,
    /// The cages, sums as a rule; a digit occurs once in each unless it says that digits may repeat.
    pub cages: Vec<Cage>,
}

impl Killer {
    /// Checks the structure and builds the puzzle: all that the Sudoku has, and cages.
    ///
    /// # Errors
    /// The first [`Defect`] found: those of a Sudoku; a cage without cells, outside the grid, in pieces, with a negative
    /// target or an operator not meant for its cells, a cell in two cages.
    pub fn build(self) -> Result<Puzzle, Defect> {
        let n = self.sudoku.size;
        square::digits(n, None)?;
        square::check_cages(&self.cages, n)?;
        square::check_apart(&self.cages, n)?;
        let cages = self.cages.iter().map(|cage| square::cage_group(cage, n)).collect();
        self.sudoku.into_puzzle(Kind::Killer, cages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Role, operators};

    fn four(cages: Vec<Cage>) -> Result<Puzzle, Defect> {
        Killer { sudoku: Sudoku::new(4, (2, 2)), cages }.build()
    }

    fn sum(target: i64, cells: &[(usize, usize)], repeats: bool) -> Cage {
        let plus = operators::find("+").expect("a known operator");
        Cage { repeats, ..Cage::new(plus, target, cells.to_vec()) }
    }

    #[test]
    fn cages_hold_some_cells_and_repeat_digits_when_they_say_so() {
        let cages = vec![sum(5, &[(0, 0), (0, 1)], false), sum(7, &[(1, 1), (1, 2)], true)];
        let puzzle = four(cages).expect("a sound puzzle");
        let distinct: Vec<bool> = puzzle.groups_with(Role::Cage).map(|cage| cage.distinct).collect();
        assert_eq!((puzzle.kind, distinct), (Kind::Killer, vec![true, false]));
    }

    #[test]
    fn every_defect_is_named() {
        let twice = Defect::Twice { cell: (0, 1), first: 0, cage: 1 };
        assert_eq!(four(vec![sum(5, &[(0, 0), (0, 1)], false), sum(5, &[(0, 1)], false)]), Err(twice));
        let pieces = Defect::Pieces { cage: 0, cell: (2, 2), from: (0, 0) };
        assert_eq!(four(vec![sum(5, &[(0, 0), (2, 2)], false)]), Err(pieces));
        assert_eq!(four(vec![sum(5, &[], false)]), Err(Defect::Empty { cage: 0 }));
        assert_eq!(four(vec![sum(-5, &[(0, 0)], false)]), Err(Defect::Negative { cage: 0, target: -5 }));
        let sudoku = Sudoku::new(0, (0, 0));
        assert_eq!(Killer { sudoku, cages: vec![] }.build(), Err(Defect::Size { size: 0 }));
    }
}
