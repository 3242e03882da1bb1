//! The runs that a folder lacks: made, written in order, and finished with the checksums.

use std::error::Error as _;

use thiserror::Error;

use super::progress::RunTally;
use super::{Folder, FolderRows, ResultsError, round_of_shard};
use crate::experiment::{Halt, RemainingRuns, RunError, Runner, Shard, Watch, perform, perform_race};
use kenga_core::budget::Interrupt;

/// Why an experiment stopped.
#[derive(Debug, Error)]
pub enum StopError {
    /// The folder cannot be read or written.
    #[error(transparent)]
    Folder(#[from] ResultsError),
    /// A run cannot be made or kept.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl StopError {
    /// The error and what caused it, one after the other.
    pub fn in_full(&self) -> String {
        match self {
            Self::Folder(error) => match error.source() {
                Some(cause) => format!("{error}: {cause}"),
                None => error.to_string(),
            },
            Self::Run(error) => error.in_full(),
        }
    }
}

/// Makes the runs of a shard that a folder lacks, of a race those of the present round, on `jobs` threads. `watch` makes what follows them, of the runs that
/// remain and of those that have ended before. What is written when it stops is complete runs, and can be resumed.
///
/// # Errors
/// A run could not be made or kept, or a file of the folder could not be read or written.
pub fn make_runs<W: Watch>(
    folder: &mut Folder,
    runner: &Runner<'_>,
    shard: Shard,
    jobs: usize,
    watch: impl FnOnce(&RemainingRuns<'_>, RunTally) -> W,
    interrupt: &Interrupt,
) -> Result<Halt, StopError> {
    let plan = runner.plan();
    if interrupt.is_raised() {
        // The exact solver may have been cut: rows that it contradicts are not damaged.
        return Ok(Halt::Interrupted);
    }
    let mut round = None;
    if plan.is_part_of_race(shard) {
        round = Some(round_of_shard(plan, shard, folder.path())?);
    }
    // Nothing that is damaged is added to.
    folder.prepare(plan, runner)?;
    let done = folder.done().clone();
    let remaining = RemainingRuns { share: plan.share(shard), done: &done, race: round.as_ref() };
    let halt = {
        // Counted after the folder was prepared, which may have cut runs.
        let watch = watch(&remaining, RunTally::of(folder.path(), plan, shard)?);
        let mut sink = folder.sink(plan);
        let halt = match plan.settings.race.filter(|_| round.is_none()) {
            None => perform(runner, jobs, &remaining, &mut sink, &watch, interrupt)?,
            Some(_) => {
                // What a race makes next depends on what its runs have cost before.
                let known = FolderRows::open(folder.path(), plan, shard)?.race_calls()?;
                perform_race(runner, jobs, &known, &mut sink, &watch, interrupt)?.0
            }
        };
        folder.check_place()?;
        if halt == Halt::Complete {
            sink.check().map_err(ResultsError::io("write", folder.path()))?;
        }
        // Every file is closed before its bytes are summed.
        halt
    };
    if halt == Halt::Complete {
        if !interrupt.is_raised() {
            folder.check_resumed(plan, shard, runner)?;
        }
        folder.finish()?;
    }
    Ok(halt)
}
