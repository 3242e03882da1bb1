//! The files of a folder that every run appends its rows to: opened, cut back to their complete runs, and added to.

use std::path::Path;
use std::{fs, io};

use super::ResultsError;
use super::appender::{Appender, FileAppender};
use super::files::RUNS;
use super::recovery::CompleteRuns;
use super::run_files::{RunFile, run_files_of};
use super::run_reader::as_stored;
use crate::experiment::{Plan, RunRecord};

/// The files that a plan asks for, open, in the order of the table: `runs.csv` is the last.
#[derive(Default)]
pub(super) struct AppendedFiles(Vec<AppendedFile>);

struct AppendedFile {
    file: &'static RunFile,
    appender: Box<dyn Appender>,
    /// Bytes of the header and of complete runs.
    complete: u64,
}

impl AppendedFiles {
    /// The files that the plan asks for, in their order, each with the bytes of its complete runs.
    pub(super) fn new(plan: &Plan, files: impl IntoIterator<Item = (Box<dyn Appender>, u64)>) -> Self {
        let mut appended = Vec::new();
        for (file, (appender, complete)) in run_files_of(plan).zip(files) {
            appended.push(AppendedFile { file, appender, complete });
        }
        Self(appended)
    }

    /// Opens the files of a folder, where `claim` is its `runs.csv`. All their bytes count as complete.
    ///
    /// # Errors
    /// [`ResultsError::Io`].
    pub(super) fn open(folder: &Path, plan: &Plan, claim: Box<dyn Appender>) -> Result<Self, ResultsError> {
        let mut claim = Some(claim);
        let mut files = Vec::new();
        for file in run_files_of(plan) {
            let path = folder.join(file.file(&plan.config));
            let appender = match claim.take_if(|_| file.name == RUNS) {
                Some(claim) => claim,
                None => Box::new(FileAppender::open(&path).map_err(ResultsError::io("open", &path))?),
            };
            // Recovery says later how much of it is complete.
            let complete = fs::metadata(&path).map_err(ResultsError::io("open", &path))?.len();
            files.push(AppendedFile { file, appender, complete });
        }
        Ok(Self(files))
    }

    /// Cuts every file back to its complete runs, and writes missing headers.
    ///
    /// # Errors
    /// [`ResultsError::Io`].
    pub(super) fn cut(
        &mut self,
        folder: &Path,
        plan: &Plan,
        found: &CompleteRuns,
    ) -> Result<(), ResultsError> {
        for (AppendedFile { file, appender, complete }, length) in self.0.iter_mut().zip(found.lengths()) {
            let name = file.file(&plan.config);
            let path = folder.join(name);
            appender.cut(length).map_err(ResultsError::io("truncate", &path))?;
            *complete = length;
            if length == 0 {
                let header = as_stored(name, (file.header)(plan));
                appender.append(&header).map_err(ResultsError::io("write", &path))?;
                *complete = header.len() as u64;
            }
        }
        Ok(())
    }

    /// Refuses files that another program has changed since their last run was appended.
    ///
    /// # Errors
    /// The first that was changed.
    pub(super) fn check(&mut self) -> io::Result<()> {
        self.0.iter_mut().try_for_each(|file| file.appender.append(&[]))
    }

    /// The open `runs.csv`, by which this program holds the folder; the other files are closed.
    pub(super) fn into_claim(mut self) -> Option<Box<dyn Appender>> {
        Some(self.0.pop()?.appender)
    }

    /// Appends the rows of a run to every file, or to none.
    ///
    /// # Errors
    /// When not all of them could be written.
    pub(super) fn append(&mut self, record: &RunRecord, plan: &Plan) -> io::Result<()> {
        let mut added = Vec::with_capacity(self.0.len());
        for AppendedFile { file, appender, .. } in &mut self.0 {
            match file.append(record, plan, &mut **appender) {
                Ok(bytes) => added.push(bytes),
                Err(error) => {
                    // Resuming cuts what cannot be cut now; the first error is reported.
                    for AppendedFile { appender, complete, .. } in &mut self.0 {
                        drop(appender.cut(*complete));
                    }
                    return Err(error);
                }
            }
        }
        // Only now: a run counts in all files or in none.
        for (file, bytes) in self.0.iter_mut().zip(added) {
            file.complete += bytes;
        }
        Ok(())
    }
}

/// Reserves a folder for this program before it writes anything else: `runs.csv` stays locked until the program ends,
/// however it ends.
pub(crate) fn claim(path: &Path) -> Result<FileAppender, ResultsError> {
    let runs = path.join(RUNS);
    FileAppender::open(&runs).map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => ResultsError::Busy { path: path.to_owned() },
        _ => ResultsError::io("open", &runs)(error),
    })
}
