//! Neighbourhoods: a position in the search space, the moves that lead away from it, and what each would add.
//!
//! Local searches are written once over this trait and compiled for each encoding. What they minimise is the weighted
//! violation of a [`Tally`], which is 0 exactly where the fitness is 0.

mod followed;
mod redraws;
mod steps;
mod swaps;

use crate::fitness::Tally;
use crate::rng::RunRng;

pub use followed::Followed;
pub use redraws::{Choices, Redraws};
pub use swaps::Swaps;

/// A position with its moves.
///
/// Moves are numbered by *slots*: a move and the one that takes it back each have a slot, so that a search can forbid a
/// return. They are grouped by *variables*, whose moves can be scanned together.
pub trait Neighbourhood: Send {
    /// A move; it leads away only from the position that gave it.
    type Move: Copy + Send;

    /// What its moves do, in a word.
    const NAME: &'static str;

    /// The position with its violations.
    fn tally(&self) -> &Tally;

    /// The weights of violations, to be changed.
    fn tally_mut(&mut self) -> &mut Tally;

    /// Goes to a genome of the encoding: one evaluation.
    fn place(&mut self, genome: &[u8]);

    /// A random move; `None` where there is none at all.
    fn random(&self, rng: &mut RunRng) -> Option<Self::Move>;

    /// A random move among those that change least, where some change less than others, else any; `None` where there is
    /// none at all. A move and its return need not be equally likely, as they are with [`random`](Self::random).
    fn random_near(&mut self, rng: &mut RunRng) -> Option<Self::Move> {
        self.random(rng)
    }

    /// What a move would add to the violation.
    fn difference(&self, step: Self::Move) -> i64;

    /// Makes a move.
    fn apply(&mut self, step: Self::Move);

    /// The number of variables.
    fn variables(&self) -> usize;

    /// Some group of the variable is violated.
    fn is_conflicted(&self, variable: usize) -> bool;

    /// Shows the moves of a variable with the slot of each and what it would add, at most `limit` of them; says how many
    /// it has shown.
    fn scan(&mut self, variable: usize, limit: u64, see: impl FnMut(Self::Move, usize, i64)) -> u64;

    /// One more than the highest slot.
    fn slots(&self) -> usize;

    /// The slot of a move.
    fn slot(&self, step: Self::Move) -> usize;

    /// The slot of the move that would take this one back, once it is made; asked before.
    fn return_slot(&self, step: Self::Move) -> usize;

    /// The violation is 0: the puzzle is solved.
    fn is_solved(&self) -> bool {
        self.tally().value() == 0
    }
}
