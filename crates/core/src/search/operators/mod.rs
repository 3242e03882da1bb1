//! Operators by family; each family is a folder with its trait and table in `mod.rs` and one file a member.
//!
//! A new member is a file with a picture of what it does, a `static ENTRY`, the trait, and a pure function that takes the draws;
//! and its two lines in the family's `mod.rs`. Configurations, `kenga list`, errors, the conformance suite and the benches walk
//! the tables.
//!
//! **Invariant.** What an operator draws, and in which order, is part of the format: golden runs.

mod adaptive;
pub mod crossover;
pub mod mutation;
pub mod niching;
pub mod replacement;
pub mod restart;
pub mod scaling;
pub mod schedule;
pub mod selection;
mod steps;
pub mod topology;
mod variation;
pub mod weights;

pub use variation::{Chooser, Variation};

/// Shuffles the digits of some genes (Fisher and Yates); `below(n)` draws from 0 to `n - 1`.
fn shuffle(genome: &mut [u8], genes: &[u16], mut below: impl FnMut(usize) -> usize) {
    for last in (1..genes.len()).rev() {
        genome.swap(usize::from(genes[last]), usize::from(genes[below(last + 1)]));
    }
}
