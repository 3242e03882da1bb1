//! Reading of a folder: its plan, and the runs that are complete in every file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use super::files::has_checksums;
use super::recovery::{CompleteRuns, UnusedRows, recover, recover_finished};
use super::retry::finished_retries;
use super::rows::{CostRow, CsvRow, RunRow, TermRow, TimingRow};
use super::run_files::run_file;
use super::run_reader::RunReader;
use super::stamps::frame_stamp;
use super::{ResultsError, read_plan};
use crate::experiment::{Plan, Shard};

/// How often a folder is read again that another program writes.
pub(super) const TRIES: usize = 8;

/// The plan of a folder and its complete runs, as of one moment: a program may add to the folder afterwards.
pub struct Reading {
    /// The plan.
    pub plan: Plan,
    /// The shard of the plan that the folder is for.
    pub shard: Shard,
    /// The rows.
    pub rows: FolderRows,
}

/// The rows of the complete runs of a folder.
///
/// The runs are those that `validate` checks and that resuming keeps: in the order of the plan up to the first that is
/// missing, not complete in every file, or not as the plan says.
pub struct FolderRows {
    path: PathBuf,
    /// The folder has `checksums.txt`, which is written when every run has ended. It does not prove that they are all there.
    pub has_checksums: bool,
    /// Every run that the folder is for has ended: they are all there, and the checksums too.
    pub has_ended: bool,
    runs: BTreeSet<u64>,
    /// How many runs the folder is for; of a race that is not over, as many as are known.
    planned: u64,
    unused: Option<UnusedRows>,
}

impl Reading {
    /// Reads a folder; one that another program begins, extends or ends meanwhile is read again, a few times.
    ///
    /// # Errors
    /// Those of [`read_plan`], [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub fn open(path: &Path) -> Result<Self, ResultsError> {
        settled(path, || Self::read(path))
    }

    /// Reads a folder once.
    ///
    /// # Errors
    /// Those of [`read_plan`], [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub(super) fn read(path: &Path) -> Result<Self, ResultsError> {
        let (plan, shard) = read_plan(path)?;
        let rows = FolderRows::read(path, &plan, shard)?;
        Ok(Self { plan, shard, rows })
    }
}

/// What is read of a folder; one that another program begins, extends or ends meanwhile is read again, a few times.
fn settled<T>(path: &Path, read: impl Fn() -> Result<T, ResultsError>) -> Result<T, ResultsError> {
    for _ in 1..TRIES {
        let before = frame_stamp(path);
        let found = read();
        if before == frame_stamp(path) {
            return found;
        }
        rest();
    }
    read()
}

impl FolderRows {
    /// Reads the rows of a folder whose plan is known: the plan of many settings takes longer to read than the rows of a small
    /// shard.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub fn open(path: &Path, plan: &Plan, shard: Shard) -> Result<Self, ResultsError> {
        settled(path, || Self::read(path, plan, shard))
    }

    /// Reads them once.
    fn read(path: &Path, plan: &Plan, shard: Shard) -> Result<Self, ResultsError> {
        let has_checksums = has_checksums(path);
        let found =
            if has_checksums { recover_finished(path, plan, shard)? } else { recover(path, plan, shard)? };
        let CompleteRuns { mut runs, mut unused, planned, .. } = found;
        // Checksums are removed before a run is tried again, and written after the last one.
        let retries = if has_checksums { None } else { finished_retries(path, plan)? };
        // Behind a run that is being put in the place of a failed one, files may be of different moments.
        if let Some(first) = retries.and_then(|mut tried| tried.pop_first()) {
            runs.split_off(&first);
            unused = unused.filter(|unused| unused.first < first);
        }
        let (path, has_ended) = (path.to_owned(), has_checksums && runs.len() as u64 == planned);
        Ok(Self { path, has_checksums, has_ended, runs, planned, unused })
    }

    /// The complete runs.
    pub(super) fn runs(&self) -> &BTreeSet<u64> {
        &self.runs
    }

    /// Rows of `runs.csv` that are not used.
    pub fn unused(&self) -> Option<&UnusedRows> {
        self.unused.as_ref()
    }

    /// What a reader should know: which rows are not used, or how many are missing of a folder that was finished.
    pub fn note(&self) -> Option<String> {
        if let Some(unused) = &self.unused {
            return Some(unused.note());
        }
        if !self.has_checksums || self.has_ended {
            return None;
        }
        let (runs, planned) = (self.runs.len(), self.planned);
        Some(format!(
            "not whole: {runs} of {planned} runs are there although checksums.txt says that it was finished; `kenga validate` says more"
        ))
    }

    /// Hands over the rows of a file that every run appends to, in order and one at a time: there may be more of them than
    /// memory holds.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub fn each<T: CsvRow>(&self, mut take: impl FnMut(T)) -> Result<(), ResultsError> {
        self.try_each(|row| {
            take(row);
            Ok(())
        })
    }

    /// [`each`](Self::each), until `take` fails.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Io`], and the errors of `take`.
    pub fn try_each<T: CsvRow, E: From<ResultsError>>(
        &self,
        mut take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut path = self.path.join(T::FILE);
        if let Some(packed) = run_file(T::FILE).and_then(|file| file.packed)
            && !path.exists()
            && self.path.join(packed).exists()
        {
            path = self.path.join(packed);
        }
        let mut reader = RunReader::open(&path, None)?;
        while reader.peek().is_some_and(|run| self.runs.contains(&run)) {
            reader.next()?;
            for numbered in reader.rows()? {
                take(numbered.row)?;
            }
        }
        // In a folder that goes on, the torn end is the run that is being written.
        if reader.is_torn() && self.has_checksums {
            return Err(reader.torn().into());
        }
        Ok(())
    }

    /// The calls of the runs, which a race compares.
    ///
    /// # Errors
    /// As [`each`](Self::each).
    pub fn race_calls(&self) -> Result<BTreeMap<u64, f64>, ResultsError> {
        let mut calls = BTreeMap::new();
        self.each(|row: RunRow| {
            calls.insert(row.run, row.race_calls());
        })?;
        Ok(calls)
    }

    /// The timing of the runs.
    ///
    /// # Errors
    /// As [`each`](Self::each).
    pub fn timing(&self) -> Result<BTreeMap<u64, TimingRow>, ResultsError> {
        let mut timing = BTreeMap::new();
        self.each(|row: TimingRow| {
            timing.insert(row.run, row);
        })?;
        Ok(timing)
    }

    /// The terms of the best of every run by their names, of problems that have any; `plan` is that of the folder.
    ///
    /// # Errors
    /// Those of [`each`](Self::each).
    pub fn terms(&self, plan: &Plan) -> Result<BTreeMap<String, BTreeMap<u64, f64>>, ResultsError> {
        let mut terms: BTreeMap<String, BTreeMap<u64, f64>> = BTreeMap::new();
        if plan.has_terms() {
            self.each(|row: TermRow| {
                let of_name = terms.entry(row.term).or_default();
                if let Some(value) = row.value {
                    of_name.insert(row.run, value);
                }
            })?;
        }
        Ok(terms)
    }

    /// What runs have cost, of those that report it; `plan` is that of the folder.
    ///
    /// # Errors
    /// As [`each`](Self::each).
    pub fn costs(&self, plan: &Plan) -> Result<BTreeMap<u64, f64>, ResultsError> {
        let mut costs = BTreeMap::new();
        if plan.reports_cost() {
            self.each(|row: CostRow| {
                if let Some(cost) = row.cost {
                    costs.insert(row.run, cost);
                }
            })?;
        }
        Ok(costs)
    }
}

/// Lets the program that writes a folder go on.
pub(super) fn rest() {
    sleep(Duration::from_millis(20));
}
