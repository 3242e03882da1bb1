//! The plan: which runs there are, and in which order.

use crate::puzzle::Puzzle;

use super::Config;

/// Every run of an experiment. Runs are ordered replicate, puzzle, setting, so that more replicates append.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The configuration.
    pub config: Config,
    /// The puzzles, each with an id of its own.
    pub puzzles: Vec<Puzzle>,
    /// The number of settings: points of a sweep; 1 without one.
    pub settings: u64,
}

/// One run's place in the plan; all from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunId {
    /// The index of the run.
    pub run: u64,
    /// The replicate.
    pub replicate: u64,
    /// The index of the puzzle.
    pub puzzle: usize,
    /// The setting.
    pub setting: u64,
}

impl Plan {
    /// A plan of one setting.
    pub fn new(config: Config, puzzles: Vec<Puzzle>) -> Self {
        Self { config, puzzles, settings: 1 }
    }

    /// The number of runs.
    pub fn runs(&self) -> u64 {
        self.config.replicates * self.puzzles.len() as u64 * self.settings
    }

    /// The place of a run.
    pub fn id(&self, run: u64) -> RunId {
        let puzzles = self.puzzles.len() as u64;
        let (rest, setting) = (run / self.settings, run % self.settings);
        RunId { run, replicate: rest / puzzles, puzzle: (rest % puzzles) as usize, setting }
    }
}
