//! One setting in numbers.

use std::cmp::Ordering;

use crate::results::Arm;
use crate::rng::StreamKey;
use crate::stats::{
    Bootstrap, Estimate, Interval, Median, Observed, RestartAdvice, Z_95, expected_running_time_interval,
    median, penalised_average, rank_values, restart_advice, run_length_distribution, wilson,
};

/// A failed run counts as that many budgets in the penalised average.
const PENALTY: f64 = 10.0;

/// A setting with its numbers; times are calls, evaluations and moves together.
pub(in crate::report) struct Measured<'a> {
    pub(in crate::report) arm: Arm<'a>,
    pub(in crate::report) observed: Vec<Observed>,
    pub(in crate::report) solved: u64,
    /// Wilson's interval of the share of solved runs.
    pub(in crate::report) share: Interval,
    /// The share solved by each time at which a run solved.
    pub(in crate::report) distribution: Vec<(f64, f64)>,
    /// The median time to a solution; infinite where it is censored.
    pub(in crate::report) median: Median,
    /// The expected running time with its bootstrap interval.
    pub(in crate::report) ert: Estimate,
    /// The penalised average.
    pub(in crate::report) par10: f64,
    /// Whether restarts would help; `None` where nothing solved.
    pub(in crate::report) advice: Option<RestartAdvice>,
}

impl<'a> Measured<'a> {
    /// Measures a setting with at least one run; `key` decides the resamples.
    pub(super) fn new(arm: Arm<'a>, longest: f64, key: &StreamKey) -> Self {
        let observe = |solved, spent| if solved { Observed::solved(spent) } else { Observed::failed(spent) };
        let observed: Vec<Observed> =
            arm.runs.iter().map(|(_, run)| observe(run.row.solved, run.calls() as f64)).collect();
        let solved = observed.iter().filter(|run| run.solved).count() as u64;
        let mut rng = key.child("expected running time").rng();
        let ert = expected_running_time_interval(&observed, Bootstrap::default(), &mut |n| rng.below(n));
        let mut rng = key.child("restart").rng();
        let advice = restart_advice(&observed, Bootstrap::default(), &mut |n| rng.below(n));
        Self {
            solved,
            share: wilson(solved, observed.len() as u64, Z_95),
            distribution: run_length_distribution(&observed),
            median: median(&rank_values(&observed)).expect("a measured setting has a run"),
            ert,
            par10: penalised_average(&observed, longest, PENALTY),
            advice,
            observed,
            arm,
        }
    }

    /// Runs.
    pub(in crate::report) fn runs(&self) -> u64 {
        self.observed.len() as u64
    }

    /// The share of runs that solved.
    pub(in crate::report) fn rate(&self) -> f64 {
        self.solved as f64 / self.observed.len() as f64
    }

    /// The better first.
    pub(super) fn by_merit(&self, other: &Self) -> Ordering {
        other.rate().total_cmp(&self.rate()).then(self.ert.value.total_cmp(&other.ert.value))
    }
}
