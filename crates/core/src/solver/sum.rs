//! Sums too wide for a table: a chain of partial sums.
//!
//! Consistency: generalised arc consistency on the sum alone, without the rule that cells in a line differ; bounds
//! consistency where the chain would cost more than [`MOST_WORK`]. Idempotent.
//! Cost: one pass forwards and one backwards over the open cells; the partial sums are a bitset, a digit shifts it:
//! O(cells x digits x target / 64).
//!
//! Source: M. Trick, "A dynamic programming approach for consistency and propagation for knapsack constraints", 2003,
//! doi:10.1023/A:1021801522545; on bits, G. Pesant, CP 2004, doi:10.1007/978-3-540-30201-8_36.

use crate::problem::{bits, mask_of};

use super::space::{Conflict, Space};
use super::steps::Steps;

/// The most word operations of one pass; a sum that needs more propagates its bounds only.
const MOST_WORK: usize = 200_000;

/// A sum over cells that may hold the digits `values`.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    cells: Vec<u16>,
    values: Vec<u8>,
    target: u64,
    /// The open cells of one call.
    open: Vec<u16>,
    /// The partial sums before every open cell, above the least there can be; `words` words each.
    chain: Vec<u64>,
}

impl Sum {
    pub(super) fn new(cells: &[u16], values: &[u8], target: u64) -> Self {
        let spread = cells.len() * usize::from(values[values.len() - 1] - values[0]);
        let words = (spread + 1).div_ceil(64) + 1;
        let chain =
            if cells.len() * values.len() * words > MOST_WORK { 0 } else { (cells.len() + 2) * words };
        Self {
            cells: cells.to_vec(),
            values: values.to_vec(),
            target,
            open: Vec::with_capacity(cells.len()),
            chain: vec![0; chain],
        }
    }

    pub(super) fn cells(&self) -> &[u16] {
        &self.cells
    }

    /// What the cells add up to.
    pub(super) fn target(&self) -> u64 {
        self.target
    }

    /// The sum as a chain, where it is propagated as one.
    pub(super) fn chain(&self) -> Option<SumChain<'_>> {
        let total = usize::try_from(self.target).ok().filter(|_| !self.chain.is_empty())?;
        (total <= MOST_WORK).then_some(SumChain { sum: self, total })
    }

    /// Removes every candidate without support.
    pub(super) fn propagate(&mut self, space: &mut Space) -> Result<(), Conflict> {
        let slack = self.bound(space)?;
        // Every open cell is at its least digit, or bounds are all that is propagated.
        if slack == 0 || self.open.is_empty() || self.chain.is_empty() {
            return Ok(());
        }
        self.link(slack as usize, space)
    }

    fn low(&self, mask: u32) -> u64 {
        u64::from(self.values[mask.trailing_zeros() as usize])
    }

    /// Bounds consistency; returns what the target exceeds the least sum by.
    fn bound(&mut self, space: &mut Space) -> Result<u64, Conflict> {
        loop {
            let (mut least, mut greatest) = (0, 0);
            for cell in &self.cells {
                let mask = space.mask(*cell);
                least += self.low(mask);
                greatest += u64::from(self.values[31 - mask.leading_zeros() as usize]);
            }
            if !(least..=greatest).contains(&self.target) {
                return Err(Conflict);
            }
            let (slack, lack) = (self.target - least, greatest - self.target);
            // Digits that were cut narrow the bounds of the others.
            if !self.cut(slack, lack, space)? {
                return Ok(slack);
            }
        }
    }

    /// Removes digits more than `slack` above a cell's least or more than `lack` below its greatest, and lists the open
    /// cells; says whether it removed any.
    fn cut(&mut self, slack: u64, lack: u64, space: &mut Space) -> Result<bool, Conflict> {
        let mut changed = false;
        self.open.clear();
        for cell in &self.cells {
            let mask = space.mask(*cell);
            if mask.is_power_of_two() {
                continue;
            }
            let low = u64::from(self.values[mask.trailing_zeros() as usize]);
            let high = u64::from(self.values[31 - mask.leading_zeros() as usize]);
            let fits = |rank: &u32| {
                let value = u64::from(self.values[*rank as usize]);
                value <= low + slack && value + lack >= high
            };
            let left = mask_of(bits(mask).filter(fits));
            if left != mask {
                space.keep(*cell, left)?;
                changed = true;
            }
            if !left.is_power_of_two() {
                self.open.push(*cell);
            }
        }
        Ok(changed)
    }

    /// The pass forwards, then backwards with pruning. Sums are counted above each cell's least digit, so they run
    /// from 0 to `slack`.
    fn link(&mut self, slack: usize, space: &mut Space) -> Result<(), Conflict> {
        let words = slack / 64 + 1;
        self.chain[..words * (self.open.len() + 2)].fill(0);
        self.chain[0] = 1;
        for (index, cell) in self.open.iter().enumerate() {
            let (done, rest) = self.chain.split_at_mut((index + 1) * words);
            let mask = space.mask(*cell);
            let low = self.values[mask.trailing_zeros() as usize];
            for rank in bits(mask) {
                let by = usize::from(self.values[rank as usize] - low);
                shift_up(&done[index * words..], &mut rest[..words], by);
            }
        }
        let end = self.open.len() * words;
        // The target itself is not among the sums.
        if self.chain[end + slack / 64] & 1 << (slack % 64) == 0 {
            return Err(Conflict);
        }
        // Backwards from the target alone.
        self.chain[end..end + words].fill(0);
        self.chain[end + slack / 64] |= 1 << (slack % 64);
        for index in (0..self.open.len()).rev() {
            self.unlink(index, words, space)?;
        }
        Ok(())
    }

    /// Prunes one open cell, and leaves in its place the sums before it from which the target can be reached.
    fn unlink(&mut self, index: usize, words: usize, space: &mut Space) -> Result<(), Conflict> {
        let mask = space.mask(self.open[index]);
        let low = self.values[mask.trailing_zeros() as usize];
        // In the chain stand the sums before this cell, those behind it, and behind these what the last call
        // left: spent, it holds the result until it takes the first one's place.
        let (before, after) = self.chain[index * words..].split_at_mut(words);
        let (after, reach) = after.split_at_mut(words);
        let reach = &mut reach[..words];
        reach.fill(0);
        let mut left = 0;
        for rank in bits(mask) {
            let by = usize::from(self.values[rank as usize] - low);
            if shift_down(after, before, reach, by) {
                left |= 1 << rank;
            }
        }
        before.copy_from_slice(reach);
        space.keep(self.open[index], left)
    }
}

/// A sum as a chain of totals from 0 to the target.
pub(super) struct SumChain<'a> {
    sum: &'a Sum,
    total: usize,
}

impl Steps for SumChain<'_> {
    fn cells(&self) -> &[u16] {
        &self.sum.cells
    }

    fn states(&self) -> usize {
        self.total + 1
    }

    fn start(&self) -> usize {
        0
    }

    fn end(&self) -> usize {
        self.total
    }

    fn next(&self, state: usize, rank: u32) -> Option<usize> {
        Some(state + usize::from(self.sum.values[rank as usize])).filter(|next| *next <= self.total)
    }
}

/// Adds to `to` the bits of `from` moved up, dropping those beyond the end.
fn shift_up(from: &[u64], to: &mut [u64], by: usize) {
    let (words, rest) = (by / 64, by % 64);
    for index in words..to.len() {
        let high = from[index - words] << rest;
        let low = if rest > 0 && index > words { from[index - words - 1] >> (64 - rest) } else { 0 };
        to[index] |= high | low;
    }
}

/// Adds to `to` the bits of `from` moved down that are also in `within`; says whether there were any.
fn shift_down(from: &[u64], within: &[u64], to: &mut [u64], by: usize) -> bool {
    let (words, rest) = (by / 64, by % 64);
    let mut any = 0;
    for index in 0..to.len().saturating_sub(words) {
        let low = from[index + words] >> rest;
        let high = match from.get(index + words + 1) {
            Some(word) if rest > 0 => word << (64 - rest),
            _ => 0,
        };
        let moved = (high | low) & within[index];
        to[index] |= moved;
        any |= moved;
    }
    any != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    /// The candidates that occur in an assignment that makes the target, by trying all.
    fn supported(values: &[u8], masks: &[u32], target: u64) -> Vec<u32> {
        let Some((first, rest)) = masks.split_first() else { return Vec::new() };
        let mut found = vec![0; masks.len()];
        for rank in bits(*first) {
            let value = u64::from(values[rank as usize]);
            if rest.is_empty() {
                found[0] |= u32::from(value == target) << rank;
            } else if value <= target {
                let others = supported(values, rest, target - value);
                if !others.contains(&0) {
                    found[0] |= 1 << rank;
                    found[1..].iter_mut().zip(others).for_each(|(found, other)| *found |= other);
                }
            }
        }
        if found[0] == 0 { vec![0; masks.len()] } else { found }
    }

    #[test]
    fn what_is_left_is_what_a_naive_oracle_leaves() {
        let mut rng = StreamKey::run(11, "sum", 0).rng();
        for round in 0..3000 {
            let values: &[u8] = [&[1, 2, 3, 4, 5][..], &[0, 3, 4, 60, 200]][round % 2];
            let masks: Vec<u32> = (0..1 + rng.below(5)).map(|_| 1 + rng.below(31) as u32).collect();
            let target =
                masks.iter().map(|mask| u64::from(values[usize::from(rng.member(*mask))])).sum::<u64>()
                    + rng.below(3) as u64;
            let cells: Vec<u16> = (0..masks.len() as u16).collect();
            let mut space = Space::new(&masks, 1);
            let result = Sum::new(&cells, values, target).propagate(&mut space);
            let expected = supported(values, &masks, target);
            if expected.contains(&0) {
                assert_eq!(result, Err(Conflict), "{masks:?} {target}");
            } else {
                let left: Vec<u32> = cells.iter().map(|cell| space.mask(*cell)).collect();
                assert_eq!((result, left), (Ok(()), expected), "{values:?} {masks:?} {target}");
            }
        }
    }

    #[test]
    fn a_sum_over_625_cells_keeps_its_bounds() {
        let cells: Vec<u16> = (0..625).collect();
        let values: Vec<u8> = (1..=25).collect();
        let mut space = Space::new(&vec![u32::MAX >> 7; 625], 1);
        Sum::new(&cells, &values, 627).propagate(&mut space).expect("two above the least");
        assert!(cells.iter().all(|cell| space.mask(*cell) == 0b111));
    }
}
