//! The runs of a study in columns: a run is an index.

use std::collections::BTreeMap;

use crate::experiment::race_calls;
use crate::results::RunRow;
use kenga_core::budget::StopReason;

/// The runs of a study, by folder and in the order of its plan. Every column has a value for each run; `None` is unknown.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    /// The index of the folder.
    pub folder: Vec<u32>,
    /// The index of the run in its folder.
    pub run: Vec<u64>,
    /// The index of the setting among those of the study, or a number beyond them if the run does not count.
    pub setting: Vec<u32>,
    /// The index of the puzzle among the ids of the study, which are sorted.
    pub puzzle: Vec<u32>,
    /// The seed of the folder.
    pub seed: Vec<u64>,
    /// The index of the replicate.
    pub replicate: Vec<u64>,
    /// Whether the run reached fitness 0 and the referee agreed.
    pub solved: Vec<bool>,
    /// Whether the referee agreed.
    pub verified: Vec<bool>,
    /// Whether propagation solved the puzzle before the search; `None` if nothing reached fitness 0.
    pub by_propagation: Vec<Option<bool>>,
    /// Evaluations spent.
    pub evaluations: Vec<u64>,
    /// Moves spent.
    pub moves: Vec<u64>,
    /// Generations completed.
    pub generations: Vec<u64>,
    /// The lowest fitness.
    pub best_fitness: Vec<Option<u32>>,
    /// Evaluations spent when it was found.
    pub evaluations_to_best: Vec<Option<u64>>,
    /// Moves spent when it was found.
    pub moves_to_best: Vec<Option<u64>>,
    /// The reason why the run ended.
    pub stop: Vec<StopReason>,
    /// Evaluations after which no solution could be found any more.
    pub dead_at: Vec<Option<u64>>,
    /// Cells in which the best differs from the nearest known solution.
    pub distance: Vec<Option<u32>>,
    /// Seconds of CPU time.
    pub cpu_s: Vec<Option<f64>>,
    /// Seconds of wall time.
    pub wall_s: Vec<Option<f64>>,
    /// The cost that the algorithm reports.
    pub cost: Vec<Option<f64>>,
    /// The best grids: of every run for exports, else of the first run of each setting that solved a puzzle.
    pub grids: BTreeMap<usize, Box<str>>,
}

impl Runs {
    /// Adds the run of a row; columns that the row does not have are added beside.
    ///
    /// # Errors
    /// In words, that its stop reason is unknown.
    pub(super) fn push(&mut self, row: &RunRow) -> Result<(), String> {
        let unknown = || format!("run {} has the unknown stop reason `{}`", row.run, row.stop_reason);
        self.stop.push(StopReason::from_name(&row.stop_reason).ok_or_else(unknown)?);
        self.run.push(row.run);
        self.replicate.push(row.replicate);
        // A solution that the referee refuted is none.
        self.solved.push(row.is_success());
        self.verified.push(row.verified);
        self.by_propagation.push(row.is_by_propagation());
        self.evaluations.push(row.evaluations);
        self.moves.push(row.moves);
        self.generations.push(row.generations);
        self.best_fitness.push(row.best_fitness);
        self.evaluations_to_best.push(row.evaluations_to_best);
        self.moves_to_best.push(row.moves_to_best);
        self.dead_at.push(row.dead_at);
        self.distance.push(row.distance);
        Ok(())
    }

    /// The setting of a run that does not count.
    pub(super) const NO_SETTING: u32 = u32::MAX;

    /// Whether a setting of the study holds a run.
    pub(super) fn counts(&self, run: usize) -> bool {
        self.setting[run] != Self::NO_SETTING
    }

    /// How many runs there are.
    pub(super) fn len(&self) -> usize {
        self.run.len()
    }

    /// The start of a run: the puzzle, the seed and the replicate. Runs with the same one form a [`Block`](super::Block).
    pub(super) fn start(&self, run: usize) -> (u32, u64, u64) {
        (self.puzzle[run], self.seed[run], self.replicate[run])
    }

    /// Evaluations and moves spent.
    pub fn spent(&self, run: usize) -> u64 {
        self.evaluations[run].saturating_add(self.moves[run])
    }

    /// Evaluations and moves spent when the best was found.
    pub fn calls_to_best(&self, run: usize) -> Option<u64> {
        Some(self.evaluations_to_best[run]?.saturating_add(self.moves_to_best[run]?))
    }

    /// Evaluations and moves until the solution; `None` for a run without one.
    pub fn calls_to_solution(&self, run: usize) -> Option<u64> {
        if self.solved[run] { self.calls_to_best(run) } else { None }
    }

    /// Evaluations and moves until the solution; of an unsolved run all that it spent.
    pub fn calls(&self, run: usize) -> u64 {
        self.calls_to_solution(run).unwrap_or_else(|| self.spent(run))
    }

    /// The number that a race compares.
    pub(super) fn race_calls(&self, run: usize) -> f64 {
        race_calls(self.solved[run], self.calls_to_best(run).unwrap_or(0))
    }

    /// Whether the run failed.
    pub fn has_failed(&self, run: usize) -> bool {
        self.stop[run] == StopReason::Failed
    }

    /// Whether the clock ended the run, so that it cannot be made again.
    pub fn was_cut_by_the_clock(&self, run: usize) -> bool {
        self.stop[run] == StopReason::Seconds
    }

    /// Whether the run ended without a solution before its budget was spent; the rest would have brought none.
    pub(super) fn gave_up(&self, run: usize) -> bool {
        match self.stop[run] {
            StopReason::Stalled | StopReason::Dead | StopReason::Failed => true,
            // The referee refuted the solution.
            StopReason::Solved => !self.verified[run],
            _ => false,
        }
    }
}
