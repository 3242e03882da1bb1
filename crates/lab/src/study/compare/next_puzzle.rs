//! The difference of two settings on the next puzzle of the kind: the puzzles are the sample, with one value each, or families of
//! puzzles, if the puzzles of a family resemble each other.
//!
//! If settings interact with puzzles, a difference on these puzzles says little about others: with enough runs one of two
//! settings that are equal over the kind is better on any dozen of puzzles.

use std::collections::BTreeMap;

use super::level::{Effect, Level, agreeing};
use super::question::Smallest;
use super::strata::{Strata, Stratum};
use crate::study::Groups;
use kenga_stats::{
    Estimate, Interval, Outcome, SwapTest, Z_95, difference_of_shares, mean, mean_over_puzzles,
    mean_share_difference,
};

/// The fewest puzzles that say anything about another one.
const FEWEST: usize = 3;

/// The difference of two settings on the next puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NextPuzzle {
    /// How many puzzles both have.
    pub puzzles: usize,
    /// How many units are the sample: families of puzzles, or puzzles.
    pub units: usize,
    /// What a solution costs under the second over what it costs under the first; of values that are no times A12, the
    /// probability that the second has the larger value.
    pub difference: Estimate,
    /// Whether the second costs less, or has the lower values.
    pub is_second_better: bool,
    /// The p-value of that difference.
    pub p: f64,
    /// The p-value after Holm's correction.
    pub holm: f64,
    /// The share that the second solves less that of the first.
    pub share: Estimate,
    /// The p-value of the difference of shares.
    pub share_p: f64,
    /// That p-value after Holm's correction.
    pub share_holm: f64,
    /// Units that would show the smallest difference that matters with 80 % power.
    pub needed: Option<u64>,
}

/// Two settings on the puzzles that are the sample, before the levels of the tests are known.
pub(super) struct NextTest {
    puzzles: usize,
    test: SwapTest,
    /// The difference of the shares solved, unit by unit.
    differences: Vec<f64>,
    /// The share that each setting solves, unit by unit.
    shares: [Vec<[f64; 1]>; 2],
    /// Of values that are no times A12, unit by unit.
    a12: Vec<[f64; 1]>,
}

impl NextTest {
    /// The puzzles that two settings have in common, in families; `None` for fewer than three units.
    pub(super) fn new(strata: &Strata<'_>, groups: &Groups) -> Option<Self> {
        let families = families(strata, groups);
        if families.len() < FEWEST {
            return None;
        }
        let mut units = Vec::with_capacity(families.len());
        let (mut differences, mut shares) = (Vec::new(), [Vec::new(), Vec::new()]);
        for puzzles in &families {
            units.push([0, 1].map(|setting| mean_outcome(puzzles, setting)));
            differences.push(mean_of(puzzles, |puzzle| puzzle.shares.difference()));
            for (setting, shares) in shares.iter_mut().enumerate() {
                shares.push([mean_of(puzzles, |puzzle| mean(&puzzle.shares.blocks[setting]))]);
            }
        }
        let a12 = units.iter().map(|[first, second]| [0.5 + second.spent - first.spent]).collect();
        let test = SwapTest::over_units(units)?;
        Some(Self { puzzles: strata.puzzles.len(), test, differences, shares, a12 })
    }

    /// The p-values of the difference, and of that of shares.
    pub(super) fn p_values(&self, is_time: bool) -> [f64; 2] {
        let p = if is_time { self.test.p } else { self.test.spent_p };
        [p, mean_share_difference(&self.differences, Z_95).map_or(1.0, |share| share.p)]
    }

    /// The difference at the corrected levels of both tests.
    pub(super) fn at_levels(
        &self,
        is_time: bool,
        [level, share_level]: [&Level; 2],
        aim: &Smallest,
    ) -> NextPuzzle {
        let [p, share_p] = self.p_values(is_time);
        let effect = if is_time {
            Effect::of_costs(&self.test, level, true)
        } else {
            let a12 = mean_over_puzzles(&self.a12, level.z()).expect("there are units");
            Effect::of_values(&self.test, a12.next, level, true)
        };
        NextPuzzle {
            puzzles: self.puzzles,
            units: self.differences.len(),
            difference: effect.estimate,
            is_second_better: effect.is_second_better,
            p,
            holm: level.holm,
            share: agreeing(self.share(share_level), 0.0, share_level.is_shown),
            share_p,
            share_holm: share_level.holm,
            needed: if is_time { self.test.units_for(aim.ratio, level.aim()) } else { None },
        }
    }

    /// The difference of shares. Failures that no puzzle has shown may still differ between the settings, so that the interval
    /// contains what the bounds of the two shares imply.
    fn share(&self, level: &Level) -> Estimate {
        let z = level.z();
        let share = mean_share_difference(&self.differences, z).expect("there are three units or more").mean;
        let [first, second] = self.shares.each_ref().map(|shares| {
            let over = mean_over_puzzles(shares, z).expect("there are units");
            Estimate { value: over.value, interval: over.next }
        });
        let bounds = difference_of_shares(second, first, 0.0);
        let low = share.interval.low.min(bounds.low).max(-1.0);
        Estimate { interval: Interval { low, high: share.interval.high.max(bounds.high).min(1.0) }, ..share }
    }
}

/// The puzzles, family by family; without groups each is a family of its own.
fn families<'a>(strata: &'a Strata<'_>, groups: &Groups) -> Vec<Vec<&'a Stratum>> {
    let mut families: BTreeMap<&str, Vec<&Stratum>> = BTreeMap::new();
    for (id, puzzle) in strata.ids.iter().zip(&strata.puzzles) {
        families.entry(groups.family(id)).or_default().push(puzzle);
    }
    families.into_values().collect()
}

/// The mean of both numbers of a setting over puzzles.
fn mean_outcome(puzzles: &[&Stratum], setting: usize) -> Outcome {
    Outcome {
        spent: mean_of(puzzles, |puzzle| mean_over(&puzzle.outcomes[setting], |outcome| outcome.spent)),
        solved: mean_of(puzzles, |puzzle| mean_over(&puzzle.outcomes[setting], |outcome| outcome.solved)),
    }
}

fn mean_of(puzzles: &[&Stratum], number: impl Fn(&Stratum) -> f64) -> f64 {
    puzzles.iter().map(|puzzle| number(puzzle)).sum::<f64>() / puzzles.len() as f64
}

fn mean_over<T>(items: &[T], number: impl Fn(&T) -> f64) -> f64 {
    items.iter().map(number).sum::<f64>() / items.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{Block, Metric, Question, RunValue, SettingSample, compare};
    use kenga_stats::Observed;

    /// A setting that takes so many calls on each puzzle.
    fn setting(name: &str, puzzles: usize, calls: impl Fn(usize) -> f64) -> SettingSample {
        let mut runs = Vec::new();
        for puzzle in 0..puzzles {
            let block = Block { puzzle: format!("p{puzzle:02}").into(), seed: 1, replicate: 0 };
            runs.push((block, RunValue::new(Observed::solved(calls(puzzle)), 1e6)));
        }
        SettingSample::new(name, name, runs)
    }

    #[test]
    fn a_ratio_that_all_puzzles_show_is_significant_where_its_interval_excludes_one() {
        for puzzles in 3..12 {
            let base = |puzzle| 2.0_f64.powi(puzzle as i32);
            let samples = [setting("a", puzzles, base), setting("b", puzzles, |puzzle| 4.0 * base(puzzle))];
            let question = Question::plain(Metric::Calls, 0.05).from_baseline(Some("a"));
            let found = compare(&samples, &question).expect("two settings").pairs[0].next;
            let NextPuzzle { difference, p, .. } = found.expect("three puzzles or more");
            let Interval { low, high } = difference.interval;
            assert_eq!(p < 0.05, low > 1.0 || high < 1.0, "{puzzles}: {difference:?} {p}");
            assert!(low <= 4.0 && 4.0 <= high && difference.value == 4.0, "{puzzles}: {difference:?}");
        }
    }
}
