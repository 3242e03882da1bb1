//! The record of a run: its result.

use super::{RunId, Sample, race_calls};
use kenga_core::budget::{Spent, StopReason};
use kenga_core::fitness::Fitness;
use kenga_core::puzzle::Grid;
use kenga_core::search::{Failure, Ledger, Migration, Snapshot};

/// A finished run.
#[derive(Clone, Debug)]
pub struct RunRecord {
    /// Its place in the plan.
    pub id: RunId,
    /// Fitness 0 was reached.
    pub solved: bool,
    /// It was, and the referee agrees.
    pub verified: bool,
    /// Propagation alone had solved the puzzle before the search began.
    pub by_propagation: bool,
    /// What was spent.
    pub spent: Spent,
    /// Its best; `None` where it ended before its first evaluation.
    pub best: Option<RunBest>,
    /// Why the run ended.
    pub stop: StopReason,
    /// What went wrong, where it failed.
    pub failure: Option<Failure>,
    /// Evaluations spent when the population had lost every solution for good; `None` when that is not known.
    pub dead_at: Option<u64>,
    /// Its convergence, by generation.
    pub samples: Vec<Sample>,
    /// Its migrants, in the order in which they settled, if they are recorded.
    pub migrations: Vec<Migration>,
    /// The groups that the best breaks, if they are recorded.
    pub broken: Vec<BrokenGroup>,
    /// Usage and gain of its operators, if they are recorded.
    pub operators: Ledger,
    /// Its whole populations, by generation, if they are recorded.
    pub populations: Vec<RecordedPopulation>,
    /// What it has cost, where its algorithm reports that.
    pub cost: Option<f64>,
    /// The terms of the best, where the problem has names for them; empty where they are not known.
    pub terms: Vec<f64>,
    /// Seconds of CPU time, over all threads that worked on it.
    pub cpu_s: f64,
    /// Seconds of wall time.
    pub wall_s: f64,
}

/// The individuals of a generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedPopulation {
    /// Its number.
    pub generation: u64,
    /// They, of islands island by island.
    pub individuals: Snapshot,
}

/// The best of a finished run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunBest {
    /// Its fitness.
    pub fitness: u32,
    /// What had been spent when it was found.
    pub at: Spent,
    /// Cells in which it differs from the nearest known solution; `None` when none is known.
    pub distance: Option<u32>,
    /// It, as a grid.
    pub grid: Grid,
}

/// A group that a grid breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrokenGroup {
    /// Its index among the groups of the puzzle.
    pub group: usize,
    /// Its violation, unweighted: pairs of equal digits where it is distinct, plus its clue's measure.
    pub violation: u32,
}

impl BrokenGroup {
    /// The groups that a genome breaks, in the order of the puzzle.
    pub fn of(fitness: &Fitness, ranks: &[u8]) -> Vec<Self> {
        let mut violations = vec![0; fitness.problem().groups()];
        fitness.groups(ranks, &mut violations);
        let mut broken = Vec::new();
        for (group, violation) in violations.into_iter().enumerate() {
            if violation > 0 {
                broken.push(Self { group, violation });
            }
        }
        broken
    }
}

impl RunRecord {
    /// Whether the run solved its puzzle: it reached fitness 0, and the referee agreed.
    pub fn is_success(&self) -> bool {
        self.solved && self.verified
    }

    /// What a race compares of it.
    pub(super) fn race_calls(&self) -> f64 {
        race_calls(self.is_success(), self.best.as_ref().map_or(0, |best| best.at.calls()))
    }
}
