//! One race: all its candidates on one block after the other, until few are left or its share of the budget is spent.
//!
//! ```text
//! blocks: a new one, those that the elites know, further new ones
//! on every block
//!     the elites run it, then the newcomers, each with what it may still cost
//!     a newcomer that has cost more is dropped
//!     from block `first` on: drop those shown to be worse; an elite only where the newcomers have seen all of its blocks
//! until few are left, two tests in a row drop nobody, or the share is spent
//! ```

use super::RunRequest;
use super::blocks::RaceOrder;
use super::elimination::{Verdict, allowance, verdict};
use super::tuner::{Decision, TuneError, Tuner};

/// Tests in a row that drop nobody, after which a race with elites ends.
const IDLE: usize = 2;

/// The state of a race.
struct Race {
    order: RaceOrder,
    /// Candidates that are left, in the order of birth.
    alive: Vec<usize>,
    /// Those that the newcomers are measured against: the elites, or in the first race the default.
    references: Vec<usize>,
    /// Positions that must be over before an elite can be dropped, by elite.
    protected: Vec<(usize, usize)>,
    /// Blocks that are over.
    position: usize,
    idle: usize,
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
}

impl Tuner<'_> {
    /// The default runs the first blocks, so that it is known what a run costs, and the newcomers can be measured.
    pub(super) fn run_default_first(&mut self) -> Result<(), TuneError> {
        let requests: Vec<RunRequest> =
            (0..self.options.first).filter_map(|block| self.request(0, block, None)).collect();
        self.run(&requests).map(drop)
    }

    /// Races the elites of the last race and newcomers until all runs have cost `until`; those that are left, the best
    /// first, are the elites of the next one.
    pub(super) fn race(
        &mut self,
        old: Vec<usize>,
        newcomers: Vec<usize>,
        until: u64,
    ) -> Result<(), TuneError> {
        let mut race = self.begin_race(old, newcomers);
        while self.goes_on(&race, until) {
            self.alive = race.alive.len();
            if !self.run_block(&mut race)? {
                break;
            }
            race.position += 1;
            if race.position >= self.options.first && race.alive.len() > 1 {
                self.test(&mut race)?;
            }
        }
        self.choose_elites(&race)
    }

    fn begin_race(&self, old: Vec<usize>, newcomers: Vec<usize>) -> Race {
        let is_first = self.iteration == 1;
        // The blocks of the default are those that the first race takes.
        let used = if is_first { 0 } else { self.results.blocks };
        let order = self.blocks.order(self.iteration, used);
        let positions = order.positions(used + 1);
        let until = |elite: usize| {
            let known = self.results.blocks_of(elite);
            known.iter().filter_map(|block| positions.get(block)).max().map_or(0, |last| last + 1)
        };
        let protected = old.iter().filter(|_| !is_first).map(|elite| (*elite, until(*elite))).collect();
        let alive = old.iter().copied().chain(newcomers).collect();
        Race { order, alive, references: old, protected, position: 0, idle: 0 }
    }

    /// The race takes another block.
    fn goes_on(&self, race: &Race, until: u64) -> bool {
        let newcomers = race.alive.iter().filter(|candidate| !race.references.contains(candidate)).count();
        if race.position < self.options.first {
            return race.alive.len() > 1 && newcomers > 0;
        }
        let is_decided = race.has_seen_all()
            && (race.alive.len() <= self.options.elites || (self.iteration > 1 && race.idle >= IDLE));
        let block = race.order.at(race.position);
        let missing = race.alive.iter().filter(|candidate| !self.results.has(**candidate, block)).count();
        let spent = self.results.used as f64 + missing as f64 * self.mean_of(&race.alive);
        race.alive.len() > 1 && newcomers > 0 && !is_decided && spent <= until as f64
    }

    /// Mean calls of a run of these candidates.
    fn mean_of(&self, candidates: &[usize]) -> f64 {
        let means: Vec<f64> =
            candidates.iter().filter_map(|candidate| self.results.mean_calls(*candidate)).collect();
        means.iter().sum::<f64>() / means.len().max(1) as f64
    }

    /// Runs all that are left on the next block; false where the budget does not suffice.
    fn run_block(&mut self, race: &mut Race) -> Result<bool, TuneError> {
        let block = race.order.at(race.position);
        let mut references = race.references.clone();
        references.retain(|reference| race.alive.contains(reference));
        let requests: Vec<RunRequest> =
            references.iter().filter_map(|reference| self.request(*reference, block, None)).collect();
        if !self.run(&requests)? {
            return Ok(false);
        }
        let allowed = self.allowed(race, &references);
        let mut requests = Vec::new();
        for candidate in race.alive.clone() {
            if references.contains(&candidate) {
                continue;
            }
            let spent = self.results.sum(self.options, candidate, &race.blocks(race.position));
            let left = allowed - spent.expect("who is left has run all blocks before");
            if left <= 0.0 {
                self.drop_capped(race, candidate, race.position)?;
            } else {
                let cap = (left < self.options.worst as f64).then(|| left.ceil() as u64);
                requests.extend(self.request(candidate, block, cap));
            }
        }
        let is_paid = self.run(&requests)?;
        for candidate in race.alive.clone() {
            if self.results.is_capped(candidate, block) {
                self.drop_capped(race, candidate, race.position + 1)?;
            }
        }
        Ok(is_paid)
    }

    /// What a newcomer may cost up to the horizon: the first test, or the present block where that is later.
    fn allowed(&self, race: &Race, references: &[usize]) -> f64 {
        let Some(times) = self.options.capping else { return f64::INFINITY };
        let knows = |position: usize| {
            references.iter().all(|reference| self.results.has(*reference, race.order.at(position)))
        };
        let most = self.options.first.max(race.position + 1);
        let horizon = (0..most).take_while(|position| knows(*position)).count();
        let blocks = race.blocks(horizon);
        let sum = |reference: &usize| self.results.sum(self.options, *reference, &blocks);
        allowance(&references.iter().filter_map(sum).collect::<Vec<_>>(), times)
    }

    /// Drops a newcomer that has cost too much on the first `count` blocks.
    fn drop_capped(&mut self, race: &mut Race, candidate: usize, count: usize) -> Result<(), TuneError> {
        race.alive.retain(|other| *other != candidate);
        race.idle = 0;
        let blocks = race.blocks(count);
        self.decide(&Decision {
            iteration: self.iteration,
            blocks: blocks.len(),
            block: race.order.at(count.saturating_sub(1)),
            candidate,
            kind: "dropped",
            test: "capping",
            p: None,
            rank: None,
            cost: self.results.mean(self.options, candidate, &blocks),
            used: self.results.used,
        })
    }

    /// Tests those that are left on the blocks of the race, and drops the worse.
    fn test(&mut self, race: &mut Race) -> Result<(), TuneError> {
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

    /// The best of those that are left become the elites: by mean cost over the blocks of the race; who has not seen all
    /// that the elites had seen stands behind them.
    fn choose_elites(&mut self, race: &Race) -> Result<(), TuneError> {
        let blocks = race.blocks(race.position);
        let is_behind = |candidate: usize| {
            !race.has_seen_all() && race.protected.iter().all(|(elite, _)| *elite != candidate)
        };
        let cost = |candidate: usize| self.results.mean(self.options, candidate, &blocks);
        let mut order: Vec<(bool, f64, usize)> =
            race.alive.iter().map(|one| (is_behind(*one), cost(*one), *one)).collect();
        order.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        order.truncate(self.options.elites);
        self.elites = order.iter().map(|(_, _, candidate)| *candidate).collect();
        for (place, (_, cost, candidate)) in order.into_iter().enumerate() {
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
