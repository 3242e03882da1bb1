//! Checks of bytes: kenga would write the same files and no others, and times are plausible.

use std::fs;
use std::path::Path;

use super::super::checksums::{Difference, all_differences, checksums};
use super::super::files::{self, CHECKSUMS, FACTS, MANIFEST, MISSING, PUZZLES, SETTINGS, TIMING, place_of};
use super::super::rows::{Numbered, PuzzleRow, RowProblem, RunRow, TimingRow, csv_text, read_rows};
use super::super::run_files::{run_file_names, run_files_of};
use super::super::run_reader::{as_stored, is_packed, records};
use super::super::{Manifest, ResultsError};
use super::replay::first_other;
use super::{Check, Finding, FindingKind, problem_at};
use kenga_core::budget::is_possible_cpu_s;

impl Check<'_> {
    /// Compares the files with their checksums.
    pub(super) fn checksums(&mut self, folder: &Path) -> Result<(), ResultsError> {
        for difference in all_differences(folder)? {
            let Difference { line, file, problem } = difference;
            self.refute(CHECKSUMS, line, format!("{file} {problem}"));
        }
        Ok(())
    }

    /// Finds the exact facts of the puzzles again.
    pub(super) fn facts(&mut self, folder: &Path) -> Result<(), ResultsError> {
        if !self.found.checksums && !folder.join(FACTS).exists() {
            if self.files.complete.len() > 0 {
                self.refute(FACTS, 0, MISSING.to_owned());
            }
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
            let line = first_other(1, was, text).map_or(0, |other| other.line);
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
            while let Some(rows) = reader.next()? {
                if rows.stored() != as_stored(Path::new(name), rows.text.clone()) {
                    let line = rows.line;
                    self.refute(
                        file.name,
                        line,
                        "these rows are not compressed as kenga compresses them".to_owned(),
                    );
                    break;
                }
            }
        }
        Ok(())
    }

    /// Checks that no times stand behind those of the complete runs.
    pub(super) fn times_behind(&mut self) -> Result<(), ResultsError> {
        // Runs whose rows, or lines of the ledger, a crash has lost may have their times.
        let complete = self.files.complete;
        if complete.len() < complete.listed || complete.unused.is_some() {
            return Ok(());
        }
        let Some(mut reader) = self.files.reader(TIMING)? else { return Ok(()) };
        let mut times = 0;
        while let Some(rows) = reader.next()? {
            times += records(&rows.text).count() as u64;
        }
        let path = place_of(self.files.folder, TIMING);
        let text = fs::read(&path).map_err(ResultsError::io("read", &path))?;
        let rows = (records(&text).count() as u64).saturating_sub(1);
        // A kill leaves the times of one run more.
        let most = if self.found.checksums { times } else { times + 1 };
        if rows > most {
            self.refute(TIMING, times + 2, "this is not a row of the next run".to_owned());
        }
        Ok(())
    }

    /// Whether the times are plausible; they cannot be measured again.
    pub(super) fn problem_of_timing(
        &self,
        row: &RunRow,
        timing: &[Numbered<TimingRow>],
    ) -> Option<RowProblem> {
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
}

fn is_time(seconds: f64) -> bool {
    seconds.is_finite() && seconds >= 0.0
}
