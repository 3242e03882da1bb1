//! Hardness: which features of puzzles predict the running time of settings, and what that is good for.
//!
//! ```text
//! times      PAR-10 of every setting on every puzzle, in calls; predicted is its logarithm to base 10
//! folds      the puzzles in parts; a forest for every part is grown on the others
//! quality    how well times of held-out puzzles are predicted, against predicting the mean
//! importance how much the predictions lose when a feature is exchanged between puzzles
//! selector   the setting with the least expected time, against the single and the virtual best
//! space      the puzzles in a plane of their features, and where each setting is good
//! ```
//!
//! Everything random derives from one seed, part by part, so that the same study, features and options give the same numbers
//! for any number of threads.
//!
//! Sources: F. Hutter, L. Xu, H. H. Hoos, K. Leyton-Brown 2014, Algorithm runtime prediction: methods & evaluation,
//! doi:10.1016/j.artint.2013.10.003; the files name those of each part.

mod folds;
mod footprint;
mod forest;
mod groups;
mod importance;
mod model;
mod projection;
mod quality;
mod resample;
mod selector;
mod table;
#[cfg(test)]
mod tests;
mod times;

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{Arm, CompareError, Study};
use crate::budget::Interrupt;
use crate::rng::StreamKey;
use crate::stats::Estimate;

use folds::Folds;
use model::CrossValidated;
use resample::Resampling;
use times::Times;

pub use footprint::Footprint;
pub use projection::Projection;
pub use quality::{CalibrationBin, Quality};
pub use selector::Selection;
pub use table::{Columns, FeatureError, FeatureTable, UsedFeature};
pub use times::SettingTimes;

/// What may be chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HardnessOptions {
    /// The seed of everything random.
    pub seed: u64,
    /// The folds of the cross-validation, 2 or more.
    pub folds: usize,
    /// Up to which factor of the best time a setting is good, 1 or more.
    pub factor: f64,
}

/// The fewest puzzles that anything is said of.
pub const FEWEST_PUZZLES: usize = 20;

/// Why nothing can be said.
#[derive(Debug, thiserror::Error)]
pub enum HardnessError {
    /// A setting has no runs, or a run no calls.
    #[error(transparent)]
    Compare(#[from] CompareError),
    /// Some run failed and no setting bounds its calls.
    #[error(
        "`{0}` has runs that failed and no budget of evaluations or moves: what a failure costs is unknown"
    )]
    NoBudget(String),
    /// Too few puzzles have both.
    #[error(
        "{found} puzzles have features and runs of every setting: expected {FEWEST_PUZZLES} or more, for fewer show nothing"
    )]
    TooFew {
        /// How many there are.
        found: usize,
        /// Puzzles with runs of every setting.
        with_runs: usize,
        /// Puzzles with features.
        with_features: usize,
    },
    /// Nothing tells the puzzles apart.
    #[error("no column of numbers varies over these puzzles: nothing can be predicted from it")]
    NoFeature,
}

/// What the features of puzzles say of the running time of settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Hardness {
    /// The ids of the puzzles, ascending.
    pub puzzles: Vec<String>,
    /// Puzzles with runs that count for nothing, because they have no features or no runs of some setting.
    pub left_out: usize,
    /// At which all runs are cut, in calls; infinite without a bound.
    pub budget: f64,
    /// The features.
    pub columns: Columns,
    /// The used features that go together, as indices, in the order of their first members.
    pub groups: Vec<Vec<usize>>,
    /// The fold of each puzzle.
    pub folds: Vec<usize>,
    /// What was found of each setting.
    pub settings: Vec<SettingHardness>,
    /// The algorithm selector; `None` with one setting.
    pub selection: Option<Selection>,
    /// The puzzles in a plane.
    pub projection: Projection,
    /// The footprint of each setting.
    pub footprints: Vec<Footprint>,
    /// What was chosen.
    pub options: HardnessOptions,
}

/// A setting: its times, predictions of them, and what they depend on.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingHardness {
    /// Its times.
    pub times: SettingTimes,
    /// The predicted logarithm to base 10 of the time of each puzzle, by a model that has not seen it.
    pub predicted: Vec<f64>,
    /// The predicted time itself, in calls, by another such model.
    pub expected: Vec<f64>,
    /// How good the predictions are; `None` where the times hardly vary.
    pub quality: Option<Quality>,
    /// Bins of puzzles by prediction, ascending.
    pub calibration: Vec<CalibrationBin>,
    /// The loss of R² without each group of features; empty where the times hardly vary.
    pub importance: Vec<Estimate>,
}

/// Says what the features of puzzles tell of the running time of settings; `None` when interrupted.
///
/// # Errors
/// [`HardnessError`].
pub fn hardness(
    study: &Study,
    arms: &[Arm<'_>],
    table: &FeatureTable,
    options: HardnessOptions,
    interrupt: &Interrupt,
) -> Result<Option<Hardness>, HardnessError> {
    let times = Times::of(study, arms)?;
    let texts: BTreeMap<&str, String> =
        study.puzzles().into_iter().map(|puzzle| (&*puzzle.id, puzzle.canonical_text())).collect();
    of_times(times, table, |puzzle| texts.get(puzzle).cloned().unwrap_or_default(), options, interrupt)
}

/// The same from times; puzzles with the same `text` are one.
fn of_times(
    times: Times,
    table: &FeatureTable,
    text: impl Fn(&str) -> String,
    options: HardnessOptions,
    interrupt: &Interrupt,
) -> Result<Option<Hardness>, HardnessError> {
    let with_runs = times.puzzles.len();
    let times = times.only(|puzzle| table.puzzles.contains(puzzle));
    let units = units(times.puzzles.iter().map(|puzzle| text(puzzle)));
    let found = units.iter().max().map_or(0, |last| last + 1);
    if found < FEWEST_PUZZLES {
        return Err(HardnessError::TooFew { found, with_runs, with_features: table.puzzles.len() });
    }
    let left_out = with_runs - times.puzzles.len() + times.partial;
    let columns = Columns::of(table, &times.puzzles);
    if columns.used.is_empty() {
        return Err(HardnessError::NoFeature);
    }
    let key = StreamKey::run(options.seed, "hardness", 0);
    let work =
        Work { columns: &columns, groups: groups::groups(&columns.used), units: &units, key, interrupt };
    let folds = Folds::new(&units, options.folds, &mut key.child("folds").rng());
    let of_setting = |times: &SettingTimes| work.of_setting(times, &folds);
    let Some(settings) = times.settings.par_iter().map(of_setting).collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let expected: Vec<Vec<f64>> = settings.iter().map(|setting| setting.expected.clone()).collect();
    let selection = selector::select(&times.settings, &expected, &folds, &mut work.resampling("selection"));
    let chosen: Vec<usize> = work.groups.iter().map(|group| group[0]).collect();
    let projection = Projection::of(&columns.used, &chosen);
    let footprints = footprint::footprints(&times.settings, &projection.points, options.factor);
    Ok((!interrupt.is_raised()).then(|| Hardness {
        left_out,
        budget: times.budget,
        groups: work.groups.clone(),
        folds: (0..times.puzzles.len()).map(|puzzle| folds.of(puzzle)).collect(),
        puzzles: times.puzzles,
        settings,
        selection,
        projection,
        footprints,
        options,
        columns: columns.clone(),
    }))
}

/// The unit of each puzzle: those with the same text are one.
fn units(texts: impl Iterator<Item = String>) -> Vec<usize> {
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    texts
        .map(|text| {
            let next = known.len();
            *known.entry(text).or_insert(next)
        })
        .collect()
}

/// What the work on every setting shares.
struct Work<'a> {
    columns: &'a Columns,
    groups: Vec<Vec<usize>>,
    units: &'a [usize],
    key: StreamKey,
    interrupt: &'a Interrupt,
}

impl Work<'_> {
    fn resampling(&self, what: &str) -> Resampling<'_> {
        Resampling { units: self.units, rng: self.key.child(what).child("intervals").rng() }
    }

    /// Models a setting; `None` when interrupted.
    fn of_setting(&self, times: &SettingTimes, folds: &Folds) -> Option<SettingHardness> {
        let key = self.key.child("setting").child(&times.name);
        let grow = |targets: &[f64], what: &str| {
            CrossValidated::grow(&self.columns.used, targets, folds, &key.child(what), self.interrupt)
        };
        let model = grow(&times.decades(), "decades")?;
        let resampling = |what: &str| self.resampling(&format!("{what} of {}", times.name));
        let quality = model.predictions.quality(&mut resampling("quality"));
        let importance = match quality {
            Some(_) => importance::importance(
                &model,
                &self.groups,
                &mut key.child("importance").rng(),
                &mut resampling("importance"),
                self.interrupt,
            )?,
            None => Vec::new(),
        };
        Some(SettingHardness {
            times: times.clone(),
            expected: grow(&times.par10, "calls")?.predictions.predicted,
            calibration: model.predictions.calibration(&mut resampling("calibration")),
            predicted: model.predictions.predicted,
            quality,
            importance,
        })
    }
}
