//! The values of two settings, one value a block, and the puzzles that both have.

use std::collections::BTreeMap;

use super::shares::Shares;
use crate::study::SettingSample;
use crate::study::sample::{RunValue, matched, median};
use kenga_stats::{Observed, paired_differences};

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
    /// The share of its runs that solved.
    share: f64,
    runs: usize,
}

impl<'a> BlockValue<'a> {
    /// The value of some runs, each up to `limit`.
    fn of(puzzle: &'a str, runs: &[&RunValue], limit: f64) -> Self {
        let solved = runs.iter().filter(|run| run.solved && run.observed.spent <= limit).count();
        Self {
            puzzle,
            observed: median(runs.iter().copied(), limit),
            share: solved as f64 / runs.len() as f64,
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
    pub(super) fn of(one: &'a SettingSample, two: &'a SettingSample, limit: f64) -> Self {
        let Some(pairs) = matched(one, two) else {
            return Self { values: [all(one, limit), all(two, limit)], are_paired: false };
        };
        let mut values = [Vec::with_capacity(pairs.len()), Vec::with_capacity(pairs.len())];
        for [a, b] in pairs {
            let (a, b) = (&one.blocks[a], &two.blocks[b]);
            let [first, second] = alike(&a.runs, &b.runs, a.block.replicate);
            values[0].push(BlockValue::of(&a.block.puzzle, &first, limit));
            values[1].push(BlockValue::of(&b.block.puzzle, &second, limit));
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
fn all(sample: &SettingSample, limit: f64) -> Vec<BlockValue<'_>> {
    let mut values = Vec::with_capacity(sample.blocks.len());
    for block in &sample.blocks {
        let runs: Vec<&RunValue> = block.runs.iter().collect();
        values.push(BlockValue::of(&block.block.puzzle, &runs, limit));
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

/// The runs of a block on which two settings are compared: those of the variants that both have, or all where they share none.
/// Where the numbers still differ, an even one drops a run in turn, so that lower medians are not biased.
fn alike<'a>(a: &'a [RunValue], b: &'a [RunValue], turn: u64) -> [Vec<&'a RunValue>; 2] {
    let mut found = [of_variants(a, b), of_variants(b, a)];
    if found[0].is_empty() {
        found = [a.iter().collect(), b.iter().collect()];
    }
    if found[0].len() == found[1].len() {
        return found;
    }
    for runs in &mut found {
        if runs.len().is_multiple_of(2) {
            runs.remove((turn % runs.len() as u64) as usize);
        }
    }
    found
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
    /// The shares that they solve.
    pub(super) shares: Shares,
}

/// The puzzles that two settings have in common, in the order of their ids.
pub(super) struct Strata {
    pub(super) puzzles: Vec<Stratum>,
}

impl Strata {
    pub(super) fn of(blocks: &BlockValues<'_>) -> Self {
        let mut puzzles: BTreeMap<&str, Stratum> = BTreeMap::new();
        for (setting, values) in blocks.values.iter().enumerate() {
            for value in values {
                let stratum = puzzles.entry(value.puzzle).or_default();
                stratum.observed[setting].push(value.observed);
                stratum.shares.blocks[setting].push(value.share);
                stratum.shares.runs[setting] += value.runs;
            }
        }
        // A puzzle that one of them has alone compares nothing.
        puzzles.retain(|_, stratum| stratum.observed.iter().all(|values| !values.is_empty()));
        Self { puzzles: puzzles.into_values().collect() }
    }
}
