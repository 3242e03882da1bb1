//! The sink that writes finished runs to a folder.

use std::io;

use super::appended_files::AppendedFiles;
use super::appender::Appender;
use super::retry::Retry;
use crate::experiment::{Plan, RunRecord, Sink};

/// Appends every run to the files, its row in `runs.csv` last. When a write fails, all are cut back to the end of the last
/// complete run.
pub struct FolderSink<'a> {
    plan: &'a Plan,
    files: AppendedFiles,
    /// Failed runs that come first; their rows are put in the place of those that failed.
    retry: Option<Retry>,
}

impl<'a> FolderSink<'a> {
    /// A sink for the files that the plan asks for, in the order in which a run is written (convergence, timing, the files
    /// that `[record]` asks for, failures, runs), each with the length of its complete runs.
    pub fn new(plan: &'a Plan, files: impl IntoIterator<Item = (Box<dyn Appender>, u64)>) -> Self {
        Self::with_retry(plan, AppendedFiles::new(plan, files), None)
    }

    /// A sink for open files, where failed runs are tried again first.
    pub(super) fn with_retry(plan: &'a Plan, files: AppendedFiles, retry: Option<Retry>) -> Self {
        Self { plan, files, retry }
    }

    /// Refuses a folder whose files another program has changed since their last run was appended.
    ///
    /// # Errors
    /// The first file that was changed.
    pub(super) fn check(&mut self) -> io::Result<()> {
        self.files.check()
    }
}

impl Sink for FolderSink<'_> {
    fn take(&mut self, record: &RunRecord) -> io::Result<()> {
        let Some(retry) = &mut self.retry else { return self.files.append(record, self.plan) };
        if !retry.left().contains(&record.id.run) {
            return self.files.append(record, self.plan);
        }
        retry.take(record, self.plan)?;
        if retry.left().is_empty() {
            let open_until_now = std::mem::take(&mut self.files);
            self.files = retry.replace(open_until_now, self.plan).map_err(io::Error::other)?;
            self.retry = None;
        }
        Ok(())
    }
}
