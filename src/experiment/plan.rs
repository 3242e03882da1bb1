//! The plan: which runs there are, and in which order.

use super::{Config, Setting, Settings};
use crate::puzzle::Puzzle;

/// Every run of an experiment. Runs are ordered replicate, puzzle, setting, so that more replicates append.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The configuration of the first setting; seed, replicates, record and exact are those of all.
    pub config: Config,
    /// The settings: points of a sweep, or one.
    pub settings: Settings,
    /// The puzzles, each with an id of its own.
    pub puzzles: Vec<Puzzle>,
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
    /// A plan of the settings on the puzzles; a configuration alone is one setting.
    pub fn new(settings: impl Into<Settings>, puzzles: Vec<Puzzle>) -> Self {
        let settings = settings.into();
        Self { config: settings.all[0].config.clone(), settings, puzzles }
    }

    /// The number of runs.
    pub fn runs(&self) -> u64 {
        self.config.replicates * self.puzzles.len() as u64 * self.settings.all.len() as u64
    }

    /// The place of a run.
    pub fn id(&self, run: u64) -> RunId {
        let (puzzles, settings) = (self.puzzles.len() as u64, self.settings.all.len() as u64);
        let (rest, setting) = (run / settings, run % settings);
        RunId { run, replicate: rest / puzzles, puzzle: (rest % puzzles) as usize, setting }
    }

    /// One of the settings.
    pub fn setting(&self, setting: u64) -> &Setting {
        &self.settings.all[setting as usize]
    }
}
