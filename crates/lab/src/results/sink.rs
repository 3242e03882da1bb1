//! The sink that writes finished runs to a folder.

use std::io;

use super::appender::Appender;
use super::retry::Retry;
use super::tails::Tails;
use crate::experiment::{Plan, RunRecord, Sink};

/// Appends every run to the files, its row in `runs.csv` last. When a write fails, all are cut back to the end of the last
/// complete run.
pub struct FolderSink<'a> {
    plan: &'a Plan,
    tails: Tails,
    /// Failed runs that come first; their rows are put in the place of those that failed.
    retry: Option<Retry>,
}

impl<'a> FolderSink<'a> {
    /// A sink for the files that the plan asks for, in the order in which a run is written (convergence, timing, the files
    /// that `[record]` asks for, failures, runs), each with the length of its complete runs.
    pub fn new(plan: &'a Plan, files: impl IntoIterator<Item = (Box<dyn Appender>, u64)>) -> Self {
        Self { plan, tails: Tails::new(plan, files), retry: None }
    }

    /// The same, where failed runs are tried again first.
    pub(super) fn with_retry(self, retry: Option<Retry>) -> Self {
        Self { retry, ..self }
    }
}

impl Sink for FolderSink<'_> {
    fn take(&mut self, record: &RunRecord) -> io::Result<()> {
        let Self { plan, tails, retry } = self;
        let Some(again) = retry.as_mut().filter(|again| again.has(record.id.run)) else {
            return tails.take(record, plan);
        };
        again.take(record, plan)?;
        if again.is_over() {
            *tails = again.replace(std::mem::take(tails), plan).map_err(io::Error::other)?;
            *retry = None;
        }
        Ok(())
    }
}
