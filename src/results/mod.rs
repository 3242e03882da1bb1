//! Results: one folder of plain files, written run by run, resumed, and checked.
//!
//! Rows are written in the order of the plan, each when its run has ended, and the row in `runs.csv` comes last: a run that is
//! listed there is complete in every file, whatever killed the program.

mod atomic;
mod error;
mod files;
mod folder;
mod merge;
mod plan_reader;
mod recovery;
mod rows;
mod run_files;
mod run_reader;
mod validate;

pub use atomic::{Appender, AtomicFile, AtomicFolder};
pub use error::ResultsError;
pub use files::{checksums, free_folder, latest_folder};
pub use folder::Folder;
pub use merge::{merge, shard_folder};
pub use plan_reader::{Manifest, plan_text, read_plan, read_plan_text};
pub use rows::{ConvergenceRow, GroupRow, MigrationRow, OperatorRow, PuzzleRow, RunRow, TimingRow};
pub use run_files::FolderSink;
pub use validate::{Finding, Replay, Validation, validate};
