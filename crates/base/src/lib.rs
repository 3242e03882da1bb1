//! What the rest of kenga is built on: puzzles as people write them, and tables of named members with parameters.
//!
//! Nothing here is hot: this crate is compiled without optimisation while kenga is developed. `kenga-core` has the same
//! paths. **Invariant:** nothing here reads files, clocks or random numbers: the same text is always the same puzzle.

pub mod puzzle;
// Its names may change.
#[doc(hidden)]
pub mod sort;
pub mod spec;
pub mod table;
// What texts look like on a terminal: its names may change.
#[doc(hidden)]
pub mod text;
