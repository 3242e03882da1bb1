//! The costs of runs, as earlier ones had them, and the shards that runs are dealt to by them.
//!
//! **Invariant**: the deal follows from the numbers that the plan keeps, and is part of the format as that of
//! [`Share`](super::Share) is.
//!
//! Source: R. L. Graham, Bounds on multiprocessing timing anomalies, SIAM Journal on Applied Mathematics 17 (1969),
//! doi:10.1137/0117039: longest processing time first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

/// The cost of a run of every setting on every puzzle.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunCosts {
    /// The replicates that are dealt by these costs; later ones are dealt evenly, so that more of them move no run.
    replicates: u64,
    /// Median CPU time in microseconds, at least 1, of each run of a replicate: puzzle by puzzle, setting by setting.
    cpu_us: Vec<u64>,
    /// The last deal: status and merge ask for those of all shards.
    #[serde(skip)]
    last: Mutex<Option<Arc<Deal>>>,
}

/// Runs dealt to shards.
#[derive(Debug)]
pub(super) struct Deal {
    /// The shard of each run.
    pub(super) shards: Vec<u32>,
    /// How many runs each shard has.
    pub(super) counts: Vec<u64>,
}

impl PartialEq for RunCosts {
    fn eq(&self, other: &Self) -> bool {
        (self.replicates, &self.cpu_us) == (other.replicates, &other.cpu_us)
    }
}

impl RunCosts {
    /// The most runs that are dealt by their costs: the deal holds 4 bytes of each.
    const MOST: u64 = 10_000_000;

    /// The costs of so many replicates: the seconds of CPU time of each run of one, puzzle by puzzle, setting by setting.
    pub(super) fn new(replicates: u64, cpu_s: &[f64]) -> Self {
        let cpu_us: Vec<u64> =
            cpu_s.iter().map(|seconds| (seconds * 1e6).round().clamp(1.0, 1e18) as u64).collect();
        let replicates = replicates.min(Self::MOST / cpu_us.len() as u64);
        Self { replicates, cpu_us, last: Mutex::default() }
    }

    /// The seconds of CPU time that a replicate of every run takes.
    pub fn replicate_s(&self) -> f64 {
        self.cpu_us.iter().map(|cost| *cost as f64).sum::<f64>() / 1e6
    }

    /// They are those of a plan that has so many replicates, and runs in each, and not more runs than can be dealt.
    pub(crate) fn fit(&self, replicates: u64, replicate_runs: u64) -> bool {
        let runs = self.replicates.checked_mul(replicate_runs);
        self.replicates <= replicates
            && self.cpu_us.len() as u64 == replicate_runs
            && self.cpu_us.iter().all(|cost| *cost > 0)
            && runs.is_some_and(|runs| runs <= Self::MOST)
    }

    /// The runs of the replicates that have costs, dealt to so many shards.
    pub(super) fn deal(&self, of: u64) -> Arc<Deal> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(deal) = last.as_ref().filter(|deal| deal.counts.len() as u64 == of) {
            return Arc::clone(deal);
        }
        let deal = Arc::new(self.new_deal(of));
        *last = Some(Arc::clone(&deal));
        deal
    }

    /// The longest runs first, each to the shard that has the least so far.
    fn new_deal(&self, of: u64) -> Deal {
        let replicate_runs = self.cpu_us.len();
        let mut order: Vec<usize> = (0..replicate_runs).collect();
        order.sort_by_key(|run| (Reverse(self.cpu_us[*run]), *run));
        let mut loads: BinaryHeap<Reverse<(u128, u32)>> =
            (0..of as u32).map(|shard| Reverse((0, shard))).collect();
        let mut shards = vec![0; replicate_runs * self.replicates as usize];
        let mut counts = vec![0; of as usize];
        for run in order {
            for replicate in 0..self.replicates as usize {
                let Reverse((load, shard)) = loads.pop().expect("there is at least one shard");
                shards[replicate * replicate_runs + run] = shard;
                counts[shard as usize] += 1;
                loads.push(Reverse((load + u128::from(self.cpu_us[run]), shard)));
            }
        }
        Deal { shards, counts }
    }
}
