//! The check of every claim in a results folder: of the files as a whole here, of rows, of every other growing file and of
//! replays in files of their own.

mod convergence;
mod groups;
mod migrations;
mod operators;
mod replay;
mod rows;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::budget::Interrupt;
use crate::experiment::{Config, Plan, RunId, Runner, Shard, Watch};

use super::asked::{GroupRow, MigrationRow, OperatorRow};
use super::files::{
    self, CHECKSUMS, CONVERGENCE, FACTS, GROUPS, MIGRATIONS, OPERATORS, PUZZLES, RUNS, TIMING,
};
use super::rows::{ConvergenceRow, PuzzleRow, RunRow, read_rows, read_runs};
use super::whole::{Grown, growing, whole_length, whole_runs};
use super::{ResultsError, read_plan};

/// How many runs are made again.
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
    /// The file.
    pub file: &'static str,
    /// The line in it, from 1; 0 when it is the whole file.
    pub line: u64,
    /// What is claimed and what is true.
    pub problem: String,
}

/// What checking a folder has shown.
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
    /// Runs made again.
    pub replayed: u64,
    /// Runs that the clock ended, which cannot be made again.
    pub not_replayable: u64,
    /// Runs that the plan has and the folder has not.
    pub missing: u64,
    /// Checksums were there and were compared.
    pub checksums: bool,
}

/// Checks a folder.
///
/// # Errors
/// [`ResultsError`] when a file is not there or cannot be read as what it should be; a claim that does not hold is a
/// [`Finding`].
pub fn validate(
    folder: &Path,
    replay: Replay,
    jobs: usize,
    watch: &dyn Watch,
    interrupt: &Interrupt,
) -> Result<Validation, ResultsError> {
    let (plan, shard) = read_plan(folder)?;
    let runner = Runner::prepare(&plan, jobs, interrupt).map_err(|error| ResultsError::Damaged {
        path: folder.join(PUZZLES),
        at: String::new(),
        problem: error.to_string(),
    })?;
    let grown = growing_files(folder, &plan)?;
    let rows = read_runs(&folder.join(RUNS), grown.text(RUNS))?;
    let samples = read::<ConvergenceRow>(folder, &grown, CONVERGENCE)?;
    let migrations = read::<MigrationRow>(folder, &grown, MIGRATIONS)?;
    let groups = read::<GroupRow>(folder, &grown, GROUPS)?;
    let operators = read::<OperatorRow>(folder, &grown, OPERATORS)?;
    let runs: BTreeMap<u64, &RunRow> = rows.iter().map(|(_, row)| (row.run, row)).collect();
    let mut check = Check { plan: &plan, shard, runner: &runner, runs, found: Validation::default() };
    check.checksums(folder)?;
    check.facts(folder)?;
    check.rows(&rows);
    check.convergence(&rows, &by_run(&samples, |row| row.run));
    check.migrations(&by_run(&migrations, |row| row.run));
    check.groups(&rows, &by_run(&groups, |row| row.run));
    check.operators(&by_run(&operators, |row| row.run));
    check.replay(&rows, &grown, replay, jobs, watch, interrupt);
    Ok(check.found)
}

/// The rows of a growing file, each with its line; none where it is not kept.
fn read<T: DeserializeOwned>(
    folder: &Path,
    grown: &Grown,
    name: &str,
) -> Result<Vec<(u64, T)>, ResultsError> {
    read_rows(&folder.join(name), grown.text(name))
}

/// The texts of the growing files but timing. Of an experiment that has not ended only what is whole: whatever killed it
/// may have torn the rest, which resuming makes again.
fn growing_files(folder: &Path, plan: &Plan) -> Result<Grown, ResultsError> {
    let has_ended = folder.join(CHECKSUMS).exists();
    let read = |name: &str| match files::read(folder, name) {
        Err(_) if !has_ended && !folder.join(name).exists() => Ok(Vec::new()),
        text => text,
    };
    let files = || growing(plan).into_iter().filter(|(name, _)| *name != TIMING);
    let mut grown = Grown::default();
    for (name, _) in files() {
        grown.0.insert(name, read(name)?);
    }
    if !has_ended {
        let done = whole_runs(folder, &grown, &plan.settings.keys, plan.config.record_every)?;
        for (name, header) in files() {
            let whole = whole_length(grown.text(name), &header, |run| done.contains(&run));
            grown.0.entry(name).and_modify(|text| text.truncate(whole));
        }
    }
    Ok(grown)
}

/// Rows with their lines, run by run as they stand in a file.
type ByRun<'a, T> = Vec<(u64, &'a [(u64, T)])>;

/// Divides the rows where the run changes.
fn by_run<T>(rows: &[(u64, T)], run: impl Fn(&T) -> u64) -> ByRun<'_, T> {
    rows.chunk_by(|a, b| run(&a.1) == run(&b.1)).map(|of_run| (run(&of_run[0].1), of_run)).collect()
}

struct Check<'a> {
    plan: &'a Plan,
    shard: Shard,
    runner: &'a Runner<'a>,
    /// The rows of `runs.csv`.
    runs: BTreeMap<u64, &'a RunRow>,
    found: Validation,
}

impl Check<'_> {
    /// The configuration of a run's setting.
    fn config(&self, id: RunId) -> &Config {
        &self.plan.setting(id.setting).config
    }

    fn refute(&mut self, file: &'static str, line: u64, problem: String) {
        self.found.findings.push(Finding { file, line, problem });
    }

    /// Judges the rows that runs have in another file; of the rows of a run the first that does not hold is named. The
    /// runs that have rows are returned.
    fn of_runs<T>(
        &mut self,
        file: &'static str,
        rows: &ByRun<'_, T>,
        judge: impl Fn(&Self, &RunRow, &[(u64, T)]) -> Option<(u64, String)>,
    ) -> BTreeSet<u64> {
        let mut shown = BTreeSet::new();
        for (run, of_run) in rows {
            let first = of_run[0].0;
            let found = match self.runs.get(run) {
                _ if shown.last().is_some_and(|last| last >= run) => {
                    Some((first, "the rows are out of order".to_owned()))
                }
                None => Some((first, "has no row in runs.csv".to_owned())),
                Some(row) => judge(self, row, of_run),
            };
            if let Some((line, problem)) = found {
                self.refute(file, line, format!("run {run}: {problem}"));
            }
            shown.insert(*run);
        }
        shown
    }

    fn checksums(&mut self, folder: &Path) -> Result<(), ResultsError> {
        let Ok(kept) = files::read(folder, CHECKSUMS) else { return Ok(()) };
        self.found.checksums = true;
        let (kept, now) = (String::from_utf8_lossy(&kept).into_owned(), files::checksums(folder)?);
        for (index, (was, is)) in kept.lines().zip(now.lines()).enumerate().filter(|(_, (was, is))| was != is)
        {
            let name = is.rsplit(' ').next().unwrap_or_default();
            let changed = was.rsplit(' ').next() == Some(name);
            let problem =
                if changed { format!("{name} has other bytes") } else { format!("{name} is not listed") };
            self.refute(CHECKSUMS, index as u64 + 1, problem);
        }
        if kept.lines().count() != now.lines().count() {
            self.refute(CHECKSUMS, 0, "it does not list the files of the folder".to_owned());
        }
        Ok(())
    }

    fn facts(&mut self, folder: &Path) -> Result<(), ResultsError> {
        if !self.found.checksums && !folder.join(FACTS).exists() {
            return Ok(());
        }
        let rows = read_rows::<PuzzleRow>(&folder.join(FACTS), &files::read(folder, FACTS)?)?;
        if let Some((line, row)) = rows.get(self.plan.puzzles.len()) {
            self.refute(FACTS, *line, format!("there is no puzzle {}", row.puzzle));
        }
        let asked = self.plan.config.exact.nodes > 0;
        for (index, puzzle) in self.plan.puzzles.iter().enumerate() {
            let truth = self.runner.truth(index);
            let is = PuzzleRow::new(puzzle, self.runner.problem(index).cells(), truth, asked);
            match rows.get(index) {
                Some((_, was)) if *was == is => {}
                Some((line, _)) => {
                    self.refute(FACTS, *line, format!("the facts of {} are others", puzzle.id))
                }
                None => self.refute(FACTS, 0, format!("the facts of {} are missing", puzzle.id)),
            }
        }
        Ok(())
    }
}
