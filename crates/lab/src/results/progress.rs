//! How far the experiment of a folder is.

use std::path::Path;

use super::appender::is_locked;
use super::files::LEDGER;
use super::stamps::whole_stamp;
use super::{Folder, FolderRows, KnownPlan, Reading, ResultsError, RunRow};
use crate::experiment::{Plan, Shard};

/// How far the experiment of a folder is.
pub struct FolderProgress {
    /// Its plan.
    pub plan: Plan,
    /// The shard of the plan that the folder is for.
    pub shard: Shard,
    /// Every run that the folder is for has ended.
    pub has_ended: bool,
    /// The runs that have.
    pub tally: RunTally,
    /// Which rows are not used, or how many are missing: [`FolderRows::note`].
    pub note: Option<String>,
}

/// Runs that have ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunTally {
    /// All of them.
    pub done: u64,
    /// Those that are solved.
    pub solved: u64,
    /// Those whose solution the referee refuted.
    pub refuted: u64,
    /// Those that failed.
    pub failed: u64,
    /// The lowest fitness.
    pub best: Option<u32>,
}

impl FolderProgress {
    /// Reads a folder.
    ///
    /// # Errors
    /// Those of [`Reading::open`] and [`FolderRows::each`].
    pub fn read(path: &Path) -> Result<Self, ResultsError> {
        let Reading { plan, shard, rows } = Reading::open(path)?;
        let tally = RunTally::count(&rows)?;
        Ok(Self { plan, shard, has_ended: rows.has_ended, tally, note: rows.note() })
    }
}

/// How far a shard is.
pub struct ShardProgress {
    /// The shard that its folder is for.
    pub shard: Shard,
    /// How many runs it has.
    pub runs: u64,
    /// All of them have ended.
    pub has_ended: bool,
    /// The runs that have.
    pub tally: RunTally,
}

impl ShardProgress {
    /// Reads a folder, most often of the plan that is known; one with fewer replicates has not ended.
    ///
    /// # Errors
    /// Those of [`FolderProgress::read`].
    pub fn read(path: &Path, known: &KnownPlan<'_>) -> Result<Self, ResultsError> {
        if let Some(shard) = known.shard_of(path) {
            let rows = FolderRows::open(path, known.plan(), shard)?;
            let runs = known.plan().share(shard).count();
            return Ok(Self { shard, runs, has_ended: rows.has_ended, tally: RunTally::count(&rows)? });
        }
        let Reading { plan, shard, rows } = Reading::open(path)?;
        let runs = known.plan().share(shard).count();
        // A shard may have ended before its plan was given more replicates.
        let has_ended = rows.has_ended && plan.share(shard).count() == runs;
        Ok(Self { shard, runs, has_ended, tally: RunTally::count(&rows)? })
    }
}

impl Folder {
    /// Whether a program is writing a folder.
    pub fn is_being_written(path: &Path) -> bool {
        is_locked(&path.join(LEDGER))
    }

    /// A text that changes when what [`FolderProgress::read`] reads does: the lengths of the files, and when they were written.
    pub fn stamp(path: &Path) -> String {
        whole_stamp(path)
    }
}

impl RunTally {
    /// Counts those of a shard's folder.
    ///
    /// # Errors
    /// Those of [`FolderRows::open`] and [`FolderRows::each`].
    pub fn of(path: &Path, plan: &Plan, shard: Shard) -> Result<Self, ResultsError> {
        Self::count(&FolderRows::open(path, plan, shard)?)
    }

    fn count(rows: &FolderRows) -> Result<Self, ResultsError> {
        let mut tally = Self::default();
        rows.each(|row| tally.add(&row))?;
        Ok(tally)
    }

    fn add(&mut self, row: &RunRow) {
        self.done += 1;
        self.solved += u64::from(row.is_success());
        self.refuted += u64::from(row.is_refuted());
        self.failed += u64::from(row.has_failed());
        self.best = [self.best, row.best_fitness].into_iter().flatten().min();
    }
}
