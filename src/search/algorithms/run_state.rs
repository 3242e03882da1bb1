//! What the algorithms that evaluate genomes keep of a run.

use crate::budget::{Budget, Guard, Spent, StopReason};
use crate::rng::RunRng;
use crate::search::{Best, Census, Observer, Space, Task};

/// What a run may spend and has spent, its random streams, the best it has found, and whether it gives up.
pub(super) struct RunState {
    pub(super) budget: Budget,
    pub(super) guard: Guard,
    /// The stream that random starts are drawn from.
    pub(super) init_rng: RunRng,
    pub(super) rng: RunRng,
    pub(super) spent: Spent,
    pub(super) best: Best,
    /// Why it ends before its budget does.
    pub(super) stop: Option<StopReason>,
    census: Census,
}

impl RunState {
    /// The state of a run that has not begun.
    pub(super) fn new(task: &Task, space: &Space) -> Self {
        Self {
            budget: task.budget,
            guard: task.guard.clone(),
            init_rng: task.key.child("init").rng(),
            rng: task.key.child("search").rng(),
            spent: Spent::default(),
            best: Best::none(space.genes()),
            stop: None,
            census: Census::new(space.genes(), space.digits),
        }
    }

    /// Why there is nothing more to do, if so.
    pub(super) fn stopped(&self) -> Option<StopReason> {
        let solved = (self.best.fitness == 0).then_some(StopReason::Solved);
        solved.or(self.stop).or_else(|| self.budget.reached(&self.spent))
    }

    /// Why the next step is not made, if so; a look at the guard.
    pub(super) fn ended(&mut self) -> Option<StopReason> {
        self.stopped().or_else(|| self.guard.cuts().then_some(StopReason::Seconds))
    }

    /// Why evaluations ended before all were made.
    pub(super) fn cut_short(&self) -> StopReason {
        match self.stopped() {
            Some(StopReason::Solved) => StopReason::Solved,
            _ if self.guard.has_cut() => StopReason::Seconds,
            stopped => stopped.unwrap_or(StopReason::Evaluations),
        }
    }

    /// How many evaluations are left.
    pub(super) fn evaluations_left(&self) -> u64 {
        self.budget.evaluations_left(&self.spent)
    }

    /// How many of `count` genomes can still be evaluated.
    pub(super) fn within(&self, count: usize) -> usize {
        (count as u64).min(self.evaluations_left()) as usize
    }

    /// Counts the evaluation of a genome and takes it over if it is better than the best.
    #[inline]
    pub(super) fn count(&mut self, genome: &[u8], fitness: u32) {
        self.spent.evaluations += 1;
        if fitness < self.best.fitness {
            self.best.take(genome, fitness, self.spent);
        }
    }

    /// Shows a complete generation to an observer who wants it; `fill` adds its individuals to an empty census.
    pub(super) fn observe(&mut self, observer: &mut dyn Observer, fill: impl FnOnce(&mut Census)) {
        if observer.wants(self.spent.generations) {
            self.census.clear();
            fill(&mut self.census);
            observer.observe(self.spent, &self.census);
        }
    }
}
