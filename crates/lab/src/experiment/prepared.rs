//! A puzzle made ready for runs: its ground truth found, and its genomes measured as configurations ask for.

use std::sync::Arc;

use serde_json::Map;

use super::{Config, ExactLimits, RunError, Truth};
use kenga_core::budget::{Guard, Interrupt};
use kenga_core::fitness::Fitness;
use kenga_core::problem::Problem;
use kenga_core::puzzle::{Puzzle, formats};
use kenga_core::rng::StreamKey;
use kenga_core::search::Task;

/// A prepared puzzle.
pub(super) struct PreparedPuzzle {
    /// The canonical text, by which random streams are keyed.
    text: String,
    /// As JSON, for programs: without what would tell them the solution.
    json: Arc<str>,
    pub(super) truth: Truth,
    /// One for every way in which configurations evaluate.
    pub(super) evaluators: Vec<Evaluator>,
}

/// A puzzle as some of the configurations see it.
pub(super) struct Evaluator {
    pub(super) fitness: Arc<Fitness>,
    /// Propagation alone solves the puzzle.
    pub(super) by_propagation: bool,
}

impl PreparedPuzzle {
    /// A puzzle without evaluators.
    pub(super) fn new(
        puzzle: &Puzzle,
        problem: &Problem,
        exact: &ExactLimits,
        interrupt: &Interrupt,
    ) -> Self {
        let mut bare = puzzle.clone();
        // Programs search the puzzle: its solution is not for them.
        (bare.solution, bare.meta) = (None, Map::new());
        Self {
            text: puzzle.canonical_text(),
            json: formats::canonical(&bare).into(),
            truth: Truth::find(problem, exact, interrupt),
            evaluators: Vec::new(),
        }
    }

    /// What an algorithm gets for a run on one thread that starts no program.
    pub(super) fn task(&self, config: &Config, evaluator: usize, replicate: u64, guard: Guard) -> Task {
        Task {
            fitness: Arc::clone(&self.evaluators[evaluator].fitness),
            key: StreamKey::run(config.seed, &self.text, replicate),
            budget: config.budget,
            guard,
            pool: None,
            puzzle: Arc::clone(&self.json),
            programs: Arc::default(),
        }
    }
}

impl Evaluator {
    /// The evaluator of a configuration; `setting` is where in a sweep it lies, for errors.
    ///
    /// # Errors
    /// [`RunError::Unfit`] for a puzzle that does not fit.
    pub(super) fn new(
        puzzle: &Puzzle,
        problem: &Problem,
        config: &Config,
        setting: &str,
    ) -> Result<Self, RunError> {
        if let Some(fitness) = config.fitness_of_instance(puzzle, problem) {
            return Ok(Self { fitness: Arc::new(fitness), by_propagation: false });
        }
        let (fitness, by_propagation) =
            config.fitness(problem).map_err(|problem| RunError::unfit(puzzle, setting, problem))?;
        Ok(Self { fitness: Arc::new(fitness), by_propagation })
    }
}
