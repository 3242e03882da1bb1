//! Racing: settings that are shown to be worse are dropped, so that the runs go to the candidates for the best.
//!
//! ```text
//! for every block, a puzzle and a replicate, in the order of the plan
//!     run every setting that is left
//!     from block `first` on:
//!         drop those that Wilcoxon's signed ranks show to be worse than the best by ranks, corrected
//!         for all looks, past and to come, and by Holm for all pairs that are left
//! until one is left, the blocks are used up, or block `last` is over
//! ```
//!
//! What decides are columns of `runs.csv`, calls to the solution with failures last, and never the clock, so that a race
//! that is resumed decides again as before. The chance that a race drops anything by error is `alpha` at most, over all
//! of its blocks, and over those that are added later.
//!
//! Shards make a race in **rounds** of several blocks, because each sees the runs of the others only when they have ended:
//! first `first` blocks, then every time half as many as are done. All settings that are left when a round begins run all of
//! its blocks; the decisions are those of the blocks one after the other, and runs that they make needless are not used.
//!
//! **Invariant.** No decision depends on how many blocks are planned, so that blocks added later change none. A race that spends
//! `alpha` up to a last block takes that from its rules, which nothing changes later, and not from the plan.
//!
//! Source: M. Birattari, T. Stützle, L. Paquete, K. Varrentrapp 2002, A racing algorithm for configuring metaheuristics,
//! GECCO 2002, 11-18, which tests again after every block; the corrections for looks, [`over_looks`]
//! and [`over_planned_looks`].

use std::collections::BTreeMap;
use std::ops::Range;

use kenga_stats::{holm_among, over_looks, over_planned_looks, paired_differences, rank_order, wilcoxon};

/// How a race decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RaceRules {
    /// Blocks before the first decision.
    pub first: u64,
    /// The block after which the race is over, and up to which it spends `alpha`; `None` where blocks can always be added.
    pub last: Option<u64>,
    /// The chance to drop a setting that is no worse, over the whole race.
    pub alpha: f64,
}

impl RaceRules {
    /// The p-value `p` of a test after `now` blocks, corrected for all looks of the race.
    pub(crate) fn corrected_for_looks(&self, p: f64, now: u64) -> f64 {
        match self.last {
            Some(last) => over_planned_looks(p, now, last),
            None => over_looks(p, self.first, now),
        }
    }
}

/// The state of a race.
#[derive(Clone, Debug)]
pub struct Race {
    rules: RaceRules,
    settings: usize,
    blocks: u64,
    /// Settings that are left, in order.
    left: Vec<usize>,
    /// The calls of every setting that is left, a row a block; infinite for failures.
    values: Vec<Vec<f64>>,
    /// Blocks that every setting that is left has run.
    block: u64,
    /// Runs made or to be made up to the end of the present block.
    runs: u64,
    /// The number of the present round, from 1, of a race in rounds.
    round: u64,
    /// Blocks that are run together: those of the present round, or one.
    together: u64,
}

impl Race {
    /// A new race of `settings` settings over `blocks` blocks, or up to the last block of the rules.
    pub fn new(rules: RaceRules, settings: usize, blocks: u64) -> Self {
        Self {
            rules,
            settings,
            blocks: rules.last.map_or(blocks, |last| last.min(blocks)),
            left: (0..settings).collect(),
            values: vec![Vec::new(); settings],
            block: 0,
            runs: settings as u64,
            round: 1,
            together: 1,
        }
    }

    /// The race as far as the calls of known runs carry it.
    #[must_use]
    pub fn replay(mut self, known: &BTreeMap<u64, f64>) -> Self {
        while self.take_known(known) {}
        self
    }

    /// The race at the beginning of the round that is to be made: the first that is not complete among the calls of known
    /// runs.
    #[must_use]
    pub fn in_rounds(mut self, known: &BTreeMap<u64, f64>) -> Self {
        loop {
            let half = if self.block == 0 { self.rules.first } else { (self.block / 2).max(1) };
            self.together = half.min(self.blocks - self.block);
            let Some(mut runs) = self.next() else { return self };
            if runs.any(|run| self.has(run) && !known.contains_key(&run)) {
                return self;
            }
            let end = self.block + self.together;
            self.together = 1;
            while self.block < end && self.take_known(known) {}
            self.round += 1;
        }
    }

    /// Takes the present block if all of its runs are known.
    fn take_known(&mut self, known: &BTreeMap<u64, f64>) -> bool {
        let Some(block) = self.next() else { return false };
        let mut calls = Vec::new();
        for run in block {
            if !self.has(run) {
                continue;
            }
            let Some(known) = known.get(&run) else { return false };
            calls.push(*known);
        }
        self.take(&calls);
        true
    }

    /// The number of the present round, from 1, of a race [in rounds](Self::in_rounds).
    pub fn round(&self) -> u64 {
        self.round
    }

    /// The settings that are left.
    pub fn left(&self) -> &[usize] {
        &self.left
    }

    /// Blocks that are done.
    pub fn block(&self) -> u64 {
        self.block
    }

    /// The blocks of the present round, from 0, of a race [in rounds](Self::in_rounds).
    pub fn blocks(&self) -> Range<u64> {
        self.block..self.block + self.together
    }

    /// Runs up to the end of the present block, or of the race.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// The runs of the present block, or of the present round, also those of settings that are dropped; `None` when the race
    /// is over.
    pub fn next(&self) -> Option<Range<u64>> {
        let begin = self.block * self.settings as u64;
        let is_decided = self.left.len() == 1 && self.block >= self.rules.first;
        if is_decided || self.block == self.blocks {
            return None;
        }
        Some(begin..begin + self.together * self.settings as u64)
    }

    /// The run is one of the present block's, or round's, of a setting that is left.
    pub fn has(&self, run: u64) -> bool {
        self.next()
            .is_some_and(|runs| runs.contains(&run) && self.left.binary_search(&self.setting(run)).is_ok())
    }

    fn setting(&self, run: u64) -> usize {
        (run % self.settings as u64) as usize
    }

    /// Takes the calls of the runs of the present block that [`has`](Self::has) them, in the order of the settings that are
    /// left, and decides.
    pub fn take(&mut self, calls: &[f64]) {
        for (setting, calls) in self.left.iter().zip(calls) {
            self.values[*setting].push(*calls);
        }
        self.block += 1;
        if self.block >= self.rules.first && self.left.len() > 1 {
            self.decide();
        }
        // The block after this one counts as soon as it is known who runs in it.
        if self.next().is_some() {
            self.runs += self.left.len() as u64;
        }
    }

    fn decide(&mut self) {
        let left: Vec<&[f64]> = self.left.iter().map(|setting| &*self.values[*setting]).collect();
        let mut blocks = Vec::new();
        for block in 0..self.block as usize {
            blocks.extend(left.iter().map(|calls| calls[block]));
        }
        let order = rank_order(&blocks, left.len());
        let (best, others) = (logs(left[order[0]]), &order[1..]);
        let mut p_values = Vec::new();
        for place in others {
            let differences = paired_differences(&best, &logs(left[*place]));
            p_values.push(self.rules.corrected_for_looks(wilcoxon(&differences).p, self.block));
        }
        // The best is chosen by the same runs: all pairs count that it was chosen from.
        let corrected = holm_among(&p_values, left.len() * others.len() / 2);
        let mut is_worse = vec![false; left.len()];
        for (place, p) in others.iter().zip(corrected) {
            is_worse[*place] = p < self.rules.alpha;
        }
        let mut is_worse = is_worse.into_iter();
        self.left.retain(|_| is_worse.next() == Some(false));
    }
}

/// Logarithms: half and double lie equally far from 1; a start that solves has taken one call.
fn logs(calls: &[f64]) -> Vec<f64> {
    calls.iter().map(|calls| calls.max(1.0).ln()).collect()
}

/// What a race compares of a run.
pub fn race_calls(solved: bool, calls_to_best: u64) -> f64 {
    if solved { calls_to_best as f64 } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::rng::StreamKey;

    fn race(settings: usize, blocks: u64) -> Race {
        Race::new(RaceRules { first: 6, last: None, alpha: 0.05 }, settings, blocks)
    }

    /// Runs a race in which a setting takes its number of calls, more or less; how many runs were made.
    fn run(race: &mut Race, calls: &[f64]) -> u64 {
        let mut made = 0;
        while let Some(block) = race.next() {
            let runs: Vec<u64> = block.filter(|run| race.has(*run)).collect();
            made += runs.len() as u64;
            let luck = 1.0 + (race.block() % 3) as f64 / 10.0;
            race.take(&race.left().iter().map(|setting| calls[*setting] * luck).collect::<Vec<_>>());
        }
        assert_eq!(made, race.runs());
        made
    }

    #[test]
    fn the_worse_are_dropped_and_the_best_is_left() {
        let mut one = race(4, 100);
        let made = run(&mut one, &[900.0, 100.0, f64::INFINITY, 1000.0]);
        assert_eq!(one.left(), [1]);
        assert!(one.block() < 16 && made < 64, "{made} runs in {} blocks", one.block());
    }

    #[test]
    fn what_does_not_differ_runs_to_the_end() {
        let mut same = race(3, 20);
        assert_eq!(run(&mut same, &[50.0; 3]), 60);
        assert_eq!((same.left(), same.block()), (&[0, 1, 2][..], 20));
        let mut never = race(3, 20);
        assert_eq!(run(&mut never, &[f64::INFINITY; 3]), 60);
    }

    fn race_up_to(last: u64, settings: usize, blocks: u64) -> Race {
        Race::new(RaceRules { first: 6, last: Some(last), alpha: 0.05 }, settings, blocks)
    }

    /// How many settings a race drops of which each takes so many times the calls of a search without memory.
    fn drops(mut race: Race, seed: u64, factor: impl Fn(usize) -> f64) -> usize {
        let mut rng = StreamKey::run(seed, "race", 0).rng();
        let settings = race.left().len();
        while race.next().is_some() {
            let calls = |setting: &usize| (-rng.unit().max(1e-12).ln() * 1000.0 * factor(*setting)).ceil();
            let calls: Vec<f64> = race.left().iter().map(calls).collect();
            race.take(&calls);
        }
        settings - race.left().len()
    }

    #[test]
    fn settings_that_are_alike_are_dropped_in_few_races() {
        for settings in [2, 4] {
            for one in [race(settings, 20), race_up_to(20, settings, 20)] {
                let wrong = (0..25).filter(|seed| drops(one.clone(), *seed, |_| 1.0) > 0).count();
                assert!(wrong <= 3, "{wrong} of 25 races of {settings} settings that are alike dropped some");
            }
        }
        for one in [race(4, 30), race_up_to(30, 4, 30)] {
            let is_right = |seed: &u64| drops(one.clone(), *seed, |one| if one < 2 { 1.0 } else { 8.0 }) >= 2;
            assert_eq!((0..3).filter(is_right).count(), 3);
        }
    }

    #[test]
    fn a_race_with_a_last_block_ends_there_and_finds_smaller_differences() {
        let mut same = race_up_to(20, 3, 1000);
        assert_eq!(run(&mut same, &[50.0; 3]), 60);
        let slower = |race: &Race| {
            let finds = |seed: &u64| drops(race.clone(), *seed, |one| [1.0, 1.8][one]) == 1;
            (0..20).filter(finds).count()
        };
        let (open, planned) = (slower(&race(2, 60)), slower(&race_up_to(60, 2, 60)));
        assert!(planned >= open + 4, "{planned} against {open} of 20");
    }

    #[test]
    fn more_blocks_change_no_earlier_decision() {
        let calls = |block: u64, setting: usize| 100.0 + ((block * 37) % 11) as f64 + 60.0 * setting as f64;
        let dropped_at = |mut race: Race| -> Vec<(u64, usize)> {
            let mut found = Vec::new();
            while race.next().is_some() && race.block() < 14 {
                let block = race.block();
                race.take(&race.left().iter().map(|setting| calls(block, *setting)).collect::<Vec<_>>());
                found.push((block, race.left().len()));
            }
            found
        };
        assert_eq!(dropped_at(race(3, 14)), dropped_at(race(3, 1000)));
        assert_eq!(dropped_at(race(3, 14)).last().map(|last| last.1), Some(1));
        assert_eq!(dropped_at(race_up_to(20, 3, 14)), dropped_at(race_up_to(20, 3, 1000)));
        assert_eq!(dropped_at(race_up_to(20, 3, 14)).last().map(|last| last.1), Some(1));
    }

    #[test]
    fn rounds_decide_as_blocks_do_and_run_no_less() {
        let calls = |run: u64| 100.0 + ((run * 37) % 11) as f64 + 60.0 * (run % 4) as f64;
        for whole in [race(4, 40), race(4, 5), race(1, 9), race_up_to(11, 4, 40)] {
            let (mut known, mut rounds) = (BTreeMap::new(), 0);
            let ended = loop {
                let now = whole.clone().in_rounds(&known);
                let Some(runs) = now.next() else { break now };
                rounds += 1;
                assert_eq!(now.round(), rounds);
                let before = known.len();
                for run in runs.filter(|run| now.has(*run)) {
                    // Until the last run of the round is known it stays the present one.
                    assert_eq!(whole.clone().in_rounds(&known).round(), rounds);
                    assert_eq!(known.insert(run, calls(run)), None, "a run is made once");
                }
                assert!(known.len() > before, "a round has runs");
            };
            let blocks = whole.replay(&known);
            assert_eq!((ended.left(), ended.block()), (blocks.left(), blocks.block()));
            assert!(blocks.next().is_none() && blocks.runs() <= known.len() as u64);
        }
    }

    #[test]
    fn one_setting_needs_no_more_than_the_first_blocks() {
        let mut one = race(1, 20);
        assert_eq!(run(&mut one, &[50.0]), 6);
    }
}
