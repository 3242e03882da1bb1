//! The check of every claim in a results folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::budget::{Interrupt, StopReason};
use crate::experiment::{Plan, Runner, Watch};
use crate::puzzle::{Grid, Puzzle, check, formats};

use super::files::{self, CHECKSUMS, CONVERGENCE, FACTS, MANIFEST, PUZZLES, RUNS};
use super::rows::{ConvergenceRow, PuzzleRow, RunRow, csv_text, header, read_rows};
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
    let samples = read_rows(&folder.join(CONVERGENCE), &convergence)?;
    let mut check = Check { plan: &plan, runner: &runner, found: Validation::default() };
    check.checksums(folder)?;
    check.facts(folder)?;
    check.rows(&rows);
    check.convergence(&rows, &samples);
    check.replay(&rows, &samples, replay, watch, interrupt);
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

    fn rows(&mut self, rows: &[(u64, RunRow)]) {
        let mut last = None;
        for (line, row) in rows {
            self.found.runs += 1;
            self.found.solved += u64::from(row.solved);
            self.found.not_replayable += u64::from(row.was_cut_by_the_clock());
            if last.is_some_and(|last| row.run <= last) {
                self.refute(RUNS, *line, format!("run {} is out of order", row.run));
            }
            last = Some(row.run);
            for problem in self.problems_of(row) {
                self.refute(RUNS, *line, format!("run {}: {problem}", row.run));
            }
        }
        self.found.missing = self.plan.runs().saturating_sub(self.found.runs);
        if self.found.checksums && self.found.missing > 0 {
            let problem = format!("{} of {} runs are missing", self.found.missing, self.plan.runs());
            self.refute(RUNS, 0, problem);
        }
    }

    /// What does not hold of a row, judged by its grid alone.
    fn problems_of(&self, row: &RunRow) -> Vec<String> {
        if row.run >= self.plan.runs() {
            return vec!["the plan has no such run".to_owned()];
        }
        let id = self.plan.id(row.run);
        let (puzzle, problem) = (&self.plan.puzzles[id.puzzle], self.runner.problem(id.puzzle));
        let Some((grid, ranks)) = Grid::parse(&row.grid, puzzle.rows(), puzzle.cols())
            .ok()
            .and_then(|grid| problem.ranks(&grid).map(|ranks| (grid, ranks)))
        else {
            return vec!["the grid is not one of this puzzle".to_owned()];
        };
        let fitness = self.runner.fitness(id.puzzle).evaluate(&ranks);
        let distance = self.runner.truth(id.puzzle).distance(&ranks);
        let verified = check(puzzle, &grid).is_solution();
        let budget = &self.plan.config.budget;
        let within = |limit: Option<u64>, spent: u64| limit.is_none_or(|limit| spent <= limit);
        let mut problems = Vec::new();
        let mut claim = |holds: bool, problem: String| {
            if !holds {
                problems.push(problem);
            }
        };
        claim(row.puzzle == puzzle.id, format!("puzzle is {}, not {}", puzzle.id, row.puzzle));
        claim(
            (row.replicate, row.setting) == (id.replicate, id.setting),
            "replicate or setting is another".to_owned(),
        );
        claim(row.best_fitness == fitness, format!("best_fitness is {fitness}, not {}", row.best_fitness));
        claim(row.solved == (fitness == 0), format!("solved is {}, not {}", fitness == 0, row.solved));
        claim(row.verified == verified, format!("verified is {verified}, not {}", row.verified));
        claim(row.solved_by.is_some() == row.solved, "solved_by does not go with solved".to_owned());
        claim(row.distance == distance, format!("distance is {distance:?}, not {:?}", row.distance));
        claim(
            StopReason::from_name(&row.stop_reason).is_some(),
            format!("no stop_reason {}", row.stop_reason),
        );
        claim((row.stop_reason == "solved") == row.solved, "stop_reason does not go with solved".to_owned());
        claim(
            budget.seconds.is_some() || !row.was_cut_by_the_clock(),
            "stop_reason is seconds, which the budget does not bound".to_owned(),
        );
        claim(
            within(budget.evaluations, row.evaluations),
            format!("{} evaluations exceed the budget", row.evaluations),
        );
        claim(within(budget.moves, row.moves), format!("{} moves exceed the budget", row.moves));
        claim(
            within(budget.generations, row.generations),
            format!("{} generations exceed the budget", row.generations),
        );
        claim(
            row.evaluations_to_best <= row.evaluations,
            "evaluations_to_best exceeds evaluations".to_owned(),
        );
        claim(row.moves_to_best <= row.moves, "moves_to_best exceeds moves".to_owned());
        problems
    }

    fn convergence(&mut self, rows: &[(u64, RunRow)], samples: &[(u64, ConvergenceRow)]) {
        let by_run: BTreeMap<u64, &RunRow> = rows.iter().map(|(_, row)| (row.run, row)).collect();
        let mut before: Option<&ConvergenceRow> = None;
        for (line, sample) in samples {
            self.found.samples += 1;
            let before_it = before.filter(|before| before.run == sample.run);
            let problem = match by_run.get(&sample.run) {
                _ if before.is_some_and(|before| before.run > sample.run) => {
                    Some("the row is out of order".to_owned())
                }
                None => Some("has no row in runs.csv".to_owned()),
                Some(row) => self.problem_of_sample(row, sample, before_it),
            };
            if let Some(problem) = problem {
                self.refute(CONVERGENCE, *line, format!("run {}: {problem}", sample.run));
            }
            before = Some(sample);
        }
        let shown: BTreeSet<u64> = samples.iter().map(|(_, sample)| sample.run).collect();
        for (line, row) in rows.iter().filter(|(_, row)| row.generations > 0 && !shown.contains(&row.run)) {
            if self.plan.config.record_every > 0 {
                self.refute(RUNS, *line, format!("run {} has no convergence", row.run));
            }
        }
    }

    fn problem_of_sample(
        &self,
        row: &RunRow,
        sample: &ConvergenceRow,
        before: Option<&ConvergenceRow>,
    ) -> Option<String> {
        let terms = crate::fitness::Terms {
            count: sample.count,
            row: sample.row,
            column: sample.column,
            region: sample.region,
            cage: sample.cage,
        };
        let weighted = terms.weighted(&self.plan.config.weights);
        let (best, mean, worst) = (f64::from(sample.best), sample.mean, f64::from(sample.worst));
        let grows = |before: &ConvergenceRow| {
            (before.generation, before.evaluations) < (sample.generation, sample.evaluations)
                && before.generation < sample.generation
        };
        if sample.best != weighted {
            return Some(format!("the terms weigh {weighted}, best says {}", sample.best));
        }
        if sample.best < row.best_fitness {
            return Some(format!("best {} is below best_fitness {}", sample.best, row.best_fitness));
        }
        if mean + 1e-5 < best || mean - 1e-5 > worst || !(0.0..=1.0).contains(&sample.diversity) {
            return Some("best, mean, worst and diversity do not go together".to_owned());
        }
        if sample.evaluations > row.evaluations
            || sample.moves > row.moves
            || sample.generation > row.generations
        {
            return Some("it lies beyond the end of the run".to_owned());
        }
        (!before.is_none_or(grows)).then(|| "generations and evaluations do not grow".to_owned())
    }

    /// Makes runs again and compares every byte of their rows.
    fn replay(
        &mut self,
        rows: &[(u64, RunRow)],
        samples: &[(u64, ConvergenceRow)],
        replay: Replay,
        watch: &dyn Watch,
        interrupt: &Interrupt,
    ) {
        let clock = self.plan.config.budget.seconds.is_some();
        let cut = |row: &RunRow| clock && row.was_cut_by_the_clock();
        let known = |row: &&(u64, RunRow)| row.1.run < self.plan.runs() && !cut(&row.1);
        let replayable: Vec<&(u64, RunRow)> = rows.iter().filter(known).collect();
        let wanted = match replay {
            Replay::All => replayable.len(),
            Replay::Some(count) => replayable.len().min(usize::try_from(count).unwrap_or(usize::MAX)),
        };
        for index in 0..wanted {
            let (line, row) = replayable[index * replayable.len() / wanted];
            let Some(record) = self.runner.run_one(row.run, None, watch, interrupt) else { return };
            self.found.replayed += 1;
            let again = RunRow::new(&record, &self.plan.puzzles[record.id.puzzle]);
            if again != *row {
                let now = String::from_utf8_lossy(&csv_text(&[again], false)).trim_end().to_owned();
                self.refute(RUNS, *line, format!("run {} made again gives {now}", row.run));
            }
            let of_run = samples.iter().filter(|(_, sample)| sample.run == row.run);
            let kept: Vec<&ConvergenceRow> = of_run.clone().map(|(_, sample)| sample).collect();
            let now: Vec<ConvergenceRow> =
                record.samples.iter().map(|sample| ConvergenceRow::new(row.run, sample)).collect();
            if csv_text(&kept, false) != csv_text(&now, false) {
                let first = of_run
                    .clone()
                    .zip(&now)
                    .find(|((_, was), is)| csv_text(&[was], false) != csv_text(&[is], false));
                let line = first.map_or(0, |((line, _), _)| *line);
                self.refute(CONVERGENCE, line, format!("run {} made again converges otherwise", row.run));
            }
        }
    }
}
