//! Puzzles made and judged: [`GENERATORS`], a file per kind, and the [`Series`] that numbers what they make; the
//! [`ladder`], which solves a puzzle as a person does and grades it; and what leaves a puzzle the same.

mod generators;
pub mod ladder;
pub mod models;
pub mod partitions;
pub mod symmetry;

pub use generators::{
    Advantage, Adversary, Evolution, Evolver, GENERATORS, Generator, Measurement, Series, Shortfall,
    latin_square,
};
