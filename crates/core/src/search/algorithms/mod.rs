//! Algorithms: one file each, with its pseudo-code and source.
//!
//! A new member is a `static ENTRY` whose `build` makes a [`Recipe`], a line in [`ALGORITHMS`] and one in the golden runs; the
//! recipe starts an [`Algorithm`], most simply by [`plain()`], or, for a walk through a neighbourhood, by `local`.
//!
//! **Invariant.** The order of draws is part of the format: golden runs.

mod annealing;
mod breakout;
mod estimation;
mod genetic;
mod hill_climbing;
mod islands;
mod iterated;
mod local;
mod plain;
mod portfolio;
mod program;
mod random;
mod session;
mod tabu;

use std::fmt;
use std::sync::Arc;

use crate::budget::{Budget, Guard, Spent, StopReason};
use crate::fitness::{Fitness, Guide, Halted};
use crate::rng::RunRng;
use crate::spec::{Family, Spec, SpecError, Value};

use super::encodings::EncodingError;
use super::operators::scaling::Scaling;
use super::{Algorithm, Best, Census, Ledger, MarkovError, MarkovModel, Observer, RunStatus, Space, Task};

pub use plain::{ENCODING, PlainSearch, plain};
pub use session::{Evaluated, GenomeError, Session};
// The rooms of kenga use these; their names may change.
#[doc(hidden)]
pub use {
    super::programs::{Programs, run_guardian},
    local::guide,
    program::REPORTS_COST,
};

/// The encoding of a resolved algorithm with what its local search minimises there, if it has one of its own; else those
/// of all algorithms that it lists.
#[doc(hidden)]
pub fn landscapes(algorithm: &Spec) -> Vec<(&Spec, Option<Guide>)> {
    if let Some(Value::Spec(encoding)) = algorithm.get(ENCODING.name) {
        let guided = algorithm.get(local::GUIDE.name);
        return vec![(encoding, guided.map(|_| guide(algorithm.spec(local::GUIDE.name))))];
    }
    let mut all = Vec::new();
    for named in &algorithm.values {
        let Value::List(values) = &named.value else { continue };
        for value in values {
            if let Value::Spec(listed) = value {
                all.extend(landscapes(listed));
            }
        }
    }
    all
}

/// An algorithm with its parameters, ready to be started on any puzzle.
pub trait Recipe: Send + Sync {
    /// The bounds of a budget that its runs use up: any one of them alone ends every run, on any puzzle.
    fn spends(&self) -> Vec<StopReason>;

    /// Starts it on a task.
    ///
    /// # Errors
    /// [`EncodingError`] when the encoding cannot hold the puzzle.
    fn start(&self, task: &Task) -> Result<Box<dyn Algorithm>, EncodingError>;

    /// What its runs have that most have not.
    fn features(&self) -> Features {
        Features::default()
    }

    /// How its selection scores a population; of islands, on the first.
    fn scores(&self) -> Scores {
        Scores { offset: None, scaling: None }
    }

    /// How its runs go from genome to genome of a space, where that depends on the genome alone.
    ///
    /// # Errors
    /// [`MarkovError`] where it depends on more.
    fn markov_model(&self, _space: &Space) -> Result<MarkovModel, MarkovError> {
        Err(MarkovError::Algorithm)
    }

    /// The same algorithm as a local search, where it makes moves.
    fn local_search(&self) -> Option<&dyn LocalSearch> {
        None
    }
}

impl fmt::Debug for dyn Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Recipe")
    }
}

/// What the runs of an algorithm have that most have not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// A population that migrants can leave and join.
    pub has_population: bool,
    /// So many islands, whose generations run in parallel; `None` where a run has no islands.
    pub islands: Option<usize>,
    /// They can [fail](StopReason::Failed), and may not follow their seed: a program that is not kenga's own makes them.
    pub can_fail: bool,
}

impl Features {
    /// A population that migrants can leave and join, and nothing else.
    pub(crate) const POPULATION: Self = Self { has_population: true, islands: None, can_fail: false };
}

/// How fitness, of which 0 is best, becomes scores, of which the highest are best.
pub struct Scores {
    /// A score is this minus the fitness; `None` stands for the worst fitness + 1.
    pub offset: Option<u32>,
    /// How scores become shares of the roulette wheel, where there is one.
    pub scaling: Option<Box<dyn Scaling>>,
}

/// An algorithm that can improve single genomes.
pub trait LocalSearch: Send + Sync {
    /// Starts it on a puzzle, for genomes of its encoding.
    ///
    /// # Errors
    /// [`EncodingError`] when the encoding cannot hold the puzzle.
    fn improve(&self, fitness: &Arc<Fitness>) -> Result<Box<dyn Improve>, EncodingError>;
}

/// A local search that starts from a genome of its encoding.
pub trait Improve: Send {
    /// Replaces a genome by the best that at most `moves` moves find, fewer when the guard cuts. Placing the genome is
    /// one evaluation.
    fn improve(&mut self, genome: &mut [u8], moves: u64, guard: &mut Guard, rng: &mut RunRng) -> Improved;

    /// Counts its moves from now on.
    fn follow(&mut self);

    /// Usage and gain of its moves, if they are counted.
    fn ledger(&self) -> Ledger;
}

/// The outcome of an improvement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Improved {
    /// Moves spent.
    pub moves: u64,
    /// The genome solves the puzzle.
    pub solved: bool,
}

/// A recipe, or why the parameters of an algorithm do not go together.
pub type Maker = Result<Box<dyn Recipe>, SpecError>;

/// Every algorithm.
pub static ALGORITHMS: Family<Maker> = Family::new(
    "algorithm",
    "the search algorithm",
    &[
        &genetic::ENTRY,
        &genetic::MEMETIC,
        &estimation::ENTRY,
        &islands::ENTRY,
        &random::ENTRY,
        &hill_climbing::ENTRY,
        &iterated::ENTRY,
        &annealing::ENTRY,
        &tabu::ENTRY,
        &breakout::ENTRY,
        &portfolio::ENTRY,
        &program::ENTRY,
    ],
);

/// Of evaluations, moves and generations those for which this holds.
fn bounds_where(holds: impl Fn(StopReason) -> bool) -> Vec<StopReason> {
    let mut bounds = vec![StopReason::Evaluations, StopReason::Moves, StopReason::Generations];
    bounds.retain(|reason| holds(*reason));
    bounds
}

/// Makes the recipe that a spec resolved against [`ALGORITHMS`] describes.
///
/// # Errors
/// A member that does not work on the encoding, or values that do not go together.
pub fn recipe(spec: &Spec) -> Result<Box<dyn Recipe>, SpecError> {
    ALGORITHMS.build(spec)
}

/// What every algorithm keeps: budget and guard, random streams, what is spent, the best, and why it ends.
struct RunState {
    budget: Budget,
    guard: Guard,
    /// The stream that random starts are drawn from.
    init_rng: RunRng,
    rng: RunRng,
    spent: Spent,
    /// What had been spent when the last complete generation ended.
    complete: Spent,
    best: Best,
    /// Why it ends before its budget does.
    stop: Option<StopReason>,
    census: Census,
    /// Whose objective may halt.
    fitness: Arc<Fitness>,
}

impl RunState {
    /// The state of a run that has not begun.
    fn new(task: &Task, space: &Space) -> Self {
        Self {
            budget: task.budget,
            guard: task.guard.clone(),
            init_rng: task.key.child("init").rng(),
            rng: task.key.child("search").rng(),
            spent: Spent::default(),
            complete: Spent::default(),
            best: Best::none(space.genes()),
            stop: None,
            census: Census::new(space.genes(), space.digits),
            fitness: Arc::clone(&task.fitness),
        }
    }

    /// Why there is nothing more to do, if so.
    fn stopped(&self) -> Option<StopReason> {
        if self.best.fitness == 0 {
            return Some(goal(&self.fitness));
        }
        halted(&self.fitness).or(self.stop).or_else(|| self.budget.reached(&self.spent))
    }

    /// Where the run stands.
    fn status(&self) -> RunStatus<'_> {
        RunStatus { spent: self.spent, best: &self.best, stop: self.stopped() }
    }

    /// Why the next step is not made, if so; looks at the guard.
    fn stopped_now(&mut self) -> Option<StopReason> {
        let stopped = self.stopped();
        if stopped.is_none() && self.guard.cuts() {
            return Some(StopReason::Seconds);
        }
        stopped
    }

    /// Why evaluations ended before all were made.
    fn cut_short(&self) -> StopReason {
        let stopped = self.stopped();
        // Where a clock has cut too, the budget did not decide where the run ended, and no replay would end there.
        if self.best.fitness > 0 && self.guard.has_cut() {
            return StopReason::Seconds;
        }
        stopped.unwrap_or(StopReason::Evaluations)
    }

    /// How many evaluations are left.
    fn evaluations_left(&self) -> u64 {
        self.budget.evaluations_left(&self.spent)
    }

    /// How many of `count` genomes can still be evaluated.
    fn within(&self, count: usize) -> usize {
        (count as u64).min(self.evaluations_left()) as usize
    }

    /// Counts the evaluation of a genome, which becomes the best if it is better.
    #[inline]
    fn count(&mut self, genome: &[u8], fitness: u32) {
        // What an objective that has halted did not answer was no evaluation.
        if fitness == u32::MAX && self.fitness.halted().is_some() {
            return;
        }
        self.spent.evaluations += 1;
        if fitness < self.best.fitness {
            self.best.take(genome, fitness, self.spent);
        }
    }

    /// A generation is complete.
    fn has_begun(&self) -> bool {
        self.complete != Spent::default()
    }

    /// Ends a complete generation and shows it; `fill` adds its individuals to an empty census, where one is wanted.
    fn show(&mut self, observer: &mut dyn Observer, fill: impl FnOnce(&mut Census)) {
        // A generation without all its values is none.
        if self.fitness.halted().is_some() {
            self.spent.generations = self.complete.generations;
            return;
        }
        self.complete = self.spent;
        if observer.wants(self.spent.generations) {
            self.census.clear(observer.counts_unique());
            self.census.keep_individuals(observer.keeps_individuals(self.spent.generations));
            fill(&mut self.census);
            observer.observe(self.spent, &self.census);
        }
        // Also where no census was wanted: progress is shown by it.
        observer.passed(self.spent, self.best.fitness);
    }
}

/// A local search that works on every encoding.
pub fn plain_local_search() -> &'static str {
    hill_climbing::ENTRY.member().name
}

/// Why a run ends that has reached fitness 0.
fn goal(fitness: &Fitness) -> StopReason {
    if fitness.zero_is_solved() { StopReason::Solved } else { StopReason::Bound }
}

/// Why a run ends whose objective has halted.
fn halted(fitness: &Fitness) -> Option<StopReason> {
    match fitness.halted()? {
        Halted::Failed(_) => Some(StopReason::Failed),
        Halted::Cut => Some(StopReason::Seconds),
    }
}

/// What the tests of several algorithms start from.
#[cfg(test)]
mod setup {
    use std::sync::Arc;

    use super::ALGORITHMS;
    use crate::budget::{Budget, Guard};
    use crate::fitness::{CageMeasure, Fitness, Weights};
    use crate::problem::Problem;
    use crate::puzzle::samples;
    use crate::rng::StreamKey;
    use crate::search::Task;
    use crate::spec::{Catalog, Named, Place, Spec, Value};

    pub(super) fn spec(name: &str, values: &[(&str, Value)]) -> Spec {
        let values = values.iter().map(|(key, value)| Named::new(*key, value.clone(), Place::default()));
        // Of a key that is there twice the first counts.
        Spec::named(name).with(values)
    }

    /// An algorithm with these values and its defaults.
    pub(super) fn resolved(name: &str, values: &[(&str, Value)]) -> Spec {
        ALGORITHMS.resolve(&spec(name, values), Place::default()).expect("a sound spec")
    }

    /// A random KenKen of this size.
    pub(super) fn task(size: usize, budget: Budget, guard: Guard) -> Task {
        let mut rng = StreamKey::run(5, "algorithms", 0).rng();
        let problem = Problem::compile(&samples::kenken(size, |n| rng.below(n)));
        let fitness = Fitness::new(problem, Weights::ORIGINAL, CageMeasure::Binary).expect("small weights");
        Task::new(Arc::new(fitness), StreamKey::run(1, "", 0), budget, guard)
    }
}
