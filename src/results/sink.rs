//! The sink that writes finished runs to a folder.

use std::io;

use crate::experiment::{RunRecord, Sink};
use crate::puzzle::Puzzle;

use super::appender::Appender;
use super::rows::{ConvergenceRow, RunRow, TimingRow, csv_text};

/// Writes every run to three files: convergence, timing, and last its row in `runs.csv`. When a write fails, all three
/// are cut back to the end of the last whole run.
pub struct FolderSink<'a> {
    puzzles: &'a [Puzzle],
    files: [Tail; 3],
}

/// A file and how many of its bytes are whole runs.
struct Tail {
    file: Box<dyn Appender>,
    whole: u64,
}

impl<'a> FolderSink<'a> {
    /// A sink that appends to `[convergence, timing, runs]`, each with the length that is whole already.
    pub fn new(puzzles: &'a [Puzzle], files: [(Box<dyn Appender>, u64); 3]) -> Self {
        Self { puzzles, files: files.map(|(file, whole)| Tail { file, whole }) }
    }
}

impl Sink for FolderSink<'_> {
    fn take(&mut self, record: &RunRecord) -> io::Result<()> {
        let run = record.id.run;
        let samples: Vec<ConvergenceRow> =
            record.samples.iter().map(|sample| ConvergenceRow::new(run, sample)).collect();
        let timing = TimingRow { run, cpu_s: record.cpu_s, wall_s: record.wall_s };
        let row = RunRow::new(record, &self.puzzles[record.id.puzzle]);
        let texts = [csv_text(&samples, false), csv_text(&[timing], false), csv_text(&[row], false)];
        let mut written = self.files.iter_mut().zip(&texts).map(|(tail, text)| tail.file.append(text));
        if let Some(error) = written.find_map(Result::err) {
            // A failure to cut leaves a tail that resuming cuts; the first error is the one to tell.
            let _ =
                self.files.iter_mut().map(|tail| tail.file.cut(tail.whole)).filter(Result::is_err).count();
            return Err(error);
        }
        for (tail, text) in self.files.iter_mut().zip(&texts) {
            tail.whole += text.len() as u64;
        }
        Ok(())
    }
}
