//! One race: newcomers in waves against the elites on the first blocks, then all that are left on one block after the
//! other, until few are left or its share of the budget is spent.
//!
//! ```text
//! blocks: a new one, those that the elites know, further new ones
//! the elites run the first blocks
//! while the part of the share for newcomers lasts
//!     a wave of newcomers is drawn; it runs the first blocks, each run with what it may still cost
//!     after each of them drop who has solved none where another has, or is less near
//! drop those shown to be worse
//! on every further block
//!     the elites and the leader run it, then the others, each with what it may still cost
//!     drop those shown to be worse; an elite only where the newcomers have seen all of its blocks
//! until few are left, two tests in a row drop nobody, or the share is spent
//! ```
//!
//! What a newcomer may cost is a multiple of what the best has cost on the same blocks: of the elites and of the waves
//! before. So newcomers are capped from the second wave on even where the default solves nothing. But runs
//! without a solution cost so much that capping drops late, and never where nobody solves anything. So a newcomer that has
//! solved none of the first blocks is also dropped when another has, or came nearer by the best fitness (*nearness*).
//!
//! Sources: L. Pérez Cáceres, M. López-Ibáñez, H. Hoos, T. Stützle 2017, An experimental study of adaptive capping in irace,
//! doi:10.1007/978-3-319-69404-7_17, by the best instead of the median elite as F. Hutter, H. Hoos, K. Leyton-Brown,
//! T. Stützle 2009, ParamILS, doi:10.1613/jair.2861.

use std::cmp::Ordering;

use super::Decision;
use super::blocks::RaceOrder;
use super::elimination::{Verdict, verdict};
use super::options::{Cost, WAVE_SHARE};
use super::tuner::{TuneError, Tuner};
use kenga_core::sort::sort_by;

/// Tests in a row that drop nobody, after which a race with elites ends.
const IDLE: usize = 2;

/// The state of a race.
struct Race {
    order: RaceOrder,
    /// The elites of the race before; of the first race the default.
    elites: Vec<usize>,
    /// Candidates that are left, in the order of birth but for the elites, which stand in front.
    alive: Vec<usize>,
    /// Positions that must be over before an elite can be dropped, by elite.
    protected: Vec<(usize, usize)>,
    /// Blocks that are over.
    position: usize,
    idle: usize,
    /// Newcomers that were drawn.
    born: usize,
    /// Calls of all runs when the first newcomers came, and at which it ends.
    calls: (u64, u64),
}

impl Race {
    fn blocks(&self, count: usize) -> Vec<usize> {
        (0..count).map(|position| self.order.at(position)).collect()
    }

    fn is_protected(&self, candidate: usize) -> bool {
        self.protected.iter().any(|(elite, until)| *elite == candidate && self.position < *until)
    }

    /// All blocks that the elites knew are over.
    fn has_seen_all(&self) -> bool {
        self.alive.iter().all(|candidate| !self.is_protected(*candidate))
    }

    fn has_newcomers(&self) -> bool {
        self.alive.iter().any(|candidate| !self.elites.contains(candidate))
    }
}

impl Tuner<'_> {
    /// Races the elites of the last race and newcomers until all runs have cost `until`; those that are left, the best
    /// first, are the elites of the next one. False where the budget suffices for no newcomer.
    pub(super) fn race(&mut self, until: u64) -> Result<bool, TuneError> {
        let mut race = self.begin_race(until);
        let first = race.blocks(self.options.first);
        if !self.run_in_full(&race.alive, &first)? || !self.run_waves(&mut race)? {
            return Ok(false);
        }
        race.position = self.options.first;
        self.test(&mut race)?;
        while self.goes_on(&race) && self.run_block(&mut race)? {
            race.position += 1;
            self.test(&mut race)?;
        }
        self.choose_elites(&race)?;
        Ok(true)
    }

    /// Races the elites alone while the budget lasts: on the blocks that most of them know, then on new ones.
    pub(super) fn last_race(&mut self) -> Result<(), TuneError> {
        let mut race = self.begin_race(self.limit);
        race.protected.clear();
        let elites = &race.elites;
        let missing = |block: usize| elites.iter().filter(|elite| !self.results.has(**elite, block)).count();
        race.order = RaceOrder::by_key(self.results.blocks, missing);
        while race.alive.len() > 1 && race.position < self.options.most_blocks() {
            let before = self.results.runs;
            if !self.run_in_full(&race.alive, &[race.order.at(race.position)])? {
                break;
            }
            race.position += 1;
            // What they all knew before is one sample, tested with the first new block.
            if race.position >= self.options.first && self.results.runs > before {
                self.test(&mut race)?;
            }
            self.alive = race.alive.len();
        }
        if race.position > 0 { self.choose_elites(&race) } else { Ok(()) }
    }

    fn begin_race(&self, until: u64) -> Race {
        let is_first = self.iteration == 1;
        let elites = self.elites.clone();
        let used = if is_first { 0 } else { self.results.blocks };
        let order = self.blocks.order(self.iteration, used);
        let positions = order.positions(used + 1);
        let last = |elite: usize| {
            let known = self.results.blocks_of(elite);
            known.iter().filter_map(|block| positions.get(block)).max().map_or(0, |last| last + 1)
        };
        let protected = elites.iter().filter(|_| !is_first).map(|elite| (*elite, last(*elite))).collect();
        let (alive, calls) = (elites.clone(), (self.results.used, until));
        Race { order, elites, alive, protected, position: 0, idle: 0, born: 0, calls }
    }

    /// Lets newcomers in, wave by wave, as long as the share of the race allows; false where there was none, or the budget
    /// did not suffice for the first wave.
    fn run_waves(&mut self, race: &mut Race) -> Result<bool, TuneError> {
        race.calls.0 = self.results.used;
        while self.admits_wave(race) {
            let wave = self.newcomers(self.options.wave(), race.born);
            let mut left: Vec<usize> = wave.iter().map(|candidate| candidate.index).collect();
            if wave.is_empty() {
                break;
            }
            self.enter(wave)?;
            self.alive = race.alive.len() + left.len();
            race.born += left.len();
            for position in 0..self.options.first {
                let Some(survivors) = self.run_capped(race, left, position)? else {
                    return Ok(race.has_newcomers());
                };
                left = survivors;
            }
            race.alive.extend(left);
        }
        Ok(race.born > 0)
    }

    /// Another wave is expected to end within the part of the share that is the newcomers'.
    fn admits_wave(&self, race: &Race) -> bool {
        let wave = self.options.wave();
        if race.born == 0 {
            return self.limit - self.results.used >= self.options.worst;
        }
        let (begun, until) = race.calls;
        let spent = (self.results.used - begun) as f64;
        let each = (spent / race.born as f64).max(self.options.least_of_newcomer());
        let part = until.saturating_sub(begun) as f64 * WAVE_SHARE;
        let is_within = self.options.newcomers.is_none_or(|most| race.born + wave <= most);
        let expected = each * (race.born + wave) as f64;
        is_within && expected <= part
    }

    /// The race takes another block.
    fn goes_on(&self, race: &Race) -> bool {
        let is_decided = race.has_seen_all()
            && (race.alive.len() <= self.options.elites || (self.iteration > 1 && race.idle >= IDLE));
        let block = race.order.at(race.position);
        let missing = race.alive.iter().filter(|candidate| !self.results.has(**candidate, block)).count();
        let spent = self.results.used as f64 + missing as f64 * self.mean_of(&race.alive);
        let is_within = spent <= race.calls.1 as f64 && race.position < self.options.most_blocks();
        race.alive.len() > 1 && race.has_newcomers() && !is_decided && is_within
    }

    /// Mean calls of a run of these candidates.
    fn mean_of(&self, candidates: &[usize]) -> f64 {
        let means: Vec<f64> =
            candidates.iter().filter_map(|candidate| self.results.mean_calls(*candidate)).collect();
        means.iter().sum::<f64>() / means.len().max(1) as f64
    }

    /// Runs all that are left on the next block, the elites and the leader first; false where the budget does not suffice.
    fn run_block(&mut self, race: &mut Race) -> Result<bool, TuneError> {
        self.alive = race.alive.len();
        let blocks = race.blocks(race.position);
        let cost = |candidate: &usize| self.results.mean(self.options, *candidate, &blocks);
        let leader = race.alive.iter().copied().min_by(|a, b| cost(a).total_cmp(&cost(b)));
        let is_ahead = |candidate: &usize| Some(*candidate) == leader || race.elites.contains(candidate);
        let (mut left, others): (Vec<usize>, Vec<usize>) = race.alive.iter().partition(|one| is_ahead(one));
        if !self.run_in_full(&left, &[race.order.at(race.position)])? {
            return Ok(false);
        }
        let Some(survivors) = self.run_capped(race, others, race.position)? else { return Ok(false) };
        left.extend(survivors);
        if left.len() < race.alive.len() {
            race.idle = 0;
        }
        race.alive.retain(|candidate| left.contains(candidate));
        Ok(true)
    }

    /// Runs newcomers on the block at a position, each with what it may still cost; those that are left, or `None` where the
    /// budget does not suffice.
    fn run_capped(
        &mut self,
        race: &Race,
        mut left: Vec<usize>,
        position: usize,
    ) -> Result<Option<Vec<usize>>, TuneError> {
        let block = race.order.at(position);
        let allowed = self.allowed(race, position);
        let mut requests = Vec::new();
        for candidate in left.clone() {
            let spent = self.results.sum(self.options, candidate, &race.blocks(position));
            let rest = allowed - spent.expect("who is left has run all blocks before");
            match self.early_end(race, &left, (candidate, position), rest) {
                Some(test) => {
                    left.retain(|other| *other != candidate);
                    self.drop_early(race, candidate, position, test)?;
                }
                None => requests.extend(self.request(candidate, block, self.options.cap(rest))),
            }
        }
        if !self.run(&requests)? {
            return Ok(None);
        }
        for candidate in left.clone() {
            if self.results.is_capped(candidate, block) {
                left.retain(|other| *other != candidate);
                self.drop_early(race, candidate, position + 1, "capping")?;
            }
        }
        Ok(Some(left))
    }

    /// The test by which a newcomer is dropped before it runs the block at a position; `rest` is what it may still cost.
    fn early_end(
        &self,
        race: &Race,
        left: &[usize],
        (newcomer, position): (usize, usize),
        rest: f64,
    ) -> Option<&'static str> {
        // A run has calls; a best fitness may be 0.
        let costs_too_much = rest < 0.0 || (rest == 0.0 && self.options.cost == Cost::Calls);
        match costs_too_much {
            true => Some("capping"),
            false => self.is_surpassed(race, left, newcomer, position).then_some("nearness"),
        }
    }

    /// What a newcomer may cost on all blocks up to the horizon: the first blocks, or up to the position where that is later;
    /// so many times what the best has cost there. Infinite where nobody knows them.
    fn allowed(&self, race: &Race, position: usize) -> f64 {
        let Some(times) = self.options.capping else { return f64::INFINITY };
        let blocks = race.blocks(self.options.first.max(position + 1));
        let knows_all = |one: &&usize| blocks.iter().all(|block| self.results.has(**one, *block));
        let known = race.alive.iter().filter(knows_all);
        let sums = known.filter_map(|one| self.results.sum(self.options, *one, &blocks));
        times * sums.fold(f64::INFINITY, f64::min)
    }

    /// A newcomer has solved none of the first blocks up to a position, and another has, or came nearer by the sum of the best
    /// fitness.
    fn is_surpassed(&self, race: &Race, left: &[usize], newcomer: usize, position: usize) -> bool {
        if self.options.cost != Cost::Calls
            || self.options.capping.is_none()
            || position >= self.options.first
        {
            return false;
        }
        let blocks = race.blocks(position);
        let knows_all = |one: &&usize| blocks.iter().all(|block| self.results.has(**one, *block));
        let solves = |one: usize| self.results.solved(one, &blocks).0 > 0;
        let fitness = |one: usize| self.results.fitness(one, &blocks);
        let is_nearer = |one: usize| self.compares_failures() && fitness(one) < fitness(newcomer);
        let mut known = race.alive.iter().chain(left).filter(knows_all).copied();
        !solves(newcomer) && known.any(|one| solves(one) || is_nearer(one))
    }

    /// Failures can be compared by the best fitness: it means the same for all candidates, as no `fitness.…` is tuned.
    pub(super) fn compares_failures(&self) -> bool {
        self.options.cost == Cost::Calls && !self.keys.iter().any(|key| key.starts_with("fitness"))
    }

    /// Notes that a newcomer is dropped after the first `count` blocks.
    fn drop_early(
        &mut self,
        race: &Race,
        candidate: usize,
        count: usize,
        test: &'static str,
    ) -> Result<(), TuneError> {
        let blocks = race.blocks(count);
        self.decide(&Decision {
            iteration: self.iteration,
            blocks: blocks.len(),
            block: race.order.at(count.saturating_sub(1)),
            candidate,
            kind: "dropped",
            test,
            p: None,
            rank: None,
            cost: self.results.mean(self.options, candidate, &blocks),
            used: self.results.used,
        })
    }

    /// Tests those that are left on the blocks of the race, and drops the worse.
    fn test(&mut self, race: &mut Race) -> Result<(), TuneError> {
        if race.alive.len() < 2 {
            return Ok(());
        }
        let blocks = race.blocks(race.position);
        let cost = |block: usize, candidate: usize| {
            let cost = self.results.cost(self.options, candidate, block);
            cost.expect("who is left has run all blocks")
        };
        let rows: Vec<Vec<f64>> = blocks
            .iter()
            .map(|block| race.alive.iter().map(|candidate| cost(*block, *candidate)).collect())
            .collect();
        let Verdict { test, p, ranks, is_worse } = verdict(&rows, self.options.alpha);
        let found = race.alive.iter().zip(ranks).zip(is_worse);
        let dropped: Vec<(usize, f64)> = found
            .filter(|((candidate, _), is_worse)| *is_worse && !race.is_protected(**candidate))
            .map(|((candidate, rank), _)| (*candidate, rank))
            .collect();
        race.idle = if dropped.is_empty() { race.idle + 1 } else { 0 };
        for (candidate, rank) in dropped {
            race.alive.retain(|other| *other != candidate);
            self.decide(&Decision {
                iteration: self.iteration,
                blocks: blocks.len(),
                block: race.order.at(race.position - 1),
                candidate,
                kind: "dropped",
                test,
                p: Some(p),
                rank: Some(rank),
                cost: self.results.mean(self.options, candidate, &blocks),
                used: self.results.used,
            })?;
        }
        Ok(())
    }

    /// By what candidates are compared, least first: mean cost over blocks, best fitness, mean calls.
    fn standing(&self, candidate: usize, blocks: &[usize]) -> [f64; 3] {
        let fitness = if self.compares_failures() { self.results.fitness(candidate, blocks) } else { 0.0 };
        let calls = self.results.mean_calls(candidate).unwrap_or(f64::INFINITY);
        [self.results.mean(self.options, candidate, blocks), fitness, calls]
    }

    /// The best of those that are left become the elites: by mean cost over the blocks of the race, then by the best fitness,
    /// as where nobody has solved any, then by mean calls, as where all have solved every block and the best fitness is
    /// compared; who has not seen all that the elites had seen stands behind them.
    fn choose_elites(&mut self, race: &Race) -> Result<(), TuneError> {
        let blocks = race.blocks(race.position);
        let is_behind = |candidate: usize| {
            !race.has_seen_all() && race.protected.iter().all(|(elite, _)| *elite != candidate)
        };
        let mut order: Vec<(bool, [f64; 3], usize)> =
            race.alive.iter().map(|one| (is_behind(*one), self.standing(*one, &blocks), *one)).collect();
        sort_by(&mut order, |a, b| a.0.cmp(&b.0).then(in_turn(&a.1, &b.1)).then(a.2.cmp(&b.2)));
        order.truncate(self.options.elites);
        self.elites = order.iter().map(|(_, _, candidate)| *candidate).collect();
        for (place, (_, [cost, ..], candidate)) in order.into_iter().enumerate() {
            self.decide(&Decision {
                iteration: self.iteration,
                blocks: blocks.len(),
                block: race.order.at(race.position.saturating_sub(1)),
                candidate,
                kind: "elite",
                test: "",
                p: None,
                rank: Some(place as f64 + 1.0),
                cost,
                used: self.results.used,
            })?;
        }
        Ok(())
    }
}

/// The order of the first numbers that differ.
fn in_turn(a: &[f64; 3], b: &[f64; 3]) -> Ordering {
    let orders = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
    orders.fold(Ordering::Equal, Ordering::then)
}
