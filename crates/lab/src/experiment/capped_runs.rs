//! Capped runs: runs of configurations that come one after the other, on puzzles that are made ready once. One may be cut
//! short once it has cost more than it is worth; until then it is the run that `kenga run` makes.

use std::sync::Arc;

use super::execution::{Execution, RunParts};
use super::prepared::{Evaluator, PreparedPuzzle};
use super::threads::{Threads, in_order};
use super::{Config, ExactLimits, Recorder, RunError, RunId};
use kenga_core::budget::{Clock, Guard, Interrupt, Spent, StopReason};
use kenga_core::problem::Problem;
use kenga_core::puzzle::Puzzle;
use kenga_core::search::algorithms::Programs;
use kenga_core::search::{Failure, Task};

/// Puzzles that are ready for capped runs.
pub struct CappedRuns {
    puzzles: Vec<ReadyPuzzle>,
    /// A configuration of every way of evaluating.
    ways: Vec<Config>,
    programs: Arc<Programs>,
}

struct ReadyPuzzle {
    puzzle: Puzzle,
    problem: Problem,
    /// With its evaluators in the order of the ways.
    prepared: PreparedPuzzle,
}

/// What came of a capped run.
#[derive(Clone, Debug, PartialEq)]
pub struct CappedRun {
    /// It was solved, and the referee agrees.
    pub solved: bool,
    /// What was spent.
    pub spent: Spent,
    /// The best fitness; `None` where it ended before its first evaluation.
    pub best_fitness: Option<u32>,
    /// Calls when the best was found.
    pub calls_to_best: u64,
    /// It was cut short by its cap.
    pub is_capped: bool,
    /// Why it failed, if it did; it is not solved then.
    pub failure: Option<Failure>,
    /// What it has cost, where its algorithm reports that.
    pub cost: Option<f64>,
}

/// Puzzles that may wait, for each thread, for an earlier one to be made ready.
const AHEAD: usize = 4;

impl CappedRuns {
    /// Compiles the puzzles and finds their ground truth, on `jobs` threads.
    pub fn prepare(puzzles: Vec<Puzzle>, exact: &ExactLimits, jobs: usize, interrupt: &Interrupt) -> Self {
        let mut tried = Vec::with_capacity(puzzles.len());
        let jobs = jobs.min(puzzles.len());
        let prepare = |puzzle: Puzzle| {
            let problem = Problem::compile(&puzzle);
            let prepared = PreparedPuzzle::new(&puzzle, &problem, exact, interrupt);
            ReadyPuzzle { puzzle, problem, prepared }
        };
        let Ok(()) = in_order(puzzles.into_iter(), Threads { jobs, ahead: AHEAD }, prepare, |puzzle| {
            tried.push(puzzle);
            Ok::<(), std::convert::Infallible>(())
        });
        Self { puzzles: tried, ways: Vec::new(), programs: Arc::default() }
    }

    /// The same with a place for the programs of the user's own.
    #[must_use]
    pub fn with_programs(self, programs: Arc<Programs>) -> Self {
        Self { programs, ..self }
    }

    /// The puzzles, in their order.
    pub fn puzzles(&self) -> impl ExactSizeIterator<Item = &Puzzle> {
        self.puzzles.iter().map(|tried| &tried.puzzle)
    }

    /// The puzzles that are known to have no solution.
    pub fn unsolvable(&self) -> impl Iterator<Item = &Puzzle> {
        let unsolvable = self.puzzles.iter().filter(|tried| tried.prepared.truth.is_unsolvable());
        unsolvable.map(|tried| &tried.puzzle)
    }

    /// Makes a configuration ready and checks that its algorithm can start on every puzzle; others may be admitted after one
    /// that was refused.
    ///
    /// # Errors
    /// [`RunError::Unfit`] for a puzzle that does not fit; `setting` is the configuration in
    /// words.
    pub fn admit(&mut self, config: &Config, setting: &str) -> Result<(), RunError> {
        let setting = format!(" in the setting {setting}");
        if !self.ways.iter().any(|way| way.evaluates_as(config)) {
            // None is kept where one does not fit.
            let mut evaluators = Vec::new();
            for ReadyPuzzle { puzzle, problem, .. } in &self.puzzles {
                evaluators.push(Evaluator::new(puzzle, problem, config, &setting)?);
            }
            for (tried, evaluator) in self.puzzles.iter_mut().zip(evaluators) {
                tried.prepared.evaluators.push(evaluator);
            }
            self.ways.push(config.clone());
        }
        let way = self.way(config);
        for ReadyPuzzle { puzzle, prepared, .. } in &self.puzzles {
            let task = prepared.task(config, way, 0, Guard::default());
            config.recipe.start(&task).map_err(|problem| RunError::unfit(puzzle, &setting, problem))?;
        }
        Ok(())
    }

    fn way(&self, config: &Config) -> usize {
        self.ways.iter().position(|way| way.evaluates_as(config)).expect("the configuration was admitted")
    }

    /// Makes a run of an admitted configuration on this thread; it is cut short after the step in which its calls reach
    /// `cap`. `None` when an interrupt cut it.
    ///
    /// # Panics
    /// When the configuration was not admitted.
    pub fn make(
        &self,
        config: &Config,
        (puzzle, replicate): (usize, u64),
        cap: Option<u64>,
        interrupt: &Interrupt,
    ) -> Option<CappedRun> {
        let ReadyPuzzle { puzzle: given, prepared, .. } = &self.puzzles[puzzle];
        let id = RunId { run: 0, replicate, puzzle, setting: 0 };
        let way = self.way(config);
        let task = prepared.task(config, way, replicate, Guard::start(interrupt, None));
        let task = Task { programs: Arc::clone(&self.programs), ..task };
        let parts = RunParts::new(config, given, prepared, way, task, interrupt);
        let fitness = &parts.evaluator.fitness;
        let recorder = Recorder::new(id, config, fitness, &prepared.truth, &()).silent();
        let mut execution = Execution::begin(id, parts, recorder, Clock::start());
        while execution.step().is_none() && !is_over(&execution, cap) {}
        if interrupt.is_raised() {
            return None;
        }
        let is_capped = execution.stop().is_none();
        let spent = execution.spent();
        let (mut best_fitness, mut calls_to_best) = (None, 0);
        if let Some(best) = execution.leader() {
            best_fitness = Some(best.fitness);
            calls_to_best = best.at.calls();
        }
        let mut failure = None;
        if execution.stop() == Some(StopReason::Failed) {
            failure = Some(execution.failure().cloned().unwrap_or_default());
        }
        let cost = execution.cost();
        let claims_solution = execution.stop() == Some(StopReason::Solved);
        // A run that was cut has no record, and a solution ends a run before its cap does.
        let solved = !is_capped && failure.is_none() && execution.finish()?.verified;
        if interrupt.is_raised() {
            return None;
        }
        if claims_solution && !solved {
            let reason = "its best genome had another value when it was asked for again".to_owned();
            failure = Some(Failure { reason, stderr: String::new() });
        }
        Some(CappedRun { solved, spent, best_fitness, calls_to_best, is_capped, failure, cost })
    }
}

/// The run has cost its cap without a solution.
fn is_over(execution: &Execution<'_>, cap: Option<u64>) -> bool {
    let is_capped = cap.is_some_and(|cap| execution.spent().calls() >= cap);
    is_capped && execution.leader().is_none_or(|best| best.fitness > 0)
}
