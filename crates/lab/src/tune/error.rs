//! Why a tuning stops before its end.

use thiserror::Error;

use crate::results::ResultsError;
use kenga_core::search::Failure;

/// Why a tuning stopped before its end.
#[derive(Debug, Error)]
pub enum TuneError {
    /// The default cannot be run.
    #[error("the configuration without [sweep] cannot be run: {0}")]
    Unrunnable(String),
    /// The folder cannot be read or written.
    #[error(transparent)]
    Folder(#[from] ResultsError),
    /// A recorded run is none that this tuning makes.
    #[error("run {run} of runs.csv does not belong to this tuning: expected {due}")]
    UnexpectedRun {
        /// The index of the run that is due.
        run: u64,
        /// The one that is due, in words.
        due: String,
    },
    /// The default, with which all others are compared, failed; the run is not recorded.
    #[error("the configuration without [sweep] fails: {}", .0.reason)]
    DefaultFailed(Failure),
    /// A signal or an error cut a run.
    #[error("the tuning was cut short")]
    Interrupted,
    /// The round needs runs of other shards, which are not made yet.
    #[error("this round still needs {missing} of its {due} runs from other shards")]
    OtherShards {
        /// Runs of the round.
        due: usize,
        /// Those of them that other shards have not recorded yet.
        missing: usize,
    },
}
