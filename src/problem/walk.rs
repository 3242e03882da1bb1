//! The enumeration of the tuples of a group with a clue.
//!
//! A tuple is one rank for every cell of the group. The enumeration goes cell by cell in the group's order, digits
//! ascending, and cuts a prefix that cannot be completed: sums and products by the least and greatest value of the
//! candidates to come, other operators by [`may_hold`](crate::puzzle::operators::ClueOperator::may_hold). Cells that
//! share a distinct group get different digits. Both tuples and steps are bounded, so that no cage, however large,
//! exhausts memory or time.

use crate::puzzle::Clue;
use crate::puzzle::operators::Fold;

use super::{Problem, bits, mask_of};

/// The most cells of a group whose tuples are enumerated; positions are bits of a mask.
const WIDEST: usize = 32;

/// The steps granted for each tuple of the limit; a step tries one digit in one cell.
const STEPS_PER_TUPLE: usize = 32;

/// The group has more tuples, steps or cells than the enumeration allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany;

/// Appends the tuples of a group to `out`, `cells_of(group).len()` ranks each, under the candidates that `mask` gives.
///
/// # Errors
/// [`TooMany`] when there are more than `limit` or no steps are left; `out` then holds the tuples found so far.
pub(crate) fn enumerate(
    problem: &Problem,
    group: usize,
    clue: Clue,
    mask: impl Fn(usize) -> u32,
    limit: usize,
    out: &mut Vec<u8>,
) -> Result<(), TooMany> {
    let cells = problem.cells_of(group);
    if cells.len() > WIDEST {
        return Err(TooMany);
    }
    let mut walk = TupleWalk::new(problem, clue, cells.len(), out);
    for (position, cell) in cells.iter().enumerate() {
        walk.masks[position] = mask(usize::from(*cell));
        for (earlier, other) in cells[..position].iter().enumerate() {
            walk.clashes[position] |= u32::from(problem.must_differ(*cell, *other)) << earlier;
        }
    }
    if walk.masks[..cells.len()].contains(&0) {
        return Ok(());
    }
    walk.tuples_left = limit;
    walk.steps_left = limit.saturating_mul(STEPS_PER_TUPLE);
    match clue.operator.fold {
        Some(Fold::Sum) => {
            walk.bound_sums();
            walk.sums(0, clue.target.unsigned_abs())
        }
        Some(Fold::Product) if clue.target > 0 => {
            walk.bound_products();
            walk.products(0, clue.target.unsigned_abs())
        }
        _ => {
            walk.bound_digits();
            walk.others(0)
        }
    }
}

/// The state of one enumeration: a prefix, and what the positions after it can make.
struct TupleWalk<'a> {
    values: &'a [u8],
    clue: Clue,
    width: usize,
    masks: [u32; WIDEST],
    /// The earlier positions that a position must differ from.
    clashes: [u32; WIDEST],
    ranks: [u8; WIDEST],
    digits: [u8; WIDEST],
    /// The least that positions from here on make together: a sum, a product, or a single digit.
    least: [u64; WIDEST + 1],
    /// The greatest.
    greatest: [u64; WIDEST + 1],
    tuples_left: usize,
    steps_left: usize,
    out: &'a mut Vec<u8>,
}

impl<'a> TupleWalk<'a> {
    fn new(problem: &'a Problem, clue: Clue, width: usize, out: &'a mut Vec<u8>) -> Self {
        Self {
            values: problem.values(),
            clue,
            width,
            masks: [0; WIDEST],
            clashes: [0; WIDEST],
            ranks: [0; WIDEST],
            digits: [0; WIDEST],
            least: [0; WIDEST + 1],
            greatest: [0; WIDEST + 1],
            tuples_left: 0,
            steps_left: 0,
            out,
        }
    }

    fn lowest(&self, position: usize) -> u64 {
        u64::from(self.values[self.masks[position].trailing_zeros() as usize])
    }

    fn highest(&self, position: usize) -> u64 {
        u64::from(self.values[31 - self.masks[position].leading_zeros() as usize])
    }

    fn bound_sums(&mut self) {
        for position in (0..self.width).rev() {
            self.least[position] = self.least[position + 1] + self.lowest(position);
            self.greatest[position] = self.greatest[position + 1] + self.highest(position);
        }
    }

    fn bound_products(&mut self) {
        (self.least[self.width], self.greatest[self.width]) = (1, 1);
        for position in (0..self.width).rev() {
            self.least[position] = self.least[position + 1].saturating_mul(self.lowest(position));
            self.greatest[position] = self.greatest[position + 1].saturating_mul(self.highest(position));
        }
    }

    fn bound_digits(&mut self) {
        (self.least[self.width], self.greatest[self.width]) = (u64::from(u8::MAX), 0);
        for position in (0..self.width).rev() {
            self.least[position] = self.least[position + 1].min(self.lowest(position));
            self.greatest[position] = self.greatest[position + 1].max(self.highest(position));
        }
    }

    /// The digits that a position may hold after the prefix before it.
    fn open(&self, position: usize) -> u32 {
        let clashes = bits(self.clashes[position]);
        self.masks[position] & !mask_of(clashes.map(|earlier| u32::from(self.ranks[earlier as usize])))
    }

    fn put(&mut self, position: usize, rank: u32) -> Result<u64, TooMany> {
        self.steps_left = self.steps_left.checked_sub(1).ok_or(TooMany)?;
        self.ranks[position] = rank as u8;
        self.digits[position] = self.values[rank as usize];
        Ok(u64::from(self.digits[position]))
    }

    fn emit(&mut self) -> Result<(), TooMany> {
        self.tuples_left = self.tuples_left.checked_sub(1).ok_or(TooMany)?;
        self.out.extend_from_slice(&self.ranks[..self.width]);
        Ok(())
    }

    /// Continues a prefix whose sum is `rest` below the target.
    fn sums(&mut self, position: usize, rest: u64) -> Result<(), TooMany> {
        if position + 1 == self.width {
            return self.finish(position, rest);
        }
        for rank in bits(self.open(position)) {
            let value = self.put(position, rank)?;
            if value + self.least[position + 1] > rest {
                break;
            }
            if value + self.greatest[position + 1] >= rest {
                self.sums(position + 1, rest - value)?;
            }
        }
        Ok(())
    }

    /// Continues a prefix whose product divides the target; the quotient is `rest`, at least 1.
    fn products(&mut self, position: usize, rest: u64) -> Result<(), TooMany> {
        if position + 1 == self.width {
            return self.finish(position, rest);
        }
        for rank in bits(self.open(position)) {
            let value = self.put(position, rank)?;
            if value == 0 || !rest.is_multiple_of(value) {
                continue;
            }
            let rest = rest / value;
            if rest < self.least[position + 1] {
                break;
            }
            if rest <= self.greatest[position + 1] {
                self.products(position + 1, rest)?;
            }
        }
        Ok(())
    }

    /// Emits the tuple whose last digit is `value`, if the position may hold it.
    fn finish(&mut self, position: usize, value: u64) -> Result<(), TooMany> {
        let Some(rank) = self.rank_of(value) else { return Ok(()) };
        if self.open(position) & 1 << rank != 0 {
            self.put(position, rank)?;
            self.emit()?;
        }
        Ok(())
    }

    fn rank_of(&self, value: u64) -> Option<u32> {
        let value = u8::try_from(value).ok()?;
        let guess = usize::from(value.checked_sub(self.values[0])?);
        if self.values.get(guess) == Some(&value) {
            return Some(guess as u32);
        }
        self.values.binary_search(&value).ok().map(|rank| rank as u32)
    }

    fn others(&mut self, position: usize) -> Result<(), TooMany> {
        let rest = self.width - position - 1;
        if rest == 0 {
            return self.last(position);
        }
        let (low, high) = (self.least[position + 1] as u8, self.greatest[position + 1] as u8);
        let Clue { operator, target } = self.clue;
        for rank in bits(self.open(position)) {
            self.put(position, rank)?;
            // Before the last position `may_hold` costs as much as trying.
            if rest == 1 || operator.may_hold(&self.digits[..=position], rest, low, high, target) {
                self.others(position + 1)?;
            }
        }
        Ok(())
    }

    /// Emits a tuple for every last digit that makes the clue hold.
    fn last(&mut self, position: usize) -> Result<(), TooMany> {
        let Clue { operator, target } = self.clue;
        let mut fitting = 0;
        let found = &mut |value| fitting |= self.rank_of(value).map_or(0, |rank| 1 << rank);
        let all = !operator.complete(&self.digits[..position], target, found);
        for rank in bits(self.open(position) & if all { u32::MAX } else { fitting }) {
            self.put(position, rank)?;
            if !all || operator.holds(&self.digits[..self.width], target) {
                self.emit()?;
            }
        }
        Ok(())
    }
}
