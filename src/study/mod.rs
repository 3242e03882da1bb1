//! A study: the runs of results folders, their settings measured once, compared, exported.
//!
//! What a summary, a table, a comparison and a report say of a setting comes from here, so that all give one number.

mod compare;
mod export;
#[expect(clippy::module_inception, reason = "the study itself")]
mod study;

pub use compare::{CompareError, Comparison, Metric, OfPuzzle, Pair, Question, Side, compare};
pub use export::{
    Export, ExportError, ExportFormat, Files, Rows, TABLE as EXPORTS, Target, find as find_export,
};
pub use study::{Arm, Block, Source, Study, StudyRun, StudySetting};
