//! Restarts: when a search starts again from a random genome.
//!
//! A new member implements [`Restart`], or gives its lengths to `Lengths`. Lengths depend on the number of restarts alone.

mod fixed;
mod geometric;
mod luby;
mod stalled;

use crate::spec::{Builder, Family, Member, Param};

/// A search since its last restart; calls are evaluations and moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stretch {
    /// Restarts so far.
    pub restarts: u64,
    /// Calls since the last restart.
    pub calls: u64,
    /// Calls since the last improvement on the best since the last restart.
    pub stalled: u64,
}

/// A rule for when to restart.
pub trait Restart: Send + Sync {
    /// The calls of the stretch after this many restarts; `None` if its length is open.
    fn length(&self, restarts: u64) -> Option<u64>;

    /// The calls without improvement that end a stretch; `None` if none do.
    fn patience(&self) -> Option<u64> {
        None
    }

    /// It never restarts.
    fn is_never(&self) -> bool {
        self.length(0).is_none() && self.patience().is_none()
    }

    /// A restart is due.
    fn is_due(&self, stretch: &Stretch) -> bool {
        self.length(stretch.restarts).is_some_and(|length| stretch.calls >= length)
            || self.patience().is_some_and(|patience| stretch.stalled >= patience)
    }
}

/// Every restart rule.
pub static RESTART: Family<Box<dyn Restart>> = Family::new(
    "restart",
    "when a search starts again from random genomes",
    &[&NONE, &fixed::ENTRY, &geometric::ENTRY, &luby::ENTRY, &stalled::ENTRY],
);

/// The length of the first stretch, or the unit of all.
const CALLS: Param = Param::integer("calls", 1..=i64::MAX, 100_000)
    .about("calls (evaluations and moves) before the first restart");

/// Restarts after a number of calls, which depends on the number of restarts before.
struct Lengths(Box<dyn Fn(u64) -> u64 + Send + Sync>);

impl Lengths {
    fn boxed(length: impl Fn(u64) -> u64 + Send + Sync + 'static) -> Box<dyn Restart> {
        Box::new(Self(Box::new(length)))
    }
}

impl Restart for Lengths {
    fn length(&self, restarts: u64) -> Option<u64> {
        Some((self.0)(restarts))
    }
}

/// Never restarts.
struct Never;

static NONE: Builder<Box<dyn Restart>> =
    Member::new("none").about("never restarts").source("kenga").build(|_| Box::new(Never));

impl Restart for Never {
    fn length(&self, _restarts: u64) -> Option<u64> {
        None
    }
}
