//! Failed runs that are tried again when a folder is resumed.
//!
//! Their rows go to files of a folder inside. When all of them have been tried, every growing file is written anew with these
//! rows in the place of those that failed, `runs.csv` last, and the folder inside is removed. A program that is killed before
//! that leaves the failed runs as they are, and those that it has tried. One that is killed meanwhile leaves a folder inside
//! that has every failed run; then the next one puts the rows in their place, which changes nothing where they are there.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::ResultsError;
use super::appender::{Appender, FileAppender};
use super::atomic::{AtomicFile, step};
use super::files::{self, RUNS};
use super::recovery::recover_any;
use super::rows::RunRow;
use super::run_files::{RunFile, run_files_of};
use super::run_reader::{RunReader, as_stored};
use super::tails::{Tails, claim, cut, open};
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
    tails: Tails,
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
        step().and_then(|()| fs::create_dir_all(&inside)).map_err(ResultsError::io("create", &inside))?;
        let mut files = open(&inside, plan, Box::new(claim(&inside)?))?;
        let tried = cut(&inside, &mut files, plan, &recover_any(&inside, plan)?)?;
        let left = failed.difference(&tried).copied().collect();
        Ok(Some(Self { folder: folder.to_owned(), tried, left, tails: Tails::new(plan, files) }))
    }

    /// The folder inside, and the runs in it that an earlier program has tried.
    pub(super) fn earlier(&self) -> (PathBuf, &BTreeSet<u64>) {
        (self.folder.join(RETRY), &self.tried)
    }

    /// The runs that have not been tried.
    pub(super) fn left(&self) -> &BTreeSet<u64> {
        &self.left
    }

    /// The run is one of those.
    pub(super) fn has(&self, run: u64) -> bool {
        self.left.contains(&run)
    }

    /// All runs have been tried.
    pub(super) fn is_over(&self) -> bool {
        self.left.is_empty()
    }

    /// Takes a run that has been tried.
    ///
    /// # Errors
    /// When it could not be written.
    pub(super) fn take(&mut self, record: &RunRecord, plan: &Plan) -> io::Result<()> {
        self.tails.take(record, plan)?;
        self.left.remove(&record.id.run);
        Ok(())
    }

    /// Puts the rows in their place: into the folder's files, of which those that were open until now are given up.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub(super) fn replace(&mut self, open_until_now: Tails, plan: &Plan) -> Result<Tails, ResultsError> {
        let claim = open_until_now.into_claim().expect("runs.csv is open");
        let claim = settle(&self.folder, plan, claim)?;
        Ok(Tails::new(plan, open(&self.folder, plan, claim)?))
    }
}

/// Puts the rows of failed runs that have all been tried again in their place, and removes the folder inside. Returns
/// `runs.csv`, which the program has claimed.
///
/// # Errors
/// [`ResultsError::Damaged`], [`ResultsError::Io`].
pub(super) fn settle(
    folder: &Path,
    plan: &Plan,
    claim: Box<dyn Appender>,
) -> Result<Box<dyn Appender>, ResultsError> {
    let Some(tried) = unsettled(folder, plan)? else { return Ok(claim) };
    let mut claim = claim;
    for file in run_files_of(plan) {
        let path = folder.join(file.file(&plan.config));
        let draft = woven(folder, plan, file, &tried)?;
        let io = ResultsError::io("write", &path);
        match file.name == RUNS {
            true => claim = Box::new(FileAppender::replace(claim, draft).map_err(io)?),
            false => draft.commit().map_err(io)?,
        }
    }
    let inside = folder.join(RETRY);
    // Without it the others count for nothing.
    files::remove(&inside, RUNS)?;
    step().and_then(|()| fs::remove_dir_all(&inside)).map_err(ResultsError::io("remove", &inside))?;
    Ok(claim)
}

/// The runs in the folder inside, where these are all that failed: their rows may stand in some of the folder's files.
///
/// # Errors
/// [`ResultsError::Damaged`], [`ResultsError::Io`].
pub(super) fn unsettled(folder: &Path, plan: &Plan) -> Result<Option<BTreeSet<u64>>, ResultsError> {
    let inside = folder.join(RETRY);
    if !inside.is_dir() {
        return Ok(None);
    }
    let tried = recover_any(&inside, plan)?.runs;
    let mut reader = RunReader::open(&folder.join(RUNS), None)?;
    while reader.next()?.is_some() {
        let rows: Vec<(u64, RunRow)> = reader.rows()?;
        if rows.iter().any(|(_, row)| row.has_failed() && !tried.contains(&row.run)) {
            return Ok(None);
        }
    }
    Ok(Some(tried))
}

/// A growing file with the rows of the runs that were tried again.
fn woven(
    folder: &Path,
    plan: &Plan,
    file: &RunFile,
    tried: &BTreeSet<u64>,
) -> Result<AtomicFile, ResultsError> {
    let (name, header) = (file.file(&plan.config), (file.header)(plan));
    let (path, again) = (folder.join(name), folder.join(RETRY).join(name));
    let mut draft = AtomicFile::create(&path).map_err(ResultsError::io("write", &path))?;
    let mut write = |text: &[u8]| {
        draft.write_all(&as_stored(name, text.to_vec())).map_err(ResultsError::io("write", &path))
    };
    write(&header)?;
    let open = |path: &Path| path.exists().then(|| RunReader::open(path, Some(&header))).transpose();
    let mut readers = [(false, open(&path)?), (true, open(&again)?)];
    let next = |(_, reader): &(bool, Option<RunReader>)| reader.as_ref()?.peek();
    while let Some(run) = readers.iter().filter_map(next).min() {
        for (is_again, reader) in &mut readers {
            let Some(reader) = reader.as_mut().filter(|reader| reader.peek() == Some(run)) else { continue };
            let rows = reader.next()?.expect("it was peeked at");
            if *is_again == tried.contains(&run) {
                write(&rows.text)?;
            }
        }
    }
    // It replaces the only copy of rows that cost much.
    draft.sync().map_err(ResultsError::io("write", &path))?;
    Ok(draft)
}
