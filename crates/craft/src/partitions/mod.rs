//! Multisets of numbers with a given sum or product: the tables that players of Kakuro and KenKen use.
//!
//! Sums of positive numbers are the *partitions* of a number (Andrews 1976, *The Theory of Partitions*), products of
//! numbers from 2 its *multiplicative partitions* or unordered factorisations (Hughes and Shallit 1983, doi
//! 10.2307/2975729). A [`Query`] selects multisets; [`Multisets`] lists them one at a time in lexicographic order
//! without recursion; [`Query::count`] counts them without listing; [`Shape`] says which of them fit the cells of a
//! cage.
//!
//! **Invariant**: the order of the list is part of the format; the count is that of the list, which the tests compare with a naive
//! enumeration.

mod count;
mod multisets;
mod shape;

use thiserror::Error;

use kenga_core::puzzle::operators::Fold;

pub use multisets::Multisets;
pub use shape::{Shape, ShapeError};

/// The most numbers of one multiset.
pub const MOST_PARTS: usize = 1 << 20;

/// A selection of multisets; empty when `min` is above `max`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Whether the parts are added or multiplied.
    pub fold: Fold,
    /// Their sum or product.
    pub number: u64,
    /// The number of parts; any number when `None`.
    pub cells: Option<usize>,
    /// The least part.
    pub min: u64,
    /// The greatest part.
    pub max: u64,
    /// No part occurs twice.
    pub distinct: bool,
    /// Excluded parts, in any order.
    pub without: Vec<u64>,
}

/// Why a query has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum QueryError {
    /// Zeros in a sum or ones in a product, and no number of cells: there are infinitely many multisets.
    #[error("parts of {least} do not change a {}: there are infinitely many multisets", name(*fold))]
    Endless {
        /// Sum or product.
        fold: Fold,
        /// The part that does not change the result.
        least: u64,
    },
    /// No cells, or too many.
    #[error("{cells} cells are outside 1 to {MOST_PARTS}")]
    Cells {
        /// The number of cells of the query.
        cells: usize,
    },
    /// A multiset may have more than [`MOST_PARTS`] parts.
    #[error("a multiset of up to {parts} numbers is longer than the {MOST_PARTS} that can be listed")]
    Long {
        /// The most parts of a multiset.
        parts: u64,
    },
    /// The table of the count would not fit into memory.
    #[error("counting takes a table of {entries} entries, more than the limit of {}", count::MOST_ENTRIES)]
    Table {
        /// Entries, 16 bytes each.
        entries: u128,
    },
    /// More multisets than a 128-bit number can count.
    #[error("there are {} multisets or more, too many to count exactly", u128::MAX)]
    Overflow,
}

/// The word for the result of a fold.
fn name(fold: Fold) -> &'static str {
    match fold {
        Fold::Sum => "sum",
        Fold::Product => "product",
    }
}

impl Query {
    /// Every multiset with this sum or product: parts from 1, and from 2 for a product of any number of parts, up to
    /// the number itself.
    pub fn new(fold: Fold, number: u64, cells: Option<usize>) -> Self {
        let min = if cells.is_none() && fold == Fold::Product { 2 } else { 1 };
        Self { fold, number, cells, min, max: number, distinct: false, without: Vec::new() }
    }

    /// Lists the multisets.
    ///
    /// # Errors
    /// [`QueryError`] when there are infinitely many or they may be too long.
    pub fn multisets(&self) -> Result<Multisets, QueryError> {
        let query = self.normal()?;
        let parts = query.longest();
        if parts > MOST_PARTS as u64 {
            return Err(QueryError::Long { parts });
        }
        Ok(Multisets::new(query))
    }

    /// The number of multisets; `None` when `should_stop`, called often, says yes.
    ///
    /// # Errors
    /// [`QueryError`] when there are infinitely many or they cannot be counted exactly.
    pub fn count(&self, should_stop: &mut dyn FnMut() -> bool) -> Result<Option<u128>, QueryError> {
        count::count(&self.normal()?, should_stop)
    }
}

/// The methods but `normal` need a query in normal form.
impl Query {
    /// The same query in normal form: excluded parts ascending and none twice, within a range that neither begins nor
    /// ends with one of them; `min` is above `max` where no part is left.
    fn normal(&self) -> Result<Self, QueryError> {
        let unit = neutral(self.fold);
        match self.cells {
            Some(cells) if !(1..=MOST_PARTS).contains(&cells) => return Err(QueryError::Cells { cells }),
            None if self.min <= unit => return Err(QueryError::Endless { fold: self.fold, least: unit }),
            _ => {}
        }
        let mut query = self.clone();
        query.without.sort_unstable();
        query.without.dedup();
        query.trim();
        Ok(query)
    }

    /// Narrows the range by the number and by excluded parts at its ends.
    fn trim(&mut self) {
        if self.number > 0 {
            self.max = self.max.min(self.number);
            self.min = self.min.max(u64::from(self.fold == Fold::Product));
        }
        while self.min <= self.max && self.is_excluded(self.max) && self.max > 0 {
            self.max -= 1;
        }
        while self.min < self.max && self.is_excluded(self.min) {
            self.min += 1;
        }
        if self.min > self.max || self.is_excluded(self.min) {
            // One way to say that no part is left.
            (self.min, self.max) = (1, 0);
        }
        self.without.retain(|part| (self.min..=self.max).contains(part));
    }

    fn has_parts(&self) -> bool {
        self.min <= self.max
    }

    fn is_excluded(&self, part: u64) -> bool {
        self.without.binary_search(&part).is_ok()
    }

    /// Says whether the part is in the range and not excluded.
    fn allows(&self, part: u64) -> bool {
        (self.min..=self.max).contains(&part) && !self.is_excluded(part)
    }

    /// Says whether the product is 0: one part is 0, and the others may be anything.
    fn is_zero_product(&self) -> bool {
        self.fold == Fold::Product && self.number == 0
    }

    /// The least sum of `count` parts from `from` on.
    fn least(&self, count: u64, from: u64) -> u128 {
        (u128::from(count) * u128::from(from)).saturating_add(self.staircase(count))
    }

    /// The greatest sum of `count` parts; different parts must not be more than the range has.
    fn greatest(&self, count: u64) -> u128 {
        u128::from(count) * u128::from(self.max) - self.staircase(count)
    }

    /// The excess of different parts over equal ones: 0 + 1 + 2 + …; 0 where parts may be equal.
    fn staircase(&self, count: u64) -> u128 {
        let count = u128::from(count);
        if self.distinct { count * count.saturating_sub(1) / 2 } else { 0 }
    }

    /// The most parts from `from` on, at least 1, whose sum is at most `sum`.
    fn most_parts(&self, from: u64, sum: u64) -> u64 {
        if !self.distinct {
            return sum / from;
        }
        // A sum of 64 bits has fewer than 2^33 different parts.
        let (mut fits, mut exceeds) = (0, 1 << 33);
        while exceeds - fits > 1 {
            let middle = (fits + exceeds) / 2;
            let within = self.least(middle, from) <= u128::from(sum);
            *(if within { &mut fits } else { &mut exceeds }) = middle;
        }
        fits
    }

    /// The most parts that a multiset can have.
    fn longest(&self) -> u64 {
        match (self.cells, self.fold) {
            (Some(cells), _) => cells as u64,
            _ if !self.has_parts() => 0,
            (None, Fold::Sum) => self.most_parts(self.min, self.number),
            (None, Fold::Product) => u64::from(u64::BITS),
        }
    }
}

/// The part that does not change a sum or product.
fn neutral(fold: Fold) -> u64 {
    match fold {
        Fold::Sum => 0,
        Fold::Product => 1,
    }
}

#[cfg(test)]
mod tests;
