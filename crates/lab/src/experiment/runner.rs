//! The runner: a plan prepared, and each of its runs.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::execution::{Execution, RunParts};
use super::prepared::{Evaluator, PreparedPuzzle};
use super::threads::{Threads, in_order};
use super::{
    Config, DeadRunPolicy, LiveView, Plan, Recorder, RunError, RunId, RunRecord, Shard, Truth, Watch,
};
use kenga_core::budget::{Clock, Guard, Interrupt};
use kenga_core::fitness::Fitness;
use kenga_core::problem::Problem;
use kenga_core::puzzle::Puzzle;
use kenga_core::search::Task;
use kenga_core::search::algorithms::Programs;

/// A prepared plan: problems compiled, ground truth found, algorithms tried.
pub struct Runner<'a> {
    plan: &'a Plan,
    puzzles: Vec<PreparedPuzzle>,
    /// Which of a puzzle's evaluators a setting uses.
    evaluators: Vec<usize>,
    programs: Arc<Programs>,
}

/// How a run is made.
#[derive(Clone, Copy)]
struct RunOptions<'r> {
    /// The threads of its islands; this one alone without.
    pool: Option<&'r Arc<rayon::ThreadPool>>,
    /// Its time limit.
    seconds: Option<f64>,
    watch: &'r dyn Watch,
}

/// Puzzles or settings that may wait, for each thread, for an earlier one to be made ready.
const AHEAD: usize = 4;

impl<'a> Runner<'a> {
    /// Compiles every puzzle, finds its ground truth and checks that it fits the algorithm of every setting, on `jobs`
    /// threads.
    ///
    /// # Errors
    /// [`RunError::Unfit`] for a puzzle that does not fit.
    ///
    /// # Panics
    /// When an algorithm of the plan was not resolved and checked, which reading a configuration does.
    pub fn prepare(plan: &'a Plan, jobs: usize, interrupt: &Interrupt) -> Result<Self, RunError> {
        Self::prepare_shard(plan, Shard::WHOLE, jobs, interrupt)
    }

    /// The same for the runs of a shard: the settings of others are not tried.
    ///
    /// # Errors
    /// Those of [`prepare`](Self::prepare).
    ///
    /// # Panics
    /// As [`prepare`](Self::prepare).
    pub fn prepare_shard(
        plan: &'a Plan,
        shard: Shard,
        jobs: usize,
        interrupt: &Interrupt,
    ) -> Result<Self, RunError> {
        // The first setting of each way of evaluating.
        let mut firsts: Vec<usize> = Vec::new();
        let mut runner = Self { plan, puzzles: Vec::new(), evaluators: Vec::new(), programs: Arc::default() };
        let all = &plan.settings.all;
        for (index, setting) in all.iter().enumerate() {
            let known = firsts.iter().position(|first| all[*first].config.evaluates_as(&setting.config));
            runner.evaluators.push(known.unwrap_or(firsts.len()));
            if known.is_none() {
                firsts.push(index);
            }
        }
        let mut puzzles = Vec::with_capacity(plan.puzzles.len());
        let prepare = |puzzle| prepare_puzzle(plan, puzzle, &firsts, interrupt);
        in_order(
            plan.puzzles.iter(),
            Threads { jobs: jobs.min(plan.puzzles.len()), ahead: AHEAD },
            prepare,
            |puzzle| {
                puzzles.push(puzzle?);
                Ok(())
            },
        )?;
        runner.puzzles = puzzles;
        let settings = settings_of(plan, shard);
        let check = |setting| runner.check_setting(setting, interrupt);
        let threads = Threads { jobs: jobs.min(settings.len()), ahead: AHEAD };
        in_order(settings.iter().copied(), threads, check, |checked| checked)?;
        Ok(runner)
    }

    /// Checks that the algorithm of a setting can start on every puzzle.
    fn check_setting(&self, setting: u64, interrupt: &Interrupt) -> Result<(), RunError> {
        let recipe = &self.config(setting).recipe;
        let words = in_setting(self.plan, setting as usize);
        for (puzzle, prepared) in self.plan.puzzles.iter().zip(&self.puzzles) {
            if interrupt.is_raised() {
                break;
            }
            let task = self.task(prepared, setting, 0, Guard::default());
            recipe.start(&task).map_err(|problem| RunError::unfit(puzzle, &words, problem))?;
        }
        Ok(())
    }

    fn config(&self, setting: u64) -> &'a Config {
        &self.plan.setting(setting).config
    }

    fn task(&self, puzzle: &PreparedPuzzle, setting: u64, replicate: u64, guard: Guard) -> Task {
        let evaluator = self.evaluators[setting as usize];
        let task = puzzle.task(self.config(setting), evaluator, replicate, guard);
        Task { programs: Arc::clone(&self.programs), ..task }
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

    /// The fitness of a puzzle in the first setting.
    pub fn fitness_of(&self, puzzle: usize) -> &Fitness {
        &self.puzzles[puzzle].evaluators[0].fitness
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
        let (config, puzzle) = (self.config(id.setting), &self.puzzles[id.puzzle]);
        if config.dead == DeadRunPolicy::Off {
            return false;
        }
        let task = self.task(puzzle, id.setting, id.replicate, Guard::default());
        let Ok(algorithm) = config.recipe.start(&task) else { return false };
        let Some(closure) = algorithm.details().closure() else { return false };
        puzzle.truth.reachability(&closure).is_some()
    }

    /// How many islands a run has; `None` where it has none.
    pub fn islands(&self, id: RunId) -> Option<usize> {
        self.config(id.setting).recipe.features().islands
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
        let seconds = self.config(id.setting).budget.seconds;
        self.make(id, RunOptions { pool, seconds, watch }, interrupt)
    }

    /// Replays a run that the clock did not end, on this thread and without a time limit; `None` when it was cut.
    pub(crate) fn run_again(
        &self,
        run_index: u64,
        watch: &dyn Watch,
        interrupt: &Interrupt,
    ) -> Option<RunRecord> {
        let options = RunOptions { pool: None, seconds: None, watch };
        self.make(self.plan.id(run_index), options, interrupt)
    }

    /// Begins a run that somebody plays and looks at, on this thread and without a time limit.
    pub fn play(&self, id: RunId, view: LiveView, interrupt: &Interrupt) -> Execution<'_> {
        let options = RunOptions { pool: None, seconds: None, watch: &() };
        self.begin(id, options, Some(view), interrupt)
    }

    fn make(&self, id: RunId, options: RunOptions<'_>, interrupt: &Interrupt) -> Option<RunRecord> {
        options.watch.begun(id);
        let mut retries = self.plan.config.retries;
        let (mut cpu_s, mut wall_s) = (0.0, 0.0);
        loop {
            let mut execution = self.begin(id, options, None, interrupt);
            while execution.step().is_none() {}
            let mut record = execution.finish()?;
            // Attempts that failed have used the machine too.
            record.cpu_s += cpu_s;
            record.wall_s += wall_s;
            match &record.failure {
                Some(failure) if retries > 0 => options.watch.failed_once(id, failure, retries),
                _ => return Some(record),
            }
            retries -= 1;
            (cpu_s, wall_s) = (record.cpu_s, record.wall_s);
        }
    }

    fn begin<'r>(
        &'r self,
        id: RunId,
        options: RunOptions<'r>,
        view: Option<LiveView>,
        interrupt: &Interrupt,
    ) -> Execution<'r> {
        let RunOptions { pool, seconds, watch } = options;
        let (config, puzzle) = (self.config(id.setting), &self.puzzles[id.puzzle]);
        let (clock, guard) = (Clock::start(), Guard::start(interrupt, seconds));
        let task = self.task(puzzle, id.setting, id.replicate, guard);
        let task = Task { pool: pool.map(Arc::clone), ..task };
        let evaluator = self.evaluators[id.setting as usize];
        let parts = RunParts::new(config, &self.plan.puzzles[id.puzzle], puzzle, evaluator, task, interrupt);
        let fitness = &parts.evaluator.fitness;
        let recorder = Recorder::new(id, config, fitness, &puzzle.truth, watch).with_live_view(view);
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
    let mut prepared = PreparedPuzzle::new(puzzle, &problem, &plan.config.exact, interrupt);
    for setting in settings {
        let config = &plan.settings.all[*setting].config;
        prepared.evaluators.push(Evaluator::new(puzzle, &problem, config, &in_setting(plan, *setting))?);
    }
    Ok(prepared)
}

/// Where in a sweep an error lies; empty without a sweep.
fn in_setting(plan: &Plan, setting: usize) -> String {
    let words = plan.settings.describe(setting);
    if words.is_empty() { words } else { format!(" in the setting {words}") }
}

/// The settings that a shard has runs of, in their order.
fn settings_of(plan: &Plan, shard: Shard) -> Vec<u64> {
    let (share, settings) = (plan.share(shard), plan.settings.all.len() as u64);
    if share.count() == plan.runs() {
        return (0..settings).collect();
    }
    let mut found = BTreeSet::new();
    for run in (0..plan.runs()).filter(|run| share.has(*run)) {
        found.insert(plan.id(run).setting);
        if found.len() as u64 == settings {
            break;
        }
    }
    found.into_iter().collect()
}
