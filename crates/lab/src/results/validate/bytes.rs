//! Checks of bytes: kenga would write the same files and no others, times are plausible, and replayed runs give the same
//! rows.

use std::path::Path;

use sha2::{Digest, Sha256};

use super::super::checksums::{checksums, digest_of, hexadecimal};
use super::super::files::{self, CHECKSUMS, MANIFEST, PUZZLES, RUNS, SETTINGS, TIMING};
use super::super::rows::{RunRow, TimingRow, csv_text};
use super::super::run_files::{RunFile, run_file_names, run_files_of};
use super::super::run_reader::{RunReader, as_stored, is_packed, records};
use super::super::{Manifest, ResultsError};
use super::{Check, Finding, FindingKind, Replay};
use crate::experiment::{RunRecord, Watch, in_order};
use kenga_core::budget::{Interrupt, is_possible_cpu_s};
use kenga_core::puzzle::check;

/// Replayed runs that may wait to be compared, for each thread.
const AHEAD: usize = 4;

/// A file whose rows a replay must reproduce, and how far it was read.
type OpenRunFile = (&'static RunFile, RunReader);

impl Check<'_> {
    /// Checks the files that are written whole, and reports files that the configuration does not ask for.
    pub(super) fn form(&mut self, folder: &Path) -> Result<(), ResultsError> {
        let settings = &self.plan.settings;
        let whole = [
            (MANIFEST, Some(Manifest::new(self.plan, self.shard).text())),
            (PUZZLES, Some(files::puzzle_lines(self.plan))),
            (SETTINGS, settings.sweep.as_ref().map(|_| settings.lines())),
        ];
        for (name, text) in whole {
            if let Some(text) = text {
                self.compare_text(name, &files::read(folder, name)?, text.as_bytes());
            }
        }
        if let Some(problem) = settings.contradiction() {
            self.refute(SETTINGS, 0, problem);
        }
        self.inputs(folder);
        if self.found.checksums && self.found.findings.is_empty() {
            let text = checksums(folder)?;
            self.compare_text(CHECKSUMS, &files::read(folder, CHECKSUMS)?, text.as_bytes());
        }
        Ok(())
    }

    /// Checks the given solutions of the puzzles, and reports files of rows that the configuration does not ask for.
    pub(super) fn inputs(&mut self, folder: &Path) {
        let asked: Vec<&str> = run_files_of(self.plan).map(|file| file.file(&self.plan.config)).collect();
        for name in run_file_names().filter(|name| !asked.contains(name) && folder.join(name).exists()) {
            self.unexpected(name);
        }
        if self.plan.settings.sweep.is_none() && folder.join(SETTINGS).exists() {
            self.unexpected(SETTINGS);
        }
        for (line, puzzle) in (1..).zip(&self.plan.puzzles) {
            if puzzle.solution.as_ref().is_some_and(|grid| !check(puzzle, grid).is_solution()) {
                self.refute(PUZZLES, line, format!("the given solution of {} is wrong", puzzle.id));
            }
        }
    }

    /// Reports a file whose bytes differ from the text, at the first line that differs.
    pub(super) fn compare_text(&mut self, file: &'static str, was: &[u8], text: &[u8]) {
        if was != text {
            let line = first_other(1, was, text).unwrap_or(0);
            self.refute(file, line, super::NOT_OURS.to_owned());
        }
    }

    fn unexpected(&mut self, file: &'static str) {
        self.found.findings.push(Finding {
            kind: FindingKind::Refuted,
            file: file.into(),
            line: 0,
            problem: "the configuration does not ask for this file".to_owned(),
        });
    }

    /// Checks that packing the rows of packed files again gives their bytes.
    pub(super) fn packed(&mut self) -> Result<(), ResultsError> {
        for file in run_files_of(self.plan) {
            let name = file.file(&self.plan.config);
            if !is_packed(Path::new(name)) || !self.found.findings.is_empty() {
                continue;
            }
            let Some(mut reader) = self.files.reader(file.name)? else { continue };
            let mut hash = Sha256::new();
            hash.update(as_stored(name, (file.header)(self.plan)));
            while self.files.go_on(&mut reader)? {
                hash.update(as_stored(name, reader.current().text.clone()));
            }
            if reader.header() == 0 {
                continue;
            }
            // Behind the complete runs others may have begun.
            let length = reader.current().end.max(reader.header());
            let path = self.files.folder.join(name);
            if hexadecimal(hash) != digest_of(&path, length).map_err(ResultsError::io("read", &path))? {
                self.refute(file.name, 0, "its rows are not compressed as kenga compresses them".to_owned());
            }
        }
        Ok(())
    }

    /// Checks that the times are plausible; they cannot be measured again.
    pub(super) fn timing(&mut self) -> Result<(), ResultsError> {
        // Timing may be missing.
        if !self.files.folder.join(TIMING).exists() {
            return Ok(());
        }
        self.of_runs(Self::problem_of_timing)?;
        Ok(())
    }

    fn problem_of_timing(&self, row: &RunRow, timing: &[(u64, TimingRow)]) -> Option<(u64, String)> {
        let (line, TimingRow { cpu_s, wall_s, .. }) = timing.first()?;
        let is_time = |seconds: f64| seconds.is_finite() && seconds >= 0.0;
        if let Some((line, _)) = timing.get(1) {
            return Some((*line, "it has two rows".to_owned()));
        }
        if !is_time(*cpu_s) || !is_time(*wall_s) {
            return Some((*line, "its times are not valid".to_owned()));
        }
        if !is_possible_cpu_s(*cpu_s, *wall_s) {
            return Some((*line, format!("no program has {cpu_s} s of CPU time in {wall_s} s")));
        }
        let guard = self.config(self.plan.id(row.run)).budget.seconds.filter(|_| row.was_cut_by_the_clock());
        let early = guard.is_some_and(|seconds| *wall_s + 1e-6 < seconds);
        early.then(|| (*line, format!("stopped by the time limit after only {wall_s} s")))
    }

    /// Replays runs that did not fail on `jobs` threads, evenly spread from the first to the last, until an interrupt.
    pub(super) fn replay(
        &mut self,
        rows: &[(u64, RunRow)],
        replay: Replay,
        (jobs, starts_programs): (usize, bool),
        watch: &dyn Watch,
        interrupt: &Interrupt,
    ) -> Result<(), ResultsError> {
        let clock = |run: u64| self.config(self.plan.id(run)).budget.seconds.is_some();
        let cut = |row: &RunRow| clock(row.run) && row.was_cut_by_the_clock();
        let known =
            |row: &&(u64, RunRow)| row.1.run < self.plan.runs() && !cut(&row.1) && !row.1.has_failed();
        let is_started =
            |row: &&(u64, RunRow)| starts_programs || !self.config(self.plan.id(row.1.run)).can_fail;
        let (replayable, not_started): (Vec<&(u64, RunRow)>, Vec<_>) =
            rows.iter().filter(known).partition(is_started);
        let chosen = replay.places(replayable.len()).into_iter().map(|place| {
            let (line, row) = replayable[place];
            (*line, row)
        });
        let mut kept = self.refutable()?;
        let (mut findings, mut replayed) = (Vec::new(), 0);
        let (check, runner) = (&*self, self.runner);
        let again = |of: (u64, &RunRow)| runner.run_again(of.1.run, watch, interrupt);
        in_order(
            chosen,
            (jobs, AHEAD),
            |of| (of, again(of)),
            |((line, row), record)| {
                let Some(record) = record else { return Ok(()) };
                replayed += 1;
                check.compare(line, row, &record, &mut kept, &mut findings)
            },
        )?;
        self.found.replayed += replayed;
        self.found.not_started += not_started.len() as u64;
        self.found.findings.extend(findings);
        Ok(())
    }

    /// The files whose rows a replay must reproduce.
    fn refutable(&self) -> Result<Vec<OpenRunFile>, ResultsError> {
        let files = run_files_of(self.plan).filter(|file| file.refuted.is_some());
        let open = |file: &'static RunFile| Ok(self.files.reader(file.name)?.map(|reader| (file, reader)));
        files.filter_map(|file| open(file).transpose()).collect()
    }

    /// Compares a replayed run with its rows.
    fn compare(
        &self,
        line: u64,
        row: &RunRow,
        record: &RunRecord,
        kept: &mut [OpenRunFile],
        findings: &mut Vec<Finding>,
    ) -> Result<(), ResultsError> {
        let kind = match self.config(record.id).can_fail {
            true => FindingKind::NotReproducible,
            false => FindingKind::Refuted,
        };
        let mut differs = |file, line, gives: &str| {
            findings.push(self.finding(kind, file, line, format!("replaying run {} gives {gives}", row.run)));
        };
        let again = RunRow::new(record, self.plan);
        if let Some(failure) = &record.failure {
            differs(RUNS, line, &format!("a failure: {}", failure.reason));
            return Ok(());
        }
        if again != *row {
            differs(RUNS, line, String::from_utf8_lossy(&csv_text(&[again], false)).trim_end());
        }
        for (file, reader) in kept {
            while reader.peek().is_some_and(|run| run <= row.run) {
                reader.next()?;
            }
            let run_rows = reader.current();
            let (first, was) = match run_rows.run == row.run {
                true => (run_rows.line, &*run_rows.text),
                false => (0, &[][..]),
            };
            let now = file.text(record, self.plan);
            if let (Some(line), Some(problem)) = (first_other(first, was, &now), file.refuted) {
                differs(file.name, line, problem);
            }
        }
        Ok(())
    }
}

/// The first line of `was`, counted from `first`, that differs from `now`; the last one where lines are missing.
pub(super) fn first_other(first: u64, was: &[u8], now: &[u8]) -> Option<u64> {
    let mut line = first;
    let (mut was, mut now) = (records(was).peekable(), records(now));
    while let Some(row) = was.peek() {
        if now.next() != Some(row) {
            return Some(line);
        }
        line += row.iter().filter(|byte| **byte == b'\n').count() as u64;
        was.next();
    }
    now.next().map(|_| line.saturating_sub(1))
}

impl Replay {
    /// The places of the runs that are replayed among so many.
    pub(crate) fn places(self, all: usize) -> Vec<usize> {
        let wanted = match self {
            Self::All => all,
            Self::Some(count) => all.min(usize::try_from(count).unwrap_or(usize::MAX)),
        };
        (0..wanted).map(|index| spread(index, wanted, all)).collect()
    }
}

/// The place of the `index`-th of `wanted` choices, evenly spread from the first to the last of `all`.
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
