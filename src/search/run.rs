//! A run: an algorithm at work on one puzzle until something stops it, and who watches it.

use std::sync::Arc;

use crate::budget::{Budget, Guard, Spent, StopReason};
use crate::fitness::Fitness;
use crate::rng::StreamKey;

use super::{Census, Closure, Ledger, Population};

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

    /// Becomes this genome.
    pub(super) fn take(&mut self, genome: &[u8], fitness: u32, at: Spent) {
        self.ranks.copy_from_slice(genome);
        (self.fitness, self.at) = (fitness, at);
    }
}

/// An algorithm at work on one puzzle, advanced in steps.
///
/// A step is one generation, or several between two barriers. Complete generations are shown to the observer where it
/// wants them; a generation that the budget cuts short counts for the best and is not shown.
pub trait Algorithm: Send {
    /// Makes and evaluates the initial population, as far as the budget reaches.
    fn start(&mut self, observer: &mut dyn Observer);

    /// Why there is nothing more to do, if so: the puzzle is solved, or the budget spent.
    fn stopped(&self) -> Option<StopReason>;

    /// Advances; returns the stop reason when the run has ended.
    fn step(&mut self, observer: &mut dyn Observer) -> Option<StopReason>;

    /// What has been spent.
    fn spent(&self) -> Spent;

    /// The best individual so far; the first of equals.
    fn best(&self) -> &Best;

    /// Adds the last complete generation, if there is one, to a census; what had been spent then is returned.
    fn census(&self, census: &mut Census) -> Spent;

    /// The population that migrants leave and enter, where there is one.
    fn population(&mut self) -> Option<&mut Population>;

    /// What its operators can make of its populations, where nothing else changes them, one for all those that exchange
    /// individuals; `None` where every genome may come up.
    fn closure(&self) -> Option<Vec<Closure>> {
        None
    }

    /// Usage and gain of its operators in complete generations, where the observer at its start [follows] them.
    ///
    /// [follows]: Observer::follows
    fn ledger(&self) -> Ledger {
        Ledger::empty()
    }

    /// Seconds of CPU time spent on threads other than the caller's.
    fn helpers_cpu_s(&self) -> f64 {
        0.0
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The best individual.
    pub best: Best,
    /// What was spent.
    pub spent: Spent,
    /// Why it ended.
    pub stop: StopReason,
}

/// Runs an algorithm to its end. The outcome of a run that its guard cut is worth nothing to others: where it ended was
/// decided by a clock or a signal.
pub fn run(algorithm: &mut dyn Algorithm, observer: &mut dyn Observer) -> Outcome {
    algorithm.start(observer);
    let stop = loop {
        if let Some(reason) = algorithm.step(observer) {
            break reason;
        }
    };
    Outcome { best: algorithm.best().clone(), spent: algorithm.spent(), stop }
}

/// Watches a run.
pub trait Observer: Send + Sync {
    /// Says whether a census of this generation is wanted; 0 is the initial population.
    fn wants(&self, generation: u64) -> bool;

    /// Sees a complete generation that was wanted.
    fn observe(&mut self, spent: Spent, census: &Census);

    /// Sees the populations of a run that has not solved the puzzle, where only their operators change them, those that
    /// exchange individuals together and in the order of [`Algorithm::closure`](Algorithm::closure): at every complete
    /// generation, of islands whenever all are in sight. Says whether the run may end here, because nothing can come of it.
    fn gives_up(&mut self, spent: Spent, populations: &[&[&Population]]) -> bool {
        let _ = (spent, populations);
        false
    }

    /// Says whether usage and gain of the operators are wanted in the end.
    fn follows(&self) -> bool {
        false
    }

    /// Is told of every complete generation, wanted or not, with the best fitness of the run so far.
    fn passed(&mut self, spent: Spent, best: u32) {
        let _ = (spent, best);
    }

    /// Is told of every migrant that has settled on another island, in the order in which they did.
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

/// A copy of an individual that has come from one island to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migration {
    /// The number of the barrier, from 1: every island had made `barrier` times the interval calls, or had stopped.
    pub barrier: u64,
    /// What all islands together had spent.
    pub spent: Spent,
    /// The island that it left, from 0.
    pub from: usize,
    /// The island that it came to, from 0.
    pub to: usize,
    /// Its fitness.
    pub fitness: u32,
}
