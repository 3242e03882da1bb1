//! A run of an algorithm on one puzzle, and what watches it.
//!
//! An algorithm of its own implements the four required methods of [`Algorithm`]; what one feature needs has a default, and
//! [`RunDetails`] holds what only some algorithms tell.

use std::sync::Arc;

use crate::budget::{Budget, Guard, Spent, StopReason};
use crate::fitness::{Failure, Fitness};
use crate::rng::StreamKey;

use super::programs::Programs;
use super::{Births, Census, Closure, Ledger, Population};

/// What an algorithm is started on.
#[derive(Clone)]
pub struct Task {
    /// The problem and its measure.
    pub fitness: Arc<Fitness>,
    /// The key of the run's random streams.
    pub key: StreamKey,
    /// What the run may spend.
    pub budget: Budget,
    /// What can cut the run from outside.
    pub guard: Guard,
    /// Threads for algorithms that can use several; results never depend on it.
    pub pool: Option<Arc<rayon::ThreadPool>>,
    /// The puzzle as JSON, without its solution, for programs that stand in for an algorithm.
    pub puzzle: Arc<str>,
    /// Where such programs run.
    pub programs: Arc<Programs>,
}

impl Task {
    /// A task for algorithms of kenga's own, on the caller's thread alone.
    pub fn new(fitness: Arc<Fitness>, key: StreamKey, budget: Budget, guard: Guard) -> Self {
        Self { fitness, key, budget, guard, pool: None, puzzle: "{}".into(), programs: Arc::default() }
    }
}

/// The best individual of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    /// Its genome: a rank a cell.
    pub ranks: Vec<u8>,
    /// Its fitness.
    pub fitness: u32,
    /// What had been spent when it was found, its own evaluation included.
    pub at: Spent,
}

impl Best {
    /// The best where nothing has been found: worse than any genome.
    pub(super) fn none(genes: usize) -> Self {
        Self { ranks: vec![0; genes], fitness: u32::MAX, at: Spent::default() }
    }

    /// No genome has been evaluated.
    pub fn is_none(&self) -> bool {
        self.fitness == u32::MAX
    }

    /// Becomes this genome.
    pub(super) fn take(&mut self, genome: &[u8], fitness: u32, at: Spent) {
        // Copied in place: an improvement allocates nothing.
        self.ranks.copy_from_slice(genome);
        (self.fitness, self.at) = (fitness, at);
    }
}

/// Where a run stands.
#[derive(Clone, Copy, Debug)]
pub struct RunStatus<'a> {
    /// What has been spent.
    pub spent: Spent,
    /// The best individual so far; the first of equals.
    pub best: &'a Best,
    /// Why there is nothing more to do, if so: the puzzle is solved, or the budget spent.
    pub stop: Option<StopReason>,
}

/// An algorithm at work on one puzzle, advanced in steps.
///
/// A step is one generation, or several between two barriers. Complete generations are shown to the observer where it
/// wants them; a generation that the budget cuts short counts for the best and is not shown.
pub trait Algorithm: Send {
    /// Makes and evaluates the initial population, as far as the budget reaches.
    fn start(&mut self, observer: &mut dyn Observer);

    /// Makes a step; returns the stop reason when the run has ended.
    fn step(&mut self, observer: &mut dyn Observer) -> Option<StopReason>;

    /// Where the run stands.
    fn status(&self) -> RunStatus<'_>;

    /// Shows the population of the last complete generation, if there is one, and returns what had been spent then. Of
    /// islands each shows its own, in their order, one without individuals where it has none; a local search shows a
    /// population of one, where it stands.
    fn populations(&self, see: &mut dyn FnMut(&Population)) -> Spent;

    /// Makes at most a generation of every population, where a step has several; the next [`step`](Self::step) makes the
    /// rest. A run has the same results whichever of the two it calls.
    fn step_one_generation(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        self.step(observer)
    }

    /// The best individual so far within a step as well, of which [`status`](Self::status) tells at its end. It was found
    /// when its own population had spent what it says.
    fn leader(&self) -> &Best {
        self.status().best
    }

    /// The population that migrants leave and enter, where there is one.
    fn population(&mut self) -> Option<&mut Population> {
        None
    }

    /// What only some algorithms tell.
    fn details(&self) -> &dyn RunDetails {
        &()
    }
}

impl dyn Algorithm + '_ {
    /// What has been spent.
    pub fn spent(&self) -> Spent {
        self.status().spent
    }

    /// The best individual so far; the first of equals.
    pub fn best(&self) -> &Best {
        self.status().best
    }

    /// Why there is nothing more to do, if so.
    pub fn stopped(&self) -> Option<StopReason> {
        self.status().stop
    }

    /// Adds the last complete generation, if there is one, to a census, and returns what had been spent then.
    pub fn census(&self, census: &mut Census) -> Spent {
        self.populations(&mut |population| census.add(population))
    }
}

/// What only some algorithms tell of a run.
pub trait RunDetails {
    /// What its operators can make of its populations, where nothing else changes them: one closure for every set of
    /// populations that exchange individuals; `None` where every genome is reachable.
    fn closure(&self) -> Option<Vec<Closure>> {
        None
    }

    /// Usage and gain of its operators in complete generations, where the observer at its start [asks for them].
    ///
    /// [asks for them]: Observer::logs_operators
    fn ledger(&self) -> Ledger {
        Ledger::default()
    }

    /// The births of the last complete generation, of islands each: where the observer [asked] for those of that generation,
    /// and the algorithm breeds. Nothing where it has no populations that breed.
    ///
    /// [asked]: Observer::follows_births
    fn births(&self) -> Vec<Option<Arc<Births>>> {
        Vec::new()
    }

    /// Seconds of CPU time spent on threads other than the caller's, and by other programs.
    fn helpers_cpu_s(&self) -> f64 {
        0.0
    }

    /// Why the run has [failed](StopReason::Failed), if so.
    fn failure(&self) -> Option<&Failure> {
        None
    }

    /// What the run has cost, where the algorithm reports it; lower is better.
    fn cost(&self) -> Option<f64> {
        None
    }
}

/// Nothing beyond the defaults.
impl RunDetails for () {}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOutcome {
    /// The best individual.
    pub best: Best,
    /// What was spent.
    pub spent: Spent,
    /// Why it ended.
    pub stop: StopReason,
}

/// Runs an algorithm to its end. The outcome of a run that its guard cut cannot be reproduced: a clock or a signal
/// decided where it ended.
pub fn run(algorithm: &mut dyn Algorithm, observer: &mut dyn Observer) -> RunOutcome {
    algorithm.start(observer);
    loop {
        if let Some(stop) = algorithm.step(observer) {
            return RunOutcome { best: algorithm.best().clone(), spent: algorithm.spent(), stop };
        }
    }
}

/// Watches a run.
pub trait Observer: Send + Sync {
    /// It wants a census of this generation; 0 is the initial population.
    fn wants(&self, generation: u64) -> bool;

    /// Receives the census of a complete generation that it wants.
    fn observe(&mut self, spent: Spent, census: &Census);

    /// Receives the populations of a run that has not solved the puzzle, and says whether the run may end because no
    /// solution is reachable. Called after every complete generation, or between two slices of islands, if nothing but
    /// operators changes the populations. Populations that exchange individuals stand together, in the order of
    /// [`RunDetails::closure`].
    fn gives_up(&mut self, spent: Spent, populations: &[&[&Population]]) -> bool {
        let _ = (spent, populations);
        false
    }

    /// It wants censuses to count distinct genomes.
    fn counts_unique(&self) -> bool {
        false
    }

    /// It wants the census of this generation to keep the individuals.
    fn keeps_individuals(&self, generation: u64) -> bool {
        let _ = generation;
        false
    }

    /// It wants usage and gain of the operators at the end.
    fn logs_operators(&self) -> bool {
        false
    }

    /// It wants the births of the generation that is being made.
    fn follows_births(&self) -> bool {
        false
    }

    /// Called after every complete generation, wanted or not, with the best fitness of the run so far.
    fn passed(&mut self, spent: Spent, best: u32) {
        let _ = (spent, best);
    }

    /// Called for every migrant that has settled on another island, in the order of settling.
    fn migrated(&mut self, migration: &Migration) {
        let _ = migration;
    }
}

/// Watches nothing.
impl Observer for () {
    fn wants(&self, _generation: u64) -> bool {
        false
    }

    fn observe(&mut self, _spent: Spent, _census: &Census) {}
}

/// The arrival of a copy of an individual on another island.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migration {
    /// The number of the barrier, from 1: every island had spent `barrier` times `interval` calls, or had stopped.
    pub barrier: u64,
    /// What all islands together had spent.
    pub spent: Spent,
    /// The island that it left, from 0.
    pub from: usize,
    /// The island that it entered, from 0.
    pub to: usize,
    /// Its fitness.
    pub fitness: u32,
}
