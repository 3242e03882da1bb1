//! Puzzles made and judged: [`GENERATORS`], a file per kind, and the [`Series`] that numbers what they make; the
//! [`ladder`], which solves a puzzle as a person does and grades it; and what leaves a puzzle the same.

mod generators;

// The program uses these; their names may change.
#[doc(hidden)]
pub mod ladder;
#[doc(hidden)]
pub mod models;
#[doc(hidden)]
pub mod partitions;
#[doc(hidden)]
pub mod symmetry;

#[doc(hidden)]
pub use generators::{Advantage, Adversary, Evolution, Evolver, Measurement, Series, latin_square};
pub use generators::{GENERATORS, Generator, Shortfall};
