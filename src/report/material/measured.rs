//! One setting in numbers, as the study measures it, with what only a report asks for.

use super::Part;
use crate::stats::{Estimate, Interval, Median, Observed, RestartTest, Z_95, holm, restart_test};
use crate::study::{Arm, OfPuzzle, Side};

/// A setting with its numbers; times are calls, evaluations and moves together. Over several puzzles they are means of
/// those by puzzle, each counting alike.
pub(in crate::report) struct Measured<'a> {
    pub(in crate::report) arm: Arm<'a>,
    pub(in crate::report) solved: u64,
    /// The share of solved runs with its 95 % interval on these puzzles.
    pub(in crate::report) share: Estimate,
    /// The interval of the share on the next puzzle; where there are several.
    pub(in crate::report) share_next: Option<Interval>,
    /// The penalised average.
    pub(in crate::report) par10: f64,
    /// The same on each puzzle that is shown by itself; `None` where it has no run.
    pub(in crate::report) parts: Vec<Option<Numbers>>,
}

/// A setting on one puzzle.
pub(in crate::report) struct Numbers {
    pub(in crate::report) observed: Vec<Observed>,
    pub(in crate::report) solved: u64,
    /// The share of solved runs with Wilson's interval.
    pub(in crate::report) share: Estimate,
    /// The median time to a solution; infinite where it is censored.
    pub(in crate::report) median: Median,
    /// The expected running time with its bootstrap interval.
    pub(in crate::report) ert: Estimate,
    /// The penalised average.
    pub(in crate::report) par10: f64,
    /// What restarts would gain; `None` where no cutoff looks better, or where the runs are too few to tell.
    pub(in crate::report) advice: Option<Advice>,
}

/// Whether to start anew.
#[derive(Clone, Copy)]
pub(in crate::report) struct Advice {
    pub(in crate::report) test: RestartTest,
    /// The p-value after Holm's correction over all settings and puzzles that were tested.
    pub(in crate::report) holm: f64,
}

/// Corrects the p-values of the advice on all settings and puzzles.
pub(super) fn correct(settings: &mut [Measured<'_>]) {
    let mut all: Vec<&mut Advice> = settings
        .iter_mut()
        .flat_map(|one| &mut one.parts)
        .flatten()
        .filter_map(|one| one.advice.as_mut())
        .collect();
    let corrected = holm(&all.iter().map(|advice| advice.test.p).collect::<Vec<_>>());
    all.iter_mut().zip(corrected).for_each(|(advice, p)| advice.holm = p);
}

impl<'a> Measured<'a> {
    /// Takes the numbers of a side over, by themselves those on the puzzles of `parts`.
    pub(super) fn new(arm: Arm<'a>, side: &Side, parts: &[Part]) -> Self {
        Self {
            solved: side.solved,
            share: side.share,
            share_next: side.share_next,
            par10: side.par10.map_or(f64::INFINITY, |par10| par10.value),
            parts: parts.iter().map(|part| Some(Numbers::new(side.on(&part.puzzle)?))).collect(),
            arm,
        }
    }

    /// Runs.
    pub(in crate::report) fn runs(&self) -> u64 {
        self.arm.runs.len() as u64
    }
}

impl Numbers {
    fn new(one: &OfPuzzle) -> Self {
        let unknown = Estimate {
            value: f64::INFINITY,
            interval: Interval { low: f64::NEG_INFINITY, high: f64::INFINITY },
        };
        let advice = restart_test(&one.observed, one.budget, Z_95).map(|test| Advice { test, holm: test.p });
        Self {
            solved: one.solved,
            share: one.share,
            median: one.median,
            ert: one.ert.unwrap_or(unknown),
            par10: one.par10.unwrap_or(unknown).value,
            advice,
            observed: one.observed.clone(),
        }
    }

    /// Runs.
    pub(in crate::report) fn runs(&self) -> u64 {
        self.observed.len() as u64
    }
}
