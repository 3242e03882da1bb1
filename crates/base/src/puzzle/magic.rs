//! The groups of a magic square: different digits whose rows, columns and diagonals have one sum.

use super::operators::{ADD, GIVEN};
use super::{Clue, Defect, DigitSet, Group, Kind, MAX_DIGITS, Puzzle, Role, square};

/// The parts of a magic square; [`build`](Self::build) checks them and makes the groups.
#[derive(Clone, Debug)]
pub struct Magic {
    /// The side, 1 to 5 with the digits that a puzzle may have.
    pub size: usize,
    /// The digits; 1 to `size * size` when absent.
    pub digits: Option<Vec<u8>>,
    /// The sum of each row, column and diagonal; that of all digits divided by the size when absent.
    pub target: Option<i64>,
    /// Digits printed in cells: `(row, column, digit)`.
    pub givens: Vec<(usize, usize, u8)>,
    /// Further groups as they are.
    pub groups: Vec<Group>,
}

impl Magic {
    /// An empty magic square of the digits 1 to `size * size` with the usual sum.
    pub fn new(size: usize) -> Self {
        Self { size, digits: None, target: None, givens: Vec::new(), groups: Vec::new() }
    }

    /// Checks the structure and builds the puzzle: sums over rows, columns and both diagonals, one distinct group over all
    /// cells, givens.
    ///
    /// # Errors
    /// The first [`Defect`] found: a size or digit set out of range; a negative target; a given outside the grid.
    pub fn build(self) -> Result<Puzzle, Defect> {
        let n = self.size;
        if n == 0 || n > MAX_DIGITS {
            return Err(Defect::Size(n));
        }
        let digits = self.digits.map_or_else(|| DigitSet::one_to(n * n), DigitSet::new)?;
        let sum: i64 = digits.values().iter().map(|digit| i64::from(*digit)).sum();
        // Where the size does not divide the sum there is no solution, which is no defect.
        let target = self.target.unwrap_or(sum / n as i64);
        if target < 0 {
            return Err(Defect::NegativeSum(target));
        }
        let mut groups = magic_groups(n, target);
        groups.extend(square::givens(&self.givens, (n, n))?);
        groups.extend(self.groups);
        Puzzle::new(Kind::Magic, (n, n), digits, vec![false; n * n], groups)
    }
}

/// The groups of every magic square of this size and sum.
fn magic_groups(n: usize, target: i64) -> Vec<Group> {
    let mut lines = square::line_cells(n);
    if n > 1 {
        lines.extend(square::diagonals(n).map(|cells| (Role::Group, cells)));
    }
    // A clue over one cell is a given, as in a cage.
    let clue = Some(Clue { operator: if n == 1 { GIVEN } else { ADD }, target });
    let mut groups = Vec::with_capacity(lines.len() + 1);
    for (role, cells) in lines {
        groups.push(Group { role, cells, distinct: false, clue });
    }
    groups.push(Group::all_different(Role::Group, (0..n * n).collect()));
    groups
}

/// The sum of a magic square, and the groups that its size and its sum imply; `None` for any other kind.
pub(super) fn magic_parts(puzzle: &Puzzle) -> Option<(i64, Vec<Group>)> {
    if puzzle.kind != Kind::Magic {
        return None;
    }
    let clue = puzzle.groups_with(Role::Row).find_map(|row| row.clue)?;
    Some((clue.target, magic_groups(puzzle.rows(), clue.target)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Grid, check};

    #[test]
    fn rows_columns_and_diagonals_have_the_sum_and_all_digits_differ() {
        let puzzle = Magic::new(3).build().expect("a sound puzzle");
        let sums = |role| puzzle.groups_with(role).filter_map(|group| group.clue).map(|clue| clue.target);
        assert_eq!(sums(Role::Row).chain(sums(Role::Column)).collect::<Vec<_>>(), [15; 6]);
        let others: Vec<&[usize]> = puzzle.groups_with(Role::Group).map(|group| &*group.cells).collect();
        assert_eq!(others, [&[0, 1, 2, 3, 4, 5, 6, 7, 8][..], &[0, 4, 8], &[2, 4, 6]]);
        let is_magic = |text: &str| check(&puzzle, &Grid::parse(text, 3, 3).expect("3x3")).is_solution();
        assert!(is_magic("2 7 6/9 5 1/4 3 8"));
        assert!(!is_magic("5 5 5/5 5 5/5 5 5") && !is_magic("2 9 4/7 5 3/6 8 1"));
    }

    #[test]
    fn the_sum_is_that_of_the_digits_divided_by_the_size() {
        let target = |magic: Magic| magic_parts(&magic.build().expect("sound")).expect("a magic square").0;
        assert_eq!([1, 2, 3, 4, 5].map(|size| target(Magic::new(size))), [1, 5, 15, 34, 65]);
        let primes = vec![5, 17, 29, 47, 59, 71, 89, 101, 113];
        assert_eq!(target(Magic { digits: Some(primes), ..Magic::new(3) }), 177);
        assert_eq!(target(Magic { target: Some(4), ..Magic::new(3) }), 4);
    }

    #[test]
    fn sizes_and_sums_out_of_range_are_refused() {
        assert_eq!(Magic::new(0).build(), Err(Defect::Size(0)));
        assert_eq!(Magic::new(6).build(), Err(Defect::Digits { count: 36, twice: false }));
        assert_eq!(Magic { target: Some(-1), ..Magic::new(3) }.build(), Err(Defect::NegativeSum(-1)));
    }
}
