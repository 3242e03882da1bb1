//! Studies: the runs of results folders, their settings measured, compared and exported.
//!
//! Summaries, tables, comparisons and reports take every number of a setting from here, so that they agree.
//!
//! ```text
//! Study            the folders as they are: their settings, each with its runs
//! SettingRuns      the runs of a setting, or of several joined
//! SettingSample    the same in numbers of one metric, by block
//! SettingStats     what these come to
//! Comparison       several settings beside each other
//! ```
//!
//! **Invariant**: numbers follow from the rows of the folders alone, in the order of puzzles, seeds and replicates. Random
//! resamples have streams of their own, named by what they are for, so that nothing else that is measured changes them.

mod anytime;
mod compare;
mod compare_error;
mod export;
mod groups;
pub mod hardness;
mod improvements;
mod measure;
mod naming;
mod predict;
mod run_subject;
mod sample;
mod setting_runs;
#[expect(clippy::module_inception, reason = "the study itself")]
mod study;
mod trajectories;
mod values;

pub use anytime::{Anytime, AreaAxes, AtBudget, BestAtBudget, NoAnytime, SettingArea, Window};
pub use compare::{
    Comparison, Leader, NextPuzzle, NoVerdict, Pair, Practical, Question, Region, Smallest, Stability,
    compare, compare_settings, practical,
};
pub use compare_error::CompareError;
pub use export::Names;
pub use export::{EXPORTS, Export, ExportError, ExportFormat, ExportRows, Files, Target};
pub use groups::Groups;
pub use measure::{PuzzleStats, SettingStats, mean_share};
pub use predict::{Feature, Prediction, predictions};
pub use run_subject::RunSubject;
pub use sample::{Block, BlockRuns, Metric, RunValue, SettingSample};
pub use setting_runs::{SettingRuns, key_meant, planned_names};
pub use study::{Study, StudyFolder, StudyRun, StudySetting};
pub use trajectories::{ReplayError, Trajectory, VisitTrajectories};
pub use values::Values;
