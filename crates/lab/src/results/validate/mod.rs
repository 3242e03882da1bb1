//! Validation: checks every claim of a results folder.
//!
//! Which findings come first, and their words, may change freely. **Invariant**: a folder that kenga wrote has none, at any
//! moment that its program may be killed.

mod bytes;
mod convergence;
mod listed;
mod populations;
mod replay;
mod rows;
mod runs;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::experiment::{Config, Plan, RunId, Runner, Shard, Watch};
use kenga_core::budget::Interrupt;

use kenga_core::search::algorithms::Programs;

use super::files::{LEDGER, MISSING, PUZZLES, RETRY, RUNS, read};
use super::reading::{TRIES, rest};
use super::recovery::{CompleteRuns, Proof, UnusedCause, recover_any};
use super::rows::{CsvRow, Numbered, RowProblem, RunRow};
use super::run_files::{ledger_files, run_file};
use super::stamps::whole_stamp;
use super::{Reading, ResultsError, round_of_shard};
use listed::{ListedRows, RunFiles};

/// The problem of a line that can be read but that kenga writes differently.
const NOT_OURS: &str = "kenga writes this line differently";

/// The problem of a file of a finished folder that does not end with the rows of the ledger.
pub(crate) const BEHIND: &str = "it does not end with the rows of the last run";

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

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, file, line, problem } = self;
        write!(f, "{}: {file}", kind.name())?;
        if *line > 0 {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {problem}")
    }
}

/// What is the matter with a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// It is false.
    Refuted,
    /// A replay of a program that is not kenga's own gives something else: it has changed, or does not follow its seed.
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
    /// Runs can solve: they are about puzzles, or about a problem of the user's own whose optima are known.
    pub can_solve: bool,
    /// Rows of convergence checked.
    pub samples: u64,
    /// Migrants checked.
    pub migrations: u64,
    /// Individuals of whole populations checked.
    pub individuals: u64,
    /// Runs replayed.
    pub replayed: u64,
    /// Runs that the clock ended, which cannot be replayed.
    pub not_replayable: u64,
    /// Runs that failed, which are not replayed.
    pub failed: u64,
    /// Runs of programs, which are not started without being told where.
    pub not_started: u64,
    /// Runs whose program has changed since: replays give the same again and again, but not what the folder has. Of many runs
    /// some are looked at.
    pub changed: u64,
    /// Runs whose program gives something else each time: it does not follow its seed.
    pub unsteady: u64,
    /// Runs of the plan that the folder lacks.
    pub missing: u64,
    /// Whether there were checksums to compare.
    pub checksums: bool,
    /// Which rows are not used, in words.
    pub unused: Option<String>,
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
        // Reading takes a while: another program may add to the folder meanwhile.
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
    let reading = Reading::read(folder, Proof::Sizes)?;
    let (plan, has_checksums) = (&reading.plan, reading.rows.has_checksums);
    let runner = Runner::prepare(plan, jobs, interrupt)
        .map_err(|error| ResultsError::damaged(&folder.join(PUZZLES), error.to_string()))?;
    let starts_programs = programs.is_some();
    let runner = runner.with_programs(programs.unwrap_or_default());
    let complete = &reading.rows.complete;
    if has_checksums {
        for file in ledger_files(plan) {
            let path = folder.join(file.file(&plan.config));
            fs::metadata(&path).map_err(ResultsError::io("read", &path))?;
        }
    }
    let files = RunFiles { folder, plan, complete };
    let listed = files.listed()?;
    let mut check = Check::new(&runner, reading.shard, &files, &listed);
    check.found.checksums = has_checksums;
    check.checksums(folder)?;
    check.form(folder)?;
    check.facts(folder)?;
    if let Some(unused) = &complete.unused {
        // Every row of a finished folder counts.
        if unused.cause != UnusedCause::Crash || has_checksums {
            check.refute(unused.file, unused.line, unused.note());
        }
        check.found.unused = Some(unused.note());
    }
    if let Some(missing) = complete.missing {
        check.refute(missing, 0, MISSING.to_owned());
    }
    // A kill leaves rows behind those of the ledger, or zeros, but not where every run has ended.
    if let Some(longer) = complete.longer.filter(|_| has_checksums && complete.unused.is_none()) {
        check.refute(longer, 0, BEHIND.to_owned());
    }
    if has_checksums
        && read(folder, LEDGER)? != complete.ledger.text().as_bytes()
        && complete.unused.is_none()
    {
        check.refute(LEDGER, complete.listed + 2, "it does not end with the line of the last run".to_owned());
    }
    for (run, line) in complete.other_rows(folder, plan)? {
        check.refute(
            LEDGER,
            line,
            format!("the rows of run {run} are others than those that this line lists"),
        );
    }
    if plan.is_part_of_race(reading.shard)
        && let Err(ResultsError::Shards { problem, .. }) = round_of_shard(plan, reading.shard, folder)
    {
        check.refute(RUNS, 0, problem);
    }
    check.each_row(&listed)?;
    check.times_behind()?;
    check.tried_again()?;
    check.replay(&listed.rows, replay, starts_programs, jobs, watch, interrupt)?;
    Ok(check.found)
}

/// Checks the complete runs of a folder as [`validate`] does but for replays. Every command that writes checksums makes these
/// checks of the runs that it has not made itself.
///
/// # Errors
/// [`ResultsError::Damaged`] for the first claim that does not hold, [`ResultsError::Io`].
pub(super) fn check_claims(
    folder: &Path,
    plan: &Plan,
    shard: Shard,
    runner: &Runner<'_>,
    complete: &CompleteRuns,
) -> Result<(), ResultsError> {
    let files = RunFiles { folder, plan, complete };
    let listed = files.listed()?;
    let mut check = Check::new(runner, shard, &files, &listed);
    check.inputs(folder);
    check.each_row(&listed)?;
    let Some(Finding { file, line, problem, .. }) = check.found.findings.into_iter().next() else {
        return Ok(());
    };
    let at = if line > 0 { format!(", line {line}") } else { String::new() };
    Err(ResultsError::Damaged { path: folder.join(&*file), at, problem })
}

/// How many rows each run has in a file, of the runs that have any.
type RowCounts = BTreeMap<u64, u64>;

/// The first of a run's rows that contradicts the row before it or something else, as `judge` says.
fn first_problem<T>(
    rows: &[Numbered<T>],
    judge: impl Fn(Option<&T>, &T) -> Option<String>,
) -> Option<RowProblem> {
    let mut before = None;
    for Numbered { line, row } in rows {
        if let Some(problem) = judge(before, row) {
            return problem_at(*line, problem);
        }
        before = Some(row);
    }
    None
}

/// A problem of the row in a line.
fn problem_at(line: u64, problem: impl Into<String>) -> Option<RowProblem> {
    Some(RowProblem { line, problem: problem.into() })
}

struct Check<'a> {
    plan: &'a Plan,
    shard: Shard,
    runner: &'a Runner<'a>,
    files: &'a RunFiles<'a>,
    /// The rows of `runs.csv`.
    rows: &'a [Numbered<RunRow>],
    /// The rows by their runs.
    runs: BTreeMap<u64, &'a RunRow>,
    found: Validation,
}

impl<'a> Check<'a> {
    fn new(runner: &'a Runner<'a>, shard: Shard, files: &'a RunFiles<'a>, listed: &'a ListedRows) -> Self {
        let runs = listed.rows.iter().map(|numbered| (numbered.row.run, &numbered.row)).collect();
        let found = Validation { can_solve: files.plan.can_be_solved(), ..Validation::default() };
        Self { plan: files.plan, shard, runner, files, rows: &listed.rows, runs, found }
    }

    /// Checks the rows of every run, in all files.
    fn each_row(&mut self, listed: &ListedRows) -> Result<(), ResultsError> {
        for line in &listed.odd_lines {
            self.refute(RUNS, *line, NOT_OURS.to_owned());
        }
        self.rows(&listed.rows);
        self.judge(Self::problem_of_timing, |_, _| None)?;
        let samples = self.judge(Self::problem_of_convergence, Self::lacks_convergence)?;
        self.found.samples += samples.values().sum::<u64>();
        let migrants = self.judge(Self::problem_of_migrants, |_, _| None)?;
        self.found.migrations += migrants.values().sum::<u64>();
        self.judge(Self::problem_of_groups, Self::lacks_groups)?;
        let operators = self.judge(Self::problem_of_operators, |_, _| None)?;
        self.lacking_operators(&operators);
        let individuals = self.judge(Self::problem_of_populations, Self::lacks_populations)?;
        self.found.individuals += individuals.values().sum::<u64>();
        self.judge(Self::problem_of_cost, |_, _| Some("no row in costs.csv"))?;
        self.judge(Self::problem_of_terms, Self::lacks_terms)?;
        self.judge(Self::problem_of_failure, Self::lacks_reason)?;
        self.packed()
    }

    /// Checks the rows of failed runs that were tried again and wait for the others.
    fn tried_again(&mut self) -> Result<(), ResultsError> {
        let folder = self.files.folder.join(RETRY);
        if !folder.is_dir() {
            return Ok(());
        }
        let tried = recover_any(&folder, self.plan)?;
        if let Some(unused) = tried.unused.as_ref().filter(|unused| unused.cause != UnusedCause::Crash) {
            let (kind, file) = (FindingKind::Refuted, format!("{RETRY}/{}", unused.file).into());
            self.found.findings.push(Finding { kind, file, line: unused.line, problem: unused.note() });
        }
        let files = RunFiles { folder: &folder, plan: self.plan, complete: &tried };
        let listed = files.listed()?;
        let mut check = Check::new(self.runner, self.shard, &files, &listed);
        check.each_row(&listed)?;
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

    fn refute(&mut self, file: &'static str, line: u64, problem: String) {
        let finding = self.finding(FindingKind::Refuted, file, line, problem);
        self.found.findings.push(finding);
    }

    fn finding(&self, kind: FindingKind, file: &'static str, line: u64, problem: String) -> Finding {
        let file = run_file(file).map_or(file, |growing| growing.file(&self.plan.config));
        Finding { kind, file: file.into(), line, problem }
    }

    /// Judges the rows of every run in another file; of each run the first row that does not hold is reported. A run without
    /// rows in a file that the configuration asks for is reported if it `lacks` them, as that says in words.
    fn judge<T: CsvRow>(
        &mut self,
        problem_of: impl Fn(&Self, &RunRow, &[Numbered<T>]) -> Option<RowProblem>,
        lacks: impl Fn(&Self, &RunRow) -> Option<&'static str>,
    ) -> Result<RowCounts, ResultsError> {
        let mut counts = RowCounts::new();
        let Some(mut reader) = self.files.reader(T::FILE)? else { return Ok(counts) };
        while reader.next()?.is_some() {
            let (run, first, of_run) = (reader.current().run, reader.current().line, reader.rows::<T>()?);
            let found = if let Some(row) = self.runs.get(&run) {
                problem_of(self, row, &of_run).or_else(|| {
                    let line = self.files.odd_line(reader.current(), &of_run)?;
                    problem_at(line, NOT_OURS)
                })
            } else {
                problem_at(first, "has no row in runs.csv")
            };
            if let Some(RowProblem { line, problem }) = found {
                self.refute(T::FILE, line, format!("run {run}: {problem}"));
            }
            counts.insert(run, of_run.len() as u64);
        }
        for Numbered { line, row } in self.rows {
            if !counts.contains_key(&row.run)
                && let Some(rows) = lacks(self, row)
            {
                self.refute(RUNS, *line, format!("run {} has {rows}", row.run));
            }
        }
        Ok(counts)
    }
}
