//! A cage and a line that share two cells or more.
//!
//! Two rules: a digit that every live tuple of the cage puts in the line leaves the rest of the line; and a digit that
//! a full line (as many cells as digits, so that each occurs) can only hold inside the cage must be in its tuple.
//! Consistency: neither follows from the two constraints taken apart; together they are still less than consistency
//! on their conjunction.
//! Cost: O(cells of the line), and for every digit met a pass over the live words that mostly ends at the first. Each
//! rule runs only when what it reads has changed: the cells outside, or the tuples.
//!
//! Source: known to Killer Sudoku solvers as cage and line reasoning ("pointing cages", "cage blockers");
//! as redundant constraints in H. Simonis, "Kakuro as a constraint problem", ModRef 2008.

use crate::problem::bits;

use super::space::{Conflict, Space};
use super::table::Tables;

/// Where one cage and one line, a distinct group, meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    /// The number of the cage's propagator.
    pub(super) cage: u32,
    /// The index of the line.
    pub(super) line: u32,
    /// The positions of the cage that are in the line.
    pub(super) positions: u32,
    /// The positions of the line that are in the cage.
    pub(super) inside: u32,
    /// The line has as many cells as there are digits.
    pub(super) full: bool,
}

impl Crossing {
    /// Strikes the tuples that lack a digit which the line can only hold inside the cage; says whether there were any.
    /// Worth a call when cells outside the cage have lost candidates.
    pub(super) fn demand(
        &self,
        line: &[u16],
        table: usize,
        tables: &mut Tables,
        space: &mut Space,
    ) -> Result<bool, Conflict> {
        let mut struck = false;
        for rank in bits(self.due(line, space)) {
            struck |= tables.demand(table, self.positions, rank, space)?;
        }
        Ok(struck)
    }

    /// The digits, not assigned there yet, that the line can only hold inside the cage.
    pub(super) fn due(&self, line: &[u16], space: &Space) -> u32 {
        let Met { inside, outside, settled } = self.look(line, space);
        if self.full { inside & !outside & !settled } else { 0 }
    }

    /// Takes the digits that every live tuple puts in the line from the cells outside the cage. Worth a call when the
    /// table has lost tuples.
    pub(super) fn exclude(
        &self,
        line: &[u16],
        table: usize,
        tables: &Tables,
        space: &mut Space,
    ) -> Result<(), Conflict> {
        let Met { inside, outside, settled } = self.look(line, space);
        let certain = self.certain(inside & outside & !settled, table, tables, space);
        if certain != 0 {
            for cell in self.outside(line) {
                space.keep(cell, !certain)?;
            }
        }
        Ok(())
    }

    /// Those of some digits that every live tuple puts in the line.
    pub(super) fn certain(&self, digits: u32, table: usize, tables: &Tables, space: &Space) -> u32 {
        bits(digits)
            .filter(|rank| tables.always(table, self.positions, *rank, space))
            .fold(0, |mask, rank| mask | 1 << rank)
    }

    /// The cells of the line that are in the cage.
    pub(super) fn inside(&self, line: &[u16]) -> impl Iterator<Item = u16> {
        cells_at(line, self.inside)
    }

    /// The cells of the line that are not in the cage.
    pub(super) fn outside(&self, line: &[u16]) -> impl Iterator<Item = u16> {
        cells_at(line, !self.inside)
    }

    fn look(&self, line: &[u16], space: &Space) -> Met {
        let mut met = Met { inside: 0, outside: 0, settled: 0 };
        for (position, cell) in line.iter().enumerate() {
            let mask = space.mask(*cell);
            let within = if self.inside & 1 << position == 0 { 0 } else { mask };
            met.inside |= within;
            met.outside |= mask ^ within;
            met.settled |= if within.is_power_of_two() { within } else { 0 };
        }
        met
    }
}

/// The cells at some positions of a line.
fn cells_at(line: &[u16], positions: u32) -> impl Iterator<Item = u16> {
    let cells = line.iter().enumerate().filter(move |(position, _)| positions & 1 << position != 0);
    cells.map(|(_, cell)| *cell)
}

/// The candidates of a line's cells inside the cage and outside, and the digits of assigned cells inside.
struct Met {
    inside: u32,
    outside: u32,
    settled: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of four cells whose first two are a cage.
    fn crossing(masks: [u32; 4], tuples: &[u8]) -> (Result<bool, Conflict>, [u32; 4]) {
        let mut space = Space::new(&masks, 1);
        let mut tables = Tables::new(4, 2);
        let table = tables.add(&[0, 1], tuples, &mut space).expect("a tuple");
        let crossing = Crossing { cage: 0, line: 0, positions: 0b11, inside: 0b11, full: true };
        let line = [0, 1, 2, 3];
        let result = crossing.demand(&line, table, &mut tables, &mut space).and_then(|struck| {
            crossing.exclude(&line, table, &tables, &mut space)?;
            Ok(struck)
        });
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
}
