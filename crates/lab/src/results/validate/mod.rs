//! Validation: checks every claim of a results folder.

mod bytes;
mod rows;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use crate::experiment::{Config, Plan, RunId, Runner, Shard, Watch};
use kenga_core::budget::Interrupt;
use serde_json::Value;

use kenga_core::search::algorithms::Programs;

use super::checksums::{Difference, differences};
use super::files::{self, CHECKSUMS, FACTS, PUZZLES, RUNS};
use super::reading::{TRIES, rest};
use super::recovery::recover_any;
use super::retry::RETRY;
use super::rows::{CsvRow, OperatorRow, PuzzleRow, RunRow, csv_text, read_rows};
use super::run_files::{run_file, run_files_of};
use super::run_reader::{RunReader, RunRows};
use super::stamps::whole_stamp;
use super::{Reading, ResultsError};
use bytes::first_other;

/// The problem of a line that can be read but that kenga writes differently.
const NOT_OURS: &str = "kenga writes this line differently";

/// How many runs are replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replay {
    /// This many, spread evenly.
    Some(u64),
    /// Every one.
    All,
}

/// A claim that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is the matter.
    pub kind: FindingKind,
    /// The file; in a folder inside with its path, such as `validation/best/runs.csv`.
    pub file: Cow<'static, str>,
    /// The line in it, from 1; 0 when it is the whole file.
    pub line: u64,
    /// What is wrong, in words.
    pub problem: String,
}

/// What is the matter with a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// It is false.
    Refuted,
    /// A replay of a program that is not kenga's own gives something else: it does not follow its seed.
    NotReproducible,
}

impl FindingKind {
    /// It in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Refuted => "refuted",
            Self::NotReproducible => "not reproducible",
        }
    }
}

/// The result of a validation.
#[derive(Clone, Debug, Default)]
pub struct Validation {
    /// Claims that do not hold.
    pub findings: Vec<Finding>,
    /// Runs whose row was checked.
    pub runs: u64,
    /// Of those, solved.
    pub solved: u64,
    /// Rows of convergence checked.
    pub samples: u64,
    /// Migrants checked.
    pub migrations: u64,
    /// Runs replayed.
    pub replayed: u64,
    /// Runs that the clock ended, which cannot be replayed.
    pub not_replayable: u64,
    /// Runs that failed, which are not replayed.
    pub failed: u64,
    /// Runs of programs, which are not started without being told where.
    pub not_started: u64,
    /// Runs of the plan that the folder lacks.
    pub missing: u64,
    /// Whether there were checksums to compare.
    pub checksums: bool,
    /// Another program was writing the folder, so that what does not hold may be of different moments.
    pub is_being_written: bool,
}

/// Checks a folder. Without `programs` the runs of programs are not replayed: a folder could name any program.
///
/// What does not hold is reported only of a folder that no other program has written meanwhile; such a folder is read again,
/// a few times.
///
/// # Errors
/// [`ResultsError`] when a file is missing or cannot be read; a claim that does not hold is a [`Finding`].
pub fn validate(
    folder: &Path,
    replay: Replay,
    jobs: usize,
    programs: Option<Arc<Programs>>,
    watch: &dyn Watch,
    interrupt: &Interrupt,
) -> Result<Validation, ResultsError> {
    let mut last = Validation::default();
    for _ in 0..TRIES {
        let before = whole_stamp(folder);
        let found = validate_once(folder, replay, jobs, programs.clone(), watch, interrupt);
        let holds = found.as_ref().is_ok_and(|found| found.findings.is_empty());
        // A program that is killed at any moment leaves a folder that holds, so one that stood still has no excuse.
        if holds || interrupt.is_raised() || before == whole_stamp(folder) {
            return found;
        }
        last = found.unwrap_or_default();
        rest();
    }
    Ok(Validation { is_being_written: true, ..last })
}

fn validate_once(
    folder: &Path,
    replay: Replay,
    jobs: usize,
    programs: Option<Arc<Programs>>,
    watch: &dyn Watch,
    interrupt: &Interrupt,
) -> Result<Validation, ResultsError> {
    let reading = Reading::read(folder)?;
    let (plan, has_ended) = (&reading.plan, reading.rows.has_ended);
    let runner = Runner::prepare(plan, jobs, interrupt).map_err(|error| ResultsError::Damaged {
        path: folder.join(PUZZLES),
        at: String::new(),
        problem: error.to_string(),
    })?;
    let starts_programs = programs.is_some();
    let runner = runner.with_programs(programs.unwrap_or_default());
    // Of a folder that has ended every row counts.
    let whole = Some(reading.rows.runs()).filter(|_| !has_ended);
    let files = RunFiles { folder, plan, whole };
    let (rows, odd) = files.runs()?;
    let mut check = Check::new(&runner, reading.shard, &files, &rows);
    check.found.checksums = has_ended;
    check.checksums(folder)?;
    check.form(folder)?;
    check.facts(folder)?;
    if let Some(unused) = reading.rows.unused().filter(|unused| unused.is_damage) {
        check.refute(unused.at.0, unused.at.1, unused.note());
    }
    check.each_row(&rows, odd)?;
    check.tried_again()?;
    check.replay(&rows, replay, (jobs, starts_programs), watch, interrupt)?;
    Ok(check.found)
}

/// Checks the complete runs of a folder that is resumed, which is not finished where they do not hold.
///
/// # Errors
/// [`ResultsError::Damaged`] for the first that does not hold, [`ResultsError::Io`].
pub(super) fn check_rows(
    folder: &Path,
    (plan, shard): (&Plan, Shard),
    runner: &Runner<'_>,
    complete: &BTreeSet<u64>,
) -> Result<(), ResultsError> {
    let files = RunFiles { folder, plan, whole: Some(complete) };
    let (rows, odd) = files.runs()?;
    let mut check = Check::new(runner, shard, &files, &rows);
    check.inputs(folder);
    check.each_row(&rows, odd)?;
    let Some(Finding { file, line, problem, .. }) = check.found.findings.into_iter().next() else {
        return Ok(());
    };
    let at = if line > 0 { format!(", line {line}") } else { String::new() };
    Err(ResultsError::Damaged { path: folder.join(&*file), at, problem })
}

/// The files that runs append to. Before an experiment has ended only complete runs count: the rest may be torn, and
/// resuming repeats it.
struct RunFiles<'a> {
    folder: &'a Path,
    plan: &'a Plan,
    /// The complete runs, where the experiment has not ended.
    whole: Option<&'a BTreeSet<u64>>,
}

impl RunFiles<'_> {
    /// A reader of a file; `None` where the configuration does not ask for it, or it does not exist yet.
    fn reader(&self, name: &str) -> Result<Option<RunReader>, ResultsError> {
        let Some(file) = run_files_of(self.plan).find(|file| file.name == name) else {
            return Ok(None);
        };
        let path = self.folder.join(file.file(&self.plan.config));
        if self.whole.is_some() && !path.exists() {
            return Ok(None);
        }
        RunReader::open(&path, Some(&(file.header)(self.plan))).map(Some)
    }

    /// Advances to the next run that counts; `false` at the end.
    fn go_on(&self, reader: &mut RunReader) -> Result<bool, ResultsError> {
        let counts = |run: u64| self.whole.as_ref().is_none_or(|whole| whole.contains(&run));
        if reader.peek().is_some_and(counts) {
            return Ok(reader.next()?.is_some());
        }
        if reader.is_torn() && self.whole.is_none() {
            return Err(reader.torn());
        }
        Ok(false)
    }

    /// The rows of `runs.csv`, each with its line, and the lines that kenga writes differently.
    fn runs(&self) -> Result<(Numbered<RunRow>, Vec<u64>), ResultsError> {
        let (mut rows, mut odd) = (Vec::new(), Vec::new());
        if let Some(mut reader) = self.reader(RUNS)? {
            while self.go_on(&mut reader)? {
                let of_run = reader.rows()?;
                odd.extend(self.odd(reader.current(), &of_run));
                rows.extend(of_run);
            }
        }
        Ok((rows, odd))
    }

    /// The first line of a run's rows that kenga writes differently.
    fn odd<T: CsvRow>(&self, run_rows: &RunRows, rows: &[(u64, T)]) -> Option<u64> {
        let rows = rows.iter().map(|(_, row)| row.clone());
        first_other(run_rows.line, &run_rows.text, &T::text(rows, &self.plan.config))
    }
}

/// Rows, each with its line.
type Numbered<T> = Vec<(u64, T)>;

/// The rows of a file.
#[derive(Default)]
struct RowTally {
    /// The runs that have rows.
    runs: BTreeSet<u64>,
    /// Rows.
    rows: u64,
}

struct Check<'a> {
    plan: &'a Plan,
    shard: Shard,
    runner: &'a Runner<'a>,
    files: &'a RunFiles<'a>,
    /// The rows of `runs.csv`.
    runs: BTreeMap<u64, &'a RunRow>,
    found: Validation,
}

impl<'a> Check<'a> {
    fn new(runner: &'a Runner<'a>, shard: Shard, files: &'a RunFiles<'a>, rows: &'a [(u64, RunRow)]) -> Self {
        let runs = rows.iter().map(|(_, row)| (row.run, row)).collect();
        Self { plan: files.plan, shard, runner, files, runs, found: Validation::default() }
    }

    /// Checks the rows of every run, in all files.
    fn each_row(&mut self, rows: &[(u64, RunRow)], odd: Vec<u64>) -> Result<(), ResultsError> {
        odd.into_iter().for_each(|line| self.refute(RUNS, line, NOT_OURS.to_owned()));
        self.rows(rows);
        self.timing()?;
        self.convergence(rows)?;
        self.migrations()?;
        self.groups(rows)?;
        self.operators()?;
        self.failures(rows)?;
        self.packed()
    }

    /// Checks the rows of failed runs that were tried again and wait for the others.
    fn tried_again(&mut self) -> Result<(), ResultsError> {
        let folder = self.files.folder.join(RETRY);
        if !folder.is_dir() {
            return Ok(());
        }
        let tried = recover_any(&folder, self.plan)?.runs;
        let files = RunFiles { folder: &folder, plan: self.plan, whole: Some(&tried) };
        let (rows, odd) = files.runs()?;
        let mut check = Check::new(self.runner, self.shard, &files, &rows);
        check.each_row(&rows, odd)?;
        for mut finding in check.found.findings {
            finding.file = format!("{RETRY}/{}", finding.file).into();
            self.found.findings.push(finding);
        }
        Ok(())
    }

    /// The configuration of a run's setting.
    fn config(&self, id: RunId) -> &Config {
        &self.plan.setting(id.setting).config
    }

    /// The first operator of a run that has more rows than its configuration can name operators.
    fn doubled_operator(&self, row: &RunRow, of_run: &[(u64, OperatorRow)]) -> Option<(u64, String)> {
        let mut seen: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for (line, used) in of_run {
            let rows = seen.entry((&used.family, &used.operator)).or_default();
            *rows += 1;
            if *rows > 1 {
                let config = Value::Object(self.config(self.plan.id(row.run)).resolved.object()).to_string();
                // A name may be the key of something else too: `row` is a crossover and a weight.
                if *rows > config.matches(&format!("\"name\":\"{}\"", used.operator)).count() {
                    return Some((*line, format!("{} has a row too many", used.operator)));
                }
            }
        }
        None
    }

    fn refute(&mut self, file: &'static str, line: u64, problem: String) {
        let finding = self.finding(FindingKind::Refuted, file, line, problem);
        self.found.findings.push(finding);
    }

    fn finding(&self, kind: FindingKind, file: &'static str, line: u64, problem: String) -> Finding {
        let file = run_file(file).map_or(file, |growing| growing.file(&self.plan.config));
        Finding { kind, file: file.into(), line, problem }
    }

    /// Judges the rows of every run in another file; of each run the first row that does not hold is reported.
    fn of_runs<T: CsvRow>(
        &mut self,
        judge: impl Fn(&Self, &RunRow, &[(u64, T)]) -> Option<(u64, String)>,
    ) -> Result<RowTally, ResultsError> {
        let mut shown = RowTally::default();
        let Some(mut reader) = self.files.reader(T::FILE)? else { return Ok(shown) };
        while self.files.go_on(&mut reader)? {
            let (run, first, of_run) = (reader.current().run, reader.current().line, reader.rows::<T>()?);
            let found = match self.runs.get(&run) {
                _ if shown.runs.last().is_some_and(|last| *last >= run) => {
                    Some((first, "the rows are out of order".to_owned()))
                }
                None => Some((first, "has no row in runs.csv".to_owned())),
                Some(row) => judge(self, row, &of_run)
                    .or_else(|| Some((self.files.odd(reader.current(), &of_run)?, NOT_OURS.to_owned()))),
            };
            if let Some((line, problem)) = found {
                self.refute(T::FILE, line, format!("run {run}: {problem}"));
            }
            shown.rows += of_run.len() as u64;
            shown.runs.insert(run);
        }
        if let Some(line) = reader.broken_line() {
            self.refute(T::FILE, line, "this is not a row of the next run".to_owned());
        }
        Ok(shown)
    }

    fn checksums(&mut self, folder: &Path) -> Result<(), ResultsError> {
        for difference in differences(folder)? {
            let Difference { line, file, problem } = difference;
            self.refute(CHECKSUMS, line, format!("{file} {problem}"));
        }
        Ok(())
    }

    fn facts(&mut self, folder: &Path) -> Result<(), ResultsError> {
        if !self.found.checksums && !folder.join(FACTS).exists() {
            return Ok(());
        }
        let text = files::read(folder, FACTS)?;
        let rows = read_rows::<PuzzleRow>(&folder.join(FACTS), &text)?;
        if let Some((line, row)) = rows.get(self.plan.puzzles.len()) {
            self.refute(FACTS, *line, format!("there is no puzzle {}", row.puzzle));
        }
        let facts = PuzzleRow::all(self.plan, self.runner);
        let before = self.found.findings.len();
        for (index, is) in facts.iter().enumerate() {
            match rows.get(index) {
                Some((_, was)) if was == is => {}
                Some((line, _)) => self.refute(FACTS, *line, format!("the facts of {} differ", is.puzzle)),
                None => self.refute(FACTS, 0, format!("the facts of {} are missing", is.puzzle)),
            }
        }
        if self.found.findings.len() == before {
            self.compare_text(FACTS, &text, &csv_text(&facts, true));
        }
        Ok(())
    }
}
