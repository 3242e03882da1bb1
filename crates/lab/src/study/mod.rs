//! Studies: the runs of results folders, their settings measured, compared and exported.
//!
//! Summaries, tables, comparisons and reports take every number of a setting from here, so that they agree.

mod anytime;
mod arm;
mod compare;
mod compare_error;
mod export;
pub mod hardness;
mod improvements;
mod measure;
mod predict;
mod sample;
#[expect(clippy::module_inception, reason = "the study itself")]
mod study;
mod trajectories;

pub use anytime::{Anytime, AreaAxes, AreaOfSide, AtBudget, FitnessAtBudget, NoAnytime, Window};
pub use arm::{Arm, ArmRun};
pub use compare::{
    Comparison, NextPuzzle, NoVerdict, Pair, Practical, Question, Region, compare, compare_arms, practical,
};
pub use compare_error::CompareError;
pub use export::Names;
pub use export::{EXPORTS, Export, ExportError, ExportFormat, ExportRows, Files, Target};
pub use measure::{OfPuzzle, Side, mean_share, order};
pub use predict::{Feature, Prediction, predictions};
pub use sample::{Block, Metric, Reading, SideSample};
pub use study::{Study, StudyFolder, StudyRun, StudySetting, Values};
pub use trajectories::{ReplayError, Trajectory, VisitTrajectories};
