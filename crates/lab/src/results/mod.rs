//! Results: one folder of plain files, written run by run, resumed, and checked.
//!
//! **Invariant**: the rows of a run are written when it has ended, in the order of the plan. Its line in `ledger.csv` comes last: a
//! run exists exactly if that line is whole. The bytes of a folder but for `timing.csv`
//! depend on its configuration and seed alone, and its layout is a format: names of files and columns do not change within a version of it.
//! How files are locked, read and checked may change freely.

mod appended_files;
mod appender;
mod archive;
mod atomic;
mod atomic_folder;
mod checksums;
mod copy;
mod drafts;
mod error;
mod files;
mod folder;
mod kind;
mod known_plan;
mod ledger;
mod merge;
mod output;
mod plan_reader;
mod progress;
mod reading;
mod recorded;
mod recovery;
mod retry;
mod rounds;
mod row_source;
mod rows;
mod run_files;
mod run_maker;
mod run_reader;
mod served_folder;
mod shards;
mod sink;
mod stamps;
mod validate;

pub(crate) use appended_files::{AppendedFiles, claim, claim_begun};
pub(crate) use appender::FileAppender;
pub(crate) use atomic::is_draft;
pub(crate) use atomic_folder::AtomicFolder;
pub(crate) use checksums::{Difference, checksum_lines, differences_among};
pub use error::ResultsError;
pub(crate) use files::{
    FAILURES, LEDGER, MANIFEST, PUZZLES, RUNS, puzzle_lines, read as read_file, wrong_solutions,
};
pub use folder::Folder;
pub(crate) use ledger::Ledger;
pub use merge::{Merged, merge};
pub use reading::{FolderRows, Reading};
pub(crate) use recovery::{CompleteRuns, UnusedCause, recover_tuning};
pub use rounds::{RaceProgress, RoundShare, round_of_shard};
pub(crate) use rows::solver_of;
pub use rows::{ConvergenceRow, RunRow};
pub(crate) use rows::{PlainRow, csv_text, header_of};
pub(crate) use run_files::RowFile;
pub use run_maker::{StopError, make_runs};
pub use shards::{shard_folder, shards_if_any, shards_in};
pub use sink::FolderSink;
pub(crate) use validate::BEHIND;
pub use validate::{Finding, FindingKind, Replay, Validation, validate};
pub use {
    appender::Appender,
    archive::{Archive, ArchiveEntry, ArchiveError},
    checksums::checksums,
    drafts::abandon_drafts,
    files::{CHECKSUMS, free_folder, latest_folder, write_whole},
    kind::FolderKind,
    known_plan::KnownPlan,
    output::OutputFile,
    plan_reader::{Manifest, plan_text, read_plan, read_plan_text},
    progress::{FolderProgress, RunTally, ShardProgress},
    recorded::{recorded_row, recorded_verdict},
    recovery::UnusedRows,
    rows::{
        CostRow, FailureRow, GroupRow, MigrationRow, OperatorRow, PopulationRow, PuzzleRow, TermRow,
        TimingRow,
    },
    served_folder::{ServedFolder, ServedFolderError},
    shards::{check_plan_of, earlier_costs},
};
