//! The difference of the shares that two sides solve.
//!
//! A block of a side that joins several settings may solve a share of its runs. The interval is then Newcombe's, with the
//! effective number of runs and the correlation of the blocks.
//!
//! Source: R. G. Newcombe 1998, Improved confidence intervals for the difference between binomial proportions based on
//! paired data, doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C.

use crate::study::measure::effective;
use kenga_stats::{
    Estimate, Interval, PairedOutcomes, Share, cochran_mantel_haenszel, difference_of_shares, mann_whitney,
    mean_over_puzzles, newcombe, paired_differences, van_elteren, wilcoxon, wilson_of_share,
};

/// The shares of the blocks of two sides on one puzzle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rates<'a> {
    pub(super) first: &'a [f64],
    pub(super) second: &'a [f64],
    /// How many runs the blocks of each side have.
    pub(super) runs: [usize; 2],
}

impl Rates<'_> {
    /// Whether every block is one run.
    fn are_single(&self) -> bool {
        self.runs == [self.first.len(), self.second.len()]
    }
}

/// The share of the second minus that of the first with its interval for the normal quantile `z`, and the p-value of the
/// difference; -1 to 1 and 1 without puzzles.
pub(super) fn rates(puzzles: &[Rates<'_>], are_paired: bool, z: f64) -> (Estimate, f64) {
    match puzzles {
        [] => (Estimate { value: 0.0, interval: Interval { low: -1.0, high: 1.0 } }, 1.0),
        _ if are_paired => {
            let join = |of: fn(&Rates<'_>) -> Vec<f64>| puzzles.iter().flat_map(of).collect::<Vec<f64>>();
            let (first, second) = (join(|one| one.first.to_vec()), join(|one| one.second.to_vec()));
            let runs = puzzles.iter().fold([0, 0], |sum, one| [sum[0] + one.runs[0], sum[1] + one.runs[1]]);
            let (together, p) = paired(&Rates { first: &first, second: &second, runs }, z);
            let is_even = puzzles.windows(2).all(|two| two[0].first.len() == two[1].first.len());
            (if is_even { together } else { of_pairs(puzzles, z) }, p)
        }
        [one] => independent(one, z),
        several => {
            let [a, b] = [over(several, |one| one.second, z), over(several, |one| one.first, z)];
            (
                Estimate { value: a.value - b.value, interval: difference_of_shares(a, b, 0.0) },
                within_puzzles(several),
            )
        }
    }
}

/// The mean over puzzles of the difference in pairs, where some puzzles have more pairs than others.
fn of_pairs(puzzles: &[Rates<'_>], z: f64) -> Estimate {
    // `mean_over_puzzles` takes values from 0 to 1.
    let halved = |one: &Rates<'_>| -> Vec<f64> {
        one.second.iter().zip(one.first).map(|(second, first)| (second - first + 1.0) / 2.0).collect()
    };
    let differences: Vec<Vec<f64>> = puzzles.iter().map(halved).collect();
    let differences: Vec<&[f64]> = differences.iter().map(Vec::as_slice).collect();
    let Estimate { value, interval: Interval { low, high } } =
        mean_over_puzzles(&differences, z).expect("there are several").on_these();
    let full = |half: f64| 2.0 * half - 1.0;
    Estimate { value: full(value), interval: Interval { low: full(low), high: full(high) } }
}

/// The mean share of a side over puzzles, with its interval on these.
fn over<'a>(puzzles: &[Rates<'a>], side: fn(&Rates<'a>) -> &'a [f64], z: f64) -> Estimate {
    let shares: Vec<&[f64]> = puzzles.iter().map(side).collect();
    mean_over_puzzles(&shares, z).expect("there are several").on_these()
}

/// The p-value of the difference of the shares of independent runs within puzzles.
fn within_puzzles(puzzles: &[Rates<'_>]) -> f64 {
    if puzzles.iter().all(Rates::are_single) {
        let shares = puzzles.iter().map(|one| [count(one.second), count(one.first)]);
        return cochran_mantel_haenszel(&shares.collect::<Vec<_>>()).p;
    }
    van_elteren(&puzzles.iter().map(|one| [one.second, one.first]).collect::<Vec<_>>()).p
}

/// How many blocks of one run each solved.
fn count(shares: &[f64]) -> Share {
    let successes = shares.iter().filter(|share| **share > 0.5).count() as u64;
    Share { successes, trials: shares.len() as u64 }
}

fn paired(rates: &Rates<'_>, z: f64) -> (Estimate, f64) {
    let Rates { first, second, runs } = *rates;
    let value = mean(second) - mean(first);
    if rates.are_single() {
        let hits = second.iter().zip(first).map(|(a, b)| (*a > 0.5, *b > 0.5));
        let outcomes = PairedOutcomes::count(hits);
        return (Estimate { value, interval: outcomes.difference(z) }, outcomes.mcnemar().p);
    }
    let p = wilcoxon(&paired_differences(second, first)).p;
    let interval =
        difference_of_shares(ends(second, runs[1], z), ends(first, runs[0], z), correlation(second, first));
    (Estimate { value, interval }, p)
}

fn independent(rates: &Rates<'_>, z: f64) -> (Estimate, f64) {
    let Rates { first, second, runs } = *rates;
    let value = mean(second) - mean(first);
    if rates.are_single() {
        let (a, b) = (count(second), count(first));
        return (Estimate { value, interval: newcombe(a, b, z) }, cochran_mantel_haenszel(&[[a, b]]).p);
    }
    let p = mann_whitney(second, first).p;
    (
        Estimate {
            value,
            interval: difference_of_shares(ends(second, runs[1], z), ends(first, runs[0], z), 0.0),
        },
        p,
    )
}

/// The mean share of some blocks with Wilson's interval.
fn ends(shares: &[f64], runs: usize, z: f64) -> Estimate {
    let value = mean(shares);
    Estimate { value, interval: wilson_of_share(value, effective(shares, runs), z) }
}

fn correlation(first: &[f64], second: &[f64]) -> f64 {
    let (a, b) = (mean(first), mean(second));
    let product = |x: &[f64], mx: f64, y: &[f64], my: f64| {
        x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum::<f64>()
    };
    let spread = (product(first, a, first, a) * product(second, b, second, b)).sqrt();
    if spread > 0.0 { product(first, a, second, b) / spread } else { 0.0 }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
