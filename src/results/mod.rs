//! Results: one folder of plain files, written run by run, resumed, and checked.
//!
//! Rows are written in the order of the plan when their run has ended; the row in `runs.csv` comes last, so that a run
//! whose row is there is there whole, whatever killed the program.

mod agreement;
mod appender;
mod atomic;
mod error;
mod files;
mod folder;
mod growing;
mod kept;
#[cfg(test)]
mod killed;
mod manifest;
mod merge;
mod pieces;
mod plan_file;
mod rows;
mod sink;
mod validate;
mod whole;

pub use appender::{Appender, FileAppender};
pub use atomic::{AtomicFile, AtomicFolder};
pub use error::ResultsError;
pub use files::{checksums, free_folder, latest_folder};
pub use folder::Folder;
pub use kept::read_plan;
pub use manifest::Manifest;
pub use merge::{merge, shard_folder};
pub use plan_file::{plan_text, read_plan_text};
pub use rows::{ConvergenceRow, GroupRow, MigrationRow, OperatorRow, PuzzleRow, RunRow, TimingRow};
pub use sink::FolderSink;
pub use validate::{Finding, Replay, Validation, validate};
