//! Selection: how parents are chosen.
//!
//! A new member implements [`Selection`]. Shares that are drawn from go into a `Wheel`.

mod best_ties;
mod rank;
mod roulette;
mod stochastic_universal;
mod tournament;
mod truncation;
mod uniform;

use crate::rng::RunRng;
use crate::search::operators::steps::IntervalSteps;
use crate::spec::Family;

/// A way to choose parents. Scores are 0 or more, higher is better.
pub trait Selection: Send {
    /// Prepares the choice of up to `picks` parents from individuals with these scores. `progress` is the share of the
    /// budget spent, 0 to 1.
    fn prepare(&mut self, scores: &[f64], picks: usize, progress: f64, rng: &mut RunRng);

    /// The index of the next parent; the scores are those of [`prepare`](Self::prepare).
    fn pick(&mut self, scores: &[f64], rng: &mut RunRng) -> usize;
}

/// Every selection.
pub static SELECTION: Family<Box<dyn Selection>> = Family::new(
    "selection",
    "how parents are chosen",
    &[
        &roulette::ENTRY,
        &stochastic_universal::ENTRY,
        &tournament::ENTRY,
        &rank::ENTRY,
        &truncation::ENTRY,
        &best_ties::ENTRY,
        &uniform::ENTRY,
    ],
);

/// A roulette wheel: shares side by side, as their prefix sums, and the search for the one that a point falls into.
///
/// ```text
/// shares        3   1   4   2
/// prefix sums   3   4   8  10      the point 5.2 falls into the third
/// ```
#[derive(Default)]
struct Wheel {
    len: usize,
    total: f64,
    sums: IntervalSteps,
}

impl Wheel {
    /// Sets `len` shares, which `fill` writes, each 0 or more; shares that are all 0 count as equal.
    fn set(&mut self, len: usize, fill: impl FnOnce(&mut [f64])) {
        self.len = len;
        self.sums.set(len, |sums| {
            fill(sums);
            self.total = accumulate(sums);
            // Where every score is 0 no individual is better than another.
            if self.total <= 0.0 {
                sums.fill(1.0);
                self.total = accumulate(sums);
            }
            self.total
        });
    }

    /// The index of a random share, drawn in proportion to its size.
    #[inline(always)]
    fn spin(&self, rng: &mut RunRng) -> usize {
        self.at(rng.unit() * self.total)
    }

    /// The index of the share that a point from 0 up to the total falls into.
    #[inline]
    fn at(&self, point: f64) -> usize {
        self.sums.passed(point).min(self.len - 1)
    }
}

/// Replaces shares by their prefix sums and returns their total.
fn accumulate(shares: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for share in shares {
        sum += *share;
        *share = sum;
    }
    sum
}

/// A wheel with these shares.
#[cfg(test)]
fn wheel(shares: &[f64]) -> Wheel {
    let mut wheel = Wheel::default();
    wheel.set(shares.len(), |slots| slots.copy_from_slice(shares));
    wheel
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_belongs_to_the_share_it_falls_in() {
        let wheel = wheel(&[3.0, 1.0, 0.0, 4.0, 2.0]);
        let found = [0.0, 2.9, 3.0, 4.0, 7.9, 8.0, 9.9, 10.0].map(|point| wheel.at(point));
        assert_eq!(found, [0, 0, 1, 3, 3, 4, 4, 4]);
    }

    #[test]
    fn every_length_is_searched_right() {
        for length in (1..100).chain([1000, 1025, 5000]) {
            let wheel = wheel(&vec![1.0; length]);
            for index in 0..length {
                assert_eq!(wheel.at(index as f64 + 0.5), index, "of {length}");
            }
        }
    }

    #[test]
    fn shares_that_are_all_zero_count_as_equal() {
        let wheel = wheel(&[0.0; 3]);
        assert_eq!((wheel.total, wheel.at(0.5), wheel.at(2.5)), (3.0, 0, 2));
    }
}
