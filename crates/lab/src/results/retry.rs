//! Failed runs that are tried again when a folder is resumed.
//!
//! Their rows go to files of a folder inside. When all of them have been tried, every file that runs append to is written anew
//! with these rows in the place of those that failed, `runs.csv` last, and the folder inside is removed. A program that is killed
//! before that leaves the failed runs as they are, and those that it has tried. One that is killed meanwhile leaves a folder
//! inside that has every failed run; then the next one puts the rows in their place, which changes nothing where they are there.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::ResultsError;
use super::appended_files::{AppendedFiles, claim};
use super::appender::{Appender, FileAppender};
use super::atomic::{AtomicFile, may_be_killed_here};
use super::files::{self, RUNS};
use super::recovery::recover_any;
use super::rows::RunRow;
use super::run_files::{RunFile, run_files_of};
use super::run_reader::{RunReader, as_stored};
use crate::experiment::{Plan, RunRecord};

/// The folder inside.
pub(super) const RETRY: &str = ".kenga-retry";

/// Failed runs of a folder that are tried again.
pub(super) struct Retry {
    folder: PathBuf,
    /// Those that an earlier program has tried.
    tried: BTreeSet<u64>,
    /// Those that have not been tried.
    left: BTreeSet<u64>,
    /// The files of the folder inside.
    files: AppendedFiles,
}

impl Retry {
    /// Begins to try failed runs again, or goes on with it; `None` without any.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub(super) fn begin(
        folder: &Path,
        plan: &Plan,
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
        let found = recover_any(&inside, plan)?;
        files.cut(&inside, plan, &found)?;
        let left = failed.difference(&found.runs).copied().collect();
        Ok(Some(Self { folder: folder.to_owned(), tried: found.runs, left, files }))
    }

    /// The folder inside.
    pub(super) fn inside(&self) -> PathBuf {
        self.folder.join(RETRY)
    }

    /// The runs in the folder inside that an earlier program has tried.
    pub(super) fn tried(&self) -> &BTreeSet<u64> {
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

    /// Puts the rows in their place: into the folder's files, of which those that were open until now are given up.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub(super) fn replace(
        &mut self,
        open_until_now: AppendedFiles,
        plan: &Plan,
    ) -> Result<AppendedFiles, ResultsError> {
        let claim = open_until_now.into_claim().expect("runs.csv is open");
        let claim = apply_retries(&self.folder, plan, claim)?;
        AppendedFiles::open(&self.folder, plan, claim)
    }
}

/// Puts the rows of failed runs that have all been tried again in their place, and removes the folder inside. Returns
/// `runs.csv`, which the program has claimed.
///
/// # Errors
/// [`ResultsError::Damaged`], [`ResultsError::Io`].
pub(super) fn apply_retries(
    folder: &Path,
    plan: &Plan,
    mut claim: Box<dyn Appender>,
) -> Result<Box<dyn Appender>, ResultsError> {
    let Some(tried) = finished_retries(folder, plan)? else { return Ok(claim) };
    for file in run_files_of(plan) {
        let path = folder.join(file.file(&plan.config));
        let draft = merged_with_retries(folder, plan, file, &tried)?;
        if file.name == RUNS {
            let replaced = FileAppender::replace(claim, draft);
            claim = Box::new(replaced.map_err(ResultsError::io("write", &path))?);
        } else {
            draft.commit().map_err(ResultsError::io("write", &path))?;
        }
    }
    let inside = folder.join(RETRY);
    // Without it the others count for nothing.
    files::remove(&inside, RUNS)?;
    may_be_killed_here()
        .and_then(|()| fs::remove_dir_all(&inside))
        .map_err(ResultsError::io("remove", &inside))?;
    Ok(claim)
}

/// The runs in the folder inside, where these are all that failed: their rows may stand in some of the folder's files.
///
/// # Errors
/// [`ResultsError::Damaged`], [`ResultsError::Io`].
pub(super) fn finished_retries(folder: &Path, plan: &Plan) -> Result<Option<BTreeSet<u64>>, ResultsError> {
    let inside = folder.join(RETRY);
    if !inside.is_dir() {
        return Ok(None);
    }
    let tried = recover_any(&inside, plan)?.runs;
    let mut reader = RunReader::open(&folder.join(RUNS), None)?;
    while reader.next()?.is_some() {
        for numbered in reader.rows::<RunRow>()? {
            if numbered.row.has_failed() && !tried.contains(&numbered.row.run) {
                return Ok(None);
            }
        }
    }
    Ok(Some(tried))
}

/// A file that runs append to, with the rows of the runs that were tried again.
fn merged_with_retries(
    folder: &Path,
    plan: &Plan,
    file: &RunFile,
    tried: &BTreeSet<u64>,
) -> Result<AtomicFile, ResultsError> {
    let (name, header) = (file.file(&plan.config), (file.header)(plan));
    let path = folder.join(name);
    let mut draft = AtomicFile::create(&path).map_err(ResultsError::io("write", &path))?;
    draft.write_all(&as_stored(name, header)).map_err(ResultsError::io("write", &path))?;
    // The folder's own rows, then those of the folder inside.
    let mut readers = [file.reader_if_there(folder, plan)?, file.reader_if_there(&folder.join(RETRY), plan)?];
    while let Some(run) = readers.iter().flatten().filter_map(RunReader::peek).min() {
        for (is_retry, reader) in [false, true].into_iter().zip(&mut readers) {
            let Some(reader) = reader else { continue };
            if reader.peek() != Some(run) {
                continue;
            }
            let text = reader.next()?.expect("it was peeked at").text.clone();
            if is_retry == tried.contains(&run) {
                draft.write_all(&as_stored(name, text)).map_err(ResultsError::io("write", &path))?;
            }
        }
    }
    // It replaces the only copy of rows that cost much.
    draft.sync().map_err(ResultsError::io("write", &path))?;
    Ok(draft)
}
