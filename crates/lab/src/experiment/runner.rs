//! The runner: a plan prepared, and each of its runs.

use std::sync::Arc;

use serde_json::Map;

use super::execution::{Execution, Parts};
use super::threads::in_order;
use super::{DeadRunPolicy, Lens, Plan, Recorder, RunError, RunId, RunRecord, Truth, Watch};
use kenga_core::budget::{Clock, Guard, Interrupt};
use kenga_core::fitness::Fitness;
use kenga_core::problem::Problem;
use kenga_core::puzzle::{Puzzle, formats};
use kenga_core::rng::StreamKey;
use kenga_core::search::Task;
use kenga_core::search::algorithms::{Programs, Recipe, recipe};

/// A prepared plan: problems compiled, ground truth found, algorithms tried.
pub struct Runner<'a> {
    plan: &'a Plan,
    puzzles: Vec<PreparedPuzzle>,
    /// Which of a puzzle's evaluators a setting uses.
    evaluators: Vec<usize>,
    programs: Arc<Programs>,
}

/// One prepared puzzle.
struct PreparedPuzzle {
    text: String,
    /// As JSON, for programs: without what would tell them the solution.
    json: Arc<str>,
    truth: Truth,
    /// One for every way in which settings evaluate.
    evaluators: Vec<Evaluator>,
}

/// A puzzle as some of the settings see it.
struct Evaluator {
    fitness: Arc<Fitness>,
    by_propagation: bool,
}

/// Puzzles or settings that may wait, for each thread, for an earlier one to be made ready.
const AHEAD: usize = 4;

impl<'a> Runner<'a> {
    /// Compiles every puzzle, finds its ground truth and checks that it fits the algorithm of every setting, on `jobs`
    /// threads.
    ///
    /// # Errors
    /// [`RunError::Fitness`] or [`RunError::Encoding`] for a puzzle that does not fit.
    ///
    /// # Panics
    /// When an algorithm of the plan was not resolved and checked, which reading a configuration does.
    pub fn prepare(plan: &'a Plan, jobs: usize, interrupt: &Interrupt) -> Result<Self, RunError> {
        // The first setting of each way of evaluating.
        let mut firsts: Vec<usize> = Vec::new();
        let mut runner = Self { plan, puzzles: Vec::new(), evaluators: Vec::new(), programs: Arc::default() };
        for (setting, of) in plan.settings.all.iter().enumerate() {
            let evaluates_so = |first: &usize| plan.settings.all[*first].config.evaluates_as(&of.config);
            let place = firsts.iter().position(evaluates_so).unwrap_or(firsts.len());
            if place == firsts.len() {
                firsts.push(setting);
            }
            runner.evaluators.push(place);
        }
        let mut puzzles = Vec::with_capacity(plan.puzzles.len());
        let prepare = |puzzle| prepare_puzzle(plan, puzzle, &firsts, interrupt);
        in_order(plan.puzzles.iter(), (jobs.min(plan.puzzles.len()), AHEAD), prepare, |puzzle| {
            puzzles.push(puzzle?);
            Ok(())
        })?;
        runner.puzzles = puzzles;
        let settings = plan.settings.all.len();
        let fits = |setting| runner.check_setting(setting as u64, interrupt);
        in_order(0..settings, (jobs.min(settings), AHEAD), fits, |fits| fits)?;
        Ok(runner)
    }

    /// Checks that the algorithm of a setting can start on every puzzle.
    fn check_setting(&self, setting: u64, interrupt: &Interrupt) -> Result<(), RunError> {
        let recipe = self.recipe(setting);
        for (puzzle, prepared) in self.plan.puzzles.iter().zip(&self.puzzles) {
            if interrupt.is_raised() {
                break;
            }
            let task = self.task(prepared, setting, 0, Guard::default(), None);
            recipe.start(&task).map_err(|problem| RunError::Encoding {
                puzzle: puzzle.id.clone(),
                setting: in_setting(self.plan, setting as usize),
                problem,
            })?;
        }
        Ok(())
    }

    /// Made when it is needed: what a setting takes in memory is its text alone.
    fn recipe(&self, setting: u64) -> Box<dyn Recipe> {
        recipe(&self.plan.setting(setting).config.algorithm.spec()).expect("the configuration was checked")
    }

    fn task(
        &self,
        puzzle: &PreparedPuzzle,
        setting: u64,
        replicate: u64,
        guard: Guard,
        pool: Option<Arc<rayon::ThreadPool>>,
    ) -> Task {
        let config = &self.plan.setting(setting).config;
        Task {
            fitness: Arc::clone(&puzzle.evaluators[self.evaluators[setting as usize]].fitness),
            key: StreamKey::run(config.seed, &puzzle.text, replicate),
            budget: config.budget,
            guard,
            pool,
            puzzle: Arc::clone(&puzzle.json),
            programs: Arc::clone(&self.programs),
        }
    }

    /// The runner with a place for the programs that stand in for algorithms.
    #[must_use]
    pub fn with_programs(self, programs: Arc<Programs>) -> Self {
        Self { programs, ..self }
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
        self.puzzles[puzzle].evaluators[0].fitness.problem()
    }

    /// The fitness of a run.
    pub fn fitness(&self, id: RunId) -> &Fitness {
        &self.evaluator(id).fitness
    }

    /// The fitness of a run, to be kept.
    pub fn shared_fitness(&self, id: RunId) -> Arc<Fitness> {
        Arc::clone(&self.evaluator(id).fitness)
    }

    /// Propagation alone solves the puzzle of a run, and its setting asks for it.
    pub(crate) fn by_propagation(&self, id: RunId) -> bool {
        self.evaluator(id).by_propagation
    }

    /// A run can be shown to have lost every solution.
    pub(crate) fn can_die(&self, id: RunId) -> bool {
        let (config, puzzle) = (&self.plan.setting(id.setting).config, &self.puzzles[id.puzzle]);
        let task = self.task(puzzle, id.setting, id.replicate, Guard::default(), None);
        let algorithm = self.recipe(id.setting).start(&task).ok();
        let closure = algorithm.and_then(|algorithm| algorithm.details().closure());
        config.dead != DeadRunPolicy::Off
            && closure.and_then(|closure| puzzle.truth.reachability(&closure)).is_some()
    }

    /// How many islands a run has; `None` where it has none.
    pub fn islands(&self, id: RunId) -> Option<usize> {
        self.recipe(id.setting).features().islands
    }

    fn evaluator(&self, id: RunId) -> &Evaluator {
        &self.puzzles[id.puzzle].evaluators[self.evaluators[id.setting as usize]]
    }

    /// Executes one run, on this thread and those of `pool`; `None` when it was cut.
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

    /// Replays a run that the clock did not end, on this thread and without a time limit; `None` when it was cut.
    pub(crate) fn run_again(
        &self,
        run_index: u64,
        watch: &dyn Watch,
        interrupt: &Interrupt,
    ) -> Option<RunRecord> {
        self.make(self.plan.id(run_index), None, watch, interrupt, None)
    }

    /// Begins a run that somebody plays through a lens, on this thread and without a time limit.
    pub fn play(&self, id: RunId, lens: Lens, interrupt: &Interrupt) -> Execution<'_> {
        self.begin(id, (None, None), (&(), Some(lens)), interrupt)
    }

    fn make(
        &self,
        id: RunId,
        pool: Option<&Arc<rayon::ThreadPool>>,
        watch: &dyn Watch,
        interrupt: &Interrupt,
        seconds: Option<f64>,
    ) -> Option<RunRecord> {
        watch.begun(id);
        let mut execution = self.begin(id, (pool, seconds), (watch, None), interrupt);
        while execution.step().is_none() {}
        execution.finish()
    }

    fn begin<'r>(
        &'r self,
        id: RunId,
        (pool, seconds): (Option<&Arc<rayon::ThreadPool>>, Option<f64>),
        (watch, lens): (&'r dyn Watch, Option<Lens>),
        interrupt: &Interrupt,
    ) -> Execution<'r> {
        let (config, puzzle) = (&self.plan.setting(id.setting).config, &self.puzzles[id.puzzle]);
        let (clock, guard) = (Clock::start(), Guard::start(interrupt, seconds));
        let task = self.task(puzzle, id.setting, id.replicate, guard, pool.map(Arc::clone));
        let algorithm =
            self.recipe(id.setting).start(&task).expect("every puzzle was tried when it was made ready");
        let Evaluator { fitness, by_propagation } = self.evaluator(id);
        let recorder = Recorder::new(id, config, fitness, &puzzle.truth, watch).with_lens(lens);
        let parts = Parts {
            config,
            puzzle: &self.plan.puzzles[id.puzzle],
            truth: &puzzle.truth,
            fitness,
            by_propagation: *by_propagation,
            algorithm,
            interrupt: interrupt.clone(),
        };
        Execution::begin(id, parts, recorder, clock)
    }
}

/// Makes one puzzle ready; `settings` are the first of each way of evaluating.
fn prepare_puzzle(
    plan: &Plan,
    puzzle: &Puzzle,
    settings: &[usize],
    interrupt: &Interrupt,
) -> Result<PreparedPuzzle, RunError> {
    let problem = Problem::compile(puzzle);
    let truth = Truth::find(&problem, &plan.config.exact, interrupt);
    let mut evaluators = Vec::with_capacity(settings.len());
    for setting in settings {
        let made = plan.settings.all[*setting].config.fitness(&problem);
        let (fitness, by_propagation) = made.map_err(|problem| RunError::Fitness {
            puzzle: puzzle.id.clone(),
            setting: in_setting(plan, *setting),
            problem,
        })?;
        evaluators.push(Evaluator { fitness: Arc::new(fitness), by_propagation });
    }
    Ok(PreparedPuzzle { text: puzzle.canonical_text(), json: json(puzzle), truth, evaluators })
}

/// The canonical JSON of a puzzle, without its solution and what else its text told.
pub(super) fn json(puzzle: &Puzzle) -> Arc<str> {
    let mut bare = puzzle.clone();
    (bare.solution, bare.meta) = (None, Map::new());
    formats::canonical(&bare).into()
}

/// Where in a sweep an error lies; empty without a sweep.
fn in_setting(plan: &Plan, setting: usize) -> String {
    let words = plan.settings.describe(setting);
    if words.is_empty() { words } else { format!(" in the setting {words}") }
}
