//! The runs of a plan, those of a shard, or those of a race, made in parallel and delivered in the order of the plan.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::io;
use std::iter::successors;
use std::sync::Arc;

use thiserror::Error;

use super::threads::{in_order, pool};
use super::{Race, RemainingRuns, RunId, RunRecord, Runner, Shard};
use kenga_core::budget::{Interrupt, Spent};
use kenga_core::fitness::FitnessError;
use kenga_core::search::Census;
use kenga_core::search::encodings::EncodingError;

/// Takes finished runs, in the order of the plan.
pub trait Sink: Send {
    /// Takes one run.
    ///
    /// # Errors
    /// When it cannot be kept; the experiment then ends, and the earlier runs are complete.
    fn take(&mut self, record: &RunRecord) -> io::Result<()>;
}

/// Follows the progress of an experiment; called from many threads at once.
pub trait Watch: Sync {
    /// A run has completed a generation; `best` is its lowest fitness so far.
    fn passed(&self, id: RunId, spent: Spent, best: u32) {
        let _ = (id, spent, best);
    }

    /// Says whether [`census`](Self::census) should see this generation of every run.
    fn wants(&self, generation: u64) -> bool {
        let _ = generation;
        false
    }

    /// A run has completed a generation that was wanted.
    fn census(&self, id: RunId, spent: Spent, census: &Census) {
        let _ = (id, spent, census);
    }

    /// A run has begun.
    fn begun(&self, id: RunId) {
        let _ = id;
    }

    /// A run has ended; calls come in the order of the plan, after the sink has taken it.
    fn ended(&self, record: &RunRecord) {
        let _ = record;
    }
}

/// Watches nothing.
impl Watch for () {}

/// Why an experiment could not be made or kept.
#[derive(Debug, Error)]
pub enum RunError {
    /// A puzzle and the weights make numbers that do not fit.
    #[error("puzzle {puzzle}{setting}: {problem}")]
    Fitness {
        /// The id of the puzzle.
        puzzle: String,
        /// The setting in words, if there are several.
        setting: String,
        /// What does not fit.
        problem: FitnessError,
    },
    /// A puzzle does not fit the encoding.
    #[error("puzzle {puzzle}{setting}: {problem}")]
    Encoding {
        /// The id of the puzzle.
        puzzle: String,
        /// The setting in words, if there are several.
        setting: String,
        /// What does not fit.
        problem: EncodingError,
    },
    /// A finished run could not be written.
    #[error("run {run} could not be written")]
    Sink {
        /// The index of the run.
        run: u64,
        /// What went wrong.
        source: io::Error,
    },
}

impl RunError {
    /// The error and what caused it, one after the other.
    pub fn in_full(&self) -> String {
        let causes = successors(self.source(), |&cause| cause.source());
        causes.fold(self.to_string(), |text, cause| format!("{text}: {cause}"))
    }
}

/// How an experiment ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// Every run has ended.
    Complete,
    /// A signal or an error ended it early.
    Interrupted,
}

/// Runs that may wait, for each thread, for an earlier one to end.
const AHEAD: usize = 4;

/// Executes the remaining runs on `jobs` threads and hands them to the sink in the order of the plan. A run that an interrupt
/// cuts is not handed over.
///
/// # Errors
/// [`RunError::Sink`] when a run could not be written.
pub fn perform(
    runner: &Runner<'_>,
    jobs: usize,
    remaining: &RemainingRuns<'_>,
    sink: &mut dyn Sink,
    watch: &dyn Watch,
    interrupt: &Interrupt,
) -> Result<Halt, RunError> {
    let count = usize::try_from(remaining.count(runner.plan().runs())).unwrap_or(usize::MAX);
    let workers = jobs.min(count).max(1);
    // Threads that the runs do not need serve the islands within a run.
    let pool = if jobs / workers > 1 { pool(jobs).map(Arc::new) } else { None };
    let runs = (remaining.first()..).filter(|run| remaining.has(*run)).take(count);
    let work = |run| runner.run_one(run, pool.as_ref(), watch, interrupt);
    let deliver = |record: Option<RunRecord>| {
        let record = record.ok_or(None)?;
        if let Err(source) = sink.take(&record) {
            // Runs that cannot be kept need not end.
            interrupt.raise(Interrupt::ABANDONED);
            return Err(Some(RunError::Sink { run: record.id.run, source }));
        }
        watch.ended(&record);
        Ok(())
    };
    match in_order(runs, (workers, AHEAD), work, deliver) {
        Ok(()) => Ok(Halt::Complete),
        Err(None) => Ok(Halt::Interrupted),
        Err(Some(error)) => Err(error),
    }
}

/// Executes the rest of a race, block by block, and returns its state; `known` are the calls of finished runs.
///
/// # Errors
/// As [`perform`].
///
/// # Panics
/// When the plan is no race.
pub fn perform_race(
    runner: &Runner<'_>,
    jobs: usize,
    known: &BTreeMap<u64, f64>,
    sink: &mut dyn Sink,
    watch: &dyn Watch,
    interrupt: &Interrupt,
) -> Result<(Halt, Race), RunError> {
    let mut race = Race::of(runner.plan()).expect("the plan is a race");
    let done = known.keys().copied().collect();
    let mut raced = RacedRuns { sink, calls: known.clone() };
    while let Some(block) = race.next() {
        let remaining = RemainingRuns { shard: Shard::WHOLE, done: &done, race: Some(&race) };
        if remaining.count(u64::MAX) > 0
            && perform(runner, jobs, &remaining, &mut raced, watch, interrupt)? == Halt::Interrupted
        {
            return Ok((Halt::Interrupted, race));
        }
        let calls: Vec<f64> = block.filter(|run| race.has(*run)).map(|run| raced.calls[&run]).collect();
        race.take(&calls);
    }
    Ok((Halt::Complete, race))
}

/// Remembers what a race needs of the runs that pass to a sink.
struct RacedRuns<'a> {
    sink: &'a mut dyn Sink,
    calls: BTreeMap<u64, f64>,
}

impl Sink for RacedRuns<'_> {
    fn take(&mut self, record: &RunRecord) -> io::Result<()> {
        self.sink.take(record)?;
        self.calls.insert(record.id.run, record.race_calls());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_in_full_names_its_causes() {
        let lost = |run, source| RunError::Sink { run, source };
        let error = lost(3, io::Error::other("the disk is full"));
        let in_full = "run 3 could not be written: the disk is full";
        assert_eq!(error.in_full(), in_full);
        let because = lost(4, io::Error::other(error));
        assert_eq!(because.in_full(), format!("run 4 could not be written: {in_full}"));
    }
}
