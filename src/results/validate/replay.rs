//! Replays runs, and compares them byte by byte.

use rayon::prelude::*;

use super::super::files::RUNS;
use super::super::rows::{RunRow, csv_text};
use super::super::run_files::{RunFile, run_files_of};
use super::super::run_reader::RunReader;
use super::form::first_other;
use super::{Check, Replay, ResultsError};
use crate::budget::Interrupt;
use crate::experiment::{RunRecord, Watch, pool};

/// Runs that are replayed before any of them is compared.
const AT_ONCE: usize = 64;

/// A file whose rows a replay must reproduce, and how far it was read.
type OpenRunFile = (&'static RunFile, RunReader);

impl Check<'_> {
    /// Replays runs on `jobs` threads, the first and the last among them. An interrupt leaves the rest.
    pub(super) fn replay(
        &mut self,
        rows: &[(u64, RunRow)],
        replay: Replay,
        jobs: usize,
        watch: &dyn Watch,
        interrupt: &Interrupt,
    ) -> Result<(), ResultsError> {
        let clock = |run: u64| self.config(self.plan.id(run)).budget.seconds.is_some();
        let cut = |row: &RunRow| clock(row.run) && row.was_cut_by_the_clock();
        let known = |row: &&(u64, RunRow)| row.1.run < self.plan.runs() && !cut(&row.1);
        let replayable: Vec<&(u64, RunRow)> = rows.iter().filter(known).collect();
        let wanted = match replay {
            Replay::All => replayable.len(),
            Replay::Some(count) => replayable.len().min(usize::try_from(count).unwrap_or(usize::MAX)),
        };
        let chosen: Vec<&(u64, RunRow)> =
            (0..wanted).map(|index| replayable[spread(index, wanted, replayable.len())]).collect();
        let pool = pool(jobs).ok();
        let again = |chosen: &&(u64, RunRow)| self.runner.run_again(chosen.1.run, watch, interrupt);
        let mut kept = self.refutable()?;
        let mut findings = Vec::new();
        let mut replayed = 0;
        for chosen in chosen.chunks(AT_ONCE) {
            let records: Vec<Option<RunRecord>> = match &pool {
                Some(pool) => pool.install(|| chosen.par_iter().map(again).collect()),
                None => chosen.iter().map(again).collect(),
            };
            for ((line, row), record) in chosen.iter().zip(records) {
                let Some(record) = record else { continue };
                replayed += 1;
                self.compare(*line, row, &record, &mut kept, &mut findings)?;
            }
        }
        self.found.replayed += replayed;
        findings.into_iter().for_each(|(file, line, problem)| self.refute(file, line, problem));
        Ok(())
    }

    /// The files whose rows a replay must reproduce.
    fn refutable(&self) -> Result<Vec<OpenRunFile>, ResultsError> {
        let files = run_files_of(&self.plan.config).filter(|file| file.refuted.is_some());
        let pieces = |file: &'static RunFile| Ok(self.grown.pieces(file.name)?.map(|pieces| (file, pieces)));
        files.filter_map(|file| pieces(file).transpose()).collect()
    }

    /// Compares a replayed run with its rows.
    fn compare(
        &self,
        line: u64,
        row: &RunRow,
        record: &RunRecord,
        kept: &mut [OpenRunFile],
        findings: &mut Vec<(&'static str, u64, String)>,
    ) -> Result<(), ResultsError> {
        let again = RunRow::new(record, self.plan);
        if again != *row {
            let now = String::from_utf8_lossy(&csv_text(&[again], false)).trim_end().to_owned();
            findings.push((RUNS, line, format!("replaying run {} gives {now}", row.run)));
        }
        for (file, pieces) in kept {
            while pieces.peek().is_some_and(|run| run <= row.run) {
                pieces.next()?;
            }
            let piece = pieces.piece();
            let (first, was) = match piece.run == row.run {
                true => (piece.line, &*piece.text),
                false => (0, &[][..]),
            };
            let now = file.text(record, self.plan);
            if let (Some(line), Some(problem)) = (first_other(first, was, &now), file.refuted) {
                findings.push((file.name, line, format!("replaying run {} gives {problem}", row.run)));
            }
        }
        Ok(())
    }
}

/// The place of the `index`-th of `wanted` choices spread over `all`, the first and the last among them.
fn spread(index: usize, wanted: usize, all: usize) -> usize {
    if wanted < 2 { 0 } else { index * (all - 1) / (wanted - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_spread_from_the_first_to_the_last() {
        let chosen =
            |wanted: usize, all| (0..wanted).map(|index| spread(index, wanted, all)).collect::<Vec<_>>();
        assert_eq!(chosen(3, 100), [0, 49, 99]);
        assert_eq!(chosen(4, 4), [0, 1, 2, 3]);
        assert_eq!(chosen(1, 9), [0]);
    }
}
