//! Puzzles made to order: [`GENERATORS`], a file per kind, and the [`Series`] that numbers what they make.

mod generators;

pub use generators::{GENERATORS, Generator, Series, Shortfall, latin_square};
