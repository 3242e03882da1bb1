//! What ends a search, and what it has found by then.

use crate::budget::{Clock, Interrupt};

use super::Limits;

/// Nodes between two checks of the clock and the interrupt.
pub(super) const CHECK_EVERY: u64 = 16;

/// How a search ended and what it found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SearchEnd {
    pub(super) count: u64,
    pub(super) exhausted: bool,
    pub(super) nodes: u64,
    pub(super) failures: u64,
    pub(super) learned: u64,
    /// CPU seconds since before compiling.
    pub(super) first_s: Option<f64>,
}

/// What ends a search before it is exhausted. The clock starts before compiling.
#[derive(Clone, Copy)]
pub(super) struct SearchStop<'a> {
    pub(super) limits: &'a Limits,
    pub(super) interrupt: &'a Interrupt,
    pub(super) clock: &'a Clock,
}

impl SearchStop<'_> {
    /// The search must take no further decision.
    pub(super) fn should_stop(&self, found: &SearchEnd) -> bool {
        self.limits.nodes.is_some_and(|limit| found.nodes >= limit)
            || found.nodes.is_multiple_of(CHECK_EVERY)
                && (self.interrupt.is_raised() || self.clock.past(self.limits.seconds))
    }
}
