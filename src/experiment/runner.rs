//! The runner: a plan made ready, and each of its runs.

use std::io;
use std::sync::Arc;

use rayon::prelude::*;
use thiserror::Error;

use super::{Broken, Dead, Plan, Recorder, RunId, RunRecord, Truth, threads};
use crate::budget::{Clock, Guard, Interrupt, Spent};
use crate::fitness::{CageMeasure, Fitness, FitnessError, Weights};
use crate::problem::Problem;
use crate::puzzle::{Puzzle, check};
use crate::rng::StreamKey;
use crate::search::algorithms::{Recipe, recipe};
use crate::search::encodings::EncodingError;
use crate::search::{Census, Task, run};
use crate::solver;

/// Takes finished runs, in the order of the plan.
pub trait Sink: Send {
    /// Takes one run.
    ///
    /// # Errors
    /// When it cannot be kept; the experiment then ends, and what was taken before is whole.
    fn take(&mut self, record: &RunRecord) -> io::Result<()>;
}

/// Hears how an experiment is getting on, from many threads at once.
pub trait Watch: Sync {
    /// A run has completed a generation; `best` is its lowest fitness so far.
    fn passed(&self, id: RunId, spent: Spent, best: u32) {
        let _ = (id, spent, best);
    }

    /// Says whether [`census`](Self::census) should see this generation of every run.
    fn wants(&self, generation: u64) -> bool {
        let _ = generation;
        false
    }

    /// A run has completed a generation that was wanted.
    fn census(&self, id: RunId, spent: Spent, census: &Census) {
        let _ = (id, spent, census);
    }

    /// A run has begun.
    fn begun(&self, id: RunId) {
        let _ = id;
    }

    /// A run has ended; calls come in the order of the plan, after the sink has taken it.
    fn ended(&self, record: &RunRecord) {
        let _ = record;
    }
}

/// Watches nothing.
impl Watch for () {}

/// Why an experiment could not be made or kept.
#[derive(Debug, Error)]
pub enum RunError {
    /// A puzzle and the weights make numbers that do not fit.
    #[error("puzzle {puzzle}{setting}: {problem}")]
    Fitness {
        /// The id of the puzzle.
        puzzle: String,
        /// The setting in words, if there are several.
        setting: String,
        /// What does not fit.
        problem: FitnessError,
    },
    /// A puzzle does not fit the encoding.
    #[error("puzzle {puzzle}{setting}: {problem}")]
    Encoding {
        /// The id of the puzzle.
        puzzle: String,
        /// The setting in words, if there are several.
        setting: String,
        /// What does not fit.
        problem: EncodingError,
    },
    /// A finished run could not be kept.
    #[error("run {run} could not be kept")]
    Sink {
        /// The index of the run.
        run: u64,
        /// What went wrong.
        source: io::Error,
    },
    /// Threads could not be started.
    #[error("threads could not be started")]
    Threads(#[source] io::Error),
}

/// How an experiment ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// Every run has ended.
    Complete,
    /// Someone asked to stop.
    Interrupted,
}

/// A plan made ready: problems compiled, ground truth found, algorithms built.
pub struct Runner<'a> {
    plan: &'a Plan,
    puzzles: Vec<Prepared>,
    /// Which of a puzzle's measures a setting uses.
    measures: Vec<usize>,
}

/// One puzzle made ready.
struct Prepared {
    text: String,
    truth: Truth,
    /// One for every way in which settings measure fitness.
    measured: Vec<Measured>,
}

/// A puzzle as some of the settings see it.
struct Measured {
    fitness: Arc<Fitness>,
    by_propagation: bool,
}

/// What of a configuration decides how fitness is measured.
#[derive(Clone, Copy, PartialEq)]
struct Measure {
    weights: Weights,
    cages: CageMeasure,
    propagate: bool,
    setting: u64,
}

impl<'a> Runner<'a> {
    /// Compiles every puzzle, finds its ground truth (in parallel on `jobs` threads, on this one where none starts) and
    /// checks that it fits the algorithm of every setting.
    ///
    /// # Errors
    /// [`RunError::Fitness`] or [`RunError::Encoding`] for a puzzle that does not fit.
    ///
    /// # Panics
    /// When an algorithm of the plan was not resolved and checked, which reading a configuration does.
    pub fn prepare(plan: &'a Plan, jobs: usize, interrupt: &Interrupt) -> Result<Self, RunError> {
        let mut distinct: Vec<Measure> = Vec::new();
        let measures =
            (0..plan.settings.all.len() as u64).map(|setting| measure(plan, setting, &mut distinct));
        let measures = measures.collect();
        let mut runner = Self { plan, puzzles: Vec::new(), measures };
        let prepare = |puzzle: &Puzzle| runner.prepare_one(puzzle, &distinct, interrupt);
        let puzzles: Result<Vec<_>, _> = match threads::pool(jobs.min(plan.puzzles.len())) {
            Ok(pool) => pool.install(|| plan.puzzles.par_iter().map(prepare).collect()),
            Err(_) => plan.puzzles.iter().map(prepare).collect(),
        };
        runner.puzzles = puzzles?;
        Ok(runner)
    }

    fn prepare_one(
        &self,
        puzzle: &Puzzle,
        measures: &[Measure],
        interrupt: &Interrupt,
    ) -> Result<Prepared, RunError> {
        let problem = Problem::compile(puzzle);
        let truth = Truth::find(&problem, &self.plan.config.exact, interrupt);
        let measured = |measure: &Measure| self.measured(puzzle, problem.clone(), measure);
        let measured = measures.iter().map(measured).collect::<Result<_, _>>()?;
        let prepared = Prepared { text: puzzle.canonical_text(), truth, measured };
        for setting in 0..self.plan.settings.all.len() {
            if interrupt.is_raised() {
                break;
            }
            let (task, recipe) = (
                self.task(&prepared, setting as u64, 0, Guard::default(), None),
                self.recipe(setting as u64),
            );
            let (id, setting) = (|| puzzle.id.clone(), self.named(setting as u64));
            recipe.start(&task).map_err(|problem| RunError::Encoding { puzzle: id(), setting, problem })?;
        }
        Ok(prepared)
    }

    fn measured(&self, puzzle: &Puzzle, problem: Problem, measure: &Measure) -> Result<Measured, RunError> {
        let (problem, by_propagation) =
            if measure.propagate { prefiltered(problem) } else { (problem, false) };
        let fitness = Fitness::new(problem, measure.weights, measure.cages).map_err(|problem| {
            RunError::Fitness { puzzle: puzzle.id.clone(), setting: self.named(measure.setting), problem }
        })?;
        Ok(Measured { fitness: Arc::new(fitness), by_propagation })
    }

    /// Made when it is needed: what a setting takes in memory is its text alone.
    fn recipe(&self, setting: u64) -> Box<dyn Recipe> {
        recipe(&self.plan.setting(setting).config.algorithm.spec()).expect("the configuration was checked")
    }

    fn named(&self, setting: u64) -> String {
        let words = self.plan.settings.in_words(setting as usize);
        if words.is_empty() { words } else { format!(" in the setting {words}") }
    }

    fn task(
        &self,
        puzzle: &Prepared,
        setting: u64,
        replicate: u64,
        guard: Guard,
        pool: Option<Arc<rayon::ThreadPool>>,
    ) -> Task {
        let config = &self.plan.setting(setting).config;
        Task {
            fitness: Arc::clone(&puzzle.measured[self.measures[setting as usize]].fitness),
            key: StreamKey::run(config.seed, &puzzle.text, replicate),
            budget: config.budget,
            guard,
            pool,
        }
    }

    /// The plan.
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// The ground truth of a puzzle.
    pub fn truth(&self, puzzle: usize) -> &Truth {
        &self.puzzles[puzzle].truth
    }

    /// The compiled problem of a puzzle.
    pub fn problem(&self, puzzle: usize) -> &Problem {
        self.puzzles[puzzle].measured[0].fitness.problem()
    }

    /// The fitness of a run.
    pub fn fitness(&self, id: RunId) -> &Fitness {
        &self.measured_of(id).fitness
    }

    /// Propagation alone solves the puzzle of a run, and its setting asks for it.
    pub fn by_propagation(&self, id: RunId) -> bool {
        self.measured_of(id).by_propagation
    }

    /// A run can be shown to have lost every solution.
    pub fn can_die(&self, id: RunId) -> bool {
        let (config, puzzle) = (&self.plan.setting(id.setting).config, &self.puzzles[id.puzzle]);
        let task = self.task(puzzle, id.setting, id.replicate, Guard::default(), None);
        let algorithm = self.recipe(id.setting).start(&task).ok();
        let closure = algorithm.and_then(|algorithm| algorithm.closure());
        config.dead != Dead::Off && closure.and_then(|closure| puzzle.truth.reachability(&closure)).is_some()
    }

    /// How many islands a run has; `None` where it has none.
    pub fn islands(&self, id: RunId) -> Option<usize> {
        self.recipe(id.setting).islands()
    }

    fn measured_of(&self, id: RunId) -> &Measured {
        &self.puzzles[id.puzzle].measured[self.measures[id.setting as usize]]
    }

    /// Makes one run, on this thread and those of `pool`; `None` when it was cut.
    pub fn run_one(
        &self,
        run_index: u64,
        pool: Option<&Arc<rayon::ThreadPool>>,
        watch: &dyn Watch,
        interrupt: &Interrupt,
    ) -> Option<RunRecord> {
        let id = self.plan.id(run_index);
        let seconds = self.plan.setting(id.setting).config.budget.seconds;
        self.make(id, pool, watch, interrupt, seconds)
    }

    /// Makes a run again that the clock had not ended, on this thread, however long it takes now; `None` when it was cut.
    pub fn run_again(&self, run_index: u64, watch: &dyn Watch, interrupt: &Interrupt) -> Option<RunRecord> {
        self.make(self.plan.id(run_index), None, watch, interrupt, None)
    }

    fn make(
        &self,
        id: RunId,
        pool: Option<&Arc<rayon::ThreadPool>>,
        watch: &dyn Watch,
        interrupt: &Interrupt,
        seconds: Option<f64>,
    ) -> Option<RunRecord> {
        let (config, puzzle) = (&self.plan.setting(id.setting).config, &self.puzzles[id.puzzle]);
        watch.begun(id);
        let clock = Clock::start();
        let guard = Guard::start(interrupt, seconds);
        let task = self.task(puzzle, id.setting, id.replicate, guard, pool.map(Arc::clone));
        let mut algorithm =
            self.recipe(id.setting).start(&task).expect("every puzzle was tried when it was made ready");
        let fitness = self.fitness(id);
        let closure = if config.dead == Dead::Off { None } else { algorithm.closure() };
        let recorder = Recorder::new(id, config, fitness, &puzzle.truth, watch);
        let mut recorder = recorder.with_closure(closure.as_ref());
        let outcome = run(&mut *algorithm, &mut recorder);
        if interrupt.is_raised() {
            return None;
        }
        let problem = fitness.problem();
        let mut census = Census::new(problem.cells(), problem.digits());
        let complete = algorithm.census(&mut census);
        let recorded = recorder.finish(complete, &census);
        let grid = problem.grid(&outcome.best.ranks);
        let solved = outcome.best.fitness == 0;
        Some(RunRecord {
            id,
            solved,
            by_propagation: solved && self.by_propagation(id),
            verified: solved && check(&self.plan.puzzles[id.puzzle], &grid).is_solution(),
            spent: outcome.spent,
            best_fitness: outcome.best.fitness,
            best_at: outcome.best.at,
            stop: outcome.stop,
            distance: puzzle.truth.distance(&outcome.best.ranks),
            grid,
            dead_at: recorded.dead_at,
            samples: recorded.samples,
            migrations: recorded.migrations,
            broken: if config.record_groups { Broken::of(fitness, &outcome.best.ranks) } else { Vec::new() },
            operators: algorithm.ledger(),
            cpu_s: clock.cpu_s() + algorithm.helpers_cpu_s(),
            wall_s: clock.wall_s(),
        })
    }
}

/// The index of a setting's measure among those that are distinct, where it is put if it is new.
fn measure(plan: &Plan, setting: u64, distinct: &mut Vec<Measure>) -> usize {
    let config = &plan.setting(setting).config;
    let (weights, cages, propagate) = (config.weights, config.measure, config.propagate);
    let same = |other: &Measure| (other.weights, other.cages, other.propagate) == (weights, cages, propagate);
    distinct.iter().position(same).unwrap_or_else(|| {
        distinct.push(Measure { weights, cages, propagate, setting });
        distinct.len() - 1
    })
}

/// The problem with the candidates that propagation leaves, and whether that solves it. Of a problem that propagation
/// refutes nothing is left, so it stays as it is.
fn prefiltered(problem: Problem) -> (Problem, bool) {
    let domains = solver::propagate(&problem);
    if domains.is_empty() {
        return (problem, false);
    }
    let solves = domains.0.iter().all(|mask| mask.is_power_of_two());
    (problem.restrict(&domains), solves)
}
