//! Hardness: which features of puzzles predict the running time of settings, and what that is good for.
//!
//! ```text
//! times      PAR-10 of every setting on every puzzle, in calls, at its own budget; predicted is its logarithm to base 10
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

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::{CompareError, JoinedSettings, Study};
use kenga_core::budget::Interrupt;
use kenga_core::rng::StreamKey;
use kenga_stats::Estimate;

use folds::Folds;
use model::CrossValidated;
use resample::Resampling;
use times::Times;

pub use footprint::Footprint;
pub use projection::Projection;
pub use quality::{CalibrationBin, Quality};
pub use selector::Selection;
pub use table::{Columns, FeatureError, FeatureTable, Grouping, UsedFeature};
pub use times::{MeasuredTimes, PuzzleTimes};

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

/// The fewest groups of puzzles that are kept whole: an interval over fewer knows nothing.
pub const FEWEST_GROUPS: usize = 10;

/// The most columns of numbers: the work grows with their square and cube.
pub const MOST_FEATURES: usize = 500;

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
        "{found} puzzles have features and runs of every setting: expected {FEWEST_PUZZLES} or more, because fewer show nothing"
    )]
    TooFew {
        /// How many there are.
        found: usize,
        /// Puzzles with runs of every setting.
        with_runs: usize,
        /// Puzzles with features.
        with_features: usize,
    },
    /// Too few groups of puzzles that are kept whole.
    #[error(
        "{found} groups of puzzles by `{column}`: expected {FEWEST_GROUPS} or more, because folds and intervals draw whole groups"
    )]
    TooFewGroups {
        /// How many there are.
        found: usize,
        /// The column that names them.
        column: String,
    },
    /// Too many columns.
    #[error("{0} columns of numbers vary: expected {MOST_FEATURES} or fewer")]
    TooManyFeatures(usize),
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
    /// The least budget of the settings, at which runs are cut for the selector and for footprints, in calls; infinite
    /// without a bound.
    pub budget: f64,
    /// Whether some setting solves each puzzle within that budget.
    pub solved: Vec<bool>,
    /// The column whose groups of puzzles are kept whole, and how many there are.
    pub grouping: Option<(String, usize)>,
    /// The features.
    pub columns: Columns,
    /// The used features that go together, as indices, in the order of their first members.
    pub groups: Vec<Vec<usize>>,
    /// The fold of each puzzle.
    pub folds: Vec<usize>,
    /// What was found of each setting.
    pub settings: Vec<TimeModel>,
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
pub struct TimeModel {
    /// Its times.
    pub times: MeasuredTimes,
    /// The predicted logarithm to base 10 of the time of each puzzle, by a model that has not seen it.
    pub predicted: Vec<f64>,
    /// The predicted time itself, cut at the least budget, in calls, by another such model: what the selector goes by.
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
    settings: &[JoinedSettings],
    table: &FeatureTable,
    options: HardnessOptions,
    interrupt: &Interrupt,
) -> Result<Option<Hardness>, HardnessError> {
    let times = Times::of(study, settings)?;
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    for puzzle in study.puzzles() {
        texts.insert(&puzzle.id, puzzle.canonical_text());
    }
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
    let texts: Vec<String> = times.puzzles.iter().map(|puzzle| text(puzzle)).collect();
    let found = BTreeSet::from_iter(&texts).len();
    if found < FEWEST_PUZZLES {
        return Err(HardnessError::TooFew { found, with_runs, with_features: table.puzzles.len() });
    }
    let units = units(&times.puzzles, &texts, table.group.as_ref());
    let grouping = grouping(table.group.as_ref(), &units)?;
    let columns = Columns::of(table, &times.puzzles);
    if columns.used.is_empty() {
        return Err(HardnessError::NoFeature);
    }
    if columns.used.len() > MOST_FEATURES {
        return Err(HardnessError::TooManyFeatures(columns.used.len()));
    }
    let key = StreamKey::run(options.seed, "hardness", 0);
    let Some(groups) = groups::groups(&columns.used, interrupt) else { return Ok(None) };
    let folds = Folds::new(&units, options.folds, &mut key.child("folds").rng());
    let work = Work { columns: &columns, groups: &groups, folds: &folds, units: &units, key, interrupt };
    let Some(settings) = work.of_settings(&times.settings) else { return Ok(None) };
    let solved = times.solved();
    let selection = selector::select(&settings, &solved, &folds, &mut work.resampling("selection"));
    // One feature of each group, so that no group counts several times.
    let chosen: Vec<usize> = groups.iter().map(|group| group[0]).collect();
    let projection = Projection::of(&columns.used, &chosen);
    let footprints = footprint::footprints(&times.settings, &projection.points, &solved, options.factor);
    if interrupt.is_raised() {
        return Ok(None);
    }
    Ok(Some(Hardness {
        left_out: with_runs - times.puzzles.len() + times.partial,
        budget: times.budget,
        solved,
        grouping,
        folds: (0..times.puzzles.len()).map(|puzzle| folds.of(puzzle)).collect(),
        puzzles: times.puzzles,
        settings,
        selection,
        projection,
        footprints,
        options,
        groups,
        columns,
    }))
}

/// The unit of each puzzle, from 0 without gaps: those with the same text or in the same group are one.
fn units(puzzles: &[String], texts: &[String], group: Option<&Grouping>) -> Vec<usize> {
    let mut by_text: BTreeMap<&str, usize> = BTreeMap::new();
    let mut by_group: BTreeMap<&str, usize> = BTreeMap::new();
    // The unit of a puzzle is the place of the first one in it, for now.
    let mut units: Vec<usize> = Vec::with_capacity(puzzles.len());
    for (place, (puzzle, text)) in puzzles.iter().zip(texts).enumerate() {
        units.push(place);
        let first = *by_text.entry(text).or_insert(place);
        join(&mut units, first, place);
        if let Some(group) = group.and_then(|group| group.of.get(puzzle)) {
            let first = *by_group.entry(group).or_insert(place);
            join(&mut units, first, place);
        }
    }
    let kept = BTreeSet::from_iter(units.iter().copied());
    let number: BTreeMap<usize, usize> = kept.into_iter().zip(0..).collect();
    units.into_iter().map(|unit| number[&unit]).collect()
}

/// Joins the units of two puzzles.
fn join(units: &mut [usize], one: usize, other: usize) {
    let (kept, gone) = (units[one].min(units[other]), units[one].max(units[other]));
    for unit in units {
        if *unit == gone {
            *unit = kept;
        }
    }
}

/// The column of groups and how many they are; [`HardnessError::TooFewGroups`].
fn grouping(group: Option<&Grouping>, units: &[usize]) -> Result<Option<(String, usize)>, HardnessError> {
    let Some(Grouping { column, .. }) = group else { return Ok(None) };
    let found = units.iter().max().map_or(0, |last| last + 1);
    if found < FEWEST_GROUPS {
        return Err(HardnessError::TooFewGroups { found, column: column.clone() });
    }
    Ok(Some((column.clone(), found)))
}

/// What the work on every setting shares.
struct Work<'a> {
    columns: &'a Columns,
    groups: &'a [Vec<usize>],
    folds: &'a Folds,
    units: &'a [usize],
    key: StreamKey,
    interrupt: &'a Interrupt,
}

impl Work<'_> {
    fn resampling(&self, what: &str) -> Resampling<'_> {
        Resampling { units: self.units, rng: self.key.child(what).child("intervals").rng() }
    }

    /// Models every setting; `None` when interrupted.
    fn of_settings(&self, all: &[MeasuredTimes]) -> Option<Vec<TimeModel>> {
        all.par_iter().map(|times| self.of_setting(times)).collect()
    }

    /// Models a setting; `None` when interrupted.
    fn of_setting(&self, times: &MeasuredTimes) -> Option<TimeModel> {
        // Keyed by the configuration: other settings beside it change nothing of this one.
        let key = self.key.child("setting").child(&times.identity);
        let used = &self.columns.used;
        let resampling = |what: &str| self.resampling(&format!("{what} of {}", times.identity));
        let model =
            CrossValidated::grow(used, &times.decades(), self.folds, &key.child("decades"), self.interrupt)?;
        let quality = model.predictions.quality(&mut resampling("quality"));
        let mut importance = Vec::new();
        if quality.is_some() {
            importance = importance::importance(
                &model,
                self.groups,
                &mut key.child("importance").rng(),
                &mut resampling("importance"),
                self.interrupt,
            )?;
        }
        let calls =
            CrossValidated::grow(used, &times.cut.par10, self.folds, &key.child("calls"), self.interrupt)?;
        Some(TimeModel {
            times: times.clone(),
            expected: calls.predictions.predicted,
            calibration: model.predictions.calibration(&mut resampling("calibration")),
            predicted: model.predictions.predicted,
            quality,
            importance,
        })
    }
}
