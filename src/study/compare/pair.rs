//! Two sides of a comparison.

use std::collections::BTreeSet;

use super::{Metric, Side};
use crate::stats::{
    Aim, Estimate, Interval, Observed, PairedOutcomes, Share, Z_95, Zeros, a12, fisher_exact, mann_whitney,
    mean_of_strata, newcombe, paired_differences, paired_ratio, rank_values, stratified_log_rank, wilcoxon,
};

/// A p-value that hints at a difference.
const HINT: f64 = 0.5;

/// What is known of the difference of two sides.
pub struct Pair {
    /// The index of the first, the better one by the test.
    pub first: usize,
    /// The index of the second.
    pub second: usize,
    /// The pairs of runs that both have; `None` when their runs are independent.
    pub pairs: Option<usize>,
    /// The test of the metric: Wilcoxon's signed ranks in pairs, Mann-Whitney's without.
    pub test: &'static str,
    /// Its p-value.
    pub p: f64,
    /// The p-value after Holm's correction.
    pub holm: f64,
    /// To which side the test leans, 0 to 1: the share of the signed ranks, or without pairs A12, by which the first is the
    /// larger.
    pub larger: f64,
    /// The first over the second, over the pairs of times of which one is known: Hodges and Lehmann's estimate with its
    /// 95 % interval; `None` where both fail in half of the pairs or more.
    pub ratio: Option<Estimate>,
    /// The probability that a run of the first has the larger value, ties counting half, with its 95 % interval;
    /// within each puzzle, in the mean.
    pub a12: Estimate,
    /// The share that the first solves less that of the second, with its 95 % interval.
    pub share: Estimate,
    /// The p-value of that difference: McNemar's exact test in pairs, Fisher's without.
    pub share_p: f64,
    /// The same after Holm's correction.
    pub share_holm: f64,
    /// The p-value of the log-rank test, within puzzles, which weighs all of the time to the solution; of times alone.
    pub log_rank_p: Option<f64>,
    /// Runs of each side that show a difference of this size with 80 % power in as many tests; `None` when nothing hints
    /// at one.
    pub runs_needed: Option<u64>,
}

/// Compares two sides, on the runs that `matched` pairs where there are such; corrections come later, over all pairs.
pub(super) fn compare(
    first: usize,
    second: usize,
    sides: &[Side],
    metric: Metric,
    matched: Option<&[(usize, usize)]>,
    aim: Aim,
) -> Pair {
    let chosen = matched
        .map(|pairs| pairs.iter().copied().unzip())
        .or_else(|| on_common(&sides[first], &sides[second]));
    let (chosen_one, chosen_two) = chosen.unzip();
    let (one, two) = (Runs::of(&sides[first], chosen_one), Runs::of(&sides[second], chosen_two));
    let is_paired = matched.is_some();
    let a12 = a12_by_puzzle(&one, &two);
    let (test, p, larger, runs_needed) = match is_paired {
        true => signed_ranks(&one.values, &two.values, metric, aim),
        false => {
            let p = mann_whitney(&one.values, &two.values).p;
            ("Mann-Whitney", p, a12.value, aim.runs_for_a12(a12.value))
        }
    };
    let (share, share_p) = shares(&one, &two, is_paired);
    let known = one.values.iter().zip(&two.values).filter(|(a, b)| a.is_finite() || b.is_finite());
    let (a, b): (Vec<f64>, Vec<f64>) = known.unzip();
    // Of pairs of which half know no time the median ratio is none.
    let is_known = is_paired && metric.is_time() && 2 * a.len() > one.values.len();
    Pair {
        first,
        second,
        pairs: matched.map(<[(usize, usize)]>::len),
        test,
        p,
        holm: p,
        larger,
        ratio: if is_known { paired_ratio(&a, &b, Z_95) } else { None },
        a12,
        share,
        share_p,
        share_holm: share_p,
        log_rank_p: metric.is_time().then(|| log_rank_by_puzzle(&one, &two)),
        runs_needed: runs_needed.filter(|_| p < HINT),
    }
}

/// The runs of two sides on the puzzles that both have; `None` where these are all or none.
fn on_common(one: &Side, two: &Side) -> Option<(Vec<usize>, Vec<usize>)> {
    let [a, b] = [one, two].map(|side| side.strata.iter().copied().collect::<BTreeSet<usize>>());
    let on = |side: &Side, other: &BTreeSet<usize>| -> Vec<usize> {
        (0..side.strata.len()).filter(|run| other.contains(&side.strata[*run])).collect()
    };
    (a != b && !a.is_disjoint(&b)).then(|| (on(one, &b), on(two, &a)))
}

/// The runs of a side that are compared.
struct Runs {
    observed: Vec<Observed>,
    values: Vec<f64>,
    hits: Vec<bool>,
    strata: Vec<usize>,
}

impl Runs {
    /// All runs of a side, or some of them in their order.
    fn of(side: &Side, some: Option<Vec<usize>>) -> Self {
        let runs = some.unwrap_or_else(|| (0..side.observed.len()).collect());
        let observed: Vec<Observed> = runs.iter().map(|run| side.observed[*run]).collect();
        Self {
            values: rank_values(&observed),
            observed,
            hits: runs.iter().map(|run| side.hits[*run]).collect(),
            strata: runs.iter().map(|run| side.strata[*run]).collect(),
        }
    }

    fn share(&self) -> Share {
        let successes = self.hits.iter().filter(|hit| **hit).count() as u64;
        Share { successes, trials: self.hits.len() as u64 }
    }

    /// Of one puzzle what `values` holds.
    fn only<T: Copy>(&self, stratum: usize, values: &[T]) -> Vec<T> {
        let runs = values.iter().zip(&self.strata);
        runs.filter(|(_, of)| **of == stratum).map(|(value, _)| *value).collect()
    }
}

/// The puzzles of which both sides have runs.
fn strata(one: &Runs, two: &Runs) -> Vec<usize> {
    let [one, two] = [one, two].map(|runs| runs.strata.iter().copied().collect::<BTreeSet<usize>>());
    one.intersection(&two).copied().collect()
}

/// A12 within each puzzle, in the mean: runs of different puzzles are not compared with each other.
fn a12_by_puzzle(one: &Runs, two: &Runs) -> Estimate {
    let within = |stratum: usize| a12(&one.only(stratum, &one.values), &two.only(stratum, &two.values), Z_95);
    let found: Vec<Estimate> = strata(one, two).into_iter().map(within).collect();
    mean_of_strata(&found).unwrap_or_else(|| a12(&one.values, &two.values, Z_95))
}

fn log_rank_by_puzzle(one: &Runs, two: &Runs) -> f64 {
    let of = |stratum: usize| [one, two].map(|runs| runs.only(stratum, &runs.observed));
    let found: Vec<[Vec<Observed>; 2]> = strata(one, two).into_iter().map(of).collect();
    let groups: Vec<[&[Observed]; 2]> = found.iter().map(|[a, b]| [&**a, &**b]).collect();
    stratified_log_rank(&groups.iter().map(|groups| &groups[..]).collect::<Vec<_>>()).p
}

/// The signed-rank test, of times on their logarithms: half and double lie equally far from 1. And how many pairs it
/// needs for as much as was seen.
fn signed_ranks(a: &[f64], b: &[f64], metric: Metric, aim: Aim) -> (&'static str, f64, f64, Option<u64>) {
    let scale = |value: &f64| if metric.is_time() { value.max(f64::MIN_POSITIVE).ln() } else { *value };
    let (a, b): (Vec<f64>, Vec<f64>) = (a.iter().map(scale).collect(), b.iter().map(scale).collect());
    let differences = paired_differences(&a, &b);
    let found = wilcoxon(&differences, Zeros::Wilcox);
    let kept = differences.iter().filter(|difference| **difference != 0.0).count() as f64;
    let seen = found.statistic / (kept * (kept + 1.0) / 2.0);
    // Pairs that tie say nothing, and are as many again among those to come.
    let needed = aim.pairs_for_wilcoxon(seen).filter(|_| kept > 0.0);
    let needed = needed.map(|pairs| (pairs as f64 * differences.len() as f64 / kept).ceil() as u64);
    ("Wilcoxon signed-rank", found.p, if kept > 0.0 { seen } else { 0.5 }, needed)
}

fn shares(one: &Runs, two: &Runs, is_paired: bool) -> (Estimate, f64) {
    let value = one.share().value() - two.share().value();
    let (interval, p): (Interval, f64) = match is_paired {
        true => {
            let outcomes = PairedOutcomes::count(one.hits.iter().copied().zip(two.hits.iter().copied()));
            (outcomes.difference(Z_95), outcomes.mcnemar().p)
        }
        false => (newcombe(one.share(), two.share(), Z_95), fisher_exact(one.share(), two.share())),
    };
    (Estimate { value, interval }, p)
}
