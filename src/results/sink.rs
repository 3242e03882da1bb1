//! The sink that writes finished runs to a folder.

use std::io;

use crate::experiment::{Plan, RunRecord, Sink};

use super::appender::Appender;
use super::growing::{Growing, kept};
use super::pieces::kept_as;

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
        let plan = self.plan;
        let with_text = self.tails.iter_mut().map(|tail| {
            let text = kept_as(tail.of.file(&plan.config), (tail.of.rows)(record, plan));
            (tail, text)
        });
        let mut texts: Vec<(&mut Tail, Vec<u8>)> = with_text.collect();
        let mut written = texts.iter_mut().map(|(tail, text)| tail.file.append(text));
        if let Some(error) = written.find_map(Result::err) {
            // A failure to cut leaves a tail that resuming cuts; the first error is the one to tell.
            let cuts = texts.iter_mut().map(|(tail, _)| tail.file.cut(tail.whole));
            let _ = cuts.filter(Result::is_err).count();
            return Err(error);
        }
        for (tail, text) in &mut texts {
            tail.whole += text.len() as u64;
        }
        Ok(())
    }
}
