//! The folders in which shards of a tuning record their runs, beside each other in one that they share.
//!
//! **Invariant**: whose a run is follows from its index alone, so that two shards never record the same run.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::manifest::{MANIFEST, RUNS, TuneManifest};
use super::recorded::RecordedRun;
use super::run_log::{RunLog, read_failures, read_rows, without_columns};
use super::{Cost, Options, Outcome, RunBatch, TuneError};
use crate::experiment::Shard;
use crate::results::{Folder, ResultsError, claim, shard_folder, shards_if_any, shards_in};

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
        let claimed = claim(&path, RUNS)?;
        // One that was killed before it had a manifest is begun again.
        if path.join(MANIFEST).exists() {
            manifest.check(&path, Some(shard))?;
        } else {
            manifest.write(&path, Some(shard))?;
        }
        let (log, _) = RunLog::open(&path, Box::new(claimed), manifest.has_costs())?;
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
    pub(super) fn add(&mut self, recorded: &RecordedRun) -> Result<(), ResultsError> {
        self.log.add(recorded)
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
    /// How much of each `runs.csv` is read, by the index of its shard.
    read: BTreeMap<u64, ReadLog>,
    runs: BTreeMap<u64, RecordedRun>,
}

/// How much of a `runs.csv` is read: whole lines.
#[derive(Default)]
struct ReadLog {
    bytes: u64,
    lines: u64,
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
        let mut all = Self { shared: shared.to_owned(), of, manifest, options, read, runs };
        all.read_new()?;
        Ok(all)
    }

    /// The run is recorded.
    pub(super) fn has(&self, run: u64) -> bool {
        self.runs.contains_key(&run)
    }

    /// What came of the recorded run at a place of a batch.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`] for one that is not due.
    ///
    /// # Panics
    /// When it is not recorded.
    pub(super) fn outcome(&self, batch: &RunBatch<'_>, place: usize) -> Result<Outcome, TuneError> {
        let recorded = self.runs[&batch.run(place)].clone();
        let run = recorded.run;
        match recorded.due_outcome(batch, place, self.options.worst) {
            // The error names the gathered folder, which has no such run.
            Err(TuneError::UnexpectedRun { due, .. }) => {
                let at = shard_folder(&self.shared, shard_of(run, self.of)).join(RUNS);
                let problem = format!("run {run} does not belong to this tuning: expected {due}");
                Err(ResultsError::damaged(&at, problem).into())
            }
            outcome => outcome,
        }
    }

    /// A program is making the runs of the shard whose run this is.
    pub(super) fn is_being_made(&self, run: u64) -> bool {
        Folder::is_being_written(&shard_folder(&self.shared, shard_of(run, self.of)))
    }

    /// Adds a run, which this program has recorded.
    pub(super) fn add(&mut self, recorded: RecordedRun) {
        self.runs.insert(recorded.run, recorded);
    }

    /// Reads what the shards have recorded since.
    ///
    /// # Errors
    /// [`ResultsError::OtherConfig`] and [`ResultsError::OtherInput`] for a shard of another tuning,
    /// [`ResultsError::Shards`], [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub(super) fn read_new(&mut self) -> Result<(), ResultsError> {
        for shard in shards_in(&self.shared)? {
            self.read_shard(shard)?;
        }
        Ok(())
    }

    fn read_shard(&mut self, shard: Shard) -> Result<(), ResultsError> {
        let path = shard_folder(&self.shared, shard);
        let at = path.join(RUNS);
        // It has only just begun.
        if !path.join(MANIFEST).exists() || !at.exists() {
            return Ok(());
        }
        if !self.read.contains_key(&shard.index) {
            self.manifest.check(&path, Some(shard))?;
        }
        let known = self.read.entry(shard.index).or_default();
        let new = lines_from(&at, known.bytes).map_err(ResultsError::io("read", &at))?;
        if new.is_empty() {
            return Ok(());
        }
        let has_costs = self.options.cost == Cost::Reported;
        let mut rows = &new[..];
        let mut first = known.lines + 1;
        if known.bytes == 0 {
            rows = without_columns(&at, &new, has_costs)?;
            first += 1;
        }
        let recorded = read_rows(&at, rows, first, has_costs)?;
        known.bytes += new.len() as u64;
        known.lines += new.split_terminator('\n').count() as u64;
        let mut failures = BTreeMap::new();
        if recorded.iter().any(|run| run.outcome.has_failed()) {
            failures = read_failures(&path)?;
        }
        for mut run in recorded {
            if shard_of(run.run, shard.of) != shard {
                let problem = format!("run {} is not one of shard {shard}", run.run);
                return Err(ResultsError::damaged(&at, problem));
            }
            if run.outcome.has_failed()
                && let Some(failure) = failures.remove(&run.run)
            {
                run.outcome.failure = Some(failure);
            }
            self.runs.insert(run.run, run);
        }
        Ok(())
    }
}

/// The whole lines of a file from a place on.
fn lines_from(at: &Path, from: u64) -> std::io::Result<String> {
    let mut file = File::open(at)?;
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    bytes.truncate(end);
    // What is not UTF-8 is no run.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
