//! Puzzles made and judged: [`GENERATORS`], a file per kind, and the [`Series`] that numbers what they make; the
//! [`ladder`], which solves a puzzle as a person does and grades it; and what leaves a puzzle the same.

mod generators;
pub mod ladder;

// The program uses these; their names may change.
#[doc(hidden)]
pub mod models;
#[doc(hidden)]
pub mod partitions;
#[doc(hidden)]
pub mod symmetry;

pub use generators::{
    Advantage, Adversary, Evolution, Evolver, GENERATORS, Generator, Measurement, Series, Shortfall,
    latin_square,
};
