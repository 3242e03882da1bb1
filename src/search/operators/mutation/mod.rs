//! Mutation: small random changes of one genome.

mod adaptive;
mod conflict;
mod draws;
mod force;
mod insertion;
mod inversion;
mod missing_digit;
mod redraw;
mod reset;
mod row_swap;
mod scramble;
mod stretches;
mod swap;

use crate::rng::RunRng;
use crate::search::{Closure, Conflicts, Space};
use crate::spec::Family;

/// A way to change a genome at random. Fixed genes stay; on permutations every segment keeps its digits.
pub trait Mutation: Send {
    /// Readies mutation when this share of the budget is spent, 0 to 1; called once a generation.
    fn prepare(&mut self, space: &Space, progress: f64);

    /// Changes a genome in place. `conflicts` are those of the parent that it takes after, which was evaluated; they are
    /// empty unless the mutation [reads](Self::reads_conflicts) them.
    fn mutate(&mut self, space: &Space, genome: &mut [u8], conflicts: &Conflicts, rng: &mut RunRng);

    /// What it can make of a genome; `None` where it brings in digits.
    fn closure(&self, space: &Space) -> Option<Closure> {
        let _ = space;
        None
    }

    /// It reads the conflicts of the parent, which are computed only then.
    fn reads_conflicts(&self) -> bool {
        false
    }

    /// Which of several mutations made the last change; 0 where there is one.
    fn chosen(&self) -> usize {
        0
    }

    /// Is told what a child of [`chosen`](Self::chosen) has gained over the parent it takes after, 0 to 1.
    fn credit(&mut self, chosen: usize, gain: f64) {
        let _ = (chosen, gain);
    }
}

/// Every mutation.
pub static MUTATION: Family<Box<dyn Mutation>> = Family {
    name: "mutation",
    about: "small random changes of a genome",
    entries: &[
        &swap::ENTRY,
        &reset::ENTRY,
        &row_swap::ENTRY,
        &inversion::ENTRY,
        &insertion::ENTRY,
        &scramble::ENTRY,
        &conflict::ENTRY,
        &redraw::ENTRY,
        &force::ENTRY,
        &missing_digit::ENTRY,
        &adaptive::ENTRY,
    ],
};

/// The places at which independent coins of one probability come up heads, drawn one uniform number a head.
///
/// The chance that `k` coins in a row are tails is (1 - p)^k, so one number in [0, 1) decides how many are passed over:
/// the same law as a coin a place, at the price of the heads alone.
#[derive(Default)]
pub(super) struct Coins {
    probability: f64,
    /// `tails[k]` is (1 - p)^k.
    tails: Vec<f64>,
}

/// Up to this many places all are compared, which is faster than to search: no comparison waits for another.
const COUNTED: usize = 64;

impl Coins {
    /// Readies the coins of `places` places.
    pub(super) fn prepare(&mut self, probability: f64, places: usize) {
        if self.probability == probability && self.tails.len() == places + 1 {
            return;
        }
        self.probability = probability;
        self.tails.clear();
        self.tails.extend((0..=places as i32).map(|k| (1.0 - probability).powi(k)));
    }

    /// The first place from `start` on that comes up heads.
    #[inline]
    pub(super) fn next(&self, start: usize, rng: &mut RunRng) -> Option<usize> {
        let left = self.tails.len().checked_sub(start + 2)? + 1;
        let draw = rng.unit();
        if draw < self.tails[left] {
            return None;
        }
        // Of the `left` places, the first whose head is drawn: tails[k + 1] <= draw < tails[k].
        let tails = &self.tails[1..=left];
        let passed = if left <= COUNTED {
            tails.iter().map(|tails| usize::from(draw < *tails)).sum()
        } else {
            tails.partition_point(|tails| draw < *tails)
        };
        Some(start + passed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    #[test]
    fn heads_come_with_their_probability_at_every_place() {
        let mut coins = Coins::default();
        coins.prepare(0.1, 5);
        let mut rng = StreamKey::run(3, "coins", 0).rng();
        let (rounds, mut heads) = (100_000, [0u32; 5]);
        for _ in 0..rounds {
            let mut start = 0;
            while let Some(place) = coins.next(start, &mut rng) {
                heads[place] += 1;
                start = place + 1;
            }
        }
        // Five standard deviations of a binomial count: 5 * sqrt(100000 * 0.1 * 0.9) = 474.
        assert!(heads.iter().all(|count| count.abs_diff(10_000) < 474), "{heads:?}");
    }

    #[test]
    fn certain_and_impossible_heads_are_exact() {
        let mut rng = StreamKey::run(3, "coins", 0).rng();
        let mut coins = Coins::default();
        coins.prepare(1.0, 3);
        assert_eq!(
            (0..=3).map(|start| coins.next(start, &mut rng)).collect::<Vec<_>>(),
            [Some(0), Some(1), Some(2), None]
        );
        coins.prepare(0.0, 3);
        assert_eq!(coins.next(0, &mut rng), None);
        coins.prepare(0.5, 0);
        assert_eq!(coins.next(0, &mut rng), None);
    }
}
