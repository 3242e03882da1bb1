//! The plan: the runs, their order, and their division into shards.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Config, Race, Setting, Settings};
use kenga_core::puzzle::{Puzzle, Role};

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
        let mut settings = settings.into();
        let mut shows = false;
        for puzzle in &puzzles {
            shows |= puzzle.groups_with(Role::Group).any(|group| group.distinct);
        }
        for setting in &mut settings.all {
            setting.config.shows_group_term = shows;
        }
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

    /// The runs of some setting can fail.
    pub fn can_fail(&self) -> bool {
        self.settings.all.iter().any(|setting| setting.config.can_fail)
    }

    /// One of the settings.
    pub fn setting(&self, setting: u64) -> &Setting {
        &self.settings.all[setting as usize]
    }

    /// The race of the plan at its beginning; `None` where it is none.
    pub fn race(&self) -> Option<Race> {
        let rules = self.settings.race?;
        let settings = self.settings.all.len();
        Some(Race::new(rules, settings, self.runs() / settings as u64))
    }
}

/// Every `of`-th run, from the `index`-th: one of as many programs that make an experiment together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 0.
    pub index: u64,
    /// Of how many; at least 1.
    pub of: u64,
}

impl Shard {
    /// All runs.
    pub const WHOLE: Self = Self { index: 0, of: 1 };

    /// The run is one of this shard's.
    pub fn has(self, run: u64) -> bool {
        run % self.of == self.index
    }

    /// How many of the first `runs` runs it has.
    pub fn count(self, runs: u64) -> u64 {
        runs / self.of + u64::from(runs % self.of > self.index)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// A text that names no shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ShardError {
    /// It is not two numbers.
    #[error("expected K/N: the shard's index, from 0, and the number of shards, such as 0/4")]
    Unread,
    /// There are no shards.
    #[error("N must be at least 1, such as 0/1")]
    NoShards,
    /// There are fewer shards.
    #[error("shards count from 0: the last of {of} is {last}, not {index}", last = of - 1)]
    NotOne {
        /// The index.
        index: u64,
        /// How many shards there are.
        of: u64,
    },
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (index, of) = text.split_once('/').ok_or(ShardError::Unread)?;
        let (Ok(index), Ok(of)) = (index.parse::<u64>(), of.parse::<u64>()) else {
            return Err(ShardError::Unread);
        };
        if of == 0 {
            return Err(ShardError::NoShards);
        }
        if index >= of {
            return Err(ShardError::NotOne { index, of });
        }
        Ok(Self { index, of })
    }
}

/// The runs of a shard that are not complete.
#[derive(Clone, Copy, Debug)]
pub struct RemainingRuns<'a> {
    /// The shard.
    pub shard: Shard,
    /// Runs that are complete.
    pub done: &'a BTreeSet<u64>,
    /// The race, if the plan is one: only its present block is executed.
    pub race: Option<&'a Race>,
}

impl RemainingRuns<'_> {
    /// The run remains.
    pub fn has(&self, run: u64) -> bool {
        self.shard.has(run) && !self.done.contains(&run) && self.race.is_none_or(|race| race.has(run))
    }

    /// No run before this one remains.
    pub(super) fn first(&self) -> u64 {
        self.race.and_then(Race::next).map_or(0, |block| block.start)
    }

    /// How many of the first `runs` runs remain.
    pub fn count(&self, runs: u64) -> u64 {
        if let Some(race) = self.race {
            return race.next().map_or(0, |block| block.filter(|run| self.has(*run)).count() as u64);
        }
        let done = self.done.range(..runs).filter(|run| self.shard.has(**run)).count();
        self.shard.count(runs) - done as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_out_every_run_once() {
        for (runs, of) in [(0, 3), (2, 3), (7, 3), (9, 3), (5, 1)] {
            let shards: Vec<Shard> = (0..of).map(|index| Shard { index, of }).collect();
            assert!((0..runs).all(|run| shards.iter().filter(|shard| shard.has(run)).count() == 1));
            for shard in &shards {
                let has = (0..runs).filter(|run| shard.has(*run)).count() as u64;
                assert_eq!(shard.count(runs), has, "{shard} of {runs}");
            }
        }
    }

    #[test]
    fn what_is_done_is_not_to_be_made() {
        let done: BTreeSet<u64> = [1, 3, 4, 99].into();
        let share = RemainingRuns { shard: Shard { index: 1, of: 2 }, done: &done, race: None };
        assert_eq!((0..8).filter(|run| share.has(*run)).collect::<Vec<_>>(), [5, 7]);
        assert_eq!(share.count(8), 2);
    }

    #[test]
    fn a_shard_is_written_as_it_is_read() {
        assert_eq!("2/5".parse::<Shard>().map(|shard| shard.to_string()), Ok("2/5".to_owned()));
        for bad in ["5/5", "0/0", "1", "/", "-1/3", "a/b", ""] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
        let said = |text: &str| text.parse::<Shard>().expect_err("no shard").to_string();
        assert_eq!(said("0/0"), "N must be at least 1, such as 0/1");
        assert_eq!(said("5/4"), "shards count from 0: the last of 4 is 3, not 5");
    }
}
