//! The runner: all runs of a plan, in parallel, handed over in order.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;

use rayon::prelude::*;
use thiserror::Error;

use crate::budget::{Clock, Guard, Interrupt, Spent};
use crate::fitness::{Fitness, FitnessError};
use crate::problem::Problem;
use crate::puzzle::check;
use crate::rng::StreamKey;
use crate::search::algorithms::{Recipe, recipe};
use crate::search::encodings::EncodingError;
use crate::search::{Census, Task, run};
use crate::solver;

use super::{Plan, Recorder, RunId, RunRecord, Truth};

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

/// Why an experiment could not be made or kept.
#[derive(Debug, Error)]
pub enum RunError {
    /// A puzzle and the weights make numbers that do not fit.
    #[error("puzzle {puzzle}: {problem}")]
    Fitness {
        /// The id of the puzzle.
        puzzle: String,
        /// What does not fit.
        problem: FitnessError,
    },
    /// A puzzle does not fit the encoding.
    #[error("puzzle {puzzle}: {problem}")]
    Encoding {
        /// The id of the puzzle.
        puzzle: String,
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
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// How an experiment ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// Every run has ended.
    Complete,
    /// Someone asked to stop.
    Interrupted,
}

/// A plan made ready: problems compiled, ground truth found, algorithm built.
pub struct Runner<'a> {
    plan: &'a Plan,
    recipe: Box<dyn Recipe>,
    puzzles: Vec<Prepared>,
}

/// One puzzle made ready.
struct Prepared {
    text: String,
    fitness: Arc<Fitness>,
    truth: Truth,
    by_propagation: bool,
}

impl<'a> Runner<'a> {
    /// Compiles every puzzle, finds its ground truth (in parallel on `jobs` threads) and checks that it fits the
    /// algorithm.
    ///
    /// # Errors
    /// [`RunError::Fitness`] or [`RunError::Encoding`] for a puzzle that does not fit, [`RunError::Threads`].
    ///
    /// # Panics
    /// When the plan's algorithm was not resolved and checked, which reading a configuration does.
    pub fn prepare(plan: &'a Plan, jobs: usize, interrupt: &Interrupt) -> Result<Self, RunError> {
        let recipe = recipe(&plan.config.algorithm).expect("the configuration was checked");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build()?;
        let prepare = |index: usize| prepare(plan, &*recipe, index, interrupt);
        let puzzles = pool
            .install(|| (0..plan.puzzles.len()).into_par_iter().map(prepare).collect::<Result<Vec<_>, _>>());
        Ok(Self { plan, puzzles: puzzles?, recipe })
    }

    /// The ground truth of a puzzle.
    pub fn truth(&self, puzzle: usize) -> &Truth {
        &self.puzzles[puzzle].truth
    }

    /// The compiled problem of a puzzle.
    pub fn problem(&self, puzzle: usize) -> &Problem {
        self.puzzles[puzzle].fitness.problem()
    }

    /// The fitness of a puzzle.
    pub fn fitness(&self, puzzle: usize) -> &Fitness {
        &self.puzzles[puzzle].fitness
    }

    /// Propagation alone solves the puzzle, and the configuration asks for it.
    pub fn by_propagation(&self, puzzle: usize) -> bool {
        self.puzzles[puzzle].by_propagation
    }

    /// Makes one run, on this thread and those of `pool`; `None` when it was cut.
    pub fn run_one(
        &self,
        run_index: u64,
        pool: Option<&Arc<rayon::ThreadPool>>,
        watch: &dyn Watch,
        interrupt: &Interrupt,
    ) -> Option<RunRecord> {
        let (config, id) = (&self.plan.config, self.plan.id(run_index));
        let puzzle = &self.puzzles[id.puzzle];
        watch.begun(id);
        let clock = Clock::start();
        let task = Task {
            fitness: Arc::clone(&puzzle.fitness),
            key: StreamKey::run(config.seed, &puzzle.text, id.replicate),
            budget: config.budget,
            guard: Guard::start(interrupt, config.budget.seconds),
            pool: pool.map(Arc::clone),
        };
        let mut algorithm = self.recipe.start(&task).expect("every puzzle was tried when it was made ready");
        let mut recorder = Recorder::new(id, config, &puzzle.fitness, &puzzle.truth, watch);
        let outcome = run(&mut *algorithm, &mut recorder);
        if interrupt.is_raised() {
            return None;
        }
        let problem = puzzle.fitness.problem();
        let mut census = Census::new(problem.cells(), problem.digits());
        let complete = algorithm.census(&mut census);
        let (samples, migrations) = recorder.finish(complete, &census);
        let grid = problem.grid(&outcome.best.ranks);
        let solved = outcome.best.fitness == 0;
        Some(RunRecord {
            id,
            solved,
            by_propagation: solved && puzzle.by_propagation,
            verified: solved && check(&self.plan.puzzles[id.puzzle], &grid).is_solution(),
            spent: outcome.spent,
            best_fitness: outcome.best.fitness,
            best_at: outcome.best.at,
            stop: outcome.stop,
            distance: puzzle.truth.distance(&outcome.best.ranks),
            grid,
            samples,
            migrations,
            cpu_s: clock.cpu_s() + algorithm.helpers_cpu_s(),
            wall_s: clock.wall_s(),
        })
    }
}

fn prepare(
    plan: &Plan,
    recipe: &dyn Recipe,
    index: usize,
    interrupt: &Interrupt,
) -> Result<Prepared, RunError> {
    let (config, puzzle) = (&plan.config, &plan.puzzles[index]);
    let problem = Problem::compile(puzzle);
    let truth = Truth::find(&problem, &config.exact, interrupt);
    let (problem, by_propagation) = if config.propagate { prefiltered(problem) } else { (problem, false) };
    let fitness = Fitness::new(problem, config.weights, config.measure)
        .map_err(|problem| RunError::Fitness { puzzle: puzzle.id.clone(), problem })?;
    let text = puzzle.canonical_text();
    let (key, fitness) = (StreamKey::run(config.seed, &text, 0), Arc::new(fitness));
    let guard = Guard::default();
    let task = Task { fitness: Arc::clone(&fitness), key, budget: config.budget, guard, pool: None };
    recipe.start(&task).map_err(|problem| RunError::Encoding { puzzle: puzzle.id.clone(), problem })?;
    Ok(Prepared { text, fitness, truth, by_propagation })
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

/// Makes all runs of a plan but those in `done`, on `jobs` threads, and hands them to the sink in the order of the
/// plan. A run that an interrupt cuts is not handed over.
///
/// # Errors
/// [`RunError::Sink`] when a run could not be kept, [`RunError::Threads`].
pub fn perform(
    runner: &Runner<'_>,
    jobs: usize,
    done: &BTreeSet<u64>,
    sink: &mut dyn Sink,
    watch: &dyn Watch,
    interrupt: &Interrupt,
) -> Result<Halt, RunError> {
    let runs = runner.plan.runs();
    let todo = usize::try_from(runs).unwrap_or(usize::MAX) - done.range(..runs).count();
    let workers = jobs.min(todo).max(1);
    // Threads that the runs do not need serve the islands within a run.
    let spare = jobs / workers;
    let pools = (0..workers).map(|_| pool(spare)).collect::<Result<Vec<_>, _>>()?;
    let queue = Queue { done, todo, window: 4 * workers, state: Mutex::default(), moved: Condvar::new() };
    let complete = thread::scope(|scope| {
        for pool in &pools {
            let queue = &queue;
            scope.spawn(move || queue.work(|run| runner.run_one(run, pool.as_ref(), watch, interrupt)));
        }
        // Runs that nobody can keep need not end.
        queue.deliver(sink, watch).inspect_err(|_| interrupt.raise(Interrupt::ABANDONED))
    })?;
    Ok(if complete { Halt::Complete } else { Halt::Interrupted })
}

fn pool(threads: usize) -> Result<Option<Arc<rayon::ThreadPool>>, RunError> {
    if threads < 2 {
        return Ok(None);
    }
    Ok(Some(Arc::new(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?)))
}

/// Hands runs out to workers and back in order. Workers stay within a window ahead of what is delivered, so that memory
/// is bounded however long the first run takes.
struct Queue<'a> {
    done: &'a BTreeSet<u64>,
    /// The number of runs that are not done.
    todo: usize,
    window: usize,
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Default)]
struct State {
    /// Runs handed out.
    next: usize,
    /// The next run to hand out, unless it is done.
    run: u64,
    /// Runs delivered.
    delivered: usize,
    /// Ended runs by position; a cut run leaves `None`.
    ended: BTreeMap<usize, Option<Box<RunRecord>>>,
    /// Nothing more is handed out.
    closed: bool,
}

/// A run in the hands of a worker. It is given back when this is dropped, as cut if the worker panics, so that nobody
/// waits for it for ever.
struct Claim<'a> {
    queue: &'a Queue<'a>,
    position: usize,
    record: Option<Box<RunRecord>>,
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.queue.lock().ended.insert(self.position, self.record.take());
        self.queue.moved.notify_all();
    }
}

impl Queue<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics while it holds the queue")
    }

    fn work(&self, run: impl Fn(u64) -> Option<RunRecord>) {
        while let Some((position, index)) = self.take() {
            let mut claim = Claim { queue: self, position, record: None };
            claim.record = run(index).map(Box::new);
        }
    }

    /// The next run and its position among those that are not done.
    fn take(&self) -> Option<(usize, u64)> {
        let mut state = self.lock();
        loop {
            if state.closed || state.next == self.todo {
                return None;
            }
            if state.next < state.delivered + self.window {
                while self.done.contains(&state.run) {
                    state.run += 1;
                }
                state.next += 1;
                state.run += 1;
                return Some((state.next - 1, state.run - 1));
            }
            state = self.moved.wait(state).expect("no thread panics while it holds the queue");
        }
    }

    /// Delivers runs in order until all are, one was cut, or the sink fails; says whether all are.
    fn deliver(&self, sink: &mut dyn Sink, watch: &dyn Watch) -> Result<bool, RunError> {
        for position in 0..self.todo {
            let Some(record) = self.wait_for(position) else {
                self.close();
                return Ok(false);
            };
            if let Err(source) = sink.take(&record) {
                self.close();
                return Err(RunError::Sink { run: record.id.run, source });
            }
            watch.ended(&record);
            self.lock().delivered += 1;
            self.moved.notify_all();
        }
        self.close();
        Ok(true)
    }

    fn wait_for(&self, position: usize) -> Option<Box<RunRecord>> {
        let mut state = self.lock();
        loop {
            if let Some(record) = state.ended.remove(&position) {
                return record;
            }
            state = self.moved.wait(state).expect("no thread panics while it holds the queue");
        }
    }

    fn close(&self) {
        self.lock().closed = true;
        self.moved.notify_all();
    }
}
