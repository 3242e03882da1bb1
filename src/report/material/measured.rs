//! One setting in numbers.

use std::cmp::Ordering;

use crate::results::{Arm, StudyRun};
use crate::rng::StreamKey;
use crate::stats::{
    Bootstrap, Estimate, Interval, Median, Observed, RestartAdvice, Z_95, expected_running_time_interval,
    median, penalised_average, rank_values, restart_advice, wilson,
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
    /// The median time to a solution; infinite where it is censored.
    pub(in crate::report) median: Median,
    /// The expected running time with its bootstrap interval.
    pub(in crate::report) ert: Estimate,
    /// The penalised average.
    pub(in crate::report) par10: f64,
    /// Whether restarts would help; `None` where nothing solved, and over several puzzles, which do not mix.
    pub(in crate::report) advice: Option<RestartAdvice>,
    /// The mean of the best fitness of the runs.
    fitness: f64,
}

impl<'a> Measured<'a> {
    /// Measures a setting with at least one run; `key` decides the resamples.
    pub(super) fn new(arm: Arm<'a>, longest: f64, is_one_puzzle: bool, key: &StreamKey) -> Self {
        let observed: Vec<Observed> = arm.runs.iter().map(|(_, run)| observe(run)).collect();
        let solved = observed.iter().filter(|run| run.solved).count() as u64;
        let mut rng = key.child("expected running time").rng();
        let ert = expected_running_time_interval(&observed, Bootstrap::default(), &mut |n| rng.below(n));
        let advice = if is_one_puzzle { advise(&observed, key) } else { None };
        let fitness = arm.runs.iter().map(|(_, run)| f64::from(run.row.best_fitness)).sum::<f64>();
        Self {
            solved,
            share: wilson(solved, observed.len() as u64, Z_95),
            median: median(&rank_values(&observed)).expect("a measured setting has a run"),
            ert,
            par10: penalised_average(&observed, longest, PENALTY),
            advice,
            fitness: fitness / observed.len() as f64,
            observed,
            arm,
        }
    }

    /// What the runs of one puzzle, or of all, show; in the order of their blocks.
    pub(in crate::report) fn of_part(&self, part: Option<&str>) -> Vec<Observed> {
        let runs = self.arm.runs.iter().zip(&self.observed);
        runs.filter(|((block, _), _)| part.is_none_or(|part| part == block.puzzle))
            .map(|(_, one)| *one)
            .collect()
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
        let by_time = self.ert.value.total_cmp(&other.ert.value);
        other.rate().total_cmp(&self.rate()).then(by_time).then(self.fitness.total_cmp(&other.fitness))
    }
}

/// What a run shows.
fn observe(run: &StudyRun) -> Observed {
    let calls = run.calls() as f64;
    if run.row.solved { Observed::solved(calls) } else { Observed::failed(calls) }
}

/// Whether restarts would help these runs; `key` decides the resamples.
pub(in crate::report) fn advise(runs: &[Observed], key: &StreamKey) -> Option<RestartAdvice> {
    let mut rng = key.child("restart").rng();
    restart_advice(runs, Bootstrap::default(), &mut |n| rng.below(n))
}
