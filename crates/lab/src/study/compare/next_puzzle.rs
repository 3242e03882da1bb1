//! The difference of two sides on the next puzzle of the kind: the puzzles are the sample, with one value each.
//!
//! Where settings interact with puzzles, a difference on these puzzles says little about others: with enough runs one of two
//! settings that are equal over the kind is better on any dozen of puzzles.

use super::strata::{Strata, Stratum};
use kenga_stats::{Estimate, Interval, Observed, mean_share_difference, sample_mean};

/// The fewest puzzles that say anything about another one.
const FEWEST: usize = 3;

/// The difference of two sides on the next puzzle.
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
    /// The difference of two sides on the puzzles of `strata`, with intervals for the normal quantile `z`; `None` for fewer
    /// than three puzzles, and where a run without a budget failed.
    pub(super) fn of(strata: &Strata, is_time: bool, limit: f64, z: f64) -> Option<Self> {
        if strata.0.len() < FEWEST {
            return None;
        }
        let values: Vec<f64> = strata.0.iter().map(|puzzle| difference_on(puzzle, is_time, limit)).collect();
        let found = sample_mean(&values, z)?;
        let difference = if is_time { exponential(found.mean) } else { found.mean };
        let shares: Vec<f64> = strata.0.iter().map(Stratum::share_difference).collect();
        let share = mean_share_difference(&shares, z)?;
        Some(Self {
            puzzles: values.len(),
            difference,
            is_second_better: found.mean.value < 0.0,
            p: found.p,
            holm: found.p,
            share: share.mean,
            share_p: share.p,
            share_holm: share.p,
        })
    }

    /// Whether the difference of the metric is significant at the level.
    pub fn is_shown(&self, alpha: f64) -> bool {
        self.holm < alpha
    }
}

/// The second side less the first on a puzzle: of times the difference of the logarithms of PAR-10, else that of the means;
/// 0 where both are infinite.
pub(super) fn difference_on(puzzle: &Stratum, is_time: bool, limit: f64) -> f64 {
    let cost = |run: &Observed| if is_time { run.penalised(limit) } else { run.spent };
    let mean = |runs: &[Observed]| runs.iter().map(cost).sum::<f64>() / runs.len() as f64;
    let [first, second] = [mean(&puzzle.observed[0]), mean(&puzzle.observed[1])];
    if first == second {
        return 0.0;
    }
    if is_time {
        return second.max(f64::MIN_POSITIVE).ln() - first.max(f64::MIN_POSITIVE).ln();
    }
    second - first
}

fn exponential(mean: Estimate) -> Estimate {
    let Interval { low, high } = mean.interval;
    Estimate { value: mean.value.exp(), interval: Interval { low: low.exp(), high: high.exp() } }
}
