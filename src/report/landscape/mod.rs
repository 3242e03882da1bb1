//! What was measured of landscapes: the table of all values, an overview for a terminal, figures, and
//! which of them goes with running time.

mod figures;
mod overview;
mod prediction;
mod rows;

pub(crate) use figures::figures;
pub(crate) use overview::overview;
pub(crate) use prediction::{features, predictions, verdict};
pub(crate) use rows::{CurveFile, values};
