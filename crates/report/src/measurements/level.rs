//! The runs at one level of a key, in numbers.

use kenga_stats::{
    Estimate, Interval, Observed, Z_95, expected_running_time, median, rank_values, successes, wilson,
};

/// The runs with the same values of some keys, in numbers.
pub(crate) struct Level {
    pub(crate) runs: usize,
    pub(crate) solved: usize,
    pub(crate) share: Interval,
    /// The expected running time; infinite without a success.
    pub(crate) ert: f64,
    /// The median of those that did not fail with its interval, infinite where it is censored; or of their best values.
    pub(crate) median: Estimate,
}

impl Level {
    /// The numbers of some runs, and of those of them that did not fail; `None` without any.
    pub(crate) fn of(runs: &[Observed], finished: &[Observed]) -> Option<Self> {
        if runs.is_empty() {
            return None;
        }
        let known = if finished.is_empty() { runs } else { finished };
        let median = median(&rank_values(known))?;
        let solved = successes(runs);
        Some(Self {
            runs: runs.len(),
            solved,
            share: wilson(solved as u64, runs.len() as u64, Z_95),
            ert: expected_running_time(runs),
            median,
        })
    }

    pub(crate) fn rate(&self) -> f64 {
        self.solved as f64 / self.runs as f64
    }
}
