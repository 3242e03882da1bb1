//! Checks of bytes: kenga would write the same files and no others, times are plausible, and replayed runs give the same
//! rows.

use std::path::Path;

use sha2::{Digest, Sha256};

use super::super::checksums::{Difference, checksums, differences, digest_of, hexadecimal};
use super::super::files::{self, CHECKSUMS, FACTS, MANIFEST, PUZZLES, RUNS, SETTINGS, TIMING};
use super::super::rows::{Numbered, PuzzleRow, RowProblem, RunRow, TimingRow, csv_text, read_rows};
use super::super::run_files::{RunFile, run_file_names, run_files_of};
use super::super::run_reader::{RunReader, as_stored, is_packed, records};
use super::super::{Manifest, ResultsError};
use super::{Check, Finding, FindingKind, Replay, problem_at};
use crate::experiment::{RunRecord, Watch, in_order};
use kenga_core::budget::{Interrupt, is_possible_cpu_s};

/// Replayed runs that may wait to be compared, for each thread.
const AHEAD: usize = 4;

/// A file whose rows a replay must reproduce.
struct ReplayedFile {
    file: &'static RunFile,
    /// What a replay whose rows differ gives, in words.
    refuted: &'static str,
    reader: RunReader,
}

impl Check<'_> {
    /// Compares the files with their checksums.
    pub(super) fn checksums(&mut self, folder: &Path) -> Result<(), ResultsError> {
        for difference in differences(folder)? {
            let Difference { line, file, problem } = difference;
            self.refute(CHECKSUMS, line, format!("{file} {problem}"));
        }
        Ok(())
    }

    /// Finds the exact facts of the puzzles again.
    pub(super) fn facts(&mut self, folder: &Path) -> Result<(), ResultsError> {
        if !self.found.checksums && !folder.join(FACTS).exists() {
            return Ok(());
        }
        let text = files::read(folder, FACTS)?;
        let rows = read_rows::<PuzzleRow>(&folder.join(FACTS), &text)?;
        if let Some(Numbered { line, row }) = rows.get(self.plan.puzzles.len()) {
            self.refute(FACTS, *line, format!("there is no puzzle {}", row.puzzle));
        }
        let facts = PuzzleRow::all(self.plan, self.runner);
        let before = self.found.findings.len();
        for (index, is) in facts.iter().enumerate() {
            match rows.get(index) {
                Some(was) if was.row == *is => {}
                Some(was) => self.refute(FACTS, was.line, format!("the facts of {} differ", is.puzzle)),
                None => self.refute(FACTS, 0, format!("the facts of {} are missing", is.puzzle)),
            }
        }
        // One finding a fault: where facts differ, so do their lines.
        if self.found.findings.len() == before {
            self.compare_text(FACTS, &text, &csv_text(&facts, true));
        }
        Ok(())
    }

    /// Checks the files that are written whole, and reports files that the configuration does not ask for.
    pub(super) fn form(&mut self, folder: &Path) -> Result<(), ResultsError> {
        let settings = &self.plan.settings;
        let mut whole = vec![
            (MANIFEST, Manifest::new(self.plan, self.shard).text()),
            (PUZZLES, files::puzzle_lines(&self.plan.puzzles)),
        ];
        if settings.sweep.is_some() {
            whole.push((SETTINGS, settings.lines()));
        }
        for (name, text) in whole {
            self.compare_text(name, &files::read(folder, name)?, text.as_bytes());
        }
        if let Some(problem) = settings.contradiction() {
            self.refute(SETTINGS, 0, problem);
        }
        self.inputs(folder);
        // Files that do not hold have other checksums anyway.
        if self.found.checksums && self.found.findings.is_empty() {
            let text = checksums(folder)?;
            self.compare_text(CHECKSUMS, &files::read(folder, CHECKSUMS)?, text.as_bytes());
        }
        Ok(())
    }

    /// Checks the given solutions of the puzzles, and reports files of rows that the configuration does not ask for.
    pub(super) fn inputs(&mut self, folder: &Path) {
        let asked: Vec<&str> = run_files_of(self.plan).map(|file| file.file(&self.plan.config)).collect();
        for name in run_file_names() {
            if !asked.contains(&name) && folder.join(name).exists() {
                self.unexpected(name);
            }
        }
        if self.plan.settings.sweep.is_none() && folder.join(SETTINGS).exists() {
            self.unexpected(SETTINGS);
        }
        for (line, problem) in files::wrong_solutions(&self.plan.puzzles) {
            self.refute(PUZZLES, line, problem);
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
            // Rows that do not hold are packed differently anyway.
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

    fn problem_of_timing(&self, row: &RunRow, timing: &[Numbered<TimingRow>]) -> Option<RowProblem> {
        let Numbered { line, row: TimingRow { cpu_s, wall_s, .. } } = timing.first()?;
        if let Some(second) = timing.get(1) {
            return problem_at(second.line, "it has two rows");
        }
        if !is_time(*cpu_s) || !is_time(*wall_s) {
            return problem_at(*line, "its times are not valid");
        }
        if !is_possible_cpu_s(*cpu_s, *wall_s) {
            return problem_at(*line, format!("no program has {cpu_s} s of CPU time in {wall_s} s"));
        }
        let limit = self.config(self.plan.id(row.run)).budget.seconds?;
        // Times have six decimals.
        if row.was_cut_by_the_clock() && *wall_s + 1e-6 < limit {
            return problem_at(*line, format!("stopped by the time limit after only {wall_s} s"));
        }
        None
    }

    /// Replays runs that did not fail on `jobs` threads, evenly spread from the first to the last, until an interrupt.
    pub(super) fn replay(
        &mut self,
        rows: &[Numbered<RunRow>],
        replay: Replay,
        starts_programs: bool,
        jobs: usize,
        watch: &dyn Watch,
        interrupt: &Interrupt,
    ) -> Result<(), ResultsError> {
        let mut replayable = Vec::new();
        for numbered in rows {
            if !self.can_be_replayed(&numbered.row) {
                continue;
            }
            if starts_programs || !self.is_of_program(&numbered.row) {
                replayable.push(numbered);
            } else {
                self.found.not_started += 1;
            }
        }
        let chosen = replay.places(replayable.len()).into_iter().map(|place| replayable[place]);
        let mut files = self.replayed_files()?;
        let (mut findings, mut replayed) = (Vec::new(), 0);
        let (check, runner) = (&*self, self.runner);
        // In order, so that every file is read once, beside the runs that are made again.
        in_order(
            chosen,
            (jobs, AHEAD),
            |numbered| (numbered, runner.run_again(numbered.row.run, watch, interrupt)),
            |(numbered, record)| {
                let Some(record) = record else { return Ok(()) };
                replayed += 1;
                check.compare(numbered, &record, &mut files, &mut findings)
            },
        )?;
        self.found.replayed += replayed;
        self.found.findings.extend(findings);
        Ok(())
    }

    /// Whether the plan has the run, which did not fail and was not cut by the clock.
    fn can_be_replayed(&self, row: &RunRow) -> bool {
        if row.run >= self.plan.runs() || row.has_failed() {
            return false;
        }
        // A row that blames the clock of a run without a limit is a claim, which a replay refutes.
        let has_limit = self.config(self.plan.id(row.run)).budget.seconds.is_some();
        !(has_limit && row.was_cut_by_the_clock())
    }

    fn is_of_program(&self, row: &RunRow) -> bool {
        self.config(self.plan.id(row.run)).starts_programs
    }

    fn replayed_files(&self) -> Result<Vec<ReplayedFile>, ResultsError> {
        let mut files = Vec::new();
        for file in run_files_of(self.plan) {
            if let Some(refuted) = file.refuted
                && let Some(reader) = self.files.reader(file.name)?
            {
                files.push(ReplayedFile { file, refuted, reader });
            }
        }
        Ok(files)
    }

    /// Compares a replayed run with its rows.
    fn compare(
        &self,
        listed: &Numbered<RunRow>,
        record: &RunRecord,
        files: &mut [ReplayedFile],
        findings: &mut Vec<Finding>,
    ) -> Result<(), ResultsError> {
        let run = listed.row.run;
        let kind =
            if self.is_of_program(&listed.row) { FindingKind::NotReproducible } else { FindingKind::Refuted };
        let mut differs = |file, line, gives: &str| {
            findings.push(self.finding(kind, file, line, format!("replaying run {run} gives {gives}")));
        };
        if let Some(failure) = &record.failure {
            differs(RUNS, listed.line, &format!("a failure: {}", failure.reason));
            return Ok(());
        }
        let again = RunRow::new(record, self.plan);
        if again != listed.row {
            differs(RUNS, listed.line, String::from_utf8_lossy(&csv_text(&[again], false)).trim_end());
        }
        for ReplayedFile { file, refuted, reader } in files {
            // Replays come in the order of the runs, and what lies between them was not chosen.
            while reader.peek().is_some_and(|ahead| ahead <= run) {
                reader.next()?;
            }
            let rows = reader.current();
            // A run may have no rows in a file.
            let (first, was) = if rows.run == run { (rows.line, &*rows.text) } else { (0, &[][..]) };
            if let Some(line) = first_other(first, was, &file.text(record, self.plan)) {
                differs(file.name, line, refuted);
            }
        }
        Ok(())
    }
}

fn is_time(seconds: f64) -> bool {
    seconds.is_finite() && seconds >= 0.0
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
