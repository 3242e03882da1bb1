//! Failed runs that are tried again when a folder is resumed.
//!
//! Their rows go to files in [`RETRY`], a folder inside with a ledger of its own. When all of them have been tried, every file
//! that runs append to is written anew in [`RETRIED`], another folder inside, with these rows in the place of those that
//! failed, the ledger last. From then on the files there stand for those of the folder, for readers too. The program moves them
//! to their place, the ledger last. A kill before the new ledger leaves the failed runs as they are, and those that have
//! been tried; a kill behind it leaves files that the next program moves.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::ResultsError;
use super::appended_files::{AppendedFiles, claim};
use super::appender::{Appender, FileAppender};
use super::atomic::may_be_killed_here;
use super::copy::{CopiedRun, Source, copy_runs};
use super::files::{LEDGER, RETRIED, RETRY};
use super::recovery::{CompleteRuns, Proof, recover, recover_any};
use super::run_files::run_files_of;
use crate::experiment::{Plan, RunRecord, Shard};

/// Failed runs of a folder that are tried again.
pub(super) struct Retry {
    folder: PathBuf,
    shard: Shard,
    /// Those that an earlier program has tried.
    tried: CompleteRuns,
    /// Those that have not been tried.
    left: BTreeSet<u64>,
    /// The files of the folder inside.
    files: AppendedFiles,
}

impl Retry {
    /// Begins to try failed runs again, or goes on with it; `None` without any.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Gap`], [`ResultsError::Io`].
    pub(super) fn begin(
        folder: &Path,
        plan: &Plan,
        shard: Shard,
        failed: &BTreeSet<u64>,
    ) -> Result<Option<Self>, ResultsError> {
        if failed.is_empty() {
            return Ok(None);
        }
        let inside = folder.join(RETRY);
        may_be_killed_here()
            .and_then(|()| fs::create_dir_all(&inside))
            .map_err(ResultsError::io("create", &inside))?;
        let mut files = AppendedFiles::open(&inside, plan, Box::new(claim(&inside)?))?;
        let tried = recover_any(&inside, plan)?;
        tried.check(&inside)?;
        files.cut(&inside, &tried)?;
        let left = failed.iter().copied().filter(|run| !tried.has(*run)).collect();
        Ok(Some(Self { folder: folder.to_owned(), shard, tried, left, files }))
    }

    /// The folder inside.
    pub(super) fn inside(&self) -> PathBuf {
        self.folder.join(RETRY)
    }

    /// The runs in the folder inside that an earlier program has tried.
    pub(super) fn tried(&self) -> &CompleteRuns {
        &self.tried
    }

    /// The runs that have not been tried.
    pub(super) fn left(&self) -> &BTreeSet<u64> {
        &self.left
    }

    /// Takes a run that has been tried.
    ///
    /// # Errors
    /// When it could not be written.
    pub(super) fn take(&mut self, record: &RunRecord, plan: &Plan) -> io::Result<()> {
        self.files.append(record, plan)?;
        self.left.remove(&record.id.run);
        Ok(())
    }

    /// Puts the rows of all runs that were tried in their place. Returns the folder's files, of which those that were open until
    /// now are given up.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub(super) fn replace(
        self,
        open_until_now: AppendedFiles,
        plan: &Plan,
    ) -> Result<AppendedFiles, ResultsError> {
        let (folder, inside) = (&self.folder, self.inside());
        drop(self.files);
        let own = Source { folder: folder.clone(), runs: recover(folder, plan, self.shard, Proof::Rows)? };
        let tried = Source { folder: inside.clone(), runs: recover_any(&inside, plan)? };
        let mut runs = Vec::new();
        for run in own.runs.ledger.runs() {
            runs.push(CopiedRun { run: *run, source: usize::from(tried.runs.has(*run)) });
        }
        let retried = folder.join(RETRIED);
        remove_folder(&retried)?;
        may_be_killed_here()
            .and_then(|()| fs::create_dir(&retried))
            .map_err(ResultsError::io("create", &retried))?;
        // The new files replace the only copy of rows that cost much: a crash must not lose them.
        copy_runs(plan, &[own, tried], &runs, &retried)?;
        let claim = move_retried(folder, plan, open_until_now.into_claim())?;
        let mut files = AppendedFiles::open(folder, plan, claim)?;
        let complete = recover(folder, plan, self.shard, Proof::Sizes)?;
        files.cut(folder, &complete)?;
        Ok(files)
    }
}

/// Moves the files that replace those of a folder to their place, if there are any, and removes the folders inside of runs that
/// have been tried. Returns the ledger, which the program has claimed.
///
/// # Errors
/// [`ResultsError::Busy`], [`ResultsError::Io`].
pub(super) fn move_retried(
    folder: &Path,
    plan: &Plan,
    claimed: Box<dyn Appender>,
) -> Result<Box<dyn Appender>, ResultsError> {
    let retried = folder.join(RETRIED);
    let ledger = retried.join(LEDGER);
    if !ledger.exists() {
        remove_folder(&retried)?;
        return Ok(claimed);
    }
    remove_folder(&folder.join(RETRY))?;
    // Locked before it has its place: no other program comes between.
    let claimed =
        Box::new(FileAppender::open_behind(&ledger, claimed).map_err(ResultsError::io("open", &ledger))?);
    for file in run_files_of(plan) {
        let name = file.file(&plan.config);
        move_file(&retried.join(name), &folder.join(name))?;
    }
    move_file(&ledger, &folder.join(LEDGER))?;
    remove_folder(&retried)?;
    Ok(claimed)
}

/// Moves a file over another, if it is there.
fn move_file(from: &Path, to: &Path) -> Result<(), ResultsError> {
    match may_be_killed_here().and_then(|()| fs::rename(from, to)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(ResultsError::io("write", to)(error)),
        _ => Ok(()),
    }
}

/// Removes a folder inside, if it is there.
///
/// # Errors
/// [`ResultsError::Io`].
pub(super) fn remove_folder(inside: &Path) -> Result<(), ResultsError> {
    match may_be_killed_here().and_then(|()| fs::remove_dir_all(inside)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(ResultsError::io("remove", inside)(error))
        }
        _ => Ok(()),
    }
}
