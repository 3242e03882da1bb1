//! The tuples of a group with a clue, and their enumeration.
//!
//! A tuple is one rank for every cell of the group. The enumeration goes cell by cell in the group's order, digits
//! ascending, and cuts a prefix that cannot be completed: sums and products by the least and greatest value of the
//! candidates to come, other operators by [`may_hold`](crate::puzzle::operators::ClueOperator::may_hold). Cells that
//! share a distinct group get different digits. Both tuples and steps are bounded, so that no cage, however large,
//! exhausts memory or time.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::puzzle::Clue;
use crate::puzzle::operators::{Fold, GIVEN};

use super::{Problem, Tuples, bits, mask_of};

/// The most tuples of a group in [`Problem::tables`].
const MOST_TUPLES: usize = 1 << 15;

/// The most ranks over all groups in [`Problem::tables`]: 64 MiB.
const MOST_RANKS: usize = 1 << 26;

#[doc(hidden)]
impl Problem {
    /// The tuples of every group under the problem's candidates, enumerated by the first call and then shared; `None`
    /// for a group without a clue or with more than 32,768 tuples.
    pub fn tables(&self) -> &Arc<[Option<Tuples>]> {
        self.tables.get_or_init(|| {
            let (mut room, mut walk, mut tables) = (MOST_RANKS, TupleWalk::new(self), Vec::new());
            for group in 0..self.groups() {
                let table = self.table(group, room, &mut walk);
                if let Some(table) = &table {
                    room -= table.ranks.len();
                }
                tables.push(table);
            }
            tables.into()
        })
    }

    /// The tuples of a group, where it has a clue and they are not too many, or more than there is room for their ranks.
    fn table(&self, group: usize, room: usize, walk: &mut TupleWalk) -> Option<Tuples> {
        let (clue, width) = (self.rule(group).clue?, self.cells_of(group).len());
        let limit = MOST_TUPLES.min(room / width);
        let ranks = walk.find(group, clue, |cell| self.candidates()[cell], limit).ok()?;
        Some(Tuples { width, ranks: ranks.to_vec() })
    }

    /// The tuples of a group under the problem's candidates; `None` when the group has no clue, when there are more
    /// than `limit`, or when enumerating them takes too many steps.
    pub fn tuples(&self, group: usize, limit: usize) -> Option<Tuples> {
        let clue = self.rule(group).clue?;
        let mut walk = TupleWalk::new(self);
        walk.find(group, clue, |cell| self.candidates()[cell], limit).ok()?;
        Some(Tuples { width: self.cells_of(group).len(), ranks: walk.out })
    }

    /// Says whether digits satisfy the clue of a group and differ where lines cross it, whatever the other clues are;
    /// `None` when deciding takes too many steps.
    pub fn is_satisfiable(&self, group: usize) -> Option<bool> {
        let Some(clue) = self.rule(group).clue else { return Some(true) };
        let (all, cells, values) = (self.all_digits(), self.cells_of(group).len(), self.values());
        if !clue.operator.may_hold(&[], cells, values[0], values[values.len() - 1], clue.target) {
            return Some(false);
        }
        let mut walk = TupleWalk::new(self);
        // Each tuple of the limit grants some steps; those of one tuple may not reach a first tuple.
        let is_complete = walk.find(group, clue, |_| all, 4096).is_ok();
        (is_complete || !walk.out.is_empty()).then_some(!walk.out.is_empty())
    }
}

/// The most cells of a group whose tuples are enumerated; positions are bits of a mask.
const WIDEST: usize = 32;

/// What is no digit has this rank.
const NO_RANK: u8 = u8::MAX;

/// The steps granted for each tuple of the limit; a step tries one digit in one cell.
const STEPS_PER_TUPLE: usize = 32;

/// The group has more tuples, steps or cells than the enumeration allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

/// The enumeration of tuples, one group after the other: a prefix, and what the positions after it can make.
pub struct TupleWalk<'a> {
    problem: &'a Problem,
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
    /// The rank of every digit, `NO_RANK` for what is none.
    rank_of: [u8; 256],
    tuples_left: usize,
    steps_left: usize,
    /// The tuples found so far.
    out: Vec<u8>,
}

impl<'a> TupleWalk<'a> {
    /// An enumeration for the groups of a problem.
    pub fn new(problem: &'a Problem) -> Self {
        let mut rank_of = [NO_RANK; 256];
        for (rank, value) in (0..).zip(problem.values()) {
            rank_of[usize::from(*value)] = rank;
        }
        Self {
            rank_of,
            problem,
            values: problem.values(),
            clue: Clue { operator: GIVEN, target: 0 },
            width: 0,
            masks: [0; WIDEST],
            clashes: [0; WIDEST],
            ranks: [0; WIDEST],
            digits: [0; WIDEST],
            least: [0; WIDEST + 1],
            greatest: [0; WIDEST + 1],
            tuples_left: 0,
            steps_left: 0,
            out: Vec::with_capacity(256),
        }
    }

    /// The tuples of a group with a clue, `cells_of(group).len()` ranks each, under the candidates that `mask` gives.
    ///
    /// # Errors
    /// `TooMany` when there are more than `limit` or no steps are left.
    pub fn find(
        &mut self,
        group: usize,
        clue: Clue,
        mask: impl Fn(usize) -> u32,
        limit: usize,
    ) -> Result<&[u8], TooMany> {
        let cells = self.problem.cells_of(group);
        self.out.clear();
        if cells.len() > WIDEST {
            return Err(TooMany);
        }
        (self.clue, self.width) = (clue, cells.len());
        for (position, cell) in cells.iter().enumerate() {
            self.masks[position] = mask(usize::from(*cell));
            self.clashes[position] = 0;
            for (place, earlier) in cells[..position].iter().enumerate() {
                self.clashes[position] |= u32::from(self.problem.must_differ(*cell, *earlier)) << place;
            }
        }
        (self.tuples_left, self.steps_left) = (limit, limit.saturating_mul(STEPS_PER_TUPLE));
        // A cell without candidates leaves no tuple, and no lowest digit.
        if !self.masks[..cells.len()].contains(&0) {
            self.walk()?;
        }
        Ok(&self.out)
    }

    fn walk(&mut self) -> Result<(), TooMany> {
        let Clue { operator, target } = self.clue;
        match operator.fold {
            Some(Fold::Sum) if self.width > 1 => {
                self.bound_sums();
                self.sums(0, target.unsigned_abs())
            }
            // A product of 0 leaves no quotient to bound the rest by.
            Some(Fold::Product) if self.width > 1 && target > 0 => {
                self.bound_products();
                self.products(0, target.unsigned_abs())
            }
            _ => {
                self.bound_digits();
                self.others(0)
            }
        }
    }

    fn lowest(&self, position: usize) -> u64 {
        u64::from(self.values[self.masks[position].trailing_zeros() as usize])
    }

    fn highest(&self, position: usize) -> u64 {
        u64::from(self.values[31 - self.masks[position].leading_zeros() as usize])
    }

    fn bound_sums(&mut self) {
        (self.least[self.width], self.greatest[self.width]) = (0, 0);
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
        self.open_beside(position, self.clashes[position])
    }

    /// The digits that a position may hold beside those of some earlier positions.
    fn open_beside(&self, position: usize, earlier: u32) -> u32 {
        let taken = mask_of(bits(earlier).map(|earlier| u32::from(self.ranks[earlier as usize])));
        self.masks[position] & !taken
    }

    fn put(&mut self, position: usize, rank: u32) -> Result<u64, TooMany> {
        self.steps_left = self.steps_left.checked_sub(1).ok_or(TooMany)?;
        self.ranks[position] = rank as u8;
        self.digits[position] = self.values[rank as usize];
        Ok(u64::from(self.digits[position]))
    }

    fn emit(&mut self) -> Result<(), TooMany> {
        self.tuples_left = self.tuples_left.checked_sub(1).ok_or(TooMany)?;
        // Copies of a length that the compiler knows cost a store; others a call.
        match self.width {
            2 => self.out.extend_from_slice(&self.ranks[..2]),
            3 => self.out.extend_from_slice(&self.ranks[..3]),
            4 => self.out.extend_from_slice(&self.ranks[..4]),
            width => self.out.extend_from_slice(&self.ranks[..width]),
        }
        Ok(())
    }

    /// Continues a prefix whose sum is `rest` below the target.
    fn sums(&mut self, position: usize, rest: u64) -> Result<(), TooMany> {
        // The last digit follows from the one before it.
        if position + 2 == self.width {
            return self.pairs(position, |value| rest.checked_sub(value));
        }
        for rank in bits(self.open(position)) {
            let value = self.put(position, rank)?;
            // Digits ascend: all that follow are too large as well.
            if value + self.least[position + 1] > rest {
                break;
            }
            // Else it is too small, and a larger one may do.
            if value + self.greatest[position + 1] >= rest {
                self.sums(position + 1, rest - value)?;
            }
        }
        Ok(())
    }

    /// Continues a prefix whose product divides the target; the quotient is `rest`, at least 1.
    fn products(&mut self, position: usize, rest: u64) -> Result<(), TooMany> {
        if position + 2 == self.width {
            let partner =
                |value| if value > 0 && rest.is_multiple_of(value) { Some(rest / value) } else { None };
            return self.pairs(position, partner);
        }
        for rank in bits(self.open(position)) {
            let value = self.put(position, rank)?;
            if value == 0 || !rest.is_multiple_of(value) {
                continue;
            }
            let rest = rest / value;
            // Digits ascend and quotients fall: no later digit leaves enough.
            if rest < self.least[position + 1] {
                break;
            }
            if rest <= self.greatest[position + 1] {
                self.products(position + 1, rest)?;
            }
        }
        Ok(())
    }

    /// Emits a tuple for every digit of the last position but one that leaves a digit to the last: the `partner` of the
    /// first.
    fn pairs(&mut self, position: usize, partner: impl Fn(u64) -> Option<u64>) -> Result<(), TooMany> {
        let last = position + 1;
        // What the last may hold beside all but its neighbour, which changes with every digit tried.
        let beside = self.clashes[last] & !(1 << position);
        let (open, clash) = (self.open_beside(last, beside), self.clashes[last] >> position);
        for rank in bits(self.open(position)) {
            let value = self.put(position, rank)?;
            let fitting = partner(value).map_or(0, |value| self.fitting(value));
            if fitting & open & !(clash << rank) != 0 {
                self.put(last, fitting.trailing_zeros())?;
                self.emit()?;
            }
        }
        Ok(())
    }

    /// The mask of the rank that a digit has; 0 for what is none.
    fn fitting(&self, value: u64) -> u32 {
        let rank = u8::try_from(value).map_or(NO_RANK, |value| self.rank_of[usize::from(value)]);
        1u32.checked_shl(u32::from(rank)).unwrap_or(0)
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
        let found = &mut |value| fitting |= self.fitting(value);
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
