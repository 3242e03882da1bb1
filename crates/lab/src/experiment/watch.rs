//! The progress of an experiment while it runs.

use super::{RunId, RunRecord};
use kenga_core::budget::Spent;
use kenga_core::search::{Census, Failure};

/// Follows the progress of an experiment; called from many threads at once.
pub trait Watch: Sync {
    /// A run has completed a generation; `best` is its lowest fitness so far.
    fn passed(&self, id: RunId, spent: Spent, best: u32) {
        let _ = (id, spent, best);
    }

    /// Says whether [`census`](Self::census) should see this generation of every run.
    fn wants(&self, generation: u64) -> bool {
        let _ = generation;
        false
    }

    /// A run has completed a generation that was wanted.
    fn census(&self, id: RunId, spent: Spent, census: &Census) {
        let _ = (id, spent, census);
    }

    /// A run has begun.
    fn begun(&self, id: RunId) {
        let _ = id;
    }

    /// A run has failed and begins again; `left` is how often it may fail once more.
    fn failed_once(&self, id: RunId, failure: &Failure, left: u64) {
        let _ = (id, failure, left);
    }

    /// A run has ended; calls come in the order of the plan, after the sink has taken it.
    fn ended(&self, record: &RunRecord) {
        let _ = record;
    }
}

/// Watches nothing.
impl Watch for () {}
