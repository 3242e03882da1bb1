//! The measured times of settings on puzzles.
//!
//! The time of a setting on a puzzle is the mean of its runs in calls, where a run that has not solved within the budget
//! counts ten budgets (PAR-10). What is predicted of a setting is its time with its own budget: an algorithm whose schedule
//! depends on the budget, such as annealing, is another one with less. Settings are held against each other, by the selector
//! and by footprints, with all runs cut at the least budget, so that all pay the same penalty.

use std::collections::{BTreeMap, BTreeSet};

use super::HardnessError;
use crate::study::{Arm, Block, Metric, Reading, SideSample, Study};
use kenga_core::sort::sort_by;
use kenga_stats::Observed;

/// The times of a setting, in the order of the puzzles.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingTimes {
    /// The name of the setting.
    pub name: String,
    /// Its configuration, which all that is random about it derives from: other settings beside it change its name.
    pub(super) identity: String,
    /// What a run of it may spend, in calls; infinite without a bound.
    pub budget: f64,
    /// PAR-10 of each puzzle, in calls, with its own budget, or the common one if it has none.
    pub par10: Vec<f64>,
    /// The share of runs of each puzzle that solved within that budget.
    pub solved: Vec<f64>,
    /// The same with all runs cut at the least budget of all settings.
    pub cut: CutTimes,
}

/// Times of a setting with runs cut at the least budget of all settings, in the order of the puzzles.
#[derive(Clone, Debug, PartialEq)]
pub struct CutTimes {
    /// PAR-10 of each puzzle, in calls.
    pub par10: Vec<f64>,
    /// The share of runs of each puzzle that solved by then.
    pub solved: Vec<f64>,
}

impl SettingTimes {
    /// The logarithm to base 10 of each time, which is at least one call.
    pub(super) fn decades(&self) -> Vec<f64> {
        self.par10.iter().map(|time| time.max(1.0).log10()).collect()
    }
}

/// Times of several settings on the same puzzles.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Times {
    /// The ids of the puzzles, ascending.
    pub(super) puzzles: Vec<String>,
    /// The least budget of the settings, in calls; infinite without a bound.
    pub(super) budget: f64,
    pub(super) settings: Vec<SettingTimes>,
    /// Puzzles that only some of the settings have runs of.
    pub(super) partial: usize,
}

/// A puzzle's PAR-10 and share solved.
type OfPuzzles = BTreeMap<String, (f64, f64)>;

impl Times {
    pub(super) fn of(study: &Study, arms: &[Arm<'_>]) -> Result<Self, HardnessError> {
        let samples: Vec<SideSample> =
            arms.iter().map(|arm| arm.sample(study, Metric::Calls)).collect::<Result<_, _>>()?;
        let budget = samples.iter().map(SideSample::budget).fold(f64::INFINITY, f64::min);
        let all: Vec<OfPuzzles> = samples.iter().map(|sample| of_puzzles(sample, budget)).collect();
        let own = |sample: &SideSample| Some(sample.budget()).filter(|own| own.is_finite()).unwrap_or(budget);
        let any: BTreeSet<&String> = all.iter().flat_map(BTreeMap::keys).collect();
        let has_all = |puzzle: &&&String| all.iter().all(|one| one.contains_key(**puzzle));
        let puzzles: Vec<String> = any.iter().filter(has_all).map(|puzzle| (**puzzle).clone()).collect();
        let setting = |((arm, sample), of): ((&Arm<'_>, &SideSample), &OfPuzzles)| {
            let times = |of: &OfPuzzles| puzzles.iter().map(|puzzle| of[puzzle]).unzip();
            let ((par10, solved), cut) = (times(&of_puzzles(sample, own(sample))), times(of));
            SettingTimes {
                name: sample.name.clone(),
                identity: identity(study, arm),
                budget: sample.budget(),
                par10,
                solved,
                cut: CutTimes { par10: cut.0, solved: cut.1 },
            }
        };
        let settings: Vec<SettingTimes> = arms.iter().zip(&samples).zip(&all).map(setting).collect();
        let endless = settings.iter().find(|setting| setting.par10.iter().any(|time| time.is_infinite()));
        if let Some(setting) = endless {
            return Err(HardnessError::NoBudget(setting.name.clone()));
        }
        Ok(Self { partial: any.len() - puzzles.len(), puzzles, budget, settings })
    }

    /// The same of the puzzles that `keeps` says.
    pub(super) fn only(self, keeps: impl Fn(&str) -> bool) -> Self {
        let kept: Vec<usize> =
            (0..self.puzzles.len()).filter(|puzzle| keeps(&self.puzzles[*puzzle])).collect();
        let of = |numbers: &[f64]| kept.iter().map(|puzzle| numbers[*puzzle]).collect();
        let setting = |one: SettingTimes| {
            let (par10, solved) = (of(&one.par10), of(&one.solved));
            let cut = CutTimes { par10: of(&one.cut.par10), solved: of(&one.cut.solved) };
            SettingTimes { par10, solved, cut, ..one }
        };
        Self {
            puzzles: kept.iter().map(|puzzle| self.puzzles[*puzzle].clone()).collect(),
            settings: self.settings.into_iter().map(setting).collect(),
            ..self
        }
    }
}

/// The configurations of a setting in full, whatever it is called.
fn identity(study: &Study, arm: &Arm<'_>) -> String {
    let one = |place: &usize| {
        let setting = &study.settings[*place];
        let config = &study.sources[setting.source].plan.settings.all[setting.setting as usize].config;
        serde_json::Value::Object(config.resolved.object()).to_string()
    };
    let mut all: Vec<String> = arm.settings.iter().map(one).collect();
    sort_by(&mut all, Ord::cmp);
    all.join("\n")
}

/// Times with a budget.
fn of_puzzles(sample: &SideSample, budget: f64) -> OfPuzzles {
    let one = |blocks: &[(Block, Vec<Reading>)]| {
        let readings = blocks.iter().flat_map(|(_, readings)| readings);
        let runs: Vec<Observed> = readings.map(|run| run.until(budget)).collect();
        let count = runs.len() as f64;
        let par10 = runs.iter().map(|run| run.penalised(budget)).sum::<f64>() / count;
        let solved = runs.iter().filter(|run| run.solved).count() as f64 / count;
        (blocks[0].0.puzzle.clone(), (par10, solved))
    };
    sample.by_puzzle().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_cut_at_the_budget_and_failures_count_ten_of_it() {
        let run = |puzzle: &str, replicate, observed| {
            let block = Block { puzzle: puzzle.to_owned(), seed: 1, replicate };
            (block, Reading::new(observed, 1000.0))
        };
        let runs = vec![
            run("a", 0, Observed::solved(50.0)),
            run("a", 1, Observed::solved(150.0)),
            run("b", 0, Observed::failed(1000.0)),
        ];
        let found = of_puzzles(&SideSample::new("s", "s", runs), 100.0);
        assert_eq!(found["a"], ((50.0 + 1000.0) / 2.0, 0.5));
        assert_eq!(found["b"], (1000.0, 0.0));
    }
}
