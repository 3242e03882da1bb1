//! One setting in numbers, as the study measures it, with what only a report asks for, and the puzzles that are shown by
//! themselves: a curve over the runs of an easy and a hard one is of neither.

use std::collections::BTreeMap;

use crate::stats::{
    Estimate, Interval, Median, Observed, RestartTest, Z_95, expected_running_time, holm, median,
    rank_values, restart_test, successes, wilson,
};
use crate::study::{Arm, OfPuzzle, Side, Study};

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

/// A puzzle with figures of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::report) struct Part {
    /// Its id.
    pub(in crate::report) puzzle: String,
}

/// How often a puzzle was solved, in how many runs.
#[derive(Clone, Copy, Debug, Default)]
struct Solved {
    solved: u64,
    runs: u64,
}

/// The puzzles that have runs, how many they are, and which are shown: all of up to `most`, else so many that lie evenly
/// between the one that was solved most often and the one least often.
pub(super) fn parts(study: &Study, most: usize) -> (Vec<Part>, usize) {
    let mut solved: BTreeMap<&str, Solved> = BTreeMap::new();
    for run in study.settings.iter().flat_map(|setting| &setting.runs) {
        let one = solved.entry(&run.row.puzzle).or_default();
        one.runs += 1;
        one.solved += u64::from(run.row.solved);
    }
    let ids: Vec<&str> = study.puzzles().into_iter().filter(|id| solved.contains_key(id)).collect();
    let shown = chosen(&ids, &solved, most).into_iter().map(|id| Part { puzzle: id.to_owned() });
    (shown.collect(), ids.len())
}

fn chosen<'a>(ids: &[&'a str], solved: &BTreeMap<&str, Solved>, most: usize) -> Vec<&'a str> {
    if ids.len() <= most {
        return ids.to_vec();
    }
    let share = |id: &str| solved.get(id).map_or(0.0, |one| one.solved as f64 / one.runs as f64);
    let mut sorted = ids.to_vec();
    // The sort is stable: of equals the one that comes first in the study.
    sorted.sort_by(|a, b| share(b).total_cmp(&share(a)));
    (0..most).map(|place| sorted[place * (sorted.len() - 1) / (most - 1).max(1)]).collect()
}

/// All runs with the same values of some keys in numbers.
pub(in crate::report) struct Level {
    pub(in crate::report) runs: usize,
    pub(in crate::report) solved: usize,
    pub(in crate::report) share: Interval,
    /// The expected running time; infinite without a success.
    pub(in crate::report) ert: f64,
    /// The median with its interval; infinite where it is censored.
    pub(in crate::report) median: Interval,
    pub(in crate::report) middle: f64,
}

impl Level {
    pub(super) fn of(runs: &[Observed]) -> Option<Self> {
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

    pub(in crate::report) fn rate(&self) -> f64 {
        self.solved as f64 / self.runs as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_puzzles_easy_ones_and_hard_ones_are_shown() {
        let ids = ["a", "b", "c", "d", "e"];
        let solved = |at: u64| Solved { solved: [3, 9, 0, 5, 7][at as usize], runs: 10 };
        let all: BTreeMap<&str, Solved> = (0..5).map(|at| (ids[at as usize], solved(at))).collect();
        assert_eq!(chosen(&ids, &all, 5), ids);
        assert_eq!(chosen(&ids, &all, 3), ["b", "d", "c"]);
        assert_eq!(chosen(&ids, &all, 1), ["b"]);
    }
}
