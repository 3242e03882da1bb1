//! Algorithms: one file each, with its pseudo-code and source.

mod annealing;
mod breakout;
mod estimation;
mod genetic;
mod hill_climbing;
mod islands;
mod iterated;
mod local;
mod portfolio;
mod random;
mod run_state;
mod tabu;

use std::sync::Arc;

use crate::budget::{Guard, StopReason};
use crate::fitness::Fitness;
use crate::rng::RunRng;
use crate::spec::{Family, Spec, SpecError};

use super::encodings::EncodingError;
use super::{Algorithm, Ledger, Task};

/// An algorithm with its parameters, ready to be started on any puzzle.
pub trait Recipe: Send + Sync {
    /// The bounds of a budget each of which ends it sooner or later, whatever the puzzle: what it cannot help spending.
    fn spends(&self) -> &'static [StopReason];

    /// Its runs have a population that migrants can leave and enter.
    fn has_population(&self) -> bool;

    /// How many islands its runs have, whose generations stand side by side; `None` where a run has no islands.
    fn islands(&self) -> Option<usize> {
        None
    }

    /// Starts it on a task.
    ///
    /// # Errors
    /// [`EncodingError`] when the encoding cannot hold the puzzle.
    fn start(&self, task: &Task) -> Result<Box<dyn Algorithm>, EncodingError>;

    /// What improves single genomes, where it is a local search that makes moves.
    fn local_search(&self) -> Option<&dyn LocalSearch> {
        None
    }
}

/// An algorithm that can improve single genomes.
pub trait LocalSearch: Send + Sync {
    /// Makes it an improvement of genomes of its encoding.
    ///
    /// # Errors
    /// [`EncodingError`] when the encoding cannot hold the puzzle.
    fn improve(&self, fitness: &Arc<Fitness>) -> Result<Box<dyn Improve>, EncodingError>;
}

/// A local search that starts from a genome of its encoding.
pub trait Improve: Send {
    /// Leaves the best genome that at most `moves` moves come by; fewer when the guard cuts. To take the genome over is one
    /// evaluation.
    fn improve(&mut self, genome: &mut [u8], moves: u64, guard: &mut Guard, rng: &mut RunRng) -> Improved;

    /// Counts its moves from now on.
    fn follow(&mut self);

    /// Usage and gain of its moves, if they are counted.
    fn ledger(&self) -> Ledger;
}

/// The outcome of an improvement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Improved {
    /// Moves spent.
    pub moves: u64,
    /// The genome solves the puzzle.
    pub solved: bool,
}

/// Checks what a resolved spec alone cannot say, and makes the recipe.
pub type Maker = Result<Box<dyn Recipe>, SpecError>;

/// Every algorithm.
pub static ALGORITHMS: Family<Maker> = Family {
    name: "algorithm",
    about: "what searches",
    entries: &[
        &genetic::ENTRY,
        &genetic::MEMETIC,
        &estimation::ENTRY,
        &islands::ENTRY,
        &random::ENTRY,
        &hill_climbing::ENTRY,
        &iterated::ENTRY,
        &annealing::ENTRY,
        &tabu::ENTRY,
        &breakout::ENTRY,
        &portfolio::ENTRY,
    ],
};

/// Of evaluations, moves and generations those for which this holds.
fn bounds_where(holds: impl Fn(StopReason) -> bool) -> &'static [StopReason] {
    use StopReason::{Evaluations, Generations, Moves};
    match [Evaluations, Moves, Generations].map(holds) {
        [true, true, true] => &[Evaluations, Moves, Generations],
        [true, true, false] => &[Evaluations, Moves],
        [true, false, true] => &[Evaluations, Generations],
        [true, false, false] => &[Evaluations],
        [false, true, true] => &[Moves, Generations],
        [false, true, false] => &[Moves],
        [false, false, true] => &[Generations],
        [false, false, false] => &[],
    }
}

/// Makes the recipe that a spec resolved against [`ALGORITHMS`] describes.
///
/// # Errors
/// A member that does not work on the encoding, or values that do not go together.
pub fn recipe(spec: &Spec) -> Result<Box<dyn Recipe>, SpecError> {
    ALGORITHMS.build(spec)
}
