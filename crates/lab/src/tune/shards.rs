//! The folders in which shards of a tuning record their runs, beside each other in one that they share.
//!
//! **Invariant**: whose a run is follows from its index alone, so that two shards never record the same run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::manifest::TuneManifest;
use super::run_log::{RecordedRuns, RunLog, row_files};
use super::{Options, RunBatch, TuneError, TuneRun};
use crate::experiment::Shard;
use crate::results::{
    Folder, LEDGER, MANIFEST, RUNS, ResultsError, RowFile, claim, shard_folder, shards_if_any, shards_in,
};

/// The folder of a shard, open for its runs.
pub struct TuneShard {
    shard: Shard,
    log: RunLog,
}

impl TuneShard {
    /// Begins or continues the folder of a shard.
    ///
    /// # Errors
    /// [`ResultsError::OtherConfig`], [`ResultsError::OtherInput`], [`ResultsError::Shards`], [`ResultsError::Busy`],
    /// [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub fn open(shared: &Path, shard: Shard, manifest: &TuneManifest) -> Result<Self, ResultsError> {
        if let Some(there) = shards_if_any(shared)?.first().filter(|there| there.of != shard.of) {
            let problem = format!("{} has shards of {}, not of {}", shared.display(), there.of, shard.of);
            let help = "keep the shards of one split in a folder of their own".to_owned();
            return Err(ResultsError::Shards { problem, help });
        }
        let path = shard_folder(shared, shard);
        fs::create_dir_all(&path).map_err(ResultsError::io("create", &path))?;
        let claimed = claim(&path)?;
        // One that was killed before it had a manifest is begun again.
        if path.join(MANIFEST).exists() {
            manifest.check(&path, Some(shard))?;
        } else {
            manifest.write(&path, Some(shard))?;
        }
        let (mut log, _) = RunLog::open(&path, Box::new(claimed), row_files(manifest), shard)?;
        log.cut()?;
        Ok(Self { shard, log })
    }

    /// The run is one of this shard's.
    pub(super) fn has(&self, run: u64) -> bool {
        shard_of(run, self.shard.of) == self.shard
    }

    /// Records a run.
    ///
    /// # Errors
    /// [`ResultsError::Io`].
    pub(super) fn add(&mut self, run: &TuneRun) -> Result<(), ResultsError> {
        self.log.add(run)
    }
}

/// The shard that makes a run, one of `of`.
fn shard_of(run: u64, of: u64) -> Shard {
    Shard { index: run % of, of }
}

/// The runs that all shards have recorded so far.
pub struct ShardRuns<'a> {
    shared: PathBuf,
    /// How many shards there are, with those that have not begun.
    of: u64,
    manifest: &'a TuneManifest,
    options: &'a Options,
    row_files: Vec<RowFile>,
    /// How much of each shard is read, by its index.
    read: BTreeMap<u64, ReadShard>,
    runs: BTreeMap<u64, TuneRun>,
}

/// How much of a shard is read.
#[derive(Default)]
struct ReadShard {
    /// Bytes of its ledger.
    bytes: u64,
    runs: usize,
}

impl<'a> ShardRuns<'a> {
    /// Reads the runs of the shards in a folder.
    ///
    /// # Errors
    /// Those of [`read_new`](Self::read_new).
    pub fn read(
        shared: &Path,
        manifest: &'a TuneManifest,
        options: &'a Options,
    ) -> Result<Self, ResultsError> {
        let of = shards_in(shared)?[0].of;
        let (read, runs) = (BTreeMap::new(), BTreeMap::new());
        let row_files = row_files(manifest);
        let mut all = Self { shared: shared.to_owned(), of, manifest, options, row_files, read, runs };
        all.read_new()?;
        Ok(all)
    }

    /// The run is recorded.
    pub(super) fn has(&self, run: u64) -> bool {
        self.runs.contains_key(&run)
    }

    /// The recorded run at a place of a batch.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`] for one that is not due.
    ///
    /// # Panics
    /// When it is not recorded.
    pub(super) fn get(&self, batch: &RunBatch<'_>, place: usize) -> Result<TuneRun, TuneError> {
        let recorded = &self.runs[&batch.run(place)];
        let run = recorded.run;
        match recorded.check_due(batch, place, self.options.worst) {
            // The error names the gathered folder, which has no such run.
            Err(TuneError::UnexpectedRun { due, .. }) => {
                let at = shard_folder(&self.shared, shard_of(run, self.of)).join(RUNS);
                let problem = format!("run {run} does not belong to this tuning: expected {due}");
                Err(ResultsError::damaged(&at, problem).into())
            }
            Err(error) => Err(error),
            Ok(()) => Ok(recorded.clone()),
        }
    }

    /// A program is making the runs of the shard whose run this is.
    pub(super) fn is_being_made(&self, run: u64) -> bool {
        Folder::is_being_written(&shard_folder(&self.shared, shard_of(run, self.of)))
    }

    /// Adds a run, which this program has recorded.
    pub(super) fn add(&mut self, run: TuneRun) {
        self.runs.insert(run.run, run);
    }

    /// Reads what the shards have recorded since.
    ///
    /// # Errors
    /// [`ResultsError::OtherConfig`] and [`ResultsError::OtherInput`] for a shard of another tuning,
    /// [`ResultsError::Shards`], [`ResultsError::Gap`], [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub(super) fn read_new(&mut self) -> Result<(), ResultsError> {
        for shard in shards_in(&self.shared)? {
            self.read_shard(shard)?;
        }
        Ok(())
    }

    fn read_shard(&mut self, shard: Shard) -> Result<(), ResultsError> {
        let path = shard_folder(&self.shared, shard);
        let Ok(ledger) = fs::metadata(path.join(LEDGER)) else { return Ok(()) };
        // It has only just begun.
        if !path.join(MANIFEST).exists() {
            return Ok(());
        }
        if !self.read.contains_key(&shard.index) {
            self.manifest.check(&path, Some(shard))?;
        }
        let known = self.read.entry(shard.index).or_default();
        if known.bytes == ledger.len() {
            return Ok(());
        }
        let recorded = RecordedRuns::read(&path, &self.row_files, shard, known.runs)?.checked(&path)?;
        // Rows that are lost, or only just being replaced, are looked at again.
        if recorded.complete.len() == recorded.complete.listed {
            known.bytes = ledger.len();
        }
        known.runs += recorded.runs.len();
        for run in recorded.runs {
            self.runs.insert(run.run, run);
        }
        Ok(())
    }
}
