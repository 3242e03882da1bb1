//! Sums of sixteen genomes in bytes, and the totals that they are added to: weighted, or term by term.

use std::array;

use wide::u8x16;

use super::{Term, Terms, Weights};

/// Genomes evaluated at a time.
pub(super) const LANES: usize = 16;

/// Totals of sixteen genomes. Sums in bytes are collected for one kind of term at a time.
pub(super) trait LaneTotals {
    /// The term is of another kind than the current one.
    fn is_other_kind(&self, term: Term) -> bool;

    /// Makes the kind of this term the current one.
    fn set_kind(&mut self, term: Term);

    /// Adds sums of the current kind.
    fn flush(&mut self, lanes: [u8; LANES]);

    /// Adds sums of a term.
    fn add(&mut self, term: Term, sums: [u32; LANES]);
}

/// The weighted sum of all terms; terms of the same weight are of one kind.
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
    fn is_other_kind(&self, term: Term) -> bool {
        self.weights.of(term) != self.weight
    }

    #[inline(always)]
    fn set_kind(&mut self, term: Term) {
        self.weight = self.weights.of(term);
    }

    #[inline(always)]
    fn flush(&mut self, lanes: [u8; LANES]) {
        let weight = self.weight;
        for (total, lane) in self.total.iter_mut().zip(lanes) {
            *total += weight * u32::from(lane);
        }
    }

    #[inline(always)]
    fn add(&mut self, term: Term, sums: [u32; LANES]) {
        let weight = self.weights.of(term);
        for (total, sum) in self.total.iter_mut().zip(sums) {
            *total += weight * sum;
        }
    }
}

/// Every term by itself, a kind of its own.
pub(super) struct Separate {
    term: Term,
    totals: [[u32; LANES]; Term::ALL.len()],
}

impl Separate {
    pub(super) fn new() -> Self {
        Self { term: Term::Cage, totals: [[0; LANES]; Term::ALL.len()] }
    }

    pub(super) fn finish(self) -> [Terms; LANES] {
        let [count, row, column, region, cage, group] = self.totals;
        array::from_fn(|lane| Terms {
            count: count[lane],
            row: row[lane],
            column: column[lane],
            region: region[lane],
            cage: cage[lane],
            group: group[lane],
        })
    }
}

impl LaneTotals for Separate {
    #[inline(always)]
    fn is_other_kind(&self, term: Term) -> bool {
        term != self.term
    }

    #[inline(always)]
    fn set_kind(&mut self, term: Term) {
        self.term = term;
    }

    #[inline(always)]
    fn flush(&mut self, lanes: [u8; LANES]) {
        self.add(self.term, lanes.map(u32::from));
    }

    #[inline(always)]
    fn add(&mut self, term: Term, sums: [u32; LANES]) {
        for (total, sum) in self.totals[term as usize].iter_mut().zip(sums) {
            *total += sum;
        }
    }
}

/// Sums in bytes, added to the totals before they could overflow or the kind changes.
pub(super) struct Sums<'a, T> {
    totals: &'a mut T,
    pub(super) lanes: u8x16,
    /// An upper bound of the sums so far.
    most: usize,
}

impl<'a, T: LaneTotals> Sums<'a, T> {
    pub(super) fn of(totals: &'a mut T) -> Self {
        Self { totals, lanes: u8x16::ZERO, most: 0 }
    }

    /// Adds sums of a term that do not fit bytes.
    #[inline(always)]
    pub(super) fn add(&mut self, term: Term, sums: [u32; LANES]) {
        self.totals.add(term, sums);
    }

    /// Makes room for `more` of a term, at most 255.
    #[inline(always)]
    pub(super) fn ready(&mut self, term: Term, more: usize) {
        // The sums of another kind, or as many as bytes can hold.
        if self.totals.is_other_kind(term) || self.most + more > usize::from(u8::MAX) {
            self.flush();
            self.totals.set_kind(term);
        }
        self.most += more;
    }

    /// Adds the sums in bytes to the totals.
    #[inline(always)]
    pub(super) fn flush(&mut self) {
        self.totals.flush(self.lanes.to_array());
        (self.lanes, self.most) = (u8x16::ZERO, 0);
    }
}
