//! The sink that writes finished runs to a folder.

use std::io;

use crate::experiment::{Plan, RunRecord, Sink};

use super::appender::Appender;
use super::rows::{ConvergenceRow, MigrationRow, RunRow, TimingRow, csv_text};

/// Writes every run to its files: convergence, timing, migrants where they are recorded, and last its row in `runs.csv`.
/// When a write fails, all are cut back to the end of the last whole run.
pub struct FolderSink<'a> {
    plan: &'a Plan,
    convergence: Tail,
    timing: Tail,
    migrations: Option<Tail>,
    runs: Tail,
}

/// A file and how many of its bytes are whole runs.
struct Tail {
    file: Box<dyn Appender>,
    whole: u64,
}

impl<'a> FolderSink<'a> {
    /// A sink that appends to `[convergence, timing, runs]`, each with the length that is whole already.
    pub fn new(plan: &'a Plan, files: [(Box<dyn Appender>, u64); 3]) -> Self {
        let [convergence, timing, runs] = files.map(|(file, whole)| Tail { file, whole });
        Self { plan, convergence, timing, migrations: None, runs }
    }

    /// Lets it append migrants too.
    #[must_use]
    pub fn with_migrations(self, (file, whole): (Box<dyn Appender>, u64)) -> Self {
        Self { migrations: Some(Tail { file, whole }), ..self }
    }

    /// The files in the order in which a run is written, each with the run's text.
    fn texts(&mut self, record: &RunRecord) -> Vec<(&mut Tail, Vec<u8>)> {
        let run = record.id.run;
        let samples: Vec<ConvergenceRow> =
            record.samples.iter().map(|sample| ConvergenceRow::new(run, sample)).collect();
        let timing = TimingRow { run, cpu_s: record.cpu_s, wall_s: record.wall_s };
        let migrations: Vec<MigrationRow> =
            record.migrations.iter().map(|migration| MigrationRow::new(run, migration)).collect();
        let row = RunRow::new(record, self.plan);
        let mut texts = vec![
            (&mut self.convergence, csv_text(&samples, false)),
            (&mut self.timing, csv_text(&[timing], false)),
        ];
        texts.extend(self.migrations.as_mut().map(|tail| (tail, csv_text(&migrations, false))));
        texts.push((&mut self.runs, csv_text(&[row], false)));
        texts
    }
}

impl Sink for FolderSink<'_> {
    fn take(&mut self, record: &RunRecord) -> io::Result<()> {
        let mut texts = self.texts(record);
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
