//! The values of two sides on the puzzles that both have, one value a block.

use std::collections::BTreeMap;

use crate::study::SideSample;
use crate::study::measure::share_of;
use crate::study::sample::{Reading, middle};
use kenga_stats::Observed;

/// The value of a block on one side.
pub(super) struct BlockValue {
    pub(super) observed: Observed,
    share: f64,
    runs: usize,
}

impl BlockValue {
    fn of(readings: &[&Reading], limit: f64) -> Self {
        let observed = readings.iter().map(|reading| reading.until(limit)).collect();
        let cut: Vec<Reading> = readings
            .iter()
            .map(|reading| Reading { solved: reading.solved && reading.observed.spent <= limit, ..**reading })
            .collect();
        Self { observed: middle(observed), share: share_of(&cut), runs: cut.len() }
    }
}

/// The values of both sides: of the paired blocks in order, or without pairs of all blocks.
pub(super) fn values(
    one: &SideSample,
    two: &SideSample,
    pairs: Option<&[(usize, usize)]>,
    limit: f64,
) -> [Vec<BlockValue>; 2] {
    let Some(pairs) = pairs else {
        let all = |sample: &SideSample| {
            let value = |(_, readings): &(_, Vec<Reading>)| {
                BlockValue::of(&readings.iter().collect::<Vec<_>>(), limit)
            };
            sample.blocks.iter().map(value).collect()
        };
        return [all(one), all(two)];
    };
    let both = pairs.iter().map(|(a, b)| {
        let (a, b) = (&one.blocks[*a], &two.blocks[*b]);
        let [first, second] = alike(&a.1, &b.1, a.0.replicate);
        (BlockValue::of(&first, limit), BlockValue::of(&second, limit))
    });
    let (first, second) = both.unzip();
    [first, second]
}

/// The runs of a block on which two sides are compared: those of the variants that both have, or all where they share none.
/// Where the numbers still differ, an even one drops a run in turn, so that lower medians are not biased.
fn alike<'a>(a: &'a [Reading], b: &'a [Reading], turn: u64) -> [Vec<&'a Reading>; 2] {
    let has = |readings: &[Reading], variant: u32| readings.iter().any(|reading| reading.variant == variant);
    let shared = |readings: &'a [Reading], others: &[Reading]| -> Vec<&'a Reading> {
        readings.iter().filter(|reading| has(others, reading.variant)).collect()
    };
    let found = [shared(a, b), shared(b, a)];
    let found = if found[0].is_empty() { [a.iter().collect(), b.iter().collect()] } else { found };
    if found[0].len() == found[1].len() {
        return found;
    }
    found.map(|mut readings: Vec<&Reading>| {
        if readings.len().is_multiple_of(2) {
            readings.remove((turn % readings.len() as u64) as usize);
        }
        readings
    })
}

/// The values of two sides on one puzzle.
#[derive(Default)]
pub(super) struct Stratum {
    pub(super) observed: [Vec<Observed>; 2],
    pub(super) shares: [Vec<f64>; 2],
    /// How many runs the values are of.
    pub(super) runs: [usize; 2],
}

impl Stratum {
    /// The mean share that the second side solves less that of the first.
    pub(super) fn share_difference(&self) -> f64 {
        let mean = |shares: &[f64]| shares.iter().sum::<f64>() / shares.len() as f64;
        mean(&self.shares[1]) - mean(&self.shares[0])
    }
}

/// The puzzles that two sides have in common, in the order of their ids.
pub(super) struct Strata(pub(super) Vec<Stratum>);

impl Strata {
    pub(super) fn of(
        one: &SideSample,
        two: &SideSample,
        pairs: Option<&[(usize, usize)]>,
        sides: &[Vec<BlockValue>; 2],
    ) -> Self {
        let mut puzzles: BTreeMap<&str, Stratum> = BTreeMap::new();
        for (side, (sample, values)) in [one, two].into_iter().zip(sides).enumerate() {
            for (place, value) in values.iter().enumerate() {
                let block = pairs.map_or(place, |pairs| [pairs[place].0, pairs[place].1][side]);
                let stratum = puzzles.entry(&sample.blocks[block].0.puzzle).or_default();
                stratum.observed[side].push(value.observed);
                stratum.shares[side].push(value.share);
                stratum.runs[side] += value.runs;
            }
        }
        puzzles.retain(|_, stratum| stratum.observed.iter().all(|side| !side.is_empty()));
        Self(puzzles.into_values().collect())
    }
}
