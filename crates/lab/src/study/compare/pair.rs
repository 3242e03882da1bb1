//! The difference of two sides.

use super::next_puzzle::NextPuzzle;
use super::shares::{Rates, rates};
use super::strata::{BlockValue, Strata, Stratum, values};
use crate::experiment::RaceRules;
use crate::study::SideSample;
use crate::study::sample::matched;
use kenga_stats::{
    Aim, Estimate, Interval, Observed, Z_95, a12_over_puzzles, hodges_lehmann, mann_whitney,
    paired_differences, rank_values, stratified_log_rank, time_ratio, van_elteren, wilcoxon,
};

/// A p-value that hints at a difference.
const HINT: f64 = 0.5;

/// The ratio up to which two budgets count as equal.
pub(super) const SAME: f64 = 1.01;

/// The difference of two sides.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The index of the side that the other is compared with.
    pub first: usize,
    /// The index of the other.
    pub second: usize,
    /// How many blocks both have; `None` when the runs are independent.
    pub pairs: Option<usize>,
    /// How many blocks of each are compared.
    pub blocks: [usize; 2],
    /// The name of the test of the metric.
    pub test: &'static str,
    /// Its p-value; `None` where it would not be valid.
    pub p: Option<f64>,
    /// The p-value after Holm's correction.
    pub holm: Option<f64>,
    /// Whether the second tends to have the lower values.
    pub is_second_better: bool,
    /// The time of the second over that of the first, with its interval; only of times.
    pub ratio: Option<Estimate>,
    /// The probability that a run of the second has the larger value on the same puzzle, ties counting half, with its
    /// interval.
    pub a12: Estimate,
    /// The share that the second solves less that of the first, with its interval.
    pub share: Estimate,
    /// The p-value of that difference.
    pub share_p: Option<f64>,
    /// That p-value after Holm's correction.
    pub share_holm: Option<f64>,
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
    /// Blocks of each side that would detect a difference of this size with 80 % power in as many tests; `None` where none
    /// is likely.
    pub runs_needed: Option<u64>,
}

/// Why no difference of two sides can be significant.
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
    /// The pair with p-values that account for the looks of a race.
    pub(super) fn over_looks(self, rules: RaceRules) -> Self {
        let now = self.blocks[0].min(self.blocks[1]) as u64;
        let looked = |p: Option<f64>| p.map(|p| rules.corrected_for_looks(p, now));
        let (p, share_p, log_rank_p) = (looked(self.p), looked(self.share_p), looked(self.log_rank_p));
        Self { p, share_p, log_rank_p, next: None, runs_needed: None, ..self }
    }

    /// The pair without p-values: none is valid where results decided how many runs there are.
    pub(super) fn selected(self) -> Self {
        let none =
            Self { p: None, share_p: None, log_rank_p: None, untold: Some(NoVerdict::Dropped), ..self };
        Self { next: None, runs_needed: None, ..none }
    }

    /// Whether the difference of the metric is significant at the level.
    pub fn is_shown(&self, alpha: f64) -> bool {
        self.untold.is_none() && self.holm.is_some_and(|p| p < alpha)
    }

    /// Whether the difference of the metric is significant on the next puzzle too, in the same direction.
    pub fn is_shown_of_kind(&self, alpha: f64) -> bool {
        self.next.is_some_and(|next| next.is_shown(alpha) && next.is_second_better == self.is_second_better)
    }

    /// Whether the difference of the shares solved is significant at the level.
    pub fn is_share_shown(&self, alpha: f64) -> bool {
        self.untold.is_none() && self.share_holm.is_some_and(|p| p < alpha)
    }
}

/// Compares two sides. `aim` holds the level of a single test, and `z` is the normal quantile of the intervals. Holm's
/// correction over all pairs comes later.
pub(super) fn contrast(one: &SideSample, two: &SideSample, is_time: bool, aim: Aim, z: f64) -> Pair {
    let budgets = [one.budget(), two.budget()];
    let limit = if is_time { budgets[0].min(budgets[1]) } else { f64::INFINITY };
    let is_cut = limit.is_finite() && budgets[0].max(budgets[1]) > limit * SAME;
    let pairs = matched(one, two);
    let sides = values(one, two, pairs.as_deref(), limit);
    let strata = Strata::of(one, two, pairs.as_deref(), &sides);
    let blocks = [sides[0].len(), sides[1].len()];
    let has_common = !strata.0.is_empty();
    let test = match &pairs {
        Some(_) => signed_ranks(&sides, is_time, aim),
        None => strata.rank_sums(aim),
    };
    let share = rates(&strata.rates(), pairs.is_some(), z);
    let untold = match test.least_p >= aim.alpha {
        _ if !has_common => Some(NoVerdict::NoCommonPuzzle),
        true => Some(NoVerdict::TooFew),
        false => None,
    };
    let p = has_common.then_some(test.p);
    let share_p = has_common.then_some(share.1);
    let log_rank_p = (is_time && has_common).then(|| strata.log_rank());
    Pair {
        first: 0,
        second: 1,
        pairs: pairs.as_ref().map(Vec::len),
        blocks,
        test: test.name,
        p,
        holm: p,
        is_second_better: test.is_second_better,
        ratio: (is_time && has_common).then(|| strata.ratio(z)).flatten(),
        a12: strata.a12(z),
        share: share.0,
        share_p,
        share_holm: share_p,
        log_rank_p,
        log_rank_holm: log_rank_p,
        limit: is_cut.then_some(limit),
        next: NextPuzzle::of(&strata, is_time, limit, z),
        untold,
        runs_needed: test.runs_needed.filter(|_| test.p < HINT && has_common),
    }
}

/// The test of a pair.
struct Tested {
    name: &'static str,
    p: f64,
    /// The smallest p-value that this number of values can give.
    least_p: f64,
    is_second_better: bool,
    runs_needed: Option<u64>,
}

/// The signed-rank test, for times of their logarithms, so that half and double lie equally far from 1.
fn signed_ranks(sides: &[Vec<BlockValue>; 2], is_time: bool, aim: Aim) -> Tested {
    let differences = differences(sides, is_time);
    let found = wilcoxon(&differences);
    let kept: Vec<f64> = differences.iter().copied().filter(|difference| *difference != 0.0).collect();
    let count = kept.len() as f64;
    // The statistic is the smaller sum of ranks.
    let seen = found.statistic / (count * (count + 1.0) / 2.0);
    // Ties do not inform, and will be as frequent among further pairs.
    let needed = aim.pairs_for_wilcoxon(seen).filter(|_| count > 0.0);
    let runs_needed = needed.map(|pairs| (pairs as f64 * differences.len() as f64 / count).ceil() as u64);
    Tested {
        name: "Wilcoxon signed-rank",
        p: found.p,
        least_p: 2.0_f64.powf(1.0 - differences.len() as f64),
        is_second_better: hodges_lehmann(&kept, Z_95).is_some_and(|shift| shift.value < 0.0),
        runs_needed,
    }
}

/// The values of the second side less those of the first, block by block; of times the differences of their logarithms.
pub(super) fn differences(sides: &[Vec<BlockValue>; 2], is_time: bool) -> Vec<f64> {
    let scale = |value: &BlockValue| match value.observed.rank_value() {
        time if is_time => time.max(f64::MIN_POSITIVE).ln(),
        other => other,
    };
    let [a, b] = [0, 1].map(|side: usize| sides[side].iter().map(scale).collect::<Vec<f64>>());
    paired_differences(&b, &a)
}

impl Strata {
    /// The values of both sides on each puzzle, side `a` first.
    fn groups(&self, a: usize) -> Vec<[&[Observed]; 2]> {
        self.0.iter().map(|one| [&*one.observed[a], &*one.observed[1 - a]]).collect()
    }

    /// The same values for rank tests.
    fn ranks(&self, a: usize) -> Vec<[Vec<f64>; 2]> {
        self.groups(a).into_iter().map(|sides| sides.map(rank_values)).collect()
    }

    fn rates(&self) -> Vec<Rates<'_>> {
        let rates = |one| {
            let Stratum { shares: [first, second], runs, .. }: &Stratum = one;
            Rates { first, second, runs: *runs }
        };
        self.0.iter().map(rates).collect()
    }

    /// The rank-sum test of independent runs, within puzzles.
    fn rank_sums(&self, aim: Aim) -> Tested {
        let values = self.ranks(0);
        let a12 = self.a12(Z_95).value;
        let (name, p) = match &values[..] {
            [] => ("none", 1.0),
            [[a, b]] => ("Mann-Whitney", mann_whitney(a, b).p),
            several => {
                let strata: Vec<[&[f64]; 2]> = several.iter().map(|[a, b]| [&**a, &**b]).collect();
                ("van Elteren", van_elteren(&strata).p)
            }
        };
        let arrangements: f64 = values.iter().map(|[a, b]| choices(a.len() + b.len(), a.len())).product();
        Tested {
            name,
            p,
            least_p: 2.0 / arrangements,
            is_second_better: a12 < 0.5,
            runs_needed: aim.runs_for_a12(a12).filter(|_| values.len() == 1),
        }
    }

    /// The mean over puzzles of A12 within each.
    fn a12(&self, z: f64) -> Estimate {
        let values = self.ranks(1);
        let strata: Vec<[&[f64]; 2]> = values.iter().map(|[a, b]| [&**a, &**b]).collect();
        match a12_over_puzzles(&strata, z) {
            Some(found) => found.on_these(),
            None => Estimate { value: 0.5, interval: Interval { low: 0.0, high: 1.0 } },
        }
    }

    fn log_rank(&self) -> f64 {
        let groups = self.groups(0);
        stratified_log_rank(&groups.iter().map(|groups| &groups[..]).collect::<Vec<_>>()).p
    }

    /// The times of the second over those of the first.
    fn ratio(&self, z: f64) -> Option<Estimate> {
        time_ratio(&self.groups(1), z)
    }
}

/// The number of ways to choose `some` of `all`.
fn choices(all: usize, some: usize) -> f64 {
    (0..some.min(all - some)).map(|place| (all - place) as f64 / (place + 1) as f64).product()
}
