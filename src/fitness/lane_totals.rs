//! Sums of sixteen genomes in bytes, added to the weighted total or term by term.

use std::array;

use wide::u8x16;

use super::{Term, Terms, Weights};

/// Genomes evaluated at a time.
pub(super) const LANES: usize = 16;

/// What sums are added to, term by term.
pub(super) trait LaneTotals {
    /// Sums of this term are of another kind than those it was turned to.
    fn turns_to(&self, term: Term) -> bool;

    /// Turns to sums of this term's kind.
    fn turn_to(&mut self, term: Term);

    /// Takes sums of the kind that it was turned to.
    fn flush(&mut self, lanes: [u8; LANES]);

    /// Takes sums of a term.
    fn add(&mut self, term: Term, sums: [u32; LANES]);
}

/// The weighted sum of all terms; those of one weight are of one kind.
pub(super) struct Weighted {
    weights: Weights,
    weight: u32,
    total: [u32; LANES],
}

impl Weighted {
    pub(super) fn new(weights: Weights) -> Self {
        Self { weights, weight: 0, total: [0; LANES] }
    }

    pub(super) fn finish(self) -> [u32; LANES] {
        self.total
    }
}

impl LaneTotals for Weighted {
    #[inline(always)]
    fn turns_to(&self, term: Term) -> bool {
        self.weights.of(term) != self.weight
    }

    #[inline(always)]
    fn turn_to(&mut self, term: Term) {
        self.weight = self.weights.of(term);
    }

    #[inline(always)]
    fn flush(&mut self, lanes: [u8; LANES]) {
        let weight = self.weight;
        self.total.iter_mut().zip(lanes).for_each(|(total, lane)| *total += weight * u32::from(lane));
    }

    #[inline(always)]
    fn add(&mut self, term: Term, sums: [u32; LANES]) {
        let weight = self.weights.of(term);
        self.total.iter_mut().zip(sums).for_each(|(total, sum)| *total += weight * sum);
    }
}

/// Every term by itself.
pub(super) struct Separate {
    term: Term,
    totals: [[u32; LANES]; Term::ALL.len()],
}

impl Separate {
    pub(super) fn new() -> Self {
        Self { term: Term::Cage, totals: [[0; LANES]; Term::ALL.len()] }
    }

    pub(super) fn finish(self) -> [Terms; LANES] {
        let [count, row, column, region, cage] = self.totals;
        array::from_fn(|lane| Terms {
            count: count[lane],
            row: row[lane],
            column: column[lane],
            region: region[lane],
            cage: cage[lane],
        })
    }
}

impl LaneTotals for Separate {
    #[inline(always)]
    fn turns_to(&self, term: Term) -> bool {
        term != self.term
    }

    #[inline(always)]
    fn turn_to(&mut self, term: Term) {
        self.term = term;
    }

    #[inline(always)]
    fn flush(&mut self, lanes: [u8; LANES]) {
        self.add(self.term, lanes.map(u32::from));
    }

    #[inline(always)]
    fn add(&mut self, term: Term, sums: [u32; LANES]) {
        self.totals[term as usize].iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
    }
}

/// Sums of up to 255 in bytes, added to the totals when they could overflow or are of another kind.
pub(super) struct Sums<'a, T> {
    totals: &'a mut T,
    pub(super) lanes: u8x16,
    /// The largest number that a lane can hold.
    most: usize,
}

impl<'a, T: LaneTotals> Sums<'a, T> {
    pub(super) fn of(totals: &'a mut T) -> Self {
        Self { totals, lanes: u8x16::ZERO, most: 0 }
    }

    /// Adds sums of a term that need more than bytes.
    #[inline(always)]
    pub(super) fn add(&mut self, term: Term, sums: [u32; LANES]) {
        self.totals.add(term, sums);
    }

    /// Makes room for up to 255 `more` of a term.
    #[inline(always)]
    pub(super) fn ready(&mut self, term: Term, more: usize) {
        if self.totals.turns_to(term) || self.most + more > usize::from(u8::MAX) {
            self.flush();
            self.totals.turn_to(term);
        }
        self.most += more;
    }

    /// Adds what is in bytes.
    #[inline(always)]
    pub(super) fn flush(&mut self) {
        self.totals.flush(self.lanes.to_array());
        (self.lanes, self.most) = (u8x16::ZERO, 0);
    }
}
