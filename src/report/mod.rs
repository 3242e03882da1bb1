//! What people look at: tables, drawings of grids, and verdicts in words.

pub mod compare;
mod grid;
mod lines;
mod number;
mod summary;

pub use grid::draw;
pub use number::{counted, duration, rounded};
pub use summary::{Summary, summaries, table};
