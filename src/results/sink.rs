//! The sink that writes finished runs to a folder.

use std::io;

use crate::experiment::{Plan, RunRecord, Sink};

use super::appender::Appender;
use super::growing::{Growing, kept};

/// Writes every run to its files, last its row in `runs.csv`. When a write fails, all are cut back to the end of the last
/// whole run.
pub struct FolderSink<'a> {
    plan: &'a Plan,
    tails: Vec<Tail>,
}

/// A file and how many of its bytes are whole runs.
struct Tail {
    of: &'static Growing,
    file: Box<dyn Appender>,
    whole: u64,
}

impl<'a> FolderSink<'a> {
    /// A sink that appends to the growing files that the plan asks for, in the order in which a run is written
    /// (convergence, timing, those that `[record]` asks for, runs), each with the length that is whole already.
    pub fn new(plan: &'a Plan, files: impl IntoIterator<Item = (Box<dyn Appender>, u64)>) -> Self {
        let tail = |(of, (file, whole))| Tail { of, file, whole };
        Self { plan, tails: kept(&plan.config).zip(files).map(tail).collect() }
    }
}

impl Sink for FolderSink<'_> {
    fn take(&mut self, record: &RunRecord) -> io::Result<()> {
        let Self { plan, tails } = self;
        let append = |tail: &mut Tail| tail.of.append(record, plan, &mut *tail.file);
        match tails.iter_mut().map(append).collect::<io::Result<Vec<u64>>>() {
            Ok(added) => tails.iter_mut().zip(added).for_each(|(tail, bytes)| tail.whole += bytes),
            Err(error) => {
                // A failure to cut leaves a tail that resuming cuts; the first error is the one to tell.
                tails.iter_mut().for_each(|tail| drop(tail.file.cut(tail.whole)));
                return Err(error);
            }
        }
        Ok(())
    }
}
