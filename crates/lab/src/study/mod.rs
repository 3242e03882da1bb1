//! Studies: the runs of results folders, their settings measured, compared and exported.
//!
//! Summaries, tables, comparisons and reports take every number of a setting from here, so that they agree.
//!
//! ```text
//! Study            the folders as they are: their settings, and the runs of all
//! Runs             the runs in columns: a run is an index
//! StudySetting     a setting with its runs as indices
//! JoinedSettings   a view of one setting, or of several with the same values of some keys
//! SettingSample    their runs in numbers of one metric, by block
//! SettingStats     the measurements of these
//! Comparison       several settings beside each other
//! ```
//!
//! **Invariant**: numbers follow from the rows of the folders alone, in the order of puzzles, seeds and replicates. Random
//! resamples have streams of their own, named by what they are for, so that nothing else that is measured changes them.

mod anytime;
mod compare;
mod compare_error;
mod doubles;
mod export;
mod groups;
pub mod hardness;
mod improvements;
mod joined;
mod measure;
mod metric;
mod naming;
mod predict;
mod run_subject;
mod runs;
mod sample;
#[expect(clippy::module_inception, reason = "the study itself")]
mod study;
mod trajectories;
mod values;

pub use anytime::{Anytime, AreaAxes, AtBudget, BestAtBudget, CurveArea, NoAnytime, Window};
pub use compare::{
    Comparison, Facts, Leader, NextPuzzle, NoVerdict, Pair, Practical, Question, Region, Smallest, Stability,
    compare, compare_settings, practical,
};
pub use compare_error::CompareError;
pub use export::Names;
pub use export::{EXPORTS, Export, ExportError, ExportFormat, ExportRows, Files, Target};
pub use groups::Groups;
pub use improvements::Steps;
pub use joined::{JoinedSettings, key_meant, planned_names};
pub use measure::{PuzzleStats, SettingStats, mean_share};
pub use metric::Metric;
pub use predict::{Feature, Prediction, predictions};
pub use run_subject::RunSubject;
pub use runs::Runs;
pub use sample::{Block, BlockRuns, Blocks, RunValue, SettingSample};
pub use study::{Study, StudyFolder, StudySetting};
pub use trajectories::{ReplayError, SettingTrajectories, Trajectory};
pub use values::Values;
