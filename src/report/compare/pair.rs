//! Two sides of a comparison.

use super::{Metric, Side};
use crate::stats::{
    Aim, Estimate, Interval, Observed, PairedOutcomes, Share, Z_95, Zeros, a12, fisher_exact, log_rank,
    mann_whitney, newcombe, paired_differences, paired_ratio, rank_values, wilcoxon,
};

/// What is known of the difference of two sides.
pub struct Pair {
    /// The index of the first, the better one by rank.
    pub first: usize,
    /// The index of the second.
    pub second: usize,
    /// The test of the metric: Wilcoxon's signed ranks in pairs, Mann-Whitney's without.
    pub test: &'static str,
    /// Its p-value.
    pub p: f64,
    /// The p-value after Holm's correction.
    pub holm: f64,
    /// The first over the second, in pairs of times: Hodges and Lehmann's estimate with its 95 % interval.
    pub ratio: Option<Estimate>,
    /// The probability that a run of the first has the larger value, ties counting half, with its 95 % interval.
    pub a12: Estimate,
    /// The share that the first solves less that of the second, with its 95 % interval.
    pub share: Estimate,
    /// The p-value of that difference: McNemar's exact test in pairs, Fisher's without.
    pub share_p: f64,
    /// The same after Holm's correction.
    pub share_holm: f64,
    /// The p-value of the log-rank test, which weighs all of the time to the solution; of times alone.
    pub log_rank_p: Option<f64>,
    /// Runs of each side that show a difference of this size with 80 % power at 5 %; `None` when there is none to show.
    pub runs_needed: Option<u64>,
}

/// Compares two sides; corrections come later, over all pairs.
pub(super) fn compare(first: usize, second: usize, sides: &[Side], metric: Metric, paired: bool) -> Pair {
    let (one, two) = (&sides[first], &sides[second]);
    let (a, b) = (rank_values(&one.observed), rank_values(&two.observed));
    let (test, p, runs_needed) = match paired {
        true => signed_ranks(&a, &b, metric),
        false => {
            let needed = Aim::default().runs_for_a12(a12(&a, &b, Z_95).value);
            ("Mann-Whitney", mann_whitney(&a, &b).p, needed)
        }
    };
    let (share, share_p) = shares(one, two, paired && metric.is_time());
    let observed: [&[Observed]; 2] = [&one.observed, &two.observed];
    Pair {
        first,
        second,
        test,
        p,
        holm: p,
        ratio: if paired && metric.is_time() { paired_ratio(&a, &b, Z_95) } else { None },
        a12: a12(&a, &b, Z_95),
        share,
        share_p,
        share_holm: share_p,
        log_rank_p: metric.is_time().then(|| log_rank(&observed).p),
        runs_needed,
    }
}

/// The signed-rank test, of times on their logarithms: half and double lie equally far from 1. And how many pairs it
/// needs for as much as was seen.
fn signed_ranks(a: &[f64], b: &[f64], metric: Metric) -> (&'static str, f64, Option<u64>) {
    let scale = |value: &f64| if metric.is_time() { value.max(f64::MIN_POSITIVE).ln() } else { *value };
    let (a, b): (Vec<f64>, Vec<f64>) = (a.iter().map(scale).collect(), b.iter().map(scale).collect());
    let differences = paired_differences(&a, &b);
    let found = wilcoxon(&differences, Zeros::Wilcox);
    let kept = differences.iter().filter(|difference| **difference != 0.0).count() as f64;
    let seen = found.statistic / (kept * (kept + 1.0) / 2.0);
    // Pairs that tie say nothing, and are as many again among those to come.
    let needed = Aim::default().pairs_for_wilcoxon(seen).filter(|_| kept > 0.0);
    let needed = needed.map(|pairs| (pairs as f64 * differences.len() as f64 / kept).ceil() as u64);
    ("Wilcoxon signed-rank", found.p, needed)
}

fn shares(one: &Side, two: &Side, paired: bool) -> (Estimate, f64) {
    let share = |side: &Side| Share { successes: side.solved, trials: side.runs };
    let value = share(one).value() - share(two).value();
    let (interval, p): (Interval, f64) = match paired {
        true => {
            let pairs = one.observed.iter().zip(&two.observed).map(|(a, b)| (a.solved, b.solved));
            let outcomes = PairedOutcomes::count(pairs);
            (outcomes.difference(Z_95), outcomes.mcnemar().p)
        }
        false => (newcombe(share(one), share(two), Z_95), fisher_exact(share(one), share(two))),
    };
    (Estimate { value, interval }, p)
}
