//! The difference of two settings.

use super::next_puzzle::NextPuzzle;
use super::shares::{Shares, share_difference};
use super::strata::{BlockValues, Strata, common_limit};
use crate::experiment::RaceRules;
use crate::study::SettingSample;
use kenga_stats::{
    Aim, Estimate, Interval, Observed, Z_95, a12_over_puzzles, hodges_lehmann, mann_whitney, rank_values,
    stratified_log_rank, time_ratio, van_elteren, wilcoxon,
};

/// A p-value that hints at a difference.
const HINT: f64 = 0.5;

/// The ratio up to which two budgets count as equal.
pub(super) const SAME: f64 = 1.01;

/// The difference of two settings.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The index of the setting that the other is compared with.
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
    /// Blocks of each setting that would detect a difference of this size with 80 % power in as many tests; `None` where none
    /// is likely.
    pub runs_needed: Option<u64>,
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
    /// The pair with p-values that account for the looks of a race.
    pub(super) fn over_looks(mut self, rules: RaceRules) -> Self {
        let now = self.blocks[0].min(self.blocks[1]) as u64;
        for p in [&mut self.p, &mut self.share_p, &mut self.log_rank_p].into_iter().flatten() {
            *p = rules.corrected_for_looks(*p, now);
        }
        Self { next: None, runs_needed: None, ..self }
    }

    /// The pair without p-values: none is valid where results decided how many runs there are.
    pub(super) fn selected(self) -> Self {
        Self {
            p: None,
            share_p: None,
            log_rank_p: None,
            untold: Some(NoVerdict::Dropped),
            next: None,
            runs_needed: None,
            ..self
        }
    }

    /// Whether the difference of the metric is significant at the level.
    pub fn is_shown(&self, alpha: f64) -> bool {
        self.untold.is_none() && self.holm.is_some_and(|p| p < alpha)
    }

    /// Whether the difference of the metric is significant on the next puzzle too, in the same direction.
    pub fn is_shown_of_kind(&self, alpha: f64) -> bool {
        self.next.is_some_and(|next| next.holm < alpha && next.is_second_better == self.is_second_better)
    }

    /// Whether the difference of the shares solved is significant at the level.
    pub fn is_share_shown(&self, alpha: f64) -> bool {
        self.untold.is_none() && self.share_holm.is_some_and(|p| p < alpha)
    }
}

/// Compares two settings. `aim` holds the level of a single test, and `z` is the normal quantile of the intervals. Holm's
/// correction over all pairs comes later.
pub(super) fn contrast(one: &SettingSample, two: &SettingSample, is_time: bool, aim: Aim, z: f64) -> Pair {
    let limit = common_limit(one, two, is_time);
    let is_cut = limit.is_finite() && one.budget().max(two.budget()) > limit * SAME;
    let blocks = BlockValues::of(one, two, limit);
    let strata = Strata::of(&blocks);
    let test = if blocks.are_paired { signed_ranks(&blocks, is_time, aim) } else { strata.rank_sums(aim) };
    let shares: Vec<&Shares> = strata.puzzles.iter().map(|puzzle| &puzzle.shares).collect();
    let share = share_difference(&shares, blocks.are_paired, z);
    let [first, second] = &blocks.values;
    let mut pair = Pair {
        first: 0,
        second: 1,
        pairs: blocks.are_paired.then_some(first.len()),
        blocks: [first.len(), second.len()],
        test: test.name,
        p: None,
        holm: None,
        is_second_better: test.is_second_better,
        ratio: None,
        a12: strata.a12(z),
        share: share.difference,
        share_p: None,
        share_holm: None,
        log_rank_p: None,
        log_rank_holm: None,
        limit: is_cut.then_some(limit),
        next: NextPuzzle::of(&strata, is_time, limit, z),
        untold: None,
        runs_needed: None,
    };
    if strata.puzzles.is_empty() {
        pair.untold = Some(NoVerdict::NoCommonPuzzle);
        return pair;
    }
    if test.least_p >= aim.alpha {
        pair.untold = Some(NoVerdict::TooFew);
    }
    pair.p = Some(test.p);
    pair.share_p = Some(share.p);
    if is_time {
        pair.ratio = strata.ratio(z);
        pair.log_rank_p = Some(strata.log_rank());
    }
    // Where nothing hints at a difference, the number that would show this one is huge and says nothing.
    if test.p < HINT {
        pair.runs_needed = test.runs_needed;
    }
    // The comparison corrects them once it knows all pairs.
    (pair.holm, pair.share_holm, pair.log_rank_holm) = (pair.p, pair.share_p, pair.log_rank_p);
    pair
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

/// The signed-rank test of paired values.
fn signed_ranks(blocks: &BlockValues<'_>, is_time: bool, aim: Aim) -> Tested {
    let differences = blocks.differences(is_time);
    let found = wilcoxon(&differences);
    // Ties say nothing of the direction.
    let mut untied = differences.clone();
    untied.retain(|difference| *difference != 0.0);
    let count = untied.len() as f64;
    let mut runs_needed = None;
    // The statistic is the smaller sum of ranks.
    let seen = found.statistic / (count * (count + 1.0) / 2.0);
    if count > 0.0
        && let Some(pairs) = aim.pairs_for_wilcoxon(seen)
    {
        // Ties do not inform, and will be as frequent among further pairs.
        runs_needed = Some((pairs as f64 * differences.len() as f64 / count).ceil() as u64);
    }
    Tested {
        name: "Wilcoxon signed-rank",
        p: found.p,
        // All differences have one sign.
        least_p: 2.0_f64.powf(1.0 - differences.len() as f64),
        is_second_better: hodges_lehmann(&untied, Z_95).is_some_and(|shift| shift.value < 0.0),
        runs_needed,
    }
}

impl Strata {
    /// The values of both settings on each puzzle, those of setting `first` first.
    fn groups(&self, first: usize) -> Vec<[&[Observed]; 2]> {
        let second = 1 - first;
        self.puzzles.iter().map(|one| [&*one.observed[first], &*one.observed[second]]).collect()
    }

    /// The same values for rank tests.
    fn ranks(&self, first: usize) -> Vec<[Vec<f64>; 2]> {
        self.groups(first).into_iter().map(|values| values.map(rank_values)).collect()
    }

    /// The rank-sum test of independent runs, within puzzles.
    fn rank_sums(&self, aim: Aim) -> Tested {
        let values = self.ranks(0);
        let a12 = self.a12(Z_95).value;
        let (name, p) = match &values[..] {
            [] => ("none", 1.0),
            [[a, b]] => ("Mann-Whitney", mann_whitney(a, b).p),
            several => ("van Elteren", van_elteren(&slices(several)).p),
        };
        let mut arrangements = 1.0;
        for [a, b] in &values {
            arrangements *= choices(a.len() + b.len(), a.len());
        }
        Tested {
            name,
            p,
            // Of all arrangements of the runs two are the most extreme.
            least_p: 2.0 / arrangements,
            is_second_better: a12 < 0.5,
            runs_needed: if values.len() == 1 { aim.runs_for_a12(a12) } else { None },
        }
    }

    /// The mean over puzzles of A12 within each.
    fn a12(&self, z: f64) -> Estimate {
        let values = self.ranks(1);
        match a12_over_puzzles(&slices(&values), z) {
            Some(found) => found.on_these(),
            None => Estimate { value: 0.5, interval: Interval { low: 0.0, high: 1.0 } },
        }
    }

    fn log_rank(&self) -> f64 {
        let groups = self.groups(0);
        let groups: Vec<&[&[Observed]]> = groups.iter().map(|groups| &groups[..]).collect();
        stratified_log_rank(&groups).p
    }

    /// The times of the second over those of the first.
    fn ratio(&self, z: f64) -> Option<Estimate> {
        time_ratio(&self.groups(1), z)
    }
}

fn slices(values: &[[Vec<f64>; 2]]) -> Vec<[&[f64]; 2]> {
    values.iter().map(|[a, b]| [&**a, &**b]).collect()
}

/// The number of ways to choose `some` of `all`.
fn choices(all: usize, some: usize) -> f64 {
    let mut ways = 1.0;
    for place in 0..some.min(all - some) {
        ways *= (all - place) as f64 / (place + 1) as f64;
    }
    ways
}
