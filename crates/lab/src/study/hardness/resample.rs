//! Intervals over puzzles.

use kenga_core::rng::RunRng;
use kenga_stats::{Bootstrap, Estimate};

/// Draws puzzles with replacement, a unit with all its puzzles at once.
#[derive(Clone, Debug)]
pub(super) struct Resampling<'a> {
    /// The unit of each puzzle.
    pub(super) units: &'a [usize],
    pub(super) rng: RunRng,
}

impl Resampling<'_> {
    /// A statistic of how often each puzzle counts, with its 95 % interval: percentiles over resamples. Where a resample has
    /// no value, it counts as the least and the greatest of `range` in turns, so that no interval is too narrow for it.
    pub(super) fn estimate(
        &mut self,
        range: (f64, f64),
        statistic: impl Fn(&dyn Fn(usize) -> f64) -> Option<f64>,
    ) -> Option<Estimate> {
        let value = statistic(&|_| 1.0)?;
        let count = self.units.iter().max().map_or(0, |last| last + 1);
        let (units, rng, mut undefined) = (self.units, &mut self.rng, 0usize);
        let interval = Bootstrap::default().interval(count, &mut |n| rng.below(n), |counts| {
            statistic(&|puzzle| f64::from(counts[units[puzzle]])).unwrap_or_else(|| {
                undefined += 1;
                if undefined.is_multiple_of(2) { range.0 } else { range.1 }
            })
        });
        Some(Estimate { value, interval })
    }
}

/// The sum over puzzles, each as often as it counts.
pub(super) fn sum(weight: &dyn Fn(usize) -> f64, values: &[f64]) -> f64 {
    values.iter().enumerate().map(|(puzzle, value)| weight(puzzle) * value).sum()
}

/// The mean over puzzles, each as often as it counts; `None` where none counts.
pub(super) fn mean(weight: &dyn Fn(usize) -> f64, values: &[f64]) -> Option<f64> {
    let all: f64 = (0..values.len()).map(weight).sum();
    if all > 0.0 { Some(sum(weight, values) / all) } else { None }
}
