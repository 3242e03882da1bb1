//! Shards of an experiment: which runs each of several programs makes, and which of them remain.
//!
//! **Invariant**: how runs are dealt is part of the format: shards made by several programs are merged.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use thiserror::Error;

use super::Race;
use super::run_costs::Deal;

/// The name of one of as many programs that make an experiment together; [`Plan::share`](super::Plan::share) says which runs are its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 0.
    pub index: u64,
    /// Of how many; at least 1.
    pub of: u64,
}

impl Shard {
    /// All runs.
    pub const WHOLE: Self = Self { index: 0, of: 1 };
    /// The most shards that an experiment is divided into, with or without runs for each: every one may have a folder, a job
    /// and a line of a table.
    pub const MOST: u64 = 100_000;
}

/// The runs of a shard.
///
/// Runs are dealt like cards, one to each shard in turn, so that the numbers of runs of two shards differ by at most 1. They
/// are not dealt in the order of the plan, where every N-th run may be one of the same setting and the same puzzle: a
/// replicate is dealt setting by setting, and replicates begin at other places. So every shard has its share of slow settings
/// and slow puzzles. The runs of one setting on one puzzle are shared out evenly, too. More replicates do not change whose
/// the runs before are.
///
/// A plan that knows the costs of its runs deals them by these, the longest first.
#[derive(Clone, Debug)]
pub struct Share {
    shard: Shard,
    puzzles: u64,
    settings: u64,
    runs: u64,
    /// How the puzzles are turned from setting to setting.
    puzzle_turn: Turn,
    /// How the runs of a replicate are turned from replicate to replicate.
    replicate_turn: Turn,
    /// The first runs, where they are dealt by their costs.
    deal: Option<Arc<Deal>>,
}

impl Share {
    pub(super) fn new(shard: Shard, settings: u64, puzzles: u64, replicates: u64) -> Self {
        let replicate_runs = puzzles * settings;
        Self {
            shard,
            puzzles,
            settings,
            runs: replicates * replicate_runs,
            puzzle_turn: Turn::new(puzzles, shard.of),
            replicate_turn: Turn::new(replicate_runs, shard.of),
            deal: None,
        }
    }

    /// The share of runs whose first ones are dealt by their costs.
    pub(super) fn with_deal(self, deal: Arc<Deal>) -> Self {
        Self { deal: Some(deal), ..self }
    }

    /// The run is one of this shard's.
    pub fn has(&self, run: u64) -> bool {
        run < self.runs && self.shard_of(run) == self.shard.index
    }

    /// Which shard has a run.
    pub(crate) fn shard_of(&self, run: u64) -> u64 {
        match self.deal.as_ref().and_then(|deal| deal.shards.get(run as usize)) {
            Some(shard) => u64::from(*shard),
            None => self.place(run) % self.shard.of,
        }
    }

    /// How many runs the shard has.
    pub fn count(&self) -> u64 {
        let Shard { index, of } = self.shard;
        // Dealt in turn: the first shards have one more where it does not divide.
        let in_turn = |runs: u64| runs / of + u64::from(runs % of > index);
        match &self.deal {
            Some(deal) => {
                deal.counts[index as usize] + in_turn(self.runs) - in_turn(deal.shards.len() as u64)
            }
            None => in_turn(self.runs),
        }
    }

    /// The first run of this shard that is not before `run`.
    pub(crate) fn first_from(&self, run: u64) -> Option<u64> {
        (run..self.runs).find(|run| self.has(*run))
    }

    /// Where a run stands among those that are dealt.
    fn place(&self, run: u64) -> u64 {
        let (puzzles, settings) = (self.puzzles, self.settings);
        let replicate_runs = puzzles * settings;
        let (replicate, within) = (run / replicate_runs, run % replicate_runs);
        let (puzzle, setting) = (within / settings, within % settings);
        let puzzle = (puzzle + self.puzzle_turn.of(setting)) % puzzles;
        let within = (setting * puzzles + puzzle + self.replicate_turn.of(replicate)) % replicate_runs;
        replicate * replicate_runs + within
    }
}

/// By how many places equal blocks are turned before they are dealt to shards, one after the other. Blocks begin at some
/// different shards and then at the same ones again: from there on they are turned further.
#[derive(Clone, Copy, Debug)]
struct Turn {
    /// Blocks that begin at different shards.
    different: u64,
    /// The greatest common divisor of the size of a block and the number of shards.
    divisor: u64,
    step: u64,
}

impl Turn {
    fn new(size: u64, of: u64) -> Self {
        let divisor = gcd(size, of);
        Self { different: of / divisor, divisor, step: golden_step(divisor) }
    }

    /// The places of a block.
    fn of(&self, block: u64) -> u64 {
        block / self.different % self.divisor * self.step % self.divisor
    }
}

/// A step that is prime to `n` and near n times the golden section: multiples of it spread evenly, modulo n, at any number.
fn golden_step(n: u64) -> u64 {
    let near = (n as f64 * 0.618_033_988_749_895).round() as u64;
    (near.max(1)..).find(|step| gcd(*step, n) == 1).unwrap_or(1)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// A text that names no shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ShardError {
    /// It is not two numbers.
    #[error("expected K/N: the shard's index, from 0, and the number of shards, such as 0/4")]
    Unread,
    /// There are no shards.
    #[error("N must be at least 1, such as 0/1")]
    NoShards,
    /// There are more than [`Shard::MOST`].
    #[error("N is {of}: it must be at most {most}", most = Shard::MOST)]
    TooMany {
        /// How many there should be.
        of: u64,
    },
    /// There are fewer shards.
    #[error("shards count from 0: the last of {of} is {last}, not {index}", last = of - 1)]
    NotOne {
        /// The index.
        index: u64,
        /// How many shards there are.
        of: u64,
    },
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (index, of) = text.split_once('/').ok_or(ShardError::Unread)?;
        let (Ok(index), Ok(of)) = (index.parse::<u64>(), of.parse::<u64>()) else {
            return Err(ShardError::Unread);
        };
        if of == 0 {
            return Err(ShardError::NoShards);
        }
        if of > Self::MOST {
            return Err(ShardError::TooMany { of });
        }
        if index >= of {
            return Err(ShardError::NotOne { index, of });
        }
        Ok(Self { index, of })
    }
}

/// The runs of a shard that are not complete.
#[derive(Clone, Debug)]
pub struct RemainingRuns<'a> {
    /// The runs of the shard.
    pub share: Share,
    /// Runs that are complete.
    pub done: &'a BTreeSet<u64>,
    /// The race, if the plan is one: only its present block or round is executed.
    pub race: Option<&'a Race>,
}

impl RemainingRuns<'_> {
    /// The run remains.
    pub fn has(&self, run: u64) -> bool {
        self.share.has(run) && !self.done.contains(&run) && self.race.is_none_or(|race| race.has(run))
    }

    /// No run before this one remains.
    pub(super) fn first(&self) -> u64 {
        self.race.and_then(Race::next).map_or(0, |block| block.start)
    }

    /// How many runs remain.
    pub fn count(&self) -> u64 {
        if let Some(race) = self.race {
            // Only the present round of a race is known.
            return race.next().map_or(0, |block| block.filter(|run| self.has(*run)).count() as u64);
        }
        let done = self.done.iter().filter(|run| self.share.has(**run)).count();
        self.share.count() - done as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shares of a plan of `settings` x `puzzles` x `replicates` runs.
    fn shares(settings: u64, puzzles: u64, replicates: u64, of: u64) -> Vec<Share> {
        (0..of).map(|index| Share::new(Shard { index, of }, settings, puzzles, replicates)).collect()
    }

    #[test]
    fn shards_share_out_every_run_once() {
        for (settings, puzzles, replicates) in
            [(1, 1, 2), (7, 1, 1), (3, 3, 1), (4, 6, 5), (5, 10, 3), (1, 12, 2)]
        {
            for of in 1..=13 {
                let shares = shares(settings, puzzles, replicates, of);
                let runs = settings * puzzles * replicates;
                assert!((0..runs).all(|run| shares.iter().filter(|share| share.has(run)).count() == 1));
                for share in &shares {
                    let has = (0..=2 * runs).filter(|run| share.has(*run)).count() as u64;
                    assert_eq!(share.count(), has, "{share:?}");
                }
            }
        }
    }

    #[test]
    fn the_runs_of_a_setting_on_a_puzzle_are_shared_out_evenly() {
        for (settings, puzzles, of) in [(1, 1, 5), (10, 1, 5), (5, 10, 10), (4, 6, 9), (8, 6, 7), (3, 16, 4)]
        {
            let replicates = 3 * of;
            for share in shares(settings, puzzles, replicates, of) {
                for first in 0..settings * puzzles {
                    let has = |replicate: &u64| share.has(replicate * settings * puzzles + first);
                    assert_eq!((0..replicates).filter(has).count(), 3, "run {first} of {share:?}");
                }
            }
        }
    }

    /// What the longest shard costs, as a multiple of the mean, where a run of a setting costs so much.
    fn imbalance(shares: &[Share], cost: impl Fn(u64) -> f64) -> f64 {
        let mut costs = Vec::new();
        for share in shares {
            let own = (0..share.runs).filter(|run| share.has(*run));
            costs.push(own.map(|run| cost(run % share.settings)).sum::<f64>());
        }
        costs.iter().copied().fold(0.0, f64::max) * shares.len() as f64 / costs.iter().sum::<f64>()
    }

    #[test]
    fn no_shard_holds_a_slow_setting() {
        for (settings, puzzles, replicates, of) in
            [(50, 1, 10, 5), (10, 5, 4, 5), (5, 3, 20, 5), (2, 1, 50, 5), (20, 6, 1, 5), (5, 10, 50, 50)]
        {
            let shares = shares(settings, puzzles, replicates, of);
            let even = imbalance(&shares, |setting| 1000_f64.powf(setting as f64 / (settings - 1) as f64));
            assert!(even < 1.5, "{settings} settings, {puzzles} puzzles: {even}");
            // Runs are not cut: 6 slow ones make 2 in one of 5 shards, where the mean is 1.2.
            let slow_runs = puzzles * replicates;
            let best = (slow_runs.div_ceil(of) * of) as f64 / slow_runs as f64;
            let one = imbalance(&shares, |setting| if setting == settings / 2 { 1000.0 } else { 1.0 });
            assert!(one < best * 1.01, "{settings} settings, {puzzles} puzzles: {one}, not {best}");
        }
    }

    #[test]
    fn as_many_replicates_as_shards_are_shared_out_to_the_run() {
        for of in [2, 3, 5, 10] {
            for (settings, puzzles) in [(2, 1), (3, 5), (10, 6), (50, 2)] {
                let longest = imbalance(&shares(settings, puzzles, of, of), |setting| (setting + 1) as f64);
                assert!((longest - 1.0).abs() < 1e-9, "{settings} x {puzzles} in {of}: {longest}");
            }
        }
    }

    #[test]
    fn more_replicates_leave_earlier_runs_where_they_are() {
        let (few, many) = (shares(3, 4, 2, 5), shares(3, 4, 9, 5));
        for (few, many) in few.iter().zip(&many) {
            assert!((0..24).all(|run| few.has(run) == many.has(run)));
        }
    }

    #[test]
    fn what_is_done_is_not_to_be_made() {
        let done: BTreeSet<u64> = [1, 3, 4, 99].into();
        let share = shares(1, 1, 8, 2)[1].clone();
        let remaining = RemainingRuns { share, done: &done, race: None };
        assert_eq!((0..9).filter(|run| remaining.has(*run)).collect::<Vec<_>>(), [5, 7]);
        assert_eq!(remaining.count(), 2);
    }
}
