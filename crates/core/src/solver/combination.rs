//! Sums over distinct cells too wide for a table: the digits that sets with that sum can contain.
//!
//! Cells of a distinct group hold a set of digits. It has the right size and sum, all digits of assigned cells, and
//! otherwise candidates only. A digit in none of these sets is removed from every cell; a digit in all of them is
//! assigned where one cell is left for it. The plain chain of [`Sum`] propagates too.
//! Consistency: of the candidates as one set, generalised arc consistency on "so many digits with this sum"; together
//! with the chain and the rule that the cells differ, weaker than consistency on the whole. Idempotent for the set.
//! Cost: O(digits x cells x target / 64): sums as bits, for every number of digits from those up to a rank.
//!
//! Source: the "magic blocks" of Kakuro, for sets of any size by the dynamic programme of M. Trick, 2003,
//! doi:10.1023/A:1021801522545, over digits in place of cells; H. Simonis, "Kakuro as a constraint problem", ModRef
//! 2008.

use crate::problem::bits;

use super::space::{Conflict, Space, set_bits};
use super::sum::Sum;

/// A sum over cells that all differ.
#[derive(Clone, Debug)]
pub(super) struct Combination {
    sum: Sum,
    values: Vec<u8>,
    target: usize,
    /// For every rank and one more, and every number of digits: the sums of so many digits below that rank.
    below: Vec<u64>,
    /// The same for digits from that rank on.
    from: Vec<u64>,
    words: usize,
}

/// What is known of the set.
struct SetBounds {
    /// Digits that may be in the set: candidates of some cell.
    may: u32,
    /// Digits of assigned cells.
    must: u32,
}

impl Combination {
    /// A sum over distinct cells; `None` where no set of digits has it.
    pub(super) fn new(cells: &[u16], values: &[u8], target: u64) -> Option<Self> {
        let most: u64 = values.iter().rev().take(cells.len()).map(|value| u64::from(*value)).sum();
        // A target may be any number of 64 bits: no arrays are made for one that no digits reach.
        if target > most {
            return None;
        }
        let reachable = target as usize;
        let words = reachable / 64 + 1;
        let size = (values.len() + 1) * (cells.len() + 1) * words;
        Some(Self {
            sum: Sum::new(cells, values, target),
            values: values.to_vec(),
            target: reachable,
            below: vec![0; size],
            from: vec![0; size],
            words,
        })
    }

    pub(super) fn cells(&self) -> &[u16] {
        self.sum.cells()
    }

    /// What the cells add up to.
    pub(super) fn target(&self) -> u64 {
        self.sum.target()
    }

    /// Removes every candidate without support in a set of digits, or in the chain.
    pub(super) fn propagate(&mut self, space: &mut Space) -> Result<(), Conflict> {
        loop {
            self.sum.propagate(space)?;
            let moment = space.now();
            let (may, must) = self.sets(self.bounds(space))?;
            self.keep(may, must, space)?;
            if space.now() == moment {
                return Ok(());
            }
        }
    }

    fn bounds(&self, space: &Space) -> SetBounds {
        let mut bounds = SetBounds { may: 0, must: 0 };
        for cell in self.cells() {
            let mask = space.mask(*cell);
            bounds.may |= mask;
            bounds.must |= if mask.is_power_of_two() { mask } else { 0 };
        }
        bounds
    }

    /// The digits in some set, and those in every set.
    fn sets(&mut self, bounds: SetBounds) -> Result<(u32, u32), Conflict> {
        let (digits, cells) = (self.values.len(), self.cells().len());
        self.below.fill(0);
        self.from.fill(0);
        self.below[0] = 1;
        let last = self.place(digits, 0);
        self.from[last] = 1;
        for rank in 0..digits {
            self.step(rank, rank + 1, rank, &bounds, false);
        }
        for rank in (0..digits).rev() {
            self.step(rank + 1, rank, rank, &bounds, true);
        }
        let (mut with, mut without) = (0, 0);
        for rank in 0..digits {
            let value = usize::from(self.values[rank]);
            // Sums below the digit and sums after it complete a set with it, or one without it, to the target.
            with |= u32::from(bounds.may & 1 << rank != 0 && self.joins(rank, cells, 1, value)) << rank;
            without |= u32::from(bounds.must & 1 << rank == 0 && self.joins(rank, cells, 0, 0)) << rank;
        }
        if with | without == 0 { Err(Conflict) } else { Ok((with, with & !without)) }
    }

    /// The first word of the sums of `count` digits.
    fn place(&self, rank: usize, count: usize) -> usize {
        (rank * (self.cells().len() + 1) + count) * self.words
    }

    /// Adds to the sums at `after` those at `before` with and without the digit of `rank`, as the bounds allow.
    fn step(&mut self, before: usize, after: usize, rank: usize, bounds: &SetBounds, upwards: bool) {
        let (cells, words, value) = (self.cells().len(), self.words, usize::from(self.values[rank]));
        let (may, must) = (bounds.may & 1 << rank != 0, bounds.must & 1 << rank != 0);
        for count in 0..=cells {
            let (from, to) = (self.place(before, count), self.place(after, count));
            let next = (count < cells).then(|| self.place(after, count + 1));
            // A bit is a sum, so that one shift adds the digit to 64 of them. Sums beyond the last word exceed
            // the target.
            let sums = if upwards { &mut self.from } else { &mut self.below };
            for word in 0..words {
                let own = sums[from + word];
                if own == 0 {
                    continue;
                }
                if !must {
                    sums[to + word] |= own;
                }
                if let Some(next) = next.filter(|_| may) {
                    let (by, bit) = (word + value / 64, value % 64);
                    if by < words {
                        sums[next + by] |= own << bit;
                    }
                    if bit > 0 && by + 1 < words {
                        sums[next + by + 1] |= own >> (64 - bit);
                    }
                }
            }
        }
    }

    /// Says whether some sum below a rank, some sum after it, and `taken` digits of this value make the target.
    fn joins(&self, rank: usize, cells: usize, taken: usize, value: usize) -> bool {
        let Some(rest) = self.target.checked_sub(value) else { return false };
        (0..=cells - taken).any(|count| {
            let below = &self.below[self.place(rank, count)..][..self.words];
            let from = &self.from[self.place(rank + 1, cells - taken - count)..][..self.words];
            set_bits(below).any(|sum| sum <= rest && from[(rest - sum) / 64] & 1 << ((rest - sum) % 64) != 0)
        })
    }

    /// Keeps the digits of some set, and assigns those of every set that have one cell left.
    fn keep(&self, may: u32, must: u32, space: &mut Space) -> Result<(), Conflict> {
        let (mut once, mut twice) = (0, 0);
        for cell in self.cells() {
            space.keep(*cell, may)?;
            twice |= once & space.mask(*cell);
            once |= space.mask(*cell);
        }
        // A digit of every set that no cell can hold.
        if must & !once != 0 {
            return Err(Conflict);
        }
        for rank in bits(must & !twice) {
            let cell = self.cells().iter().find(|cell| space.mask(**cell) & 1 << rank != 0);
            space.keep(*cell.ok_or(Conflict)?, 1 << rank)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    /// Every assignment of different digits that makes the target.
    fn assignments(values: &[u8], masks: &[u32], target: u64, taken: u32) -> Vec<Vec<u32>> {
        let Some((first, rest)) = masks.split_first() else {
            return if target == 0 { vec![Vec::new()] } else { Vec::new() };
        };
        let mut all = Vec::new();
        for rank in bits(first & !taken) {
            let Some(left) = target.checked_sub(u64::from(values[rank as usize])) else { continue };
            for mut others in assignments(values, rest, left, taken | 1 << rank) {
                others.insert(0, 1 << rank);
                all.push(others);
            }
        }
        all
    }

    #[test]
    fn no_assignment_of_different_digits_is_lost_and_no_digit_stays_that_is_in_no_set() {
        let mut rng = StreamKey::run(19, "combination", 0).rng();
        let mut conflicts = 0;
        for round in 0..4000 {
            let values: &[u8] = [&[1, 2, 3, 4, 5, 6, 7][..], &[0, 3, 4, 60, 64, 65, 200]][round % 2];
            let masks: Vec<u32> = (0..2 + rng.below(3)).map(|_| 1 + rng.below(127) as u32).collect();
            let target = rng.below(if round % 2 == 0 { 28 } else { 400 }) as u64;
            let cells: Vec<u16> = (0..masks.len() as u16).collect();
            let expected = assignments(values, &masks, target, 0);
            let mut space = Space::new(&masks, 1);
            let result = match Combination::new(&cells, values, target) {
                Some(mut combination) => combination.propagate(&mut space),
                None => Err(Conflict),
            };
            conflicts += usize::from(result.is_err());
            assert!(result.is_ok() || expected.is_empty(), "{values:?} {masks:?} {target}");
            for assignment in &expected {
                for (cell, digit) in cells.iter().zip(assignment) {
                    assert!(space.mask(*cell) & digit != 0, "{values:?} {masks:?} {target}");
                }
            }
        }
        assert!(conflicts > 400, "{conflicts}");
    }

    #[test]
    fn the_sum_of_all_digits_but_one_too_few_is_refuted_at_once() {
        let cells: Vec<u16> = (0..32).collect();
        let values: Vec<u8> = (1..=32).collect();
        let propagate = |target| {
            let mut space = Space::new(&[u32::MAX; 32], 1);
            Combination::new(&cells, &values, target).map(|mut sum| sum.propagate(&mut space))
        };
        assert_eq!((propagate(528), propagate(527)), (Some(Ok(())), Some(Err(Conflict))));
        assert!(propagate(529).is_none());
    }

    #[test]
    fn two_cells_that_make_three_hold_one_and_two() {
        let mut space = Space::new(&[0b1111; 2], 1);
        let mut three = Combination::new(&[0, 1], &[1, 2, 3, 4], 3).expect("a sum that can be made");
        three.propagate(&mut space).expect("one set");
        assert_eq!([space.mask(0), space.mask(1)], [0b11, 0b11]);
    }
}
