//! The bench of [kenga](https://docs.rs/kenga): puzzles, the fitness, the search, and the exact solver beside it.
//!
//! A [`puzzle`] is cells, digits and groups with rules; [`puzzle::formats`] reads it. [`problem`] compiles it into flat
//! arrays, which the exact [`solver`] and the [`fitness`] work on. A [`search`] is an algorithm, an encoding and operators,
//! all chosen by name from tables and described by a [`spec`].

pub mod budget;
pub mod fitness;
pub mod problem;
mod processes;
pub mod rng;
pub mod search;
pub mod solver;

/// How large a test is, as `kenga_testing::size`, which is built on this crate, says of others.
#[cfg(test)]
fn test_size<T>(everyday: T, all: T) -> T {
    if std::env::var_os("KENGA_TESTS").is_some_and(|said| said == "all") { all } else { everyday }
}

pub use kenga_base::{puzzle, sort, spec, table, text};
