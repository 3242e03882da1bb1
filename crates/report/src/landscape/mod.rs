//! What was measured of landscapes: the table of all values, an overview for a terminal, figures, and
//! which of them goes with running time.
//!
//! **Invariant**: the names of columns are a format that programs read. Words and looks may change freely.

mod figures;
mod overview;
mod prediction;
mod rows;

pub use figures::figures;
pub use overview::overview;
pub use prediction::{features, predictions, verdict};
pub use rows::{CurveFile, values};
