//! What a search does, as events, and their reasons.

use super::Status;
use crate::problem::LostCandidates;

/// One thing that the search does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Cells lose candidates.
    Removal {
        /// What implies it.
        reason: Reason,
        /// Each cell stands once, and loses at least one rank.
        lost: Vec<LostCandidates>,
    },
    /// Nothing is left for a rule under the present decisions. Removals of the same rule may come before it.
    Conflict {
        /// What fails.
        reason: Reason,
    },
    /// Propagation has come to its first fixpoint; the search begins.
    Fixpoint,
    /// Digits are interchangeable: these cells get the first digits in order, and every solution stands for all that
    /// exchanging digits makes of it.
    Orbit {
        /// The cells; the first gets rank 0.
        cells: Vec<u16>,
    },
    /// A cell gets a digit to try.
    Decision {
        /// The cell.
        cell: u16,
        /// The rank of its digit, a candidate.
        rank: u32,
        /// The number of decisions, this one included.
        depth: u32,
    },
    /// Decisions are undone, with all that followed from them.
    Back {
        /// The number of decisions left.
        depth: u32,
    },
    /// The search begins anew without decisions, and keeps what it knows.
    Restart,
    /// From here on the search learns a clause from every conflict. It begins without decisions.
    Learning,
    /// One of these literals must hold.
    Clause {
        /// The literals.
        literals: Vec<Literal>,
        /// It excludes a solution that has been found; otherwise a conflict has taught it.
        is_solution: bool,
    },
    /// Every cell has one candidate left: a solution.
    Solution,
    /// The search is over.
    End(Status),
}

/// "One of these cells has the digit", or that none has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// A cell, or those that a cage and a line share.
    pub cells: Vec<u16>,
    /// The rank of the digit.
    pub rank: u32,
    /// One of the cells has it.
    pub holds: bool,
}

/// What implies a removal or a conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// How it implies it.
    pub inference: Inference,
    /// The groups that it rests on, the one that it is named by first. Once the search learns, it may rest on clauses too.
    pub groups: Vec<usize>,
}

/// How candidates go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inference {
    /// The clue of one cell.
    Given,
    /// No digits of the group's cells satisfy the clue with it; cells that share a distinct group differ.
    Clue,
    /// A digit stands in another cell of the group, or fits no other cell.
    Single,
    /// Other cells of the group need the digit among them.
    Distinct,
    /// A cage, the first group, has the digit in the line, the second group; or the line needs it in the cage.
    Crossing,
    /// The sum of lines, the first group one of them, less those of cages leaves no such digits to the cells between.
    LineSum,
    /// A clause that was learned, or that excludes a solution found.
    Clause,
    /// With the digit of the decision that was undone there is no further solution.
    Refuted,
    /// A distinct group has more cells than there are digits.
    Crowded,
    /// A cell has no candidate at the start.
    Empty,
}
