//! The numbers of runs that are compared.

use super::{RunSubject, Runs, Study, StudySetting};
use kenga_core::budget::Budget;
use kenga_stats::Observed;

/// A number of a run; lower is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Evaluations and moves until the solution.
    Calls,
    /// Evaluations until the solution.
    Evaluations,
    /// Moves until the solution.
    Moves,
    /// Seconds of CPU time until the solution. They come from a clock and cannot be reproduced.
    CpuS,
    /// The lowest fitness, solved or not.
    BestFitness,
    /// Cells in which the best differs from the nearest known solution.
    Distance,
    /// What the run has cost, as its program reports.
    Cost,
}

/// The row of a metric in the table of all.
struct MetricEntry {
    name: &'static str,
    /// What it counts, for headings.
    about: &'static str,
    /// The value of a run, of one without a solution what it spent; `None` where it is unknown.
    value: fn(&Runs, usize) -> Option<f64>,
    /// Of a time, what a budget allows of it; `None` of values.
    budget: Option<fn(&Budget) -> u64>,
}

/// Every metric, in the order of [`Metric`].
#[rustfmt::skip]
const METRICS: [MetricEntry; 7] = [
    MetricEntry { name: "calls", about: "calls to solve",
        value: |runs, run| Some(runs.calls(run) as f64),
        budget: Some(|budget| budget.evaluations.unwrap_or(0) + budget.moves.unwrap_or(0)) },
    MetricEntry { name: "evaluations", about: "evaluations to solve",
        value: |runs, run| until_solution(runs.solved[run], runs.evaluations_to_best[run], runs.evaluations[run]),
        budget: Some(|budget| budget.evaluations.unwrap_or(0)) },
    MetricEntry { name: "moves", about: "moves to solve",
        value: |runs, run| until_solution(runs.solved[run], runs.moves_to_best[run], runs.moves[run]),
        budget: Some(|budget| budget.moves.unwrap_or(0)) },
    MetricEntry { name: "cpu_s", about: "CPU seconds to solve",
        value: |runs, run| runs.cpu_s[run],
        budget: Some(|_| 0) },
    MetricEntry { name: "best_fitness", about: "best fitness",
        value: |runs, run| runs.best_fitness[run].map(f64::from),
        budget: None },
    MetricEntry { name: "distance", about: "cells from a solution",
        value: |runs, run| runs.distance[run].map(f64::from),
        budget: None },
    MetricEntry { name: "cost", about: "reported cost",
        value: |runs, run| runs.cost[run],
        budget: None },
];

/// What a run spent until its solution, or in all.
fn until_solution(solved: bool, to_best: Option<u64>, spent: u64) -> Option<f64> {
    if solved { to_best.map(|calls| calls as f64) } else { Some(spent as f64) }
}

impl Metric {
    /// Every metric.
    #[rustfmt::skip]
    pub const ALL: [Self; 7] = [
        Self::Calls, Self::Evaluations, Self::Moves, Self::CpuS, Self::BestFitness, Self::Distance, Self::Cost,
    ];

    fn entry(self) -> &'static MetricEntry {
        &METRICS[self as usize]
    }

    /// The metric that tells the settings of a study apart: calls, or the best fitness where no run can be solved, because
    /// the best value of a problem of the user's own is unknown.
    pub fn usual(study: &Study) -> Self {
        if RunSubject::of(study).can_be_solved { Self::Calls } else { Self::BestFitness }
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// What it counts, for headings.
    pub fn about(self) -> &'static str {
        self.entry().about
    }

    /// Whether failed runs are censored at what they spent.
    pub fn is_time(self) -> bool {
        self.entry().budget.is_some()
    }

    /// The value of a run; `None` where it is unknown.
    pub fn observed(self, runs: &Runs, run: usize) -> Option<Observed> {
        let spent = (self.entry().value)(runs, run)?;
        Some(Observed { spent, solved: runs.solved[run] || !self.is_time() })
    }

    /// How much of it a run of a setting may spend: the bounds of its budget, or without any what its longest failed run
    /// spent; infinite where no run failed either.
    pub fn budget(self, runs: &Runs, setting: &StudySetting) -> f64 {
        let Some(given) = self.entry().budget else { return f64::INFINITY };
        // Where the budget bounds another kind alone, failed runs show how much of this one may be spent.
        let mut most = given(&setting.budget) as f64;
        for run in setting.runs() {
            if !runs.solved[run]
                && let Some(failed) = self.observed(runs, run)
            {
                most = most.max(failed.spent);
            }
        }
        if most == 0.0 { f64::INFINITY } else { most }
    }
}
