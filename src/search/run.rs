//! A run: an algorithm at work on one puzzle until something stops it.

use std::sync::Arc;

use crate::budget::{Budget, Guard, Spent, StopReason};
use crate::fitness::Fitness;
use crate::rng::StreamKey;

use super::{Census, Closure, Ledger, Observer, Population};

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

    /// Advances; says why when it has come to an end.
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

    /// What its operators have come to in complete generations, where the observer at its start [follows] them.
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
