//! Replays: runs that are made again give the same rows.

use std::borrow::Cow;

use super::super::ResultsError;
use super::super::files::RUNS;
use super::super::rows::{Numbered, RunRow, csv_text, run_header};
use super::super::run_files::{RunFile, run_files_of};
use super::super::run_reader::{RunReader, records};
use super::{Check, Finding, FindingKind, Replay};
use crate::experiment::{RunRecord, Threads, Watch, in_order};
use kenga_core::budget::Interrupt;

/// Replayed runs that may wait to be compared, for each thread.
const AHEAD: usize = 4;

/// How many runs of programs that differ are replayed once more, to tell why.
const TOLD_APART: u64 = 3;

/// The most columns of a row that are named, and the most characters of a value.
const COLUMNS: usize = 3;
const CHARACTERS: usize = 40;

/// A file whose rows a replay must reproduce.
struct ReplayedFile {
    file: &'static RunFile,
    /// What a replay whose rows differ gives, in words.
    refuted: &'static str,
    reader: RunReader,
}

impl Check<'_> {
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
        let (mut findings, mut replayed, mut causes) = (Vec::new(), 0, Causes::default());
        let (check, runner) = (&*self, self.runner);
        // In order, so that every file is read once, beside the runs that are made again.
        in_order(
            chosen,
            Threads { jobs, ahead: AHEAD },
            |numbered| (numbered, runner.run_again(numbered.row.run, watch, interrupt)),
            |(numbered, record)| {
                let Some(record) = record else { return Ok(()) };
                replayed += 1;
                let mut of_run = check.compare(numbered, &record, &mut files)?;
                if let Some(first) = of_run.first_mut()
                    && record.failure.is_none()
                    && check.is_of_program(&numbered.row)
                    && causes.told_apart() < TOLD_APART
                    && let Some(once_more) = runner.run_again(numbered.row.run, watch, interrupt)
                {
                    first.problem += causes.add(check.are_alike(&record, &once_more));
                }
                findings.extend(of_run);
                Ok(())
            },
        )?;
        self.found.replayed += replayed;
        (self.found.changed, self.found.unsteady) = (causes.changed, causes.unsteady);
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
    ) -> Result<Vec<Finding>, ResultsError> {
        let mut findings = Vec::new();
        let run = listed.row.run;
        let kind =
            if self.is_of_program(&listed.row) { FindingKind::NotReproducible } else { FindingKind::Refuted };
        let mut differs = |file, line, gives: &str| {
            findings.push(self.finding(kind, file, line, format!("replaying run {run} gives {gives}")));
        };
        if let Some(failure) = &record.failure {
            differs(RUNS, listed.line, &format!("a failure: {}", failure.reason));
            return Ok(findings);
        }
        let again = RunRow::new(record, self.plan);
        if again != listed.row {
            let [was, now] = [&listed.row, &again].map(|row| csv_text([row], false));
            let gives = first_other(0, &was, &now).map_or_else(
                || "another row".to_owned(),
                |other| other.in_words(&run_header(&self.plan.settings.keys)),
            );
            differs(RUNS, listed.line, &gives);
        }
        for ReplayedFile { file, refuted, reader } in files {
            // Replays come in the order of the runs, and what lies between them was not chosen.
            while reader.peek().is_some_and(|ahead| ahead <= run) {
                reader.next()?;
            }
            let rows = reader.current();
            // A run may have no rows in a file.
            let (first, was) = if rows.run == run { (rows.line, &*rows.text) } else { (0, &[][..]) };
            if let Some(other) = first_other(first, was, &file.text(record, self.plan)) {
                let cells = other.in_words(&(file.header)(self.plan));
                differs(file.name, other.line, &format!("{refuted}: {cells}"));
            }
        }
        Ok(findings)
    }

    /// Whether two replays of a run give the same rows.
    fn are_alike(&self, first: &RunRecord, second: &RunRecord) -> bool {
        let files = || run_files_of(self.plan).filter(|file| file.refuted.is_some());
        second.failure.is_none()
            && RunRow::new(first, self.plan) == RunRow::new(second, self.plan)
            && files().all(|file| file.text(first, self.plan) == file.text(second, self.plan))
    }
}

/// Why replays of programs give other rows. A program that gives the same twice follows its seed: so it is another than the one
/// that the folder is of.
#[derive(Default)]
struct Causes {
    changed: u64,
    unsteady: u64,
}

impl Causes {
    fn told_apart(&self) -> u64 {
        self.changed + self.unsteady
    }

    /// Counts a run, and says why its replay gives other rows.
    fn add(&mut self, are_alike: bool) -> &'static str {
        if are_alike {
            self.changed += 1;
            return " (so does a second replay: the program, or what it uses, has changed since)";
        }
        self.unsteady += 1;
        " (a second replay gives something else again: the program does not follow its seed)"
    }
}

/// The first record of a text that differs from another text.
pub(super) struct OtherRecord<'a> {
    /// Its line.
    pub(super) line: u64,
    /// It; `None` behind the last.
    was: Option<&'a [u8]>,
    /// The record in its place in the other text; `None` behind the last.
    now: Option<&'a [u8]>,
}

/// The first record of `was`, whose lines are counted from `first`, that differs from `now`; where records are missing the line
/// is that of the last one.
pub(super) fn first_other<'a>(first: u64, was: &'a [u8], now: &'a [u8]) -> Option<OtherRecord<'a>> {
    let mut line = first;
    let (mut was, mut now) = (records(was), records(now));
    loop {
        let (old, new) = (was.next(), now.next());
        if old.is_none() && new.is_none() {
            return None;
        }
        if old != new {
            let line = if old.is_none() { line.saturating_sub(1) } else { line };
            return Some(OtherRecord { line, was: old, now: new });
        }
        line += old.unwrap_or_default().iter().filter(|byte| **byte == b'\n').count() as u64;
    }
}

impl OtherRecord<'_> {
    /// What a replay gives in place of the record, column by column: `best 4, not 5`.
    fn in_words(&self, header: &[u8]) -> String {
        let (Some(was), Some(now)) = (self.was, self.now) else {
            return if self.was.is_some() { "no such row" } else { "one more row" }.to_owned();
        };
        let [names, was, now] = [header, was, now].map(fields);
        let mut different = Vec::new();
        for (index, name) in names.iter().enumerate() {
            let [old, new] = [&was, &now].map(|row| row.get(index).map_or("", String::as_str));
            if old != new {
                different.push(format!("{name} {}, not {}", shown(new), shown(old)));
            }
        }
        if different.is_empty() {
            // A quotation mark more, or another end of the line.
            return "the same values, written differently".to_owned();
        }
        let more = different.len().saturating_sub(COLUMNS);
        different.truncate(COLUMNS);
        let more = match more {
            0 => String::new(),
            1 => "; one more column differs".to_owned(),
            more => format!("; {more} more columns differ"),
        };
        different.join("; ") + &more
    }
}

/// The fields of a record.
fn fields(record: &[u8]) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(record);
    let mut row = csv::ByteRecord::new();
    // What cannot be read has no fields.
    let _ = reader.read_byte_record(&mut row);
    row.iter().map(|field| String::from_utf8_lossy(field).into_owned()).collect()
}

/// A value in a sentence: never empty, and no longer than a line takes.
fn shown(value: &str) -> Cow<'_, str> {
    if value.is_empty() {
        return "empty".into();
    }
    match value.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{}…", &value[..end]).into(),
        None => value.into(),
    }
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

    #[test]
    fn the_columns_that_differ_are_named() {
        let told = |was: &str, now: &str| {
            let other = first_other(5, was.as_bytes(), now.as_bytes()).expect("they differ");
            (other.line, other.in_words(b"run,best,mean,grid,a\n"))
        };
        assert_eq!(told("0,1,2,3,\n", "0,1,2.5,3,\n"), (5, "mean 2.5, not 2".to_owned()));
        assert_eq!(told("0,1\n1,\n", "0,1\n1,7\n"), (6, "best 7, not empty".to_owned()));
        assert_eq!(told("0,1\n", ""), (5, "no such row".to_owned()));
        assert_eq!(told("0,1\n", "0,1\n0,2\n"), (5, "one more row".to_owned()));
        assert_eq!(told("", "0,1\n"), (4, "one more row".to_owned()));
        assert_eq!(told("0,\"1\"\n", "0,1\n").1, "the same values, written differently");
        let many = told("0,1,2,3,4\n", "1,2,3,4,5\n").1;
        assert_eq!(many, "run 1, not 0; best 2, not 1; mean 3, not 2; 2 more columns differ");
        let long = told(&format!("0,1,2,{}\n", "x".repeat(99)), "0,1,2,3\n").1;
        assert_eq!(long, format!("grid 3, not {}…", "x".repeat(40)));
        assert!(first_other(1, b"a\n", b"a\n").is_none());
    }
}
