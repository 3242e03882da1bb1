//! The sink that writes finished runs to a folder.

use std::io;

use super::appended_files::AppendedFiles;
use super::appender::Appender;
use super::retry::Retry;
use crate::experiment::{Plan, RunRecord, Sink};

/// Appends every run to the files, its line in the ledger last. When a write fails, all are cut back to the end of the last
/// complete run.
pub struct FolderSink<'a> {
    plan: &'a Plan,
    /// `None` only while the rows of runs that were tried again are put in their place.
    files: Option<AppendedFiles>,
    /// Failed runs that come first; their rows are put in the place of those that failed.
    retry: Option<Retry>,
}

impl<'a> FolderSink<'a> {
    /// A sink for the files that the plan asks for, in the order in which a run is written (convergence, timing, the files
    /// that `[record]` asks for, failures, runs, ledger), each with the length of its complete runs.
    ///
    /// # Panics
    /// If one of them is missing.
    pub fn new(plan: &'a Plan, files: impl IntoIterator<Item = (Box<dyn Appender>, u64)>) -> Self {
        Self::with_retry(plan, AppendedFiles::new(plan, files), None)
    }

    /// A sink for open files, where failed runs are tried again first.
    pub(super) fn with_retry(plan: &'a Plan, files: AppendedFiles, retry: Option<Retry>) -> Self {
        Self { plan, files: Some(files), retry }
    }

    /// Refuses a folder whose files another program has changed since their last run was appended.
    ///
    /// # Errors
    /// The first file that was changed.
    pub(super) fn check(&mut self) -> io::Result<()> {
        self.open_files()?.check()
    }

    fn open_files(&mut self) -> io::Result<&mut AppendedFiles> {
        self.files.as_mut().ok_or_else(|| io::Error::other("the files of the folder could not be replaced"))
    }
}

impl Sink for FolderSink<'_> {
    fn take(&mut self, record: &RunRecord) -> io::Result<()> {
        let plan = self.plan;
        let Some(mut retry) = self.retry.take_if(|retry| retry.left().contains(&record.id.run)) else {
            return self.open_files()?.append(record, plan);
        };
        retry.take(record, plan)?;
        if !retry.left().is_empty() {
            self.retry = Some(retry);
            return Ok(());
        }
        if let Some(open_until_now) = self.files.take() {
            self.files = Some(retry.replace(open_until_now, plan).map_err(io::Error::other)?);
        }
        Ok(())
    }
}
