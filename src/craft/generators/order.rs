//! What a puzzle is to be, whatever its kind.

use crate::spec::{Param, Spec};

use super::steer::Wish;

/// The parameter of every kind that may have more solutions than one.
pub(super) const MAX_SOLUTIONS: Param =
    Param::integer("max_solutions", 1..=1000, 1).about("how many solutions a puzzle may have");

/// The parameter that asks for puzzles without a clue to spare.
pub(super) const MINIMAL: Param = Param::flag("minimal", false)
    .about("no clue can be left out: without any of them there are more solutions");

/// What a puzzle is to be.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// The most solutions.
    pub(super) solutions: u64,
    /// No clue can be left out.
    pub(super) minimal: bool,
}

/// How a puzzle compares with an order.
#[derive(Clone, Debug, Default)]
pub(super) struct Appraisal {
    /// 0 where it is what was ordered.
    pub(super) distance: usize,
    /// Cells near which a change may help; anywhere if there are none.
    pub(super) cells: Vec<u16>,
    /// What a change should tend to.
    pub(super) wish: Wish,
    /// What it is, in words.
    pub(super) words: String,
}

impl Order {
    /// The order of a resolved spec.
    pub(super) fn of(spec: &Spec) -> Self {
        Self { solutions: spec.count("max_solutions"), minimal: spec.flag("minimal") }
    }
}
