//! Studies: the runs of results folders, their settings measured, compared and exported.
//!
//! Summaries, tables, comparisons and reports take every number of a setting from here, so that they agree.

mod arm;
mod compare;
mod export;
mod measure;
mod sample;
#[expect(clippy::module_inception, reason = "the study itself")]
mod study;

pub use arm::{Arm, ArmRun};
pub use compare::{CompareError, Comparison, NoVerdict, Pair, Question, compare, compare_arms};
pub use export::{EXPORTS, Export, ExportError, ExportFormat, ExportRows, Files, Target};
pub use measure::{OfPuzzle, Side, mean_share, order};
pub use sample::{Block, Metric, Reading, SideSample};
pub use study::{Study, StudyFolder, StudyRun, StudySetting, Values};
