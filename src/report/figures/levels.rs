//! All runs with the same values of one or two keys, taken together.

use super::super::material::{Factor, Material};
use crate::stats::{Interval, Observed, Z_95, expected_running_time, median, rank_values, successes, wilson};

/// Runs in numbers.
pub(super) struct Level {
    pub(super) runs: usize,
    pub(super) solved: usize,
    pub(super) share: Interval,
    /// The expected running time; infinite without a success.
    pub(super) ert: f64,
    /// The median with its interval; infinite where it is censored.
    pub(super) median: Interval,
    pub(super) middle: f64,
}

impl Level {
    fn of(runs: &[Observed]) -> Option<Self> {
        let median = median(&rank_values(runs))?;
        let solved = successes(runs);
        Some(Self {
            runs: runs.len(),
            solved,
            share: wilson(solved as u64, runs.len() as u64, Z_95),
            ert: expected_running_time(runs),
            median: median.interval,
            middle: median.value,
        })
    }

    pub(super) fn rate(&self) -> f64 {
        self.solved as f64 / self.runs as f64
    }
}

/// The runs at every combination of levels of some factors, the last varying fastest; `None` where there are none.
/// They are those of one puzzle; `only` leaves settings out.
pub(super) fn levels(
    material: &Material<'_>,
    part: usize,
    factors: &[&Factor],
    only: impl Fn(usize) -> bool,
) -> Vec<Option<Level>> {
    let size = factors.iter().map(|factor| factor.levels.len()).product();
    let mut runs: Vec<Vec<Observed>> = vec![Vec::new(); size];
    for index in (0..material.settings.len()).filter(|index| only(*index)) {
        let Some(numbers) = material.numbers(index, part) else { continue };
        let place = factors.iter().fold(0, |place, factor| place * factor.levels.len() + factor.of[index]);
        runs[place].extend(&numbers.observed);
    }
    runs.iter().map(|runs| Level::of(runs)).collect()
}
