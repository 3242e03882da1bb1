//! The tuples that are left of a cage.

use std::slice::ChunksExact;

use kenga_core::problem::{Problem, TupleWalk, Tuples, bits, mask_of};

/// The most assignments of a cage without a table that are tried to find its tuples.
const MOST_ASSIGNMENTS: u64 = 1 << 16;

/// The most tuples that are kept of a cage.
const MOST_TUPLES: usize = 1 << 12;

/// The digits of a tuple at some positions, a mask of ranks.
pub(crate) fn digits_at(tuple: &[u8], positions: u32) -> u32 {
    mask_of(bits(positions).map(|position| u32::from(tuple[position as usize])))
}

/// For each of `width` cells the digits that some of the tuples have there, masks of ranks.
pub(crate) fn digits_by_cell<'a>(width: usize, tuples: impl Iterator<Item = &'a [u8]>) -> Vec<u32> {
    let mut masks = vec![0; width];
    for tuple in tuples {
        for (mask, rank) in masks.iter_mut().zip(tuple) {
            *mask |= 1 << rank;
        }
    }
    masks
}

/// The tuples that are left of one cage.
#[derive(Clone, Debug)]
pub struct CageTuples {
    width: usize,
    /// The ranks, `width` a tuple; meaningless where there are too many tuples.
    ranks: Vec<u8>,
    /// The tuples are known.
    is_known: bool,
    /// A candidate of its cells has gone since the tuples were last filtered.
    pub(super) is_stale: bool,
}

impl CageTuples {
    /// The tuples of a cage at the start: those of its table, where it has one.
    pub(super) fn new(problem: &Problem, group: usize, table: Option<&Tuples>) -> Self {
        Self {
            width: problem.cells_of(group).len(),
            ranks: table.map_or_else(Vec::new, |table| table.ranks().to_vec()),
            is_known: table.is_some(),
            is_stale: table.is_none(),
        }
    }

    /// The tuples, where they are known.
    pub(super) fn known(&self) -> Option<ChunksExact<'_, u8>> {
        self.is_known.then(|| self.ranks.chunks_exact(self.width))
    }

    /// The number of tuples, where it is known.
    pub fn len(&self) -> Option<usize> {
        self.is_known.then(|| self.ranks.len() / self.width)
    }

    /// Brings the tuples up to the candidates, where some of those have gone.
    pub(super) fn refresh(&mut self, problem: &Problem, group: usize, masks: &[u32]) {
        if self.is_stale {
            // They are not known until few enough assignments are left.
            if !self.is_known {
                self.list(problem, group, masks);
            }
            self.filter(problem.cells_of(group), masks);
            self.is_stale = false;
        }
    }

    /// Keeps the tuples that the candidates of their cells allow.
    fn filter(&mut self, cells: &[u16], masks: &[u32]) {
        let width = self.width;
        let mut kept = 0;
        for start in (0..self.ranks.len()).step_by(width) {
            let mut held = self.ranks[start..start + width].iter().zip(cells);
            if held.all(|(rank, cell)| masks[usize::from(*cell)] >> rank & 1 == 1) {
                // In place: tuples go all the time, and never come back.
                self.ranks.copy_within(start..start + width, kept);
                kept += width;
            }
        }
        self.ranks.truncate(kept);
    }
    /// Lists the tuples where few assignments of the cells are left.
    fn list(&mut self, problem: &Problem, group: usize, masks: &[u32]) {
        let Some(clue) = problem.rule(group).clue else { return };
        let cells = problem.cells_of(group);
        let mut assignments = 1_u64;
        for cell in cells {
            assignments = assignments.saturating_mul(u64::from(masks[usize::from(*cell)].count_ones()));
        }
        self.ranks.clear();
        if assignments == 1 {
            // However many cells there are: the walk below has a bound on them.
            let mut digits = Vec::new();
            for cell in cells {
                let rank = masks[usize::from(*cell)].trailing_zeros() as u8;
                self.ranks.push(rank);
                digits.push(problem.values()[usize::from(rank)]);
            }
            self.is_known = true;
            if !clue.holds(&digits) {
                self.ranks.clear();
            }
        } else if assignments <= MOST_ASSIGNMENTS {
            let mut walk = TupleWalk::new(problem);
            let tuples = walk.find(group, clue, |cell| masks[cell], MOST_TUPLES);
            self.is_known = tuples.is_ok();
            self.ranks.extend_from_slice(tuples.unwrap_or_default());
        }
    }
}
