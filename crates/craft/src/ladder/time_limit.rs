//! How long a puzzle may be looked at.

use kenga_core::budget::Clock;

/// A limit of wall time that began to count when it was made.
#[derive(Debug)]
pub struct TimeLimit {
    clock: Clock,
    /// `None` for no limit.
    seconds: Option<f64>,
}

impl TimeLimit {
    /// A limit of so many seconds from now on; `None` for no limit.
    pub fn start(seconds: Option<f64>) -> Self {
        Self { clock: Clock::start(), seconds }
    }

    /// No limit.
    pub fn none() -> Self {
        Self::start(None)
    }

    /// The time is up.
    pub fn is_over(&self) -> bool {
        self.clock.past(self.seconds)
    }

    /// Seconds that are left; `None` for no limit.
    pub fn left(&self) -> Option<f64> {
        self.seconds.map(|seconds| (seconds - self.clock.wall_s()).max(0.0))
    }
}
