//! Which run comes next in a folder: the plan says so, the shard, and of a race the runs before.

use crate::experiment::{Plan, Race, Shard, Share};

/// The runs of a folder in their order.
pub(super) enum RunOrder {
    /// Some of the runs of a plan, in any order that grows.
    Any { next: u64 },
    /// One in so many.
    Every { step: u64, next: u64 },
    /// Those of a shard.
    Shard { share: Share, next: Option<u64> },
    /// Those of a shard of a race: which of its share are run, all shards decide together.
    RaceShard { share: Share, next: u64, runs: u64 },
    /// Those of a race, which decides after every block.
    Race { race: Race, next: Option<u64>, calls: Vec<f64> },
}

impl RunOrder {
    pub(super) fn new(plan: &Plan, shard: Shard) -> Self {
        if plan.is_part_of_race(shard) {
            return Self::RaceShard { share: plan.share(shard), next: 0, runs: 0 };
        }
        match plan.race() {
            Some(race) => Self::Race { next: first_from(&race, 0), race, calls: Vec::new() },
            None => {
                let share = plan.share(shard);
                Self::Shard { next: share.first_from(0), share }
            }
        }
    }

    /// Whether the runs before decide which comes next.
    pub(super) fn is_race(&self) -> bool {
        matches!(self, Self::Race { .. })
    }

    /// How many runs the folder is for. Of a race that is not over, those up to the end of its present block; of a shard of one,
    /// which does not know it, those that are there; of [`Any`](Self::Any) and [`Every`](Self::Every), whose number nothing says,
    /// those before the next run.
    pub(super) fn runs(&self) -> u64 {
        match self {
            Self::Any { next } | Self::Every { next, .. } => *next,
            Self::Shard { share, .. } => share.count(),
            Self::RaceShard { runs, .. } => *runs,
            Self::Race { race, .. } => race.runs(),
        }
    }

    /// The run that comes next; `None` at the end, or where any may.
    pub(super) fn next(&self) -> Option<u64> {
        match self {
            Self::Any { .. } | Self::RaceShard { .. } => None,
            Self::Every { next, .. } => Some(*next),
            Self::Shard { next, .. } | Self::Race { next, .. } => *next,
        }
    }

    /// Whether this run may come next.
    pub(super) fn takes(&self, run: u64) -> bool {
        match self {
            Self::Any { next } => run >= *next,
            Self::RaceShard { share, next, .. } => run >= *next && share.has(run),
            _ => self.next() == Some(run),
        }
    }

    /// Goes on to the run behind this one, which spent so many calls as a race compares them.
    pub(super) fn take(&mut self, run: u64, race_calls: f64) {
        match self {
            Self::Any { next } => *next = run + 1,
            Self::Every { step, next } => *next = run + *step,
            Self::RaceShard { next, runs, .. } => {
                *next = run + 1;
                *runs += 1;
            }
            Self::Shard { share, next } => *next = share.first_from(run + 1),
            Self::Race { race, next, calls } => {
                calls.push(race_calls);
                if calls.len() == race.left().len() {
                    race.take(calls);
                    calls.clear();
                }
                *next = first_from(race, run + 1);
            }
        }
    }
}

/// The first run of the present block, from this one on, that the race makes.
fn first_from(race: &Race, run: u64) -> Option<u64> {
    let block = race.next()?;
    (run.max(block.start)..block.end).find(|run| race.has(*run))
}
