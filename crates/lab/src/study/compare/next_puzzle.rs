//! The difference of two settings on the next puzzle of the kind: the puzzles are the sample, with one value each.
//!
//! Where settings interact with puzzles, a difference on these puzzles says little about others: with enough runs one of two
//! settings that are equal over the kind is better on any dozen of puzzles.

use super::strata::{Strata, Stratum};
use kenga_stats::{Estimate, Interval, Observed, mean_share_difference, sample_mean};

/// The fewest puzzles that say anything about another one.
const FEWEST: usize = 3;

/// The difference of two settings on the next puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NextPuzzle {
    /// How many puzzles are the sample.
    pub puzzles: usize,
    /// PAR-10 of the second over that of the first, as the geometric mean over puzzles; of values that are no times the
    /// difference of their means.
    pub difference: Estimate,
    /// Whether the second has the lower values.
    pub is_second_better: bool,
    /// The p-value of that difference.
    pub p: f64,
    /// The p-value after Holm's correction.
    pub holm: f64,
    /// The share that the second solves less that of the first.
    pub share: Estimate,
    /// The p-value of the difference of shares.
    pub share_p: f64,
    /// That p-value after Holm's correction.
    pub share_holm: f64,
}

impl NextPuzzle {
    /// The difference of two settings on the puzzles of `strata`, with intervals for the normal quantile `z`; `None` for fewer
    /// than three puzzles, and where a run without a budget failed.
    pub(super) fn of(strata: &Strata, is_time: bool, limit: f64, z: f64) -> Option<Self> {
        if strata.puzzles.len() < FEWEST {
            return None;
        }
        let (mut values, mut shares) = (Vec::new(), Vec::new());
        for puzzle in &strata.puzzles {
            values.push(difference_on(puzzle, is_time, limit));
            shares.push(puzzle.shares.difference());
        }
        let found = sample_mean(&values, z)?;
        let share = mean_share_difference(&shares, z)?;
        Some(Self {
            puzzles: values.len(),
            // Times were compared by their logarithms: the mean difference is a ratio.
            difference: if is_time { exponential(found.mean) } else { found.mean },
            is_second_better: found.mean.value < 0.0,
            p: found.p,
            holm: found.p,
            share: share.mean,
            share_p: share.p,
            share_holm: share.p,
        })
    }
}

/// The second setting less the first on a puzzle: of times the difference of the logarithms of PAR-10, else that of the means;
/// 0 where both are infinite.
pub(super) fn difference_on(puzzle: &Stratum, is_time: bool, limit: f64) -> f64 {
    let [first, second] = &puzzle.observed;
    if !is_time {
        let (first, second) = (mean(first, |run| run.spent), mean(second, |run| run.spent));
        return if first == second { 0.0 } else { second - first };
    }
    let (first, second) = (mean(first, |run| run.penalised(limit)), mean(second, |run| run.penalised(limit)));
    if first == second {
        return 0.0;
    }
    // What is solved before the first call takes none, and 0 has no logarithm.
    second.max(f64::MIN_POSITIVE).ln() - first.max(f64::MIN_POSITIVE).ln()
}

fn mean(runs: &[Observed], cost: impl Fn(&Observed) -> f64) -> f64 {
    runs.iter().map(cost).sum::<f64>() / runs.len() as f64
}

fn exponential(mean: Estimate) -> Estimate {
    let Interval { low, high } = mean.interval;
    Estimate { value: mean.value.exp(), interval: Interval { low: low.exp(), high: high.exp() } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{Block, Metric, Question, RunValue, SettingSample, compare};

    /// A setting that takes so many calls on each puzzle.
    fn setting(name: &str, puzzles: usize, calls: impl Fn(usize) -> f64) -> SettingSample {
        let mut runs = Vec::new();
        for puzzle in 0..puzzles {
            let block = Block { puzzle: format!("p{puzzle:02}"), seed: 1, replicate: 0 };
            runs.push((block, RunValue::new(Observed::solved(calls(puzzle)), 1e6)));
        }
        SettingSample::new(name, name, runs)
    }

    #[test]
    fn a_ratio_that_all_puzzles_show_is_significant_where_its_interval_excludes_one() {
        for puzzles in 3..12 {
            let base = |puzzle| 2.0_f64.powi(puzzle as i32);
            let samples = [setting("a", puzzles, base), setting("b", puzzles, |puzzle| 4.0 * base(puzzle))];
            let question = Question::plain(Metric::Calls, 0.05).from_baseline(Some("a"));
            let found = compare(&samples, &question).expect("two settings").pairs[0].next;
            let NextPuzzle { difference, p, .. } = found.expect("three puzzles or more");
            let Interval { low, high } = difference.interval;
            assert_eq!(p < 0.05, low > 1.0 || high < 1.0, "{puzzles}: {difference:?} {p}");
            assert_eq!(puzzles >= 6, high.is_finite(), "{puzzles}: {difference:?}");
        }
    }
}
