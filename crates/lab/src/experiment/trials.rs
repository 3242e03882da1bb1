//! Trials: runs of configurations that come one after the other, on puzzles that are made ready once. A trial may be cut
//! short once it has cost more than it is worth; until then it is the run that `kenga run` makes.

use std::sync::Arc;

use super::execution::{Execution, Parts};
use super::runner::json;
use super::threads::in_order;
use super::{Config, ExactLimits, Recorder, RunError, RunId, Truth};
use kenga_core::budget::{Clock, Guard, Interrupt, Spent};
use kenga_core::fitness::Fitness;
use kenga_core::problem::Problem;
use kenga_core::puzzle::Puzzle;
use kenga_core::rng::StreamKey;
use kenga_core::search::Task;
use kenga_core::search::algorithms::{Recipe, recipe};

/// Puzzles that are ready for trials.
pub struct Trials {
    puzzles: Vec<TriedPuzzle>,
    /// A configuration of every way of evaluating.
    ways: Vec<Config>,
}

struct TriedPuzzle {
    puzzle: Puzzle,
    text: String,
    json: Arc<str>,
    problem: Problem,
    truth: Truth,
    /// In the order of the ways: the measure, and whether propagation alone solves the puzzle.
    evaluators: Vec<(Arc<Fitness>, bool)>,
}

/// What a trial came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
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
}

/// Puzzles that may wait, for each thread, for an earlier one to be made ready.
const AHEAD: usize = 4;

impl Trials {
    /// Compiles the puzzles and finds their ground truth, on `jobs` threads.
    pub fn prepare(puzzles: Vec<Puzzle>, exact: &ExactLimits, jobs: usize, interrupt: &Interrupt) -> Self {
        let mut tried = Vec::with_capacity(puzzles.len());
        let jobs = jobs.min(puzzles.len());
        let prepare = |puzzle: Puzzle| {
            let problem = Problem::compile(&puzzle);
            let truth = Truth::find(&problem, exact, interrupt);
            let (text, json) = (puzzle.canonical_text(), json(&puzzle));
            TriedPuzzle { puzzle, text, json, problem, truth, evaluators: Vec::new() }
        };
        let Ok(()) = in_order(puzzles.into_iter(), (jobs, AHEAD), prepare, |puzzle| {
            tried.push(puzzle);
            Ok::<(), std::convert::Infallible>(())
        });
        Self { puzzles: tried, ways: Vec::new() }
    }

    /// The puzzles, in their order.
    pub fn puzzles(&self) -> impl ExactSizeIterator<Item = &Puzzle> {
        self.puzzles.iter().map(|tried| &tried.puzzle)
    }

    /// The puzzles that are known to have no solution.
    pub fn unsolvable(&self) -> impl Iterator<Item = &Puzzle> {
        let has_none = |tried: &&TriedPuzzle| tried.truth.exact && tried.truth.solutions.is_empty();
        self.puzzles.iter().filter(has_none).map(|tried| &tried.puzzle)
    }

    /// Makes a configuration ready and checks that its algorithm can start on every puzzle; others may be admitted after one
    /// that was refused.
    ///
    /// # Errors
    /// [`RunError::Fitness`] or [`RunError::Encoding`] for a puzzle that does not fit; `setting` is the configuration in
    /// words.
    pub fn admit(&mut self, config: &Config, setting: &str) -> Result<(), RunError> {
        let setting = || format!(" in the setting {setting}");
        if !self.ways.iter().any(|way| way.evaluates_as(config)) {
            let make = |tried: &TriedPuzzle| {
                let made = config.fitness(&tried.problem).map_err(|problem| RunError::Fitness {
                    puzzle: tried.puzzle.id.clone(),
                    setting: setting(),
                    problem,
                })?;
                Ok((Arc::new(made.0), made.1))
            };
            let made = self.puzzles.iter().map(make).collect::<Result<Vec<_>, RunError>>()?;
            for (tried, evaluator) in self.puzzles.iter_mut().zip(made) {
                tried.evaluators.push(evaluator);
            }
            self.ways.push(config.clone());
        }
        for tried in &self.puzzles {
            let task = self.task(tried, config, 0, Guard::default());
            recipe_of(config).start(&task).map_err(|problem| RunError::Encoding {
                puzzle: tried.puzzle.id.clone(),
                setting: setting(),
                problem,
            })?;
        }
        Ok(())
    }

    fn way(&self, config: &Config) -> usize {
        self.ways.iter().position(|way| way.evaluates_as(config)).expect("the configuration was admitted")
    }

    fn task(&self, tried: &TriedPuzzle, config: &Config, replicate: u64, guard: Guard) -> Task {
        Task {
            fitness: Arc::clone(&tried.evaluators[self.way(config)].0),
            key: StreamKey::run(config.seed, &tried.text, replicate),
            budget: config.budget,
            guard,
            pool: None,
            puzzle: Arc::clone(&tried.json),
            programs: Arc::default(),
        }
    }

    /// Makes a trial of an admitted configuration on this thread; it is cut short after the step in which its calls reach
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
    ) -> Option<Trial> {
        let tried = &self.puzzles[puzzle];
        let id = RunId { run: 0, replicate, puzzle, setting: 0 };
        let task = self.task(tried, config, replicate, Guard::start(interrupt, None));
        let algorithm = recipe_of(config).start(&task).expect("the configuration was admitted");
        let (fitness, by_propagation) = &tried.evaluators[self.way(config)];
        let parts = Parts {
            config,
            puzzle: &tried.puzzle,
            truth: &tried.truth,
            fitness,
            by_propagation: *by_propagation,
            algorithm,
            interrupt: interrupt.clone(),
        };
        let recorder = Recorder::new(id, config, fitness, &tried.truth, &()).silent();
        let mut execution = Execution::begin(id, parts, recorder, Clock::start());
        while execution.step().is_none() && !is_over(&execution, cap) {}
        if interrupt.is_raised() {
            return None;
        }
        let is_capped = execution.stop().is_none();
        let spent = execution.spent();
        let best = execution.leader().map(|best| (best.fitness, best.at.calls()));
        let solved = !is_capped && execution.finish()?.verified;
        let (best_fitness, calls_to_best) = best.unzip();
        Some(Trial {
            solved,
            spent,
            best_fitness,
            calls_to_best: calls_to_best.unwrap_or_default(),
            is_capped,
        })
    }
}

/// The trial has cost its cap without a solution.
fn is_over(execution: &Execution<'_>, cap: Option<u64>) -> bool {
    let is_solved = || execution.leader().is_some_and(|best| best.fitness == 0);
    cap.is_some_and(|cap| execution.spent().calls() >= cap) && !is_solved()
}

fn recipe_of(config: &Config) -> Box<dyn Recipe> {
    recipe(&config.algorithm.spec()).expect("the configuration was checked")
}
