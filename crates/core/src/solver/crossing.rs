//! A cage and a line that share two cells or more.
//!
//! Two rules. The line excludes from its other cells a digit that every live tuple of the cage puts in the line. A full
//! line (as many cells as digits, so that each occurs) demands of the cage's tuple a digit that it can only hold inside
//! the cage.
//! Consistency: neither rule follows from the cage or the line alone; together they are weaker than consistency on the
//! conjunction of cage and line.
//! Cost: O(cells of the line) for every crossing of a line or a cage, and for every digit met a pass over the live words
//! that mostly ends at the first. Each rule runs only when what it reads has changed: the cells of the line, or the
//! tuples of the cage.
//!
//! Source: known to Killer Sudoku solvers as cage and line reasoning ("pointing cages", "cage blockers");
//! as redundant constraints in H. Simonis, "Kakuro as a constraint problem", ModRef 2008.

use std::ops::Range;

use crate::problem::{bits, full_mask};

use super::space::{Conflict, Space};
use super::table::Tables;

/// The cells that one cage and one line, a distinct group, share.
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
    /// In the space: the digits that the line has demanded so far.
    pub(super) demanded: u32,
}

impl Crossing {
    /// The digits among those that a full line still misses that it can only hold inside the cage. They change when cells
    /// outside the cage lose candidates.
    pub(super) fn due(&self, missing: u32, line: &[u16], space: &Space) -> u32 {
        if self.full { missing & !union(self.outside(line), space) } else { 0 }
    }

    /// Removes the digits that every live tuple puts in the line from the cells outside the cage. They change when the
    /// table loses tuples.
    pub(super) fn exclude(
        &self,
        line: &[u16],
        table: usize,
        tables: &Tables,
        space: &mut Space,
    ) -> Result<(), Conflict> {
        // Only a digit that is left inside can be certain there, and only one left outside can be excluded.
        let on_both_sides = union(self.inside(line), space) & union(self.outside(line), space);
        let certain = self.certain(on_both_sides, table, tables, space);
        if certain != 0 {
            for cell in self.outside(line) {
                space.keep(cell, !certain)?;
            }
        }
        Ok(())
    }

    /// The subset of `digits` that every live tuple puts in the line.
    pub(super) fn certain(&self, digits: u32, table: usize, tables: &Tables, space: &Space) -> u32 {
        tables.certain(table, self.positions, digits, space)
    }

    /// The cells of the line that are in the cage.
    pub(super) fn inside(&self, line: &[u16]) -> impl Iterator<Item = u16> {
        cells_at(line, self.inside)
    }

    /// The cells of the line that are not in the cage.
    pub(super) fn outside(&self, line: &[u16]) -> impl Iterator<Item = u16> {
        cells_at(line, !self.inside)
    }
}

/// All crossings, by line and by cage.
#[derive(Clone, Debug, Default)]
pub(super) struct Crossings {
    /// Those of a cage lie together.
    all: Vec<Crossing>,
    /// Where the crossings of each line begin in `by_line`, and the end.
    start: Vec<u32>,
    by_line: Vec<u32>,
    /// By the number of the cage's propagator.
    by_cage: Vec<CageCrossings>,
}

/// The crossings of one cage.
#[derive(Clone, Copy, Debug, Default)]
struct CageCrossings {
    first: u32,
    end: u32,
    /// The number of the propagator that excludes by the cage.
    exclude: u32,
}

impl Crossings {
    /// The crossings of so many lines and propagators. `excludes` has a number for every cage with crossings, in order.
    pub(super) fn new(
        all: Vec<Crossing>,
        excludes: impl IntoIterator<Item = usize>,
        lines: usize,
        propagators: usize,
    ) -> Self {
        let mut start = vec![0; lines + 1];
        for crossing in &all {
            start[crossing.line as usize + 1] += 1;
        }
        for line in 0..lines {
            start[line + 1] += start[line];
        }
        let (mut next, mut by_line) = (start.clone(), vec![0; all.len()]);
        let mut by_cage = vec![CageCrossings::default(); propagators];
        let mut excludes = excludes.into_iter();
        for (index, crossing) in (0..).zip(&all) {
            let place = &mut next[crossing.line as usize];
            by_line[*place as usize] = index;
            *place += 1;
            let cage = &mut by_cage[crossing.cage as usize];
            // The first crossing of a cage.
            if cage.end == 0 {
                let exclude = excludes.next().expect("a number for every cage with crossings") as u32;
                *cage = CageCrossings { first: index, end: index, exclude };
            }
            cage.end = index + 1;
        }
        Self { all, start, by_line, by_cage }
    }

    /// The number of crossings.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The crossing with this index.
    pub(super) fn get(&self, index: u32) -> &Crossing {
        &self.all[index as usize]
    }

    /// Every crossing with its index.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Crossing)> {
        (0..).zip(&self.all)
    }

    /// The indices of a line's crossings, ascending.
    pub(super) fn of_line(&self, line: u32) -> &[u32] {
        let line = line as usize;
        &self.by_line[self.start[line] as usize..self.start[line + 1] as usize]
    }

    /// The indices of a cage's crossings.
    pub(super) fn of_cage(&self, cage: usize) -> Range<u32> {
        let CageCrossings { first, end, .. } = self.by_cage[cage];
        first..end
    }

    /// The number of the propagator that excludes by a cage, if the cage has crossings.
    pub(super) fn exclude_of(&self, cage: usize) -> Option<usize> {
        let CageCrossings { first, end, exclude } = self.by_cage[cage];
        (first < end).then_some(exclude as usize)
    }
}

/// The cells at some positions of a line.
fn cells_at(line: &[u16], positions: u32) -> impl Iterator<Item = u16> {
    bits(positions & full_mask(line.len())).map(|position| line[position as usize])
}

/// The candidates of some cells together.
pub(super) fn union(cells: impl Iterator<Item = u16>, space: &Space) -> u32 {
    cells.fold(0, |union, cell| union | space.mask(cell))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of four cells whose first two are a cage.
    fn crossing(masks: [u32; 4], tuples: &[u8]) -> (Result<bool, Conflict>, [u32; 4]) {
        let mut space = Space::new(&masks, 1);
        let mut tables = Tables::new(4, 2);
        let table = tables.add(&[0, 1], tuples, &mut space).expect("a tuple");
        let crossing = Crossing { cage: 0, line: 0, positions: 0b11, inside: 0b11, full: true, demanded: 0 };
        let line = [0, 1, 2, 3];
        let mut demanded = bits(crossing.due(0b1111, &line, &space));
        let struck = demanded.try_fold(false, |struck, rank| {
            Ok(tables.demand(table, crossing.positions, rank, &mut space)? || struck)
        });
        let result = struck.and_then(|struck| {
            crossing.exclude(&line, table, &tables, &mut space)?;
            Ok(struck)
        });
        if result.is_ok() {
            tables.propagate(table, &mut space).expect("a tuple is left");
        }
        (result, [0, 1, 2, 3].map(|cell| space.mask(cell)))
    }

    #[test]
    fn a_digit_of_every_tuple_is_excluded_from_the_rest_of_the_line() {
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
