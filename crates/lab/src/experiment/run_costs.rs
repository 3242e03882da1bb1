//! The costs of runs, as earlier ones had them, and the shards that runs are dealt to by them.
//!
//! **Invariant**: the deal follows from the numbers that the plan keeps, and is part of the format as that of
//! [`Share`](super::Share) is.
//!
//! Source: R. L. Graham, Bounds on multiprocessing timing anomalies, SIAM Journal on Applied Mathematics 17 (1969),
//! doi:10.1137/0117039: longest processing time first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::sweep::COMMON;
use super::{Plan, Setting};
use kenga_core::puzzle::Puzzle;

/// The cost of a run of every setting on every puzzle.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunCosts {
    /// The replicates that are dealt by these costs; later ones are dealt evenly, so that more of them move no run.
    replicates: u64,
    /// Mean CPU time in microseconds, at least 1, of each run of a replicate: puzzle by puzzle, setting by setting.
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

    /// The costs of the runs of `plan`, from the seconds of CPU time that runs of an earlier plan took. Settings and puzzles are
    /// recognised by what they are, not by their place. Where a setting has no run on a puzzle, its cost is what the setting
    /// costs elsewhere times what the puzzle costs others, both in relation to the mean. `None` if no run is of both plans.
    pub(crate) fn from_earlier(plan: &Plan, earlier: &Plan, cpu_s: &BTreeMap<u64, f64>) -> Option<Self> {
        let configuration = |setting: &Setting| setting.config.resolved.text_without(&COMMON);
        let settings = places(&earlier.settings.all, &plan.settings.all, configuration);
        let puzzles = places(&earlier.puzzles, &plan.puzzles, Puzzle::canonical_text);
        // Sum and number by puzzle and setting; `None` stands for any.
        let mut sums: BTreeMap<[Option<usize>; 2], (f64, f64)> = BTreeMap::new();
        for (run, cpu_s) in cpu_s {
            let id = earlier.id(*run);
            let (puzzle, setting) = (puzzles[id.puzzle], settings[id.setting as usize]);
            if puzzle.is_none() || setting.is_none() {
                continue;
            }
            for key in [[puzzle, setting], [puzzle, None], [None, setting], [None, None]] {
                let (sum, number) = sums.entry(key).or_default();
                (*sum, *number) = (*sum + cpu_s, *number + 1.0);
            }
        }
        let mean = |key| sums.get(&key).map(|(sum, number)| sum / number);
        let all = mean([None, None])?;
        let mut cpu_us = Vec::new();
        for puzzle in (0..plan.puzzles.len()).map(Some) {
            for setting in (0..plan.settings.all.len()).map(Some) {
                let [of_puzzle, of_setting] =
                    [[puzzle, None], [None, setting]].map(|key| mean(key).unwrap_or(all));
                let seconds = mean([puzzle, setting]).unwrap_or(of_puzzle / all.max(1e-6) * of_setting);
                cpu_us.push((seconds * 1e6).round().clamp(1.0, 1e18) as u64);
            }
        }
        let replicates = plan.config.replicates.min(Self::MOST / cpu_us.len() as u64);
        Some(Self { replicates, cpu_us, last: Mutex::default() })
    }

    /// The seconds of CPU time that a replicate of every run takes.
    pub fn replicate_s(&self) -> f64 {
        self.cpu_us.iter().map(|cost| *cost as f64).sum::<f64>() / 1e6
    }

    /// They are those of a plan that has so many runs in a replicate, and not more runs than can be dealt.
    pub(crate) fn fit(&self, replicate_runs: u64) -> bool {
        let runs = self.replicates.checked_mul(replicate_runs);
        self.cpu_us.len() as u64 == replicate_runs
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

/// For each of the earlier things the place of the same one among those of a plan.
fn places<T>(earlier: &[T], plan: &[T], text: impl Fn(&T) -> String) -> Vec<Option<usize>> {
    let place_of: BTreeMap<String, usize> =
        plan.iter().enumerate().map(|(place, thing)| (text(thing), place)).collect();
    earlier.iter().map(|thing| place_of.get(&text(thing)).copied()).collect()
}
