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
//! `capping.rs` says what a newcomer may cost.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::Decision;
use super::TuneError;
use super::blocks::RaceOrder;
use super::elimination::{RaceVerdict, verdict};
use super::journal::{DROPPED, ELITE};
use super::options::WAVE_SHARE;
use super::tuner::Tuner;
use kenga_core::sort::sort_by;

/// Tests in a row that drop nobody, after which a race with elites ends.
const IDLE: usize = 2;

/// The state of a race.
pub(super) struct CandidateRace {
    pub(super) order: RaceOrder,
    /// The elites of the race before; of the first race the default.
    elites: Vec<usize>,
    /// Candidates that are left, in the order of birth but for the elites, which stand in front.
    pub(super) alive: Vec<usize>,
    /// Positions that must be over before an elite can be dropped, by elite.
    protected: BTreeMap<usize, usize>,
    /// Blocks that are over.
    position: usize,
    idle: usize,
    /// Newcomers that were drawn.
    newcomers: usize,
    /// Calls of the tuning before the first wave of newcomers.
    used_before: u64,
    /// Calls of the tuning at which the race ends.
    call_limit: u64,
}

impl CandidateRace {
    pub(super) fn blocks(&self, count: usize) -> Vec<usize> {
        (0..count).map(|position| self.order.at(position)).collect()
    }

    fn is_protected(&self, candidate: usize) -> bool {
        self.protected.get(&candidate).is_some_and(|until| self.position < *until)
    }

    /// All blocks that the elites knew are over.
    fn has_seen_all(&self) -> bool {
        self.alive.iter().all(|candidate| !self.is_protected(*candidate))
    }

    fn has_newcomers(&self) -> bool {
        self.alive.iter().any(|candidate| !self.elites.contains(candidate))
    }
}

/// What candidates are compared by, least first.
struct Merit {
    candidate: usize,
    /// It has not seen all that the elites had seen.
    is_behind: bool,
    /// Mean cost over the blocks of the race.
    cost: f64,
    /// The sum of the best fitness, as where nobody has solved any; 0 where it means something else for each candidate.
    fitness: f64,
    /// Mean calls, as where all have solved every block and the best fitness is compared.
    calls: f64,
}

impl Merit {
    fn compare(&self, other: &Self) -> Ordering {
        self.is_behind
            .cmp(&other.is_behind)
            .then(self.cost.total_cmp(&other.cost))
            .then(self.fitness.total_cmp(&other.fitness))
            .then(self.calls.total_cmp(&other.calls))
            .then(self.candidate.cmp(&other.candidate))
    }
}

impl Tuner<'_> {
    /// Races the elites of the last race and newcomers until the tuning has used `call_limit` calls; those that are left, the best
    /// first, are the elites of the next one. False where the budget suffices for no newcomer.
    pub(super) fn race(&mut self, call_limit: u64) -> Result<bool, TuneError> {
        let mut race = self.begin_race(call_limit);
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
        race.order = RaceOrder::by_key(self.results.blocks, |block| {
            elites.iter().filter(|elite| !self.results.has(**elite, block)).count()
        });
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

    fn begin_race(&self, call_limit: u64) -> CandidateRace {
        let is_first = self.iteration == 1;
        let used = if is_first { 0 } else { self.results.blocks };
        let order = self.blocks.order(self.iteration, used);
        let mut protected = BTreeMap::new();
        if !is_first {
            // An elite has shown itself on the blocks that it knows, and may only be judged by all of them.
            let positions = order.positions(used + 1);
            for elite in &self.elites {
                let known = self.results.blocks_of(*elite);
                let last = known.iter().filter_map(|block| positions.get(block)).max();
                protected.insert(*elite, last.map_or(0, |last| last + 1));
            }
        }
        CandidateRace {
            order,
            elites: self.elites.clone(),
            alive: self.elites.clone(),
            protected,
            position: 0,
            idle: 0,
            newcomers: 0,
            used_before: self.results.used,
            call_limit,
        }
    }

    /// Lets newcomers in, wave by wave, as long as the share of the race allows; false where there was none, or the budget
    /// did not suffice for the first wave.
    fn run_waves(&mut self, race: &mut CandidateRace) -> Result<bool, TuneError> {
        // What the elites run first is not the newcomers' share.
        race.used_before = self.results.used;
        while self.admits_wave(race) {
            let wave = self.newcomers(self.options.wave(), race.newcomers);
            let mut left: Vec<usize> = wave.iter().map(|candidate| candidate.index).collect();
            if wave.is_empty() {
                break;
            }
            self.enter(wave)?;
            self.alive = race.alive.len() + left.len();
            race.newcomers += left.len();
            for position in 0..self.options.first {
                let Some(survivors) = self.run_capped(race, left, position)? else {
                    return Ok(race.has_newcomers());
                };
                left = survivors;
            }
            race.alive.extend(left);
        }
        Ok(race.newcomers > 0)
    }

    /// Another wave is expected to end within the part of the share that is the newcomers'.
    fn admits_wave(&self, race: &CandidateRace) -> bool {
        if race.newcomers == 0 {
            return self.limit - self.results.used >= self.options.worst;
        }
        let newcomers = race.newcomers + self.options.wave();
        if self.options.newcomers.is_some_and(|most| newcomers > most) {
            return false;
        }
        let spent = (self.results.used - race.used_before) as f64;
        let each = (spent / race.newcomers as f64).max(self.options.least_of_newcomer());
        let part = race.call_limit.saturating_sub(race.used_before) as f64 * WAVE_SHARE;
        each * newcomers as f64 <= part
    }

    /// The race takes another block.
    fn goes_on(&self, race: &CandidateRace) -> bool {
        if race.alive.len() < 2 || !race.has_newcomers() || race.position >= self.options.most_blocks() {
            return false;
        }
        let are_few = race.alive.len() <= self.options.elites;
        let is_idle = self.iteration > 1 && race.idle >= IDLE;
        // An elite can be dropped only when all of its blocks are over.
        if race.has_seen_all() && (are_few || is_idle) {
            return false;
        }
        let block = race.order.at(race.position);
        // Elites have run most blocks already: only what is missing costs anything.
        let missing = race.alive.iter().filter(|candidate| !self.results.has(**candidate, block)).count();
        let spent = self.results.used as f64 + missing as f64 * self.mean_of(&race.alive);
        spent <= race.call_limit as f64
    }

    /// Mean calls of a run of these candidates.
    fn mean_of(&self, candidates: &[usize]) -> f64 {
        let means: Vec<f64> =
            candidates.iter().filter_map(|candidate| self.results.mean_calls(*candidate)).collect();
        means.iter().sum::<f64>() / means.len().max(1) as f64
    }

    /// Runs all that are left on the next block, the elites and the leader first; false where the budget does not suffice.
    fn run_block(&mut self, race: &mut CandidateRace) -> Result<bool, TuneError> {
        self.alive = race.alive.len();
        // What they cost on this block bounds what the others may cost.
        let leader = self.leader(race);
        let (mut left, others): (Vec<usize>, Vec<usize>) = race
            .alive
            .iter()
            .partition(|candidate| Some(**candidate) == leader || race.elites.contains(candidate));
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

    /// Who has the least mean cost so far.
    fn leader(&self, race: &CandidateRace) -> Option<usize> {
        let blocks = race.blocks(race.position);
        let cost = |candidate| self.results.mean(self.options, candidate, &blocks);
        race.alive.iter().copied().min_by(|a, b| cost(*a).total_cmp(&cost(*b)))
    }

    /// A decision about a candidate after the first `count` blocks, still without numbers of the test.
    pub(super) fn decision(
        &self,
        race: &CandidateRace,
        count: usize,
        candidate: usize,
        kind: &'static str,
        test: &'static str,
    ) -> Decision {
        Decision {
            iteration: self.iteration,
            blocks: count,
            block: race.order.at(count.saturating_sub(1)),
            candidate,
            kind,
            test,
            p: None,
            rank: None,
            cost: self.results.mean(self.options, candidate, &race.blocks(count)),
            used: self.results.used,
        }
    }

    /// Tests those that are left on the blocks of the race, and drops the worse.
    fn test(&mut self, race: &mut CandidateRace) -> Result<(), TuneError> {
        if race.alive.len() < 2 {
            return Ok(());
        }
        let mut rows = Vec::with_capacity(race.position);
        for block in race.blocks(race.position) {
            let mut row = Vec::with_capacity(race.alive.len());
            for candidate in &race.alive {
                let cost = self.results.cost(self.options, *candidate, block);
                row.push(cost.expect("who is left has run all blocks"));
            }
            rows.push(row);
        }
        let RaceVerdict { test, p, ranks, is_worse } = verdict(&rows, self.options.alpha);
        race.idle += 1;
        // One after the other: the decisions are written in the order of the race.
        for ((candidate, rank), is_worse) in race.alive.clone().into_iter().zip(ranks).zip(is_worse) {
            if !is_worse || race.is_protected(candidate) {
                continue;
            }
            race.idle = 0;
            race.alive.retain(|other| *other != candidate);
            let decision = self.decision(race, race.position, candidate, DROPPED, test);
            self.decide(&Decision { p: Some(p), rank: Some(rank), ..decision })?;
        }
        Ok(())
    }

    /// The best of those that are left become the elites, by their [`Merit`].
    fn choose_elites(&mut self, race: &CandidateRace) -> Result<(), TuneError> {
        let blocks = race.blocks(race.position);
        let compares_fitness = self.compares_failures();
        let mut order = Vec::with_capacity(race.alive.len());
        for candidate in race.alive.iter().copied() {
            order.push(Merit {
                candidate,
                is_behind: !race.has_seen_all() && !race.protected.contains_key(&candidate),
                cost: self.results.mean(self.options, candidate, &blocks),
                fitness: if compares_fitness { self.results.fitness(candidate, &blocks) } else { 0.0 },
                calls: self.results.mean_calls(candidate).unwrap_or(f64::INFINITY),
            });
        }
        sort_by(&mut order, Merit::compare);
        // Those that are cut off are dropped by no test, and so by no decision.
        order.truncate(self.options.elites);
        self.elites = order.iter().map(|merit| merit.candidate).collect();
        for (place, merit) in order.iter().enumerate() {
            let decision = self.decision(race, race.position, merit.candidate, ELITE, "");
            self.decide(&Decision { rank: Some(place as f64 + 1.0), ..decision })?;
        }
        Ok(())
    }
}
