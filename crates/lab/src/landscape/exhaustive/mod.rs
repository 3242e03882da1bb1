//! Small spaces looked at genome by genome: exact probabilities and running times of kenga's own algorithms.
//!
//! Where a space is small enough to number its genomes, a search on it is a Markov chain whose states are the genomes. What
//! measured runs only estimate is then a sum: the probability to have solved the puzzle after so many calls, and how many it
//! takes on average. Nothing is sampled here, and nothing is fitted: the moves are the neighbourhood's own, and every number
//! follows from how the algorithm is defined. [`Measured`] holds runs of the algorithm itself against it, which tests both.
//!
//! Sources: J. G. Kemeny, J. L. Snell 1960, Finite Markov Chains; for evolutionary algorithms G. Rudolph 1998, Finite Markov
//! chain results in evolutionary computation, doi:10.3233/FI-1998-35123406; J. He, X. Yao 2003, Towards an analytic framework
//! for analysing the computation time of evolutionary algorithms, doi:10.1016/S0004-3702(02)00381-8.
//!
//! **Invariant.** Probabilities are summed in the order of genomes and moves, whatever the number of threads: the last digits
//! of results depend on it, and so do rows of `--exhaustive`. How they are stored and split among threads may be changed freely.

mod chain;
mod descent;
mod exact;
mod first_passage;
mod measured;
mod numbering;
mod optima;
mod optima_network;
mod proposal;
mod renewal;
mod surface;
#[cfg(test)]
mod tests;
mod visits;

use std::sync::atomic::{AtomicU64, Ordering};

use kenga_core::budget::Interrupt;

pub use exact::{Curve, Exact, ExactError, Expected};
pub use measured::{Agreement, CallLimit, Measured, Point};
pub use numbering::{MOST_GENOMES, MOST_MOVES, Numbering, SpaceError};
use numbering::{MOST_LEVELS, fits};
pub use optima::{Optima, Optimum};
pub use optima_network::{EdgeKind, MOST_SHARES, TooManyShares};
pub use surface::Surface;

/// What a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallUnit {
    /// An evaluation or a move, as everywhere in kenga.
    Calls,
    /// A move; evaluations are free.
    Moves,
}

impl CallUnit {
    /// The calls that an evaluation counts as.
    fn evaluation(self) -> usize {
        usize::from(self == Self::Calls)
    }
}

/// Genomes between two checks of the interrupt.
const CHECK_EVERY: usize = 4096;

/// How far long work has come, and whether it is to end.
#[derive(Clone, Copy)]
pub struct Progress<'a> {
    interrupt: &'a Interrupt,
    steps: &'a AtomicU64,
}

impl<'a> Progress<'a> {
    /// Work that an interrupt ends, and that counts its steps.
    pub fn new(interrupt: &'a Interrupt, steps: &'a AtomicU64) -> Self {
        Self { interrupt, steps }
    }

    fn is_cut(&self) -> bool {
        self.interrupt.is_raised()
    }

    /// Checks the interrupt at every [`CHECK_EVERY`]th step; `None` ends the work.
    fn check(&self, step: usize) -> Option<()> {
        if step.is_multiple_of(CHECK_EVERY) && self.is_cut() {
            return None;
        }
        Some(())
    }

    fn advance(&self, steps: u64) {
        self.steps.fetch_add(steps, Ordering::Relaxed);
    }
}
