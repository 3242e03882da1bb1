//! What an evolution is told: what its puzzles are measured by, and how many.

use kenga_core::puzzle::Puzzle;

/// What puzzles are evolved against.
pub trait Adversary: Sync {
    /// Begins to measure a puzzle, which has one solution; `None` where it cannot be measured.
    fn begin<'a>(&'a self, puzzle: &Puzzle) -> Option<Box<dyn Measurement + 'a>>;
}

/// The measurement of one puzzle, run by run.
pub trait Measurement {
    /// What is known of its advantage after so many runs, those before counted; `None` after an interrupt.
    fn advantage(&mut self, runs: u64) -> Option<Advantage>;

    /// Says whether the puzzle is what is looked for, by runs that no advantage came from: else in words why not, as the end of a
    /// sentence that begins with the name of a puzzle. `None` after an interrupt. Ends the measurement.
    fn confirm(&mut self) -> Option<Result<(), String>>;
}

/// The measured advantage of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advantage {
    /// What is maximised: finite.
    pub value: f64,
    /// Its standard error, roughly: it decides only how far a puzzle is measured. 0 where no chance is in it.
    pub error: f64,
}

/// How puzzles are evolved.
pub struct Evolution<'a> {
    /// What for, as part of an id: `hard-tabu`.
    pub name: String,
    /// What they are evolved against.
    pub adversary: &'a dyn Adversary,
    /// Puzzles that are measured for one, at least 1.
    pub effort: u32,
    /// Called after every puzzle that was measured.
    pub watch: &'a (dyn Fn() + Sync),
}
