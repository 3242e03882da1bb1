//! What a comparison compares.

use super::{StudyRun, StudySetting};
use crate::stats::Observed;

/// A number of a run of which less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Evaluations and moves until the solution.
    Calls,
    /// Evaluations until the solution.
    Evaluations,
    /// Moves until the solution.
    Moves,
    /// Seconds of CPU time of runs that solve. A clock has made them: they cannot be reproduced.
    CpuS,
    /// The lowest fitness, solved or not.
    BestFitness,
    /// Cells in which the best differs from the nearest known solution.
    Distance,
}

impl Metric {
    /// Every metric.
    pub const ALL: [Self; 6] =
        [Self::Calls, Self::Evaluations, Self::Moves, Self::CpuS, Self::BestFitness, Self::Distance];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Evaluations => "evaluations",
            Self::Moves => "moves",
            Self::CpuS => "cpu_s",
            Self::BestFitness => "best_fitness",
            Self::Distance => "distance",
        }
    }

    /// What it counts, with its unit.
    pub fn about(self) -> &'static str {
        match self {
            Self::Calls => "calls to solve",
            Self::Evaluations => "evaluations to solve",
            Self::Moves => "moves to solve",
            Self::CpuS => "CPU seconds to solve",
            Self::BestFitness => "best fitness",
            Self::Distance => "cells from a solution",
        }
    }

    /// That a side is better by it, in words.
    pub fn better(self) -> &'static str {
        match self {
            Self::Calls => "takes fewer calls to solve",
            Self::Evaluations => "takes fewer evaluations to solve",
            Self::Moves => "takes fewer moves to solve",
            Self::CpuS => "takes less CPU time to solve",
            Self::BestFitness => "ends with a lower fitness",
            Self::Distance => "ends nearer to a solution",
        }
    }

    /// Runs that fail have no value of it: they are censored at what they spent.
    pub fn is_time(self) -> bool {
        matches!(self, Self::Calls | Self::Evaluations | Self::Moves | Self::CpuS)
    }

    /// What a run shows of it; `None` where it is unknown.
    pub fn observed(self, run: &StudyRun) -> Option<Observed> {
        let (row, solved) = (&run.row, run.row.solved);
        let spent = match self {
            Self::Calls => run.calls() as f64,
            Self::Evaluations if solved => row.evaluations_to_best as f64,
            Self::Evaluations => row.evaluations as f64,
            Self::Moves if solved => row.moves_to_best as f64,
            Self::Moves => row.moves as f64,
            Self::CpuS => run.cpu_s?,
            Self::BestFitness => f64::from(row.best_fitness),
            Self::Distance => f64::from(row.distance?),
        };
        Some(Observed { spent, solved: solved || !self.is_time() })
    }

    /// What a run of a setting may spend of it, whatever other settings do: the bounds of its budget, and where there are
    /// none what the longest of its runs that failed spent; infinite where no run failed either.
    pub fn budget(self, setting: &StudySetting) -> f64 {
        let bounds = |bounds: &[Option<u64>]| bounds.iter().flatten().sum::<u64>() as f64;
        let (evaluations, moves) = (setting.budget.evaluations, setting.budget.moves);
        let given = match self {
            Self::Calls => bounds(&[evaluations, moves]),
            Self::Evaluations => bounds(&[evaluations]),
            Self::Moves => bounds(&[moves]),
            Self::CpuS | Self::BestFitness | Self::Distance => 0.0,
        };
        let failed = setting.runs.iter().filter(|run| !run.row.solved);
        let longest = failed.filter_map(|run| self.observed(run)).map(|run| run.spent).fold(0.0, f64::max);
        match given.max(longest) {
            0.0 => f64::INFINITY,
            most if self.is_time() => most,
            _ => f64::INFINITY,
        }
    }
}
