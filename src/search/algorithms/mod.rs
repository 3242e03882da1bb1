//! Algorithms: one file each, with its pseudo-code and source.

mod genetic;
mod islands;

use crate::budget::StopReason;
use crate::spec::{Family, Spec, SpecError};

use super::encodings::EncodingError;
use super::{Algorithm, Task};

/// An algorithm with its parameters, ready to be started on any puzzle.
pub trait Recipe: Send + Sync {
    /// The bounds of a budget that end it sooner or later: what it spends.
    fn spends(&self) -> &'static [StopReason];

    /// Its runs have a population that migrants can leave and enter.
    fn has_population(&self) -> bool;

    /// Starts it on a task.
    ///
    /// # Errors
    /// [`EncodingError`] when the encoding cannot hold the puzzle.
    fn start(&self, task: &Task) -> Result<Box<dyn Algorithm>, EncodingError>;
}

/// Checks what a resolved spec alone cannot say, and makes the recipe.
pub type Maker = Result<Box<dyn Recipe>, SpecError>;

/// Every algorithm.
pub static ALGORITHMS: Family<Maker> =
    Family { name: "algorithm", about: "what searches", entries: &[&genetic::ENTRY, &islands::ENTRY] };

/// Makes the recipe that a spec resolved against [`ALGORITHMS`] describes.
///
/// # Errors
/// A member that does not work on the encoding, or values that do not go together.
pub fn recipe(spec: &Spec) -> Result<Box<dyn Recipe>, SpecError> {
    ALGORITHMS.build(spec)
}
