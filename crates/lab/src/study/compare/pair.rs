//! The difference of two settings.

use super::level::{Effect, Level, agreeing};
use super::next_puzzle::{NextPuzzle, NextTest};
use super::question::{Question, Smallest};
use super::shares::{ShareDifference, Shares, share_difference};
use super::strata::{BlockValues, Strata, common_limit};
use crate::experiment::RaceRules;
use crate::study::SettingSample;
use kenga_core::rng::StreamKey;
use kenga_stats::{
    Estimate, Interval, Observed, Outcome, SwapTest, Z_95, a12_over_puzzles, rank_values, stratified_log_rank,
};

/// The ratio up to which two budgets count as equal.
pub(super) const SAME: f64 = 1.01;

/// The difference of two settings.
#[derive(Clone, Debug, Default)]
pub struct Pair {
    /// The index of the setting that the other is compared with.
    pub first: usize,
    /// The index of the other.
    pub second: usize,
    /// How many blocks both have; `None` when the runs are independent.
    pub pairs: Option<usize>,
    /// How many blocks of each are compared.
    pub blocks: [usize; 2],
    /// How labels are exchanged.
    pub test: &'static str,
    /// The p-value of the cost of a solution, or of the values; `None` if it would not be valid.
    pub p: Option<f64>,
    /// The p-value after Holm's correction; that of the hypothesis that nothing differs, if that is larger.
    pub holm: Option<f64>,
    /// The corrected p-value of the hypothesis that neither the cost of a solution, nor the share that solves, nor the calls of a
    /// run differ: the other claims are made only if it is rejected.
    pub any_holm: Option<f64>,
    /// Whether the second costs less, or tends to have the lower values.
    pub is_second_better: bool,
    /// The cost of a solution under the second over that under the first, with its interval; only of times.
    pub ratio: Option<Estimate>,
    /// Whether the better one alone has a long tail, of which its runs may show too little; only of times.
    pub is_tail_unseen: bool,
    /// The level of the intervals: 1 less the level of the test after the correction.
    pub level: f64,
    /// The probability that a run of the second has the larger value on the same puzzle, ties counting half, with its
    /// interval.
    pub a12: Estimate,
    /// The share that the second solves less that of the first, with its interval.
    pub share: Estimate,
    /// The p-value of that difference.
    pub share_p: Option<f64>,
    /// That p-value as a claim beside the others.
    pub share_holm: Option<f64>,
    /// The share that each solves on the puzzles and up to the budget that are compared.
    pub shares: [f64; 2],
    /// The effort of a run of each there, to the solution or until it gives up; only of times.
    pub spent: Option<[f64; 2]>,
    /// The p-value of the difference of what runs spend, as a claim beside the others; only of times.
    pub spent_holm: Option<f64>,
    /// The p-value of the log-rank test within puzzles; only of times.
    pub log_rank_p: Option<f64>,
    /// That p-value after Holm's correction.
    pub log_rank_holm: Option<f64>,
    /// The smaller budget, up to which both are compared; `None` where budgets are equal.
    pub limit: Option<f64>,
    /// The difference on the next puzzle of the kind; `None` where fewer than three puzzles, or a race, say nothing of it.
    pub next: Option<NextPuzzle>,
    /// Why no difference can be significant.
    pub untold: Option<NoVerdict>,
    /// Blocks of each setting that would show the smallest difference that matters with 80 % power in as many tests; `None` if a
    /// setting never solves, and for values that are no times.
    pub runs_needed: Option<u64>,
    /// The corrected p-value of the claim that both cost the same but for that smallest difference; only of times.
    pub equivalence_holm: Option<f64>,
}

/// Why no difference of two settings can be significant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoVerdict {
    /// They have no puzzle in common.
    NoCommonPuzzle,
    /// A race dropped one of them: its results decided how many runs it has.
    Dropped,
    /// Too few runs for a significant difference after the correction.
    TooFew,
}

impl Pair {
    /// The cost of a solution under each, on the puzzles and up to the budget that are compared; infinite without one. `None` for
    /// values that are no times.
    pub fn costs(&self) -> Option<[f64; 2]> {
        let spent = self.spent?;
        Some([0, 1].map(|setting| Outcome { spent: spent[setting], solved: self.shares[setting] }.cost()))
    }

    /// Whether the cost of a solution, or the values, differ significantly at the level.
    pub fn is_shown(&self, alpha: f64) -> bool {
        self.untold.is_none() && self.holm.is_some_and(|p| p < alpha)
    }

    /// Whether the cost of a solution, the share that solves or the calls of a run differ significantly.
    pub fn is_any_shown(&self, alpha: f64) -> bool {
        self.is_shown(alpha) || self.is_share_shown(alpha) || self.is_spent_shown(alpha)
    }

    /// Whether the difference is significant on the next puzzle too, in the same direction.
    pub fn is_shown_of_kind(&self, alpha: f64) -> bool {
        self.is_shown(alpha)
            && self
                .next
                .is_some_and(|next| next.holm < alpha && next.is_second_better == self.is_second_better)
    }

    /// Whether the difference of the shares solved is significant at the level.
    pub fn is_share_shown(&self, alpha: f64) -> bool {
        self.untold.is_none() && self.share_holm.is_some_and(|p| p < alpha)
    }

    /// Whether the difference of what runs spend is significant at the level.
    pub fn is_spent_shown(&self, alpha: f64) -> bool {
        self.untold.is_none() && self.spent_holm.is_some_and(|p| p < alpha)
    }
}

/// Two settings side by side, before the levels of the tests are known.
pub(super) struct Evidence<'a> {
    pub(super) second: usize,
    strata: Strata<'a>,
    blocks: [usize; 2],
    are_paired: bool,
    is_time: bool,
    limit: Option<f64>,
    /// `None` without a puzzle in common.
    pub(super) test: Option<SwapTest>,
    pub(super) next: Option<NextTest>,
    /// The p-value of the difference of shares.
    share_p: f64,
    pub(super) log_rank_p: f64,
    /// How many looks of a race p-values are corrected for, if it is one.
    looks: Option<(RaceRules, u64)>,
    /// Whether a race dropped one of the settings.
    is_dropped: bool,
}

impl<'a> Evidence<'a> {
    /// Compares the reference with another setting, which has this index.
    pub(super) fn new(
        one: &'a SettingSample,
        (second, two): (usize, &'a SettingSample),
        question: &Question<'_>,
    ) -> Self {
        let is_time = question.metric.is_time();
        let limit = common_limit(one, two, is_time);
        let is_cut = limit.is_finite() && one.budget().max(two.budget()) > limit * SAME;
        let values = BlockValues::new(one, two, limit);
        let strata = Strata::new(&values, is_time);
        let blocks = [values.values[0].len(), values.values[1].len()];
        // The same draws for every pair, so that they do not depend on what else is compared.
        let mut rng = StreamKey::run(0, "exchanges", 0).rng();
        let mut bits = || u64::from(rng.bits()) << 32 | u64::from(rng.bits());
        let test = SwapTest::new(&strata.outcomes(), values.are_paired, &mut bits);
        let dropped = &question.races.dropped;
        let is_race = question.races.rules.is_some();
        let is_dropped = !is_race && (dropped.contains(&one.name) || dropped.contains(&two.name));
        let next = if is_race || is_dropped { None } else { NextTest::new(&strata, &question.groups) };
        let mut evidence = Self {
            second,
            blocks,
            are_paired: values.are_paired,
            is_time,
            limit: is_cut.then_some(limit),
            test,
            next,
            share_p: 1.0,
            log_rank_p: if is_time { strata.log_rank() } else { 1.0 },
            looks: question.races.rules.map(|rules| (rules, blocks[0].min(blocks[1]) as u64)),
            is_dropped,
            strata,
        };
        evidence.share_p = match evidence.shares(Z_95).p {
            Some(p) => p,
            None if is_time => evidence.test.as_ref().map_or(1.0, |test| test.share_p),
            // The exchanges of values are of ranks, so that shares are exchanged by themselves.
            None => SwapTest::new(&evidence.strata.shares(), values.are_paired, &mut bits)
                .map_or(1.0, |test| test.share_p),
        };
        evidence
    }

    fn shares(&self, z: f64) -> ShareDifference {
        let shares: Vec<&Shares> = self.strata.puzzles.iter().map(|puzzle| &puzzle.shares).collect();
        share_difference(&shares, self.are_paired, z)
    }

    /// Whether p-values are valid.
    pub(super) fn is_tested(&self) -> bool {
        self.test.is_some() && !self.is_dropped
    }

    /// A p-value over all looks of a race.
    pub(super) fn over_looks(&self, p: f64) -> f64 {
        self.looks.map_or(p, |(rules, now)| rules.corrected_for_looks(p, now))
    }

    /// The p-value of the hypothesis that nothing differs; 1 if it would not be valid.
    pub(super) fn any_p(&self) -> f64 {
        match &self.test {
            Some(test) if self.is_tested() => self.over_looks(test.any_p),
            _ => 1.0,
        }
    }

    /// The p-value of equivalence; 1 if it would not be valid.
    pub(super) fn equivalence_p(&self, smallest: &Smallest) -> f64 {
        match &self.test {
            Some(test) if self.is_time && self.is_tested() && self.looks.is_none() => {
                test.equivalence_p(smallest.ratio)
            }
            _ => 1.0,
        }
    }

    /// The difference at the corrected levels of its tests.
    pub(super) fn at_levels(&self, first: usize, levels: &PairLevels, smallest: &Smallest) -> Pair {
        let level = &levels.any;
        let share = self.shares(level.z());
        let mut pair = Pair {
            first,
            second: self.second,
            pairs: self.are_paired.then_some(self.blocks[0]),
            blocks: self.blocks,
            test: if self.are_paired { "label swaps within starts" } else { "label swaps within puzzles" },
            level: 1.0 - level.alpha,
            a12: self.strata.a12(level.z()),
            share: share.difference,
            shares: [0, 1].map(|setting| self.strata.mean(setting, |outcome| outcome.solved)),
            limit: self.limit,
            ..Pair::default()
        };
        let Some(test) = &self.test else {
            pair.untold = Some(NoVerdict::NoCommonPuzzle);
            return pair;
        };
        let effect = if self.is_time {
            Effect::of_costs(test, level, !self.is_dropped)
        } else {
            Effect::of_values(test, pair.a12.interval, level, !self.is_dropped)
        };
        pair.is_second_better = effect.is_second_better;
        if self.is_time {
            pair.ratio = test.ratio.map(|_| effect.estimate);
            pair.is_tail_unseen = self.strata.has_long_tail(usize::from(effect.is_second_better));
            pair.spent = Some([0, 1].map(|setting| self.strata.mean(setting, |outcome| outcome.spent)));
        } else {
            pair.a12 = effect.estimate;
        }
        if self.is_dropped {
            pair.untold = Some(NoVerdict::Dropped);
            return pair;
        }
        if test.least_p >= levels.least {
            pair.untold = Some(NoVerdict::TooFew);
        }
        let p = self.over_looks(if self.is_time { test.p } else { test.spent_p });
        let share_p = self.over_looks(self.share_p);
        pair.p = Some(p);
        pair.holm = Some(level.of_claim(p));
        pair.any_holm = Some(level.holm);
        pair.share_p = Some(share_p);
        // For values the share is no part of the hypothesis that the exchanges test, so that the share has its own correction.
        let share_holm = if self.is_time { level.of_claim(share_p) } else { levels.share.holm };
        pair.share_holm = Some(share_holm);
        pair.share = agreeing(pair.share, 0.0, share_holm < levels.least * levels.tests);
        if self.is_time {
            pair.spent_holm = Some(level.of_claim(self.over_looks(test.spent_p)));
            pair.log_rank_p = Some(self.over_looks(self.log_rank_p));
            pair.log_rank_holm = Some(levels.log_rank.holm);
            pair.equivalence_holm = Some(levels.equivalence.holm);
        }
        if self.looks.is_none() {
            pair.runs_needed = if self.is_time { test.units_for(smallest.ratio, level.aim()) } else { None };
            let next_levels = [&levels.next, &levels.next_share];
            pair.next = self.next.as_ref().map(|next| next.at_levels(self.is_time, next_levels, smallest));
        }
        pair
    }

    /// The p-value of the difference of shares over all looks.
    pub(super) fn share_p(&self) -> f64 {
        self.over_looks(self.share_p)
    }
}

/// The corrected levels of all tests of a pair.
pub(super) struct PairLevels {
    /// Of the hypothesis that nothing differs.
    pub(super) any: Level,
    pub(super) share: Level,
    pub(super) log_rank: Level,
    pub(super) next: Level,
    pub(super) next_share: Level,
    pub(super) equivalence: Level,
    /// The level of the first test of Holm's procedure, and how many tests share the whole level.
    pub(super) least: f64,
    pub(super) tests: f64,
}

impl Strata<'_> {
    /// The mean over puzzles of A12 within each.
    fn a12(&self, z: f64) -> Estimate {
        let mut values: Vec<[Vec<f64>; 2]> = Vec::with_capacity(self.puzzles.len());
        for puzzle in &self.puzzles {
            values.push([rank_values(&puzzle.observed[1]), rank_values(&puzzle.observed[0])]);
        }
        match a12_over_puzzles(&values, z) {
            Some(a12) => a12.on_these(),
            None => Estimate { value: 0.5, interval: Interval { low: 0.0, high: 1.0 } },
        }
    }

    fn log_rank(&self) -> f64 {
        let groups: Vec<[&[Observed]; 2]> =
            self.puzzles.iter().map(|puzzle| [&*puzzle.observed[0], &*puzzle.observed[1]]).collect();
        let groups: Vec<&[&[Observed]]> = groups.iter().map(|groups| &groups[..]).collect();
        stratified_log_rank(&groups).p
    }
}
