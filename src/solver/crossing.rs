//! A cage and a line that share two cells or more.
//!
//! Two rules: a digit that every live tuple of the cage puts in the line leaves the rest of the line; and a digit that
//! a full line (as many cells as digits, so that each occurs) can only hold inside the cage must be in its tuple.
//! Consistency: neither follows from the two constraints taken apart; together they are still less than consistency
//! on their conjunction.
//! Cost: O(cells of the line), and for every digit met a pass over the live words that mostly ends at the first.
//!
//! Source: known to Killer Sudoku solvers as cage and line reasoning ("pointing cages", "cage blockers");
//! as redundant constraints in H. Simonis, "Kakuro as a constraint problem", ModRef 2008.

use crate::problem::bits;

use super::space::{Conflict, Space};
use super::table::Tables;

/// Where one cage and one distinct group meet.
#[derive(Clone, Debug)]
pub(super) struct Crossing {
    /// The number of the cage's propagator.
    cage: usize,
    /// The positions of the cage inside the line.
    positions: u32,
    inside: Vec<u16>,
    outside: Vec<u16>,
    /// The line has as many cells as there are digits.
    full: bool,
}

impl Crossing {
    /// The crossing of a cage with a line; `None` when fewer than two cells are shared, or none is outside, or the cage
    /// is wider than tables are.
    pub(super) fn new(cage: usize, cage_cells: &[u16], line: &[u16], digits: usize) -> Option<Self> {
        if cage_cells.len() > 32 {
            return None;
        }
        let shared = |position: &usize| line.contains(&cage_cells[*position]);
        let positions =
            (0..cage_cells.len()).filter(shared).fold(0u32, |mask, position| mask | 1 << position);
        if positions.count_ones() < 2 || positions.count_ones() as usize == line.len() {
            return None;
        }
        let inside = bits(positions).map(|position| cage_cells[position as usize]).collect();
        let outside = line.iter().copied().filter(|cell| !cage_cells.contains(cell)).collect();
        Some(Self { cage, positions, inside, outside, full: line.len() == digits })
    }

    /// The number of the cage's propagator.
    pub(super) fn cage(&self) -> usize {
        self.cage
    }

    /// The cells of the line, those in the cage first.
    pub(super) fn cells(&self) -> impl Iterator<Item = u16> {
        self.inside.iter().chain(&self.outside).copied()
    }

    /// Applies both rules to the cage's table; says whether tuples were struck.
    pub(super) fn propagate(
        &self,
        table: usize,
        tables: &mut Tables,
        space: &mut Space,
    ) -> Result<bool, Conflict> {
        let mut struck = false;
        let (inside, settled) = union(&self.inside, space);
        let (outside, _) = union(&self.outside, space);
        if self.full {
            for rank in bits(inside & !outside & !settled) {
                struck |= tables.demand(table, self.positions, rank, space)?;
            }
        }
        let certain = bits(inside & outside & !settled)
            .filter(|rank| tables.always(table, self.positions, *rank, space))
            .fold(0, |mask, rank| mask | 1 << rank);
        if certain != 0 {
            for cell in &self.outside {
                space.keep(*cell, !certain)?;
            }
        }
        Ok(struck)
    }
}

/// The candidates of some cells, and the digits of those that are assigned.
fn union(cells: &[u16], space: &Space) -> (u32, u32) {
    cells.iter().fold((0, 0), |(union, settled), cell| {
        let mask = space.mask(*cell);
        (union | mask, if mask.is_power_of_two() { settled | mask } else { settled })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of four cells whose first two are a cage.
    fn crossing(masks: [u32; 4], tuples: &[u8]) -> (Result<bool, Conflict>, [u32; 4]) {
        let mut space = Space::new(&masks, 1);
        let mut tables = Tables::new(4);
        let table = tables.add(&[0, 1], tuples, &mut space);
        let crossing = Crossing::new(0, &[0, 1], &[0, 1, 2, 3], 4).expect("two cells are shared");
        let result = crossing.propagate(table, &mut tables, &mut space);
        if result.is_ok() {
            tables.propagate(table, &mut space).expect("a tuple is left");
        }
        (result, [0, 1, 2, 3].map(|cell| space.mask(cell)))
    }

    #[test]
    fn a_digit_of_every_tuple_leaves_the_rest_of_the_line() {
        let tuples = [0, 1, 1, 0, 0, 2, 2, 0];
        assert_eq!(crossing([7, 7, 15, 15], &tuples), (Ok(false), [7, 7, 14, 14]));
    }

    #[test]
    fn a_digit_that_the_line_holds_only_in_the_cage_is_in_its_tuple() {
        let tuples = [0, 1, 1, 0, 0, 2, 2, 0, 1, 2];
        assert_eq!(crossing([7, 7, 13, 13], &tuples), (Ok(true), [3, 7, 13, 13]));
        assert_eq!(crossing([7, 7, 9, 9], &tuples), (Ok(true), [2, 4, 9, 9]));
    }

    #[test]
    fn what_shares_less_than_two_cells_is_no_crossing() {
        assert!(Crossing::new(0, &[0, 4], &[0, 1, 2, 3], 4).is_none());
        assert!(Crossing::new(0, &[0, 1, 2], &[0, 1, 2], 4).is_none());
    }
}
