//! The values of two settings, one value a block, and the puzzles that both have.

use std::collections::BTreeMap;

use super::shares::Shares;
use crate::study::SettingSample;
use crate::study::sample::{RunValue, matched, mean_outcome, median};
use kenga_stats::{Observed, Outcome, mid_ranks, paired_differences};

/// The values of two settings: of the blocks that both have, or of independent runs of all blocks of each.
pub(super) struct BlockValues<'a> {
    /// The values of each setting, in the order of its blocks.
    pub(super) values: [Vec<BlockValue<'a>>; 2],
    /// Whether the values stand in pairs, each of one block.
    pub(super) are_paired: bool,
}

/// The value of a block.
pub(super) struct BlockValue<'a> {
    puzzle: &'a str,
    observed: Observed,
    /// The values of its runs for rank tests.
    ranked: Vec<f64>,
    /// The means of what its runs spent and solved.
    outcome: Outcome,
    runs: usize,
}

impl<'a> BlockValue<'a> {
    /// The value of some runs of a replicate, each up to `limit`.
    fn new(puzzle: &'a str, replicate: u64, runs: &[&RunValue], limit: f64) -> Self {
        Self {
            puzzle,
            observed: median(runs.iter().copied(), replicate, limit),
            ranked: runs.iter().map(|run| run.until(limit).rank_value()).collect(),
            outcome: mean_outcome(runs, limit),
            runs: runs.len(),
        }
    }
}

/// The budget up to which two settings are compared; infinite for values that are no times.
pub(super) fn common_limit(one: &SettingSample, two: &SettingSample, is_time: bool) -> f64 {
    if is_time { one.budget().min(two.budget()) } else { f64::INFINITY }
}

impl<'a> BlockValues<'a> {
    /// The values of two settings up to `limit`.
    pub(super) fn new(one: &'a SettingSample, two: &'a SettingSample, limit: f64) -> Self {
        let Some(pairs) = matched(one, two) else {
            return Self { values: [every(one, limit), every(two, limit)], are_paired: false };
        };
        let mut values = [Vec::with_capacity(pairs.len()), Vec::with_capacity(pairs.len())];
        for [a, b] in pairs {
            let (a, b) = (one.block(a), two.block(b));
            let runs = comparable(a.runs, b.runs);
            for (setting, (block, runs)) in [a, b].into_iter().zip(runs).enumerate() {
                let value = BlockValue::new(&block.block.puzzle, block.block.replicate, &runs, limit);
                values[setting].push(value);
            }
        }
        Self { values, are_paired: true }
    }

    /// Of paired values those of the second setting less those of the first; of times the differences of their logarithms,
    /// so that half and double lie equally far from 1.
    pub(super) fn differences(&self, is_time: bool) -> Vec<f64> {
        let [first, second] = &self.values;
        paired_differences(&on_scale(second, is_time), &on_scale(first, is_time))
    }
}

/// The values of all blocks of a setting.
fn every(sample: &SettingSample, limit: f64) -> Vec<BlockValue<'_>> {
    let mut values = Vec::with_capacity(sample.len());
    for block in sample.blocks().iter() {
        let runs: Vec<&RunValue> = block.runs.iter().collect();
        values.push(BlockValue::new(&block.block.puzzle, block.block.replicate, &runs, limit));
    }
    values
}

/// Values on the scale on which they are compared: times by their logarithms.
fn on_scale(values: &[BlockValue<'_>], is_time: bool) -> Vec<f64> {
    let mut scaled = Vec::with_capacity(values.len());
    for value in values {
        let rank = value.observed.rank_value();
        scaled.push(if is_time { rank.max(f64::MIN_POSITIVE).ln() } else { rank });
    }
    scaled
}

/// The runs of a block on which two settings are compared: those of the variants that both have, or every run if they share
/// none.
fn comparable<'a>(a: &'a [RunValue], b: &'a [RunValue]) -> [Vec<&'a RunValue>; 2] {
    let shared = [of_variants(a, b), of_variants(b, a)];
    if shared[0].is_empty() { [a.iter().collect(), b.iter().collect()] } else { shared }
}

/// The runs whose variants some of the others have, too.
fn of_variants<'a>(runs: &'a [RunValue], others: &[RunValue]) -> Vec<&'a RunValue> {
    runs.iter().filter(|run| others.iter().any(|other| other.variant == run.variant)).collect()
}

/// The values of two settings on one puzzle.
#[derive(Default)]
pub(super) struct Stratum {
    /// The values of the blocks of each setting.
    pub(super) observed: [Vec<Observed>; 2],
    /// What the runs of each block spent and solved on average. Of values that are no times, the mean rank of its runs among
    /// those of both settings on the puzzle, as a share of their number.
    pub(super) outcomes: [Vec<Outcome>; 2],
    /// The shares that they solve.
    pub(super) shares: Shares,
    /// The values of the runs of each block.
    ranked: [Vec<Vec<f64>>; 2],
}

impl Stratum {
    /// Puts ranks in place of what was spent: the mean of one setting less that of the other is then A12 less a half.
    fn rank(&mut self) {
        let both: Vec<f64> = self.ranked.iter().flatten().flatten().copied().collect();
        let count = both.len() as f64;
        let mut ranks = mid_ranks(&both).into_iter();
        for (setting, blocks) in self.ranked.iter().enumerate() {
            for (block, runs) in blocks.iter().enumerate() {
                let sum: f64 = ranks.by_ref().take(runs.len()).sum();
                self.outcomes[setting][block] =
                    Outcome { spent: sum / runs.len() as f64 / count, solved: 1.0 };
            }
        }
    }
}

/// The standard deviation of what blocks add to a cost, and its skewness.
struct Moments {
    deviation: f64,
    skewness: f64,
}

/// The puzzles that two settings have in common, in the order of their ids.
pub(super) struct Strata<'a> {
    pub(super) ids: Vec<&'a str>,
    pub(super) puzzles: Vec<Stratum>,
}

impl<'a> Strata<'a> {
    pub(super) fn new(blocks: &BlockValues<'a>, is_time: bool) -> Self {
        let mut puzzles: BTreeMap<&str, Stratum> = BTreeMap::new();
        for (setting, values) in blocks.values.iter().enumerate() {
            for value in values {
                let stratum = puzzles.entry(value.puzzle).or_default();
                stratum.observed[setting].push(value.observed);
                stratum.outcomes[setting].push(value.outcome);
                // Only values that are no times are ranked.
                if !is_time {
                    stratum.ranked[setting].push(value.ranked.clone());
                }
                stratum.shares.blocks[setting].push(value.outcome.solved);
                stratum.shares.runs[setting] += value.runs;
            }
        }
        // A puzzle that one of them has alone compares nothing.
        puzzles.retain(|_, stratum| stratum.observed.iter().all(|values| !values.is_empty()));
        if !is_time {
            puzzles.values_mut().for_each(Stratum::rank);
        }
        let (ids, puzzles) = puzzles.into_iter().unzip();
        Self { ids, puzzles }
    }

    /// The outcomes of both settings, puzzle by puzzle.
    pub(super) fn outcomes(&self) -> Vec<[Vec<Outcome>; 2]> {
        self.puzzles.iter().map(|puzzle| puzzle.outcomes.clone()).collect()
    }

    /// Whether the cost of a solution under `setting` depends on few dear blocks, and that under the other one does not: it varies
    /// twice as much, and is skewed.
    pub(super) fn has_long_tail(&self, setting: usize) -> bool {
        let [tail, other] = [setting, 1 - setting].map(|setting| self.moments(setting));
        // Exponential times have a deviation of 1 and a skewness of 2.
        tail.deviation > 2.0 * other.deviation && tail.skewness > 1.3
    }

    /// How the blocks of a setting vary around their puzzles, as shares of the cost of a solution.
    fn moments(&self, setting: usize) -> Moments {
        let (spent, solved) =
            (self.mean(setting, |outcome| outcome.spent), self.mean(setting, |outcome| outcome.solved));
        let (mut squares, mut cubes, mut count) = (0.0, 0.0, 0.0);
        for puzzle in &self.puzzles {
            let parts: Vec<f64> = puzzle.outcomes[setting]
                .iter()
                .map(|outcome| outcome.spent / spent - outcome.solved / solved)
                .collect();
            let mean = kenga_stats::mean(&parts);
            for part in &parts {
                squares += (part - mean).powi(2);
                cubes += (part - mean).powi(3);
                count += 1.0;
            }
        }
        let deviation = (squares / count).sqrt();
        Moments { deviation, skewness: cubes / count / deviation.powi(3) }
    }

    /// The mean over puzzles of a number of the blocks of a setting.
    pub(super) fn mean(&self, setting: usize, number: fn(&Outcome) -> f64) -> f64 {
        let mut sum = 0.0;
        for puzzle in &self.puzzles {
            let outcomes = &puzzle.outcomes[setting];
            sum += outcomes.iter().map(number).sum::<f64>() / outcomes.len() as f64;
        }
        sum / self.puzzles.len() as f64
    }

    /// The shares that the blocks of both settings solve, puzzle by puzzle, as outcomes that spend alike.
    pub(super) fn shares(&self) -> Vec<[Vec<Outcome>; 2]> {
        let outcomes =
            |shares: &Vec<f64>| shares.iter().map(|solved| Outcome { spent: 1.0, solved: *solved }).collect();
        self.puzzles
            .iter()
            .map(|puzzle| [0, 1].map(|setting: usize| outcomes(&puzzle.shares.blocks[setting])))
            .collect()
    }
}
