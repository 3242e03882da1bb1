//! The measured times of settings on puzzles.
//!
//! The time of a setting on a puzzle is the mean of its runs in calls, where a run that has not solved within the budget
//! counts ten budgets (PAR-10). What is predicted of a setting is its time with its own budget: an algorithm whose schedule
//! depends on the budget, such as annealing, is another one with less. Settings are held against each other, by the selector
//! and by footprints, with all runs cut at the least budget, so that all pay the same penalty.

use std::collections::BTreeMap;

use super::HardnessError;
use crate::study::{JoinedSettings, Metric, SettingSample, Study, StudySetting};
use kenga_core::sort::sort_by;

/// The times of a setting, in the order of the puzzles.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredTimes {
    /// The name of the setting.
    pub name: String,
    /// Its configuration, which all that is random about it derives from: other settings beside it change its name.
    pub(super) identity: String,
    /// What a run of it may spend, in calls; infinite without a bound.
    pub budget: f64,
    /// With its own budget, or the common one if it has none.
    pub own: PuzzleTimes,
    /// With all runs cut at the least budget of all settings.
    pub cut: PuzzleTimes,
}

/// Times with runs cut at a budget, in the order of the puzzles.
#[derive(Clone, Debug, PartialEq)]
pub struct PuzzleTimes {
    /// PAR-10 of each puzzle, in calls.
    pub par10: Vec<f64>,
    /// The share of runs of each puzzle that solved within the budget.
    pub solved: Vec<f64>,
}

impl PuzzleTimes {
    /// The times of the puzzles that count, with runs cut at a budget.
    fn of(sample: &SettingSample, budget: f64, counts: impl Fn(&str) -> bool) -> Self {
        let mut times = Self { par10: Vec::new(), solved: Vec::new() };
        for blocks in sample.by_puzzle().filter(|blocks| counts(blocks.puzzle())) {
            let (mut penalised, mut solved, mut count) = (0.0, 0u32, 0u32);
            for run in blocks.runs() {
                let run = run.until(budget);
                penalised += run.penalised(budget);
                solved += u32::from(run.solved);
                count += 1;
            }
            times.par10.push(penalised / f64::from(count));
            times.solved.push(f64::from(solved) / f64::from(count));
        }
        times
    }
}

impl MeasuredTimes {
    /// The logarithm to base 10 of each time, which is at least one call.
    pub(super) fn decades(&self) -> Vec<f64> {
        self.own.par10.iter().map(|time| time.max(1.0).log10()).collect()
    }
}

/// Times of several settings on the same puzzles.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Times {
    /// The ids of the puzzles, ascending.
    pub(super) puzzles: Vec<String>,
    /// The least budget of the settings, in calls; infinite without a bound.
    pub(super) budget: f64,
    pub(super) settings: Vec<MeasuredTimes>,
    /// Puzzles that only some of the settings have runs of.
    pub(super) partial: usize,
}

impl Times {
    pub(super) fn of(study: &Study, settings: &[JoinedSettings]) -> Result<Self, HardnessError> {
        let mut samples = Vec::with_capacity(settings.len());
        for setting in settings {
            samples.push(setting.sample(study, Metric::Calls, None)?);
        }
        let budget = samples.iter().map(SettingSample::budget).fold(f64::INFINITY, f64::min);
        // How many settings have runs of each puzzle.
        let mut any: BTreeMap<&str, usize> = BTreeMap::new();
        for blocks in samples.iter().flat_map(SettingSample::by_puzzle) {
            *any.entry(blocks.puzzle()).or_default() += 1;
        }
        let mut common = any.clone();
        common.retain(|_, count| *count == samples.len());
        let mut measured = Vec::with_capacity(settings.len());
        for (setting, sample) in settings.iter().zip(&samples) {
            let own = sample.budget();
            let is_common = |puzzle: &str| common.contains_key(puzzle);
            let times = PuzzleTimes::of(sample, if own.is_finite() { own } else { budget }, is_common);
            if times.par10.iter().any(|time| time.is_infinite()) {
                return Err(HardnessError::NoBudget(sample.name.clone()));
            }
            measured.push(MeasuredTimes {
                name: sample.name.clone(),
                identity: identity(study, setting),
                budget: own,
                own: times,
                cut: PuzzleTimes::of(sample, budget, is_common),
            });
        }
        let puzzles: Vec<String> = common.into_keys().map(str::to_owned).collect();
        Ok(Self { partial: any.len() - puzzles.len(), puzzles, budget, settings: measured })
    }

    /// The same of the puzzles that `keeps` says.
    pub(super) fn only(mut self, keeps: impl Fn(&str) -> bool) -> Self {
        let kept: Vec<bool> = self.puzzles.iter().map(|puzzle| keeps(puzzle)).collect();
        self.puzzles = retained(self.puzzles, &kept);
        for MeasuredTimes { own, cut, .. } in &mut self.settings {
            for numbers in [&mut own.par10, &mut own.solved, &mut cut.par10, &mut cut.solved] {
                *numbers = retained(std::mem::take(numbers), &kept);
            }
        }
        self
    }

    /// Whether some setting solves each puzzle within the least budget.
    pub(super) fn solved(&self) -> Vec<bool> {
        let mut solved = vec![false; self.puzzles.len()];
        for setting in &self.settings {
            for (solved, share) in solved.iter_mut().zip(&setting.cut.solved) {
                *solved |= *share > 0.0;
            }
        }
        solved
    }
}

/// The items that are kept.
fn retained<T>(items: Vec<T>, kept: &[bool]) -> Vec<T> {
    items.into_iter().zip(kept).filter(|(_, kept)| **kept).map(|(item, _)| item).collect()
}

/// The configurations of a setting in full, whatever it is called.
fn identity(study: &Study, setting: &JoinedSettings) -> String {
    let mut all: Vec<String> = Vec::with_capacity(setting.settings.len());
    for place in &setting.settings {
        let StudySetting { folder, setting, .. } = &study.settings[*place];
        let config = &study.folders[*folder].plan.settings.all[*setting as usize].config;
        all.push(serde_json::Value::Object(config.resolved.as_json()).to_string());
    }
    // The order of the folders is not part of what a setting is.
    sort_by(&mut all, Ord::cmp);
    all.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{Block, RunValue};
    use kenga_stats::Observed;

    #[test]
    fn runs_are_cut_at_the_budget_and_failures_count_ten_of_it() {
        let run = |puzzle: &str, replicate, observed| {
            let block = Block { puzzle: puzzle.into(), seed: 1, replicate };
            (block, RunValue::new(observed, 1000.0))
        };
        let runs = vec![
            run("a", 0, Observed::solved(50.0)),
            run("a", 1, Observed::solved(150.0)),
            run("b", 0, Observed::failed(1000.0)),
        ];
        let found = PuzzleTimes::of(&SettingSample::new("s", "s", runs), 100.0, |_| true);
        assert_eq!(found.par10, [(50.0 + 1000.0) / 2.0, 1000.0]);
        assert_eq!(found.solved, [0.5, 0.0]);
    }
}
