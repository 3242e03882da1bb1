//! The form of the files: what they say is said in the bytes in which kenga says it, no file is there that was not asked
//! for, and the times are times.

use std::path::Path;

use sha2::{Digest, Sha256};

use super::super::checksums::{checksums, digest, hexadecimal};
use super::super::files::{self, CHECKSUMS, MANIFEST, PUZZLES, SETTINGS, TIMING};
use super::super::rows::{RunRow, TimingRow};
use super::super::run_files::{run_file_names, run_files_of};
use super::super::run_reader::{as_stored, is_packed, records};
use super::super::{Manifest, ResultsError};
use super::Check;
use crate::puzzle::check;

/// More threads than any run has.
const MOST_THREADS: f64 = 65536.0;

/// Seconds by which clocks of different kinds may disagree on a run.
const SLACK: f64 = 1.0;

impl Check<'_> {
    /// Checks the files that are written at once, and that none is there that the configuration does not ask for.
    pub(super) fn form(&mut self, folder: &Path) -> Result<(), ResultsError> {
        let settings = &self.plan.settings;
        let whole = [
            (MANIFEST, Some(Manifest::new(self.plan, self.shard).text())),
            (PUZZLES, Some(files::puzzle_lines(self.plan))),
            (SETTINGS, settings.sweep.as_ref().map(|_| settings.lines())),
        ];
        for (name, text) in whole {
            match text {
                Some(text) => self.written_so(name, &files::read(folder, name)?, text.as_bytes()),
                None if folder.join(name).exists() => self.unasked(name),
                None => {}
            }
        }
        let asked: Vec<&str> =
            run_files_of(&self.plan.config).map(|file| file.file(&self.plan.config)).collect();
        for name in run_file_names().filter(|name| !asked.contains(name) && folder.join(name).exists()) {
            self.unasked(name);
        }
        if let Some(problem) = settings.contradiction() {
            self.refute(SETTINGS, 0, problem);
        }
        for (line, puzzle) in (1..).zip(&self.plan.puzzles) {
            if puzzle.solution.as_ref().is_some_and(|grid| !check(puzzle, grid).is_solution()) {
                self.refute(PUZZLES, line, format!("the solution given of {} is none", puzzle.id));
            }
        }
        if self.found.checksums && self.found.findings.is_empty() {
            let text = checksums(folder)?;
            self.written_so(CHECKSUMS, &files::read(folder, CHECKSUMS)?, text.as_bytes());
            self.packed(folder)?;
        }
        Ok(())
    }

    /// Refutes a file that has other bytes than the text, at the first line that differs.
    pub(super) fn written_so(&mut self, file: &'static str, was: &[u8], text: &[u8]) {
        if was != text {
            let line = first_other(1, was, text).unwrap_or(0);
            self.refute(file, line, super::NOT_OURS.to_owned());
        }
    }

    fn unasked(&mut self, file: &'static str) {
        self.found.findings.push(super::Finding {
            file,
            line: 0,
            problem: "the configuration does not ask for this file".to_owned(),
        });
    }

    /// Packed files have the bytes that packing their rows gives.
    fn packed(&mut self, folder: &Path) -> Result<(), ResultsError> {
        for file in run_files_of(&self.plan.config) {
            let name = file.file(&self.plan.config);
            if !is_packed(Path::new(name)) {
                continue;
            }
            let Some(mut pieces) = self.grown.pieces(file.name)? else { continue };
            let mut hash = Sha256::new();
            hash.update(as_stored(name, (file.header)(self.plan)));
            while let Some(piece) = pieces.next()? {
                hash.update(as_stored(name, piece.text.clone()));
            }
            let path = folder.join(name);
            if hexadecimal(hash) != digest(&path).map_err(ResultsError::io("read", &path))? {
                self.refute(file.name, 0, "its rows are not compressed as kenga compresses them".to_owned());
            }
        }
        Ok(())
    }

    /// Checks the times, as far as they can be: nobody can measure them again.
    pub(super) fn timing(&mut self, folder: &Path) -> Result<(), ResultsError> {
        // It may be gone, or lack what was lost.
        if !folder.join(TIMING).exists() {
            return Ok(());
        }
        self.of_runs(TIMING, Self::problem_of_timing)?;
        Ok(())
    }

    fn problem_of_timing(&self, row: &RunRow, timing: &[(u64, TimingRow)]) -> Option<(u64, String)> {
        let (line, TimingRow { cpu_s, wall_s, .. }) = timing.first()?;
        let is_time = |seconds: f64| seconds.is_finite() && seconds >= 0.0;
        if let Some((line, _)) = timing.get(1) {
            return Some((*line, "it is timed twice".to_owned()));
        }
        if !is_time(*cpu_s) || !is_time(*wall_s) {
            return Some((*line, "these are not times".to_owned()));
        }
        if *cpu_s > (wall_s + SLACK) * MOST_THREADS {
            return Some((*line, format!("no program has {cpu_s} s of CPU time in {wall_s} s")));
        }
        let guard = self.config(self.plan.id(row.run)).budget.seconds.filter(|_| row.was_cut_by_the_clock());
        let early = guard.is_some_and(|seconds| *wall_s + 1e-6 < seconds);
        early.then(|| (*line, format!("it was ended by the clock, after {wall_s} s")))
    }
}

/// The first line, counted from `first`, of what was written that is not as it is now, if any; the last line where lines
/// are missing.
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
