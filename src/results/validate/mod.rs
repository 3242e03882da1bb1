//! The check of every claim in a results folder: of the files as a whole here, of rows, convergence and replays in files of
//! their own.

mod convergence;
mod replay;
mod rows;

use std::path::Path;

use crate::budget::Interrupt;
use crate::experiment::{Plan, Runner, Watch};
use crate::puzzle::{Puzzle, formats};

use super::files::{self, CHECKSUMS, CONVERGENCE, FACTS, MANIFEST, PUZZLES, RUNS};
use super::rows::{ConvergenceRow, PuzzleRow, RunRow, header, read_rows};
use super::whole::{whole_length, whole_runs};
use super::{Manifest, ResultsError};

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
    let plan = read_plan(folder)?;
    let runner = Runner::prepare(&plan, jobs, interrupt).map_err(|error| ResultsError::Damaged {
        path: folder.join(PUZZLES),
        at: String::new(),
        problem: error.to_string(),
    })?;
    let [runs, convergence] = growing_files(folder, plan.config.record_every)?;
    let rows = read_rows::<RunRow>(&folder.join(RUNS), &runs)?;
    let samples: Vec<(u64, ConvergenceRow)> = read_rows(&folder.join(CONVERGENCE), &convergence)?;
    let samples = convergence::by_run(&samples);
    let mut check = Check { plan: &plan, runner: &runner, found: Validation::default() };
    check.checksums(folder)?;
    check.facts(folder)?;
    check.rows(&rows);
    check.convergence(&rows, &samples);
    check.replay(&rows, &samples, replay, jobs, watch, interrupt);
    Ok(check.found)
}

/// The plan that a folder keeps in its manifest and its puzzles.
fn read_plan(folder: &Path) -> Result<Plan, ResultsError> {
    let path = folder.join(MANIFEST);
    let damaged = |name: &str, problem: String| ResultsError::Damaged {
        path: folder.join(name),
        at: String::new(),
        problem,
    };
    if !path.exists() {
        return Err(ResultsError::NoResults { path: folder.to_owned() });
    }
    let text = String::from_utf8_lossy(&files::read(folder, MANIFEST)?).into_owned();
    let manifest = Manifest::parse(&text).ok_or_else(|| damaged(MANIFEST, "not a manifest".to_owned()))?;
    let this = env!("CARGO_PKG_VERSION");
    if manifest.kenga != this {
        let problem =
            format!("written by kenga {}, this is {this}: its runs cannot be made again", manifest.kenga);
        return Err(damaged(MANIFEST, problem));
    }
    let config = manifest.to_config().map_err(|error| damaged(MANIFEST, error.to_string()))?;
    let puzzles: Vec<Puzzle> = formats::read(PUZZLES, &files::read(folder, PUZZLES)?)
        .into_iter()
        .collect::<Result<_, _>>()
        .map_err(|error| damaged(PUZZLES, error.to_string()))?;
    Ok(Plan::new(config, puzzles))
}

/// The texts of `runs.csv` and `convergence.csv`. Of an experiment that has not ended only what is whole: whatever killed
/// it may have torn the rest, which resuming makes again.
fn growing_files(folder: &Path, every: u64) -> Result<[Vec<u8>; 2], ResultsError> {
    let has_ended = folder.join(CHECKSUMS).exists();
    let read = |name: &str| match files::read(folder, name) {
        Err(_) if !has_ended && !folder.join(name).exists() => Ok(Vec::new()),
        text => text,
    };
    let [mut runs, mut convergence] = [read(RUNS)?, read(CONVERGENCE)?];
    if !has_ended {
        let done = whole_runs(folder, &runs, &convergence, every)?;
        runs.truncate(whole_length(&runs, &header::<RunRow>(), |run| done.contains(&run)));
        let header = header::<ConvergenceRow>();
        convergence.truncate(whole_length(&convergence, &header, |run| done.contains(&run)));
    }
    Ok([runs, convergence])
}

struct Check<'a> {
    plan: &'a Plan,
    runner: &'a Runner<'a>,
    found: Validation,
}

impl Check<'_> {
    fn refute(&mut self, file: &'static str, line: u64, problem: String) {
        self.found.findings.push(Finding { file, line, problem });
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
