//! Which run comes next in a folder: the plan says so, the shard, and of a race the runs before.

use super::ListedRun;
use crate::experiment::{Plan, Race, Shard};

/// The runs of a folder in their order.
pub(super) enum RunOrder {
    /// Some of the runs of a plan, in any order that grows.
    Any { next: u64 },
    /// Those of a shard.
    Shard { next: u64, step: u64, end: u64, runs: u64 },
    /// Those of a race, which decides after every block.
    Race { race: Race, next: Option<u64>, calls: Vec<f64> },
}

impl RunOrder {
    pub(super) fn of(plan: &Plan, shard: Shard) -> Self {
        match plan.race() {
            Some(race) => Self::Race { next: first_from(&race, 0), race, calls: Vec::new() },
            None => {
                let end = plan.runs();
                Self::Shard { next: shard.index, step: shard.of, end, runs: shard.count(end) }
            }
        }
    }

    /// How many runs the folder is for. Of a race that is not over, those up to the end of its present block; of
    /// [`Any`](Self::Any), whose number the plan does not say, one more than the last run.
    pub(super) fn runs(&self) -> u64 {
        match self {
            Self::Any { next } => *next,
            Self::Shard { runs, .. } => *runs,
            Self::Race { race, .. } => race.runs(),
        }
    }

    /// The run that comes next; `None` at the end, or where any may.
    pub(super) fn next(&self) -> Option<u64> {
        match self {
            Self::Any { .. } => None,
            Self::Shard { next, end, .. } => Some(*next).filter(|next| next < end),
            Self::Race { next, .. } => *next,
        }
    }

    /// Whether this run may come next.
    pub(super) fn takes(&self, run: u64) -> bool {
        match self {
            Self::Any { next } => run >= *next,
            _ => self.next() == Some(run),
        }
    }

    /// Goes on to the run behind this one.
    pub(super) fn take(&mut self, run: &ListedRun) {
        match self {
            Self::Any { next } => *next = run.run + 1,
            Self::Shard { next, step, .. } => *next += *step,
            Self::Race { race, next, calls } => {
                calls.push(run.race_calls);
                if calls.len() == race.left().len() {
                    race.take(calls);
                    calls.clear();
                }
                *next = first_from(race, run.run + 1);
            }
        }
    }
}

/// The first run of the present block, from this one on, that the race makes.
fn first_from(race: &Race, run: u64) -> Option<u64> {
    let block = race.next()?;
    (run.max(block.start)..block.end).find(|run| race.has(*run))
}
