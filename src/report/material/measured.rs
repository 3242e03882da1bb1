//! One setting in numbers.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::Part;
use crate::rng::StreamKey;
use crate::stats::{
    Bootstrap, Estimate, Median, Observed, PENALTY, RestartAdvice, Z_95, expected_running_time_interval,
    mean_of_strata, median, penalised_average, rank_values, restart_advice, wilson,
};
use crate::study::{Arm, StudyRun};

/// A setting with its numbers; times are calls, evaluations and moves together. Over several puzzles they are means of
/// those by puzzle, each counting alike.
pub(in crate::report) struct Measured<'a> {
    pub(in crate::report) arm: Arm<'a>,
    pub(in crate::report) solved: u64,
    /// The share of solved runs with its 95 % interval: Wilson's, or put together from those by puzzle.
    pub(in crate::report) share: Estimate,
    /// The penalised average.
    pub(in crate::report) par10: f64,
    /// The same on each puzzle that is shown by itself; `None` where it has no run.
    pub(in crate::report) parts: Vec<Option<Numbers>>,
    /// The mean of the best fitness of the runs.
    fitness: f64,
}

/// A setting on one puzzle.
pub(in crate::report) struct Numbers {
    pub(in crate::report) observed: Vec<Observed>,
    pub(in crate::report) solved: u64,
    /// The share of solved runs with Wilson's interval.
    pub(in crate::report) share: Estimate,
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
    /// Measures a setting with at least one run, on the puzzles of `parts` by themselves too; `key` decides the
    /// resamples.
    pub(super) fn new(arm: Arm<'a>, longest: f64, parts: &[Part], key: &StreamKey) -> Self {
        let mut puzzles: BTreeMap<&str, (Vec<Observed>, f64)> = BTreeMap::new();
        for (block, run) in &arm.runs {
            let (observed, fitness) = puzzles.entry(&block.puzzle).or_default();
            observed.push(observe(run));
            *fitness += f64::from(run.row.best_fitness);
        }
        let mean = |all: Vec<f64>| all.iter().sum::<f64>() / all.len() as f64;
        let par10 = |(observed, _): &(Vec<Observed>, f64)| penalised_average(observed, longest, PENALTY);
        let fitness = |(observed, fitness): &(Vec<Observed>, f64)| fitness / observed.len() as f64;
        let shares: Vec<Estimate> = puzzles.values().map(|(observed, _)| share(observed)).collect();
        let of_part = |part: &Part| {
            let (observed, _) = puzzles.get(&*part.puzzle)?;
            Numbers::new(observed, longest, &key.child(&part.puzzle))
        };
        Self {
            solved: arm.runs.iter().filter(|(_, run)| run.row.solved).count() as u64,
            share: mean_of_strata(&shares).expect("a measured setting has a run"),
            par10: mean(puzzles.values().map(par10).collect()),
            fitness: mean(puzzles.values().map(fitness).collect()),
            parts: parts.iter().map(of_part).collect(),
            arm,
        }
    }

    /// Runs.
    pub(in crate::report) fn runs(&self) -> u64 {
        self.arm.runs.len() as u64
    }

    /// The better first: a higher share, then a lower penalised average, then a lower fitness.
    pub(super) fn by_merit(&self, other: &Self) -> Ordering {
        let by_time = self.par10.total_cmp(&other.par10);
        other
            .share
            .value
            .total_cmp(&self.share.value)
            .then(by_time)
            .then(self.fitness.total_cmp(&other.fitness))
    }
}

impl Numbers {
    fn new(observed: &[Observed], longest: f64, key: &StreamKey) -> Option<Self> {
        let mut rng = key.child("expected running time").rng();
        let ert = expected_running_time_interval(observed, Bootstrap::default(), &mut |n| rng.below(n));
        let mut rng = key.child("restart").rng();
        Some(Self {
            solved: observed.iter().filter(|run| run.solved).count() as u64,
            share: share(observed),
            median: median(&rank_values(observed))?,
            ert,
            par10: penalised_average(observed, longest, PENALTY),
            advice: restart_advice(observed, Bootstrap::default(), &mut |n| rng.below(n)),
            observed: observed.to_vec(),
        })
    }

    /// Runs.
    pub(in crate::report) fn runs(&self) -> u64 {
        self.observed.len() as u64
    }
}

/// The share that solved with Wilson's interval.
fn share(observed: &[Observed]) -> Estimate {
    let (solved, runs) = (observed.iter().filter(|run| run.solved).count() as u64, observed.len() as u64);
    Estimate { value: solved as f64 / runs as f64, interval: wilson(solved, runs, Z_95) }
}

/// What a run shows.
fn observe(run: &StudyRun) -> Observed {
    let calls = run.calls() as f64;
    if run.row.solved { Observed::solved(calls) } else { Observed::failed(calls) }
}
