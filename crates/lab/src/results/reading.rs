//! Reading of a folder: its plan, and the runs that are complete in every file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;
use std::{fs, io};

use super::checksums::differences;
use super::files::{COSTS, FACTS, FAILURES, LEDGER, MANIFEST, PUZZLES, RUNS, SETTINGS, TERMS, has_checksums};
use super::recovery::{CompleteRuns, Proof, UnusedRows, recover};
use super::rows::{CostRow, CsvRow, RunRow, TermRow, TimingRow};
use super::run_files::{RowFile, run_file_names, run_files_of};
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

/// The rows of the complete runs of a folder: those that its ledger lists, in the order of the plan, which are the runs that
/// `validate` checks and that resuming keeps.
pub struct FolderRows {
    path: PathBuf,
    /// The folder has `checksums.txt`, which is written when every run has ended. It does not prove that they are all there.
    pub has_checksums: bool,
    /// Every run that the folder is for has ended: they are all there, and the checksums too.
    pub has_ended: bool,
    pub(super) complete: CompleteRuns,
    /// The files that runs append to.
    files: Vec<RowFile>,
    /// The first difference from `checksums.txt`, in words.
    difference: Option<String>,
}

/// The most bytes of rows that a reader compares with their checksums: a quarter of a second.
const MOST_COMPARED: u64 = 1 << 28;

/// The files of a finished folder that every reader compares with their checksums.
const BASE_FILES: [&str; 9] = [MANIFEST, PUZZLES, SETTINGS, FACTS, RUNS, LEDGER, COSTS, TERMS, FAILURES];

impl Reading {
    /// Reads a folder; one that another program begins, extends or ends meanwhile is read again, a few times.
    ///
    /// # Errors
    /// Those of [`read_plan`], [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub fn open(path: &Path) -> Result<Self, ResultsError> {
        settled(path, || Self::read(path, Proof::Checksums))
    }

    /// Reads a folder once.
    ///
    /// # Errors
    /// Those of [`read_plan`], [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub(super) fn read(path: &Path, proof: Proof) -> Result<Self, ResultsError> {
        let (plan, shard) = read_plan(path)?;
        let rows = FolderRows::read(path, &plan, shard, proof)?;
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
        settled(path, || Self::read(path, plan, shard, Proof::Checksums))
    }

    /// Reads them once.
    fn read(path: &Path, plan: &Plan, shard: Shard, mut proof: Proof) -> Result<Self, ResultsError> {
        let has_checksums = has_checksums(path);
        let difference = if proof == Proof::Checksums { difference(path)? } else { None };
        if difference.is_some() {
            proof = Proof::Rows;
        }
        let complete = recover(path, plan, shard, proof)?;
        let has_ended = has_checksums && complete.len() == complete.planned;
        let files = run_files_of(plan).map(|file| file.row_file(plan)).collect();
        Ok(Self { path: path.to_owned(), has_checksums, has_ended, complete, files, difference })
    }

    /// Rows that are not used.
    pub fn unused(&self) -> Option<&UnusedRows> {
        self.complete.unused.as_ref()
    }

    /// Whether files have to be restored before the experiment can go on.
    pub fn is_damaged(&self) -> bool {
        self.complete.check(&self.path).is_err()
    }

    /// The note for readers: which rows are not used, how many runs are missing of a folder that was finished, or which file
    /// differs from its checksums.
    pub fn note(&self) -> Option<String> {
        if let Some(unused) = self.unused() {
            return Some(unused.note());
        }
        if self.has_checksums && !self.has_ended {
            let (runs, planned) = (self.complete.len(), self.complete.planned);
            return Some(format!(
                "not whole: {runs} of {planned} runs are there although checksums.txt says that it was finished; `kenga validate` says more"
            ));
        }
        let difference = self.difference.as_ref()?;
        Some(format!("differs from its checksums: {difference}; `kenga validate` says more"))
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
        take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(file) = self.files.iter().find(|file| file.name == T::FILE) else {
            let missing = io::Error::from(io::ErrorKind::NotFound);
            return Err(ResultsError::io("read", &self.path.join(T::FILE))(missing).into());
        };
        // A program that is killed before its first run leaves no file, or one without a whole header.
        if self.complete.len() == 0 {
            return Ok(());
        }
        self.complete.reader(&self.path, file, 1)?.each(take)
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

/// The first difference of a finished folder from its checksums, in words.
fn difference(folder: &Path) -> Result<Option<String>, ResultsError> {
    // To read large files that few commands need would take longer than most commands.
    let mut compared = BASE_FILES.to_vec();
    let mut bytes = 0;
    for name in run_file_names() {
        bytes += fs::metadata(folder.join(name)).map_or(0, |file| file.len());
    }
    if bytes <= MOST_COMPARED {
        compared.extend(run_file_names());
    }
    let changed = differences(folder, &compared)?.into_iter().next();
    Ok(changed.map(|changed| format!("{} {}", changed.file, changed.problem)))
}

/// Lets the program that writes a folder go on.
pub(super) fn rest() {
    sleep(Duration::from_millis(20));
}
