//! What a search shows of itself while it runs. The search is compiled for each observer; without one, `()`, nothing of this
//! is left in it.

use super::event::Event;
use super::numbering::PropagatorNumbering;
use super::space::Space;
use crate::problem::Problem;

/// What removed candidates, or found that nothing is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RemovalCause {
    /// The clue of this group over one cell.
    Given(usize),
    /// The propagator with this number.
    Propagator(usize),
    /// The cage and the line of the crossing with this index.
    Crossing(u32),
    /// A learned clause.
    Clause,
    /// With the digit of the last decision there is no further solution.
    Refuted,
    /// A line has more cells than there are digits.
    Crowded,
    /// A cell has no candidate at the start.
    Empty,
}

/// Sees a search as it goes.
pub(super) trait SearchObserver {
    /// The propagators of a problem have their numbers.
    fn numbered(&mut self, _problem: &Problem, _numbering: &PropagatorNumbering) {}

    /// The propagator with this number is a line sum that follows from those with the other numbers, a line's first.
    fn derived(&mut self, _number: usize, _from: &[usize]) {}

    /// The cause changed the space since the moment `from`.
    fn changed(&mut self, _space: &Space, _cause: RemovalCause, _from: usize) {}

    /// The cause leaves no solution under the present decisions.
    fn failed(&mut self, _cause: RemovalCause) {}

    /// Something else happened.
    fn saw(&mut self, _event: impl FnOnce() -> Event) {}
}

impl SearchObserver for () {}
