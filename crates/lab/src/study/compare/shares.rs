//! The difference of the shares that two settings solve.
//!
//! A block of several settings that are joined may solve a share of its runs. The interval is then Newcombe's, with the
//! effective number of runs and the correlation of the blocks.
//!
//! Source: R. G. Newcombe 1998, Improved confidence intervals for the difference between binomial proportions based on
//! paired data, doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C.

use crate::study::measure::effective;
use kenga_stats::{
    Estimate, Interval, PairedOutcomes, Share, cochran_mantel_haenszel, difference_of_shares, mean,
    mean_over_puzzles, newcombe, wilson_of_share,
};

/// The shares that the blocks of two settings solve.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    /// The share of each block, by setting.
    pub(super) blocks: [Vec<f64>; 2],
    /// How many runs the blocks of each setting have.
    pub(super) runs: [usize; 2],
}

/// A difference of shares.
pub(super) struct ShareDifference {
    /// The share of the second less that of the first, with its interval.
    pub(super) difference: Estimate,
    /// The p-value of the difference if every block is one run; that of other blocks comes from exchanges of labels.
    pub(super) p: Option<f64>,
}

impl Shares {
    /// Whether every block is one run.
    fn are_single(&self) -> bool {
        self.runs == [self.blocks[0].len(), self.blocks[1].len()]
    }

    /// The mean share of the second less that of the first.
    pub(super) fn difference(&self) -> f64 {
        mean(&self.blocks[1]) - mean(&self.blocks[0])
    }

    /// The mean share of a setting with Wilson's interval.
    fn of(&self, setting: usize, z: f64) -> Estimate {
        let shares = &self.blocks[setting];
        let value = mean(shares);
        let runs = effective(shares, self.runs[setting]);
        Estimate { value, interval: wilson_of_share(value, runs, z) }
    }

    /// How many blocks of one run each solved, of the second and of the first.
    fn counts(&self) -> [Share; 2] {
        [count(&self.blocks[1]), count(&self.blocks[0])]
    }
}

/// The difference of two settings on puzzles, with its interval for the normal quantile `z`; from -1 to 1, with p-value 1,
/// without puzzles.
pub(super) fn share_difference(puzzles: &[&Shares], are_paired: bool, z: f64) -> ShareDifference {
    match puzzles {
        [] => {
            let interval = Interval { low: -1.0, high: 1.0 };
            ShareDifference { difference: Estimate { value: 0.0, interval }, p: Some(1.0) }
        }
        _ if are_paired => over_pairs(puzzles, z),
        [one] => independent(one, z),
        several => {
            let (a, b) = (mean_share(several, 1, z), mean_share(several, 0, z));
            let interval = difference_of_shares(a, b, 0.0);
            let difference = Estimate { value: a.value - b.value, interval };
            ShareDifference { difference, p: within_puzzles(several) }
        }
    }
}

/// The difference in pairs: the test is over all pairs, and the estimate the mean over puzzles.
fn over_pairs(puzzles: &[&Shares], z: f64) -> ShareDifference {
    let mut together = Shares::default();
    for one in puzzles {
        for setting in 0..2 {
            together.blocks[setting].extend(&one.blocks[setting]);
            together.runs[setting] += one.runs[setting];
        }
    }
    let found = paired(&together, z);
    let are_even = puzzles.windows(2).all(|two| two[0].blocks[0].len() == two[1].blocks[0].len());
    if are_even {
        return found;
    }
    ShareDifference { difference: mean_difference(puzzles, z), p: found.p }
}

/// The mean over puzzles of the difference in pairs, where some puzzles have more pairs than others.
fn mean_difference(puzzles: &[&Shares], z: f64) -> Estimate {
    let mut halved: Vec<Vec<f64>> = Vec::with_capacity(puzzles.len());
    for Shares { blocks: [first, second], .. } in puzzles {
        // `mean_over_puzzles` takes values from 0 to 1.
        halved.push(second.iter().zip(first).map(|(second, first)| (second - first + 1.0) / 2.0).collect());
    }
    let Estimate { value, interval: Interval { low, high } } =
        mean_over_puzzles(&halved, z).expect("there are several").on_these();
    let interval = Interval { low: 2.0 * low - 1.0, high: 2.0 * high - 1.0 };
    Estimate { value: 2.0 * value - 1.0, interval }
}

/// The mean share of a setting over puzzles, with its interval on these.
fn mean_share(puzzles: &[&Shares], setting: usize, z: f64) -> Estimate {
    let shares: Vec<&Vec<f64>> = puzzles.iter().map(|one| &one.blocks[setting]).collect();
    mean_over_puzzles(&shares, z).expect("there are several").on_these()
}

/// The p-value of the difference of the shares of independent runs within puzzles.
fn within_puzzles(puzzles: &[&Shares]) -> Option<f64> {
    let counts: Vec<[Share; 2]> = puzzles.iter().map(|one| one.counts()).collect();
    puzzles.iter().all(|one| one.are_single()).then(|| cochran_mantel_haenszel(&counts).p)
}

/// How many blocks of one run each solved.
fn count(shares: &[f64]) -> Share {
    let successes = shares.iter().filter(|share| **share > 0.5).count() as u64;
    Share { successes, trials: shares.len() as u64 }
}

fn paired(shares: &Shares, z: f64) -> ShareDifference {
    let [first, second] = &shares.blocks;
    let value = shares.difference();
    if shares.are_single() {
        let outcomes = PairedOutcomes::count(second.iter().zip(first).map(|(a, b)| (*a > 0.5, *b > 0.5)));
        let difference = Estimate { value, interval: outcomes.difference(z) };
        return ShareDifference { difference, p: Some(outcomes.mcnemar().p) };
    }
    // On the same starts both tend to solve the same blocks, which makes their difference more certain.
    let interval = difference_of_shares(shares.of(1, z), shares.of(0, z), correlation(second, first));
    ShareDifference { difference: Estimate { value, interval }, p: None }
}

fn independent(shares: &Shares, z: f64) -> ShareDifference {
    let value = shares.difference();
    if shares.are_single() {
        let [a, b] = shares.counts();
        let difference = Estimate { value, interval: newcombe(a, b, z) };
        return ShareDifference { difference, p: Some(cochran_mantel_haenszel(&[[a, b]]).p) };
    }
    let interval = difference_of_shares(shares.of(1, z), shares.of(0, z), 0.0);
    ShareDifference { difference: Estimate { value, interval }, p: None }
}

fn correlation(first: &[f64], second: &[f64]) -> f64 {
    let spread = (sum_of_products(first, first) * sum_of_products(second, second)).sqrt();
    if spread > 0.0 { sum_of_products(first, second) / spread } else { 0.0 }
}

/// The sum of the products of deviations from the means.
fn sum_of_products(a: &[f64], b: &[f64]) -> f64 {
    let (mean_a, mean_b) = (mean(a), mean(b));
    a.iter().zip(b).map(|(x, y)| (x - mean_a) * (y - mean_b)).sum()
}
