//! What a run tells while it runs.

use crate::budget::Spent;

use super::{Census, Population};

/// Someone who watches a run.
pub trait Observer: Send + Sync {
    /// Says whether a census of this generation is wanted; 0 is the initial population.
    fn wants(&self, generation: u64) -> bool;

    /// Sees a complete generation that was wanted.
    fn observe(&mut self, spent: Spent, census: &Census);

    /// Sees the populations of a run that has not solved the puzzle, where only their operators change them, those that
    /// exchange individuals together and in the order of [`Algorithm::closure`](super::Algorithm::closure): at every complete
    /// generation, of islands whenever all are in sight. Says whether the run may end here, because nothing can come of it.
    fn gives_up(&mut self, spent: Spent, populations: &[&[&Population]]) -> bool {
        let _ = (spent, populations);
        false
    }

    /// Wants to know in the end what the operators have come to.
    fn follows(&self) -> bool {
        false
    }

    /// Hears of every complete generation, wanted or not, with the best fitness of the run so far.
    fn passed(&mut self, spent: Spent, best: u32) {
        let _ = (spent, best);
    }

    /// Hears of every migrant that has settled on another island, in the order in which they did.
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
