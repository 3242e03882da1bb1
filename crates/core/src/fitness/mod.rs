//! How far an assignment is from a solution: violations by term and by group, weighted into one integer.
//!
//! Lower is better, 0 exactly when the puzzle is solved. [`Fitness::evaluate`] computes the fitness of a genome (one
//! *evaluation*), [`Fitness::evaluate_each`] that of many genomes faster, and a [`Tally`] the difference that a change
//! or a swap would make (one *move*).
//!
//! **Invariant.** All ways to evaluate agree: genome by genome, sixteen at a time, by difference; tests hold each against a slow
//! one, and 0 against the referee. How a number is found may be changed freely, and measured (`benches/`).

mod cages;
mod evaluate;
mod lane_totals;
mod lines;
mod objective;
mod simd;
mod tally;
mod terms;

pub use evaluate::Fitness;
pub use objective::{Failure, Halted, Objective, Scale};
pub use simd::Scratch;
pub use tally::Tally;
pub(crate) use tally::{LANES, LONGEST, Parts};
pub use terms::{CageMeasure, Terms, Weights};
// The rooms of kenga use these; their names may change.
#[doc(hidden)]
pub use {
    evaluate::FitnessError,
    terms::{Equals, Guide, Invariants, Term},
};
