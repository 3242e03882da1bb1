//! The list of multisets: parts ascending, a stack of them in place of recursion.
//!
//! At every position the rest determines the next part. In a sum it tries a part only if the numbers from that part to
//! the greatest can make the rest, which is exact unless parts are excluded; in a product, only divisors of the rest.

use kenga_core::puzzle::operators::Fold;

use super::count::{divisors, factorise};
use super::{Query, neutral};

/// The multisets of a [`Query`], each ascending, in lexicographic order. Memory holds one of them and the divisors of
/// the number.
#[derive(Clone, Debug)]
pub struct Multisets {
    query: Query,
    /// For a product, the parts that may occur, ascending.
    divisors: Vec<u64>,
    /// The multiset so far.
    parts: Vec<u64>,
    /// The number less, or divided by, the parts so far.
    rest: u64,
    next: Next,
}

/// How the list continues.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// With a further part, this or greater.
    Part(u64),
    /// With a greater last part.
    Other,
    /// Not at all.
    End,
}

impl Multisets {
    pub(super) fn new(query: Query) -> Self {
        let divisors = match query.fold {
            Fold::Product if query.number > 0 => factors_within(&query),
            _ => Vec::new(),
        };
        let (rest, next) = (query.number, Next::Part(query.min));
        Self { query, divisors, parts: Vec::new(), rest, next }
    }

    /// The next multiset, ascending; `None` after the last. It calls `should_stop` at every step; a yes returns `None`
    /// too, and a later call continues.
    pub fn next(&mut self, should_stop: &mut dyn FnMut() -> bool) -> Option<&[u64]> {
        if self.parts.is_empty() && matches!(self.next, Next::Part(_)) && self.is_complete() {
            self.next = Next::End;
            return Some(&self.parts);
        }
        while !matches!(self.next, Next::End) && !should_stop() {
            if self.step() {
                return Some(&self.parts);
            }
        }
        None
    }

    /// Adds or removes a part; says whether the multiset is complete.
    fn step(&mut self) -> bool {
        let part = match self.next {
            Next::Part(from) => self.candidate(from),
            Next::Other | Next::End => None,
        };
        let Some(part) = part else {
            self.next = match self.pop() {
                None => Next::End,
                Some(last) => last.checked_add(1).map_or(Next::Other, Next::Part),
            };
            return false;
        };
        self.push(part);
        if self.is_complete() {
            self.next = Next::Other;
            return true;
        }
        let above = if self.query.distinct { part.checked_add(1) } else { Some(part) };
        self.next = above.map_or(Next::Other, Next::Part);
        false
    }

    fn push(&mut self, part: u64) {
        match self.query.fold {
            Fold::Sum => self.rest -= part,
            // The rest of a product that is 0 stays 0, whatever its parts.
            Fold::Product if part > 0 => self.rest /= part,
            Fold::Product => {}
        }
        self.parts.push(part);
    }

    fn pop(&mut self) -> Option<u64> {
        let part = self.parts.pop()?;
        match self.query.fold {
            Fold::Sum => self.rest += part,
            Fold::Product if part > 0 => self.rest *= part,
            Fold::Product => {}
        }
        Some(part)
    }

    fn is_complete(&self) -> bool {
        match self.query.cells {
            Some(cells) => self.parts.len() == cells,
            None => self.rest == neutral(self.query.fold),
        }
    }

    /// The least part from `from` on that may come next.
    fn candidate(&self, from: u64) -> Option<u64> {
        let left = self.query.cells.map(|cells| (cells - self.parts.len()) as u64);
        match self.query.fold {
            _ if !self.query.has_parts() => None,
            Fold::Sum => self.first_allowed(from, |from| self.addend(from, left)),
            Fold::Product if self.query.is_zero_product() => {
                self.first_allowed(from, |from| self.any(from, left?))
            }
            Fold::Product => self.factor(from, left),
        }
    }

    /// The first part that `at_least` finds and that is not excluded.
    fn first_allowed(&self, mut from: u64, at_least: impl Fn(u64) -> Option<u64>) -> Option<u64> {
        loop {
            let part = at_least(from)?;
            if !self.query.is_excluded(part) {
                return Some(part);
            }
            from = part.checked_add(1)?;
        }
    }

    /// The next part of a sum: the least with which the greatest possible other parts reach the rest.
    fn addend(&self, from: u64, left: Option<u64>) -> Option<u64> {
        let (query, rest) = (&self.query, u128::from(self.rest));
        let available =
            if query.distinct { query.max.checked_sub(from)?.saturating_add(1) } else { u64::MAX };
        let count = match left {
            Some(count) if count > available || query.least(count, from) > rest => return None,
            Some(count) => count,
            None => query.most_parts(from, self.rest).min(available),
        };
        if from > query.max || count == 0 || query.greatest(count) < rest {
            return None;
        }
        // All others at their greatest leave the least for this one.
        let others = query.greatest(count - 1);
        Some(from.max(rest.saturating_sub(others) as u64))
    }

    /// The next part of a product that is 0: first 0, then anything.
    fn any(&self, from: u64, left: u64) -> Option<u64> {
        let first = self.parts.is_empty();
        let needed = if self.query.distinct { left - 1 } else { 0 };
        let fits = from.checked_add(needed).is_some_and(|last| last <= self.query.max);
        (fits && (!first || from == 0)).then_some(from)
    }

    /// The next part of another product: the least divisor of the rest whose quotient parts from it to the greatest may
    /// make.
    fn factor(&self, from: u64, left: Option<u64>) -> Option<u64> {
        if left == Some(1) {
            return self.last_factor(from);
        }
        let rest = u128::from(self.rest);
        let least = left.map_or(1, |left| rest.div_ceil(power(self.query.max, left - 1)));
        let first = self.divisors.partition_point(|part| u128::from(*part) < least.max(u128::from(from)));
        for part in &self.divisors[first..] {
            if power(*part, left.unwrap_or(2)) > rest {
                break;
            }
            if self.rest.is_multiple_of(*part) {
                // A last part that is equal would have to follow.
                let is_root = *part == self.rest / *part;
                if left.is_none() && self.query.distinct && is_root {
                    break;
                }
                return Some(*part);
            }
        }
        if left.is_none() { self.last_factor(from) } else { None }
    }

    fn last_factor(&self, from: u64) -> Option<u64> {
        (self.rest >= from && self.query.allows(self.rest)).then_some(self.rest)
    }
}

/// The divisors of the number that may be parts; none when one of its primes exceeds every part.
fn factors_within(query: &Query) -> Vec<u64> {
    let factors = factorise(query.number);
    if factors.iter().any(|(prime, _)| *prime > query.max) {
        return Vec::new();
    }
    divisors(&factors).into_iter().filter(|part| query.allows(*part)).collect()
}

/// A power, saturating at 2^128 - 1.
fn power(base: u64, exponent: u64) -> u128 {
    let exponent = u32::try_from(exponent).unwrap_or(u32::MAX);
    u128::from(base).saturating_pow(exponent)
}
