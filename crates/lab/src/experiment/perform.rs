//! The runs of a plan, those of a shard, or those of a race, made in parallel and delivered in the order of the plan.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use super::threads::{Threads, in_order, pool};
use super::{Race, RemainingRuns, RunError, RunRecord, Runner, Shard, Watch};
use kenga_core::budget::Interrupt;

/// Takes finished runs, in the order of the plan.
pub trait Sink: Send {
    /// Takes one run.
    ///
    /// # Errors
    /// When it cannot be kept; the experiment then ends, and the earlier runs are complete.
    fn take(&mut self, record: &RunRecord) -> io::Result<()>;
}

/// How an experiment ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// Every run has ended.
    Complete,
    /// A signal ended it early.
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
    let count = usize::try_from(remaining.count()).unwrap_or(usize::MAX);
    let workers = jobs.min(count).max(1);
    // Threads that the runs do not need serve the islands within a run.
    let pool = if jobs / workers > 1 { pool(jobs).map(Arc::new) } else { None };
    let runs = (remaining.first()..).filter(|run| remaining.has(*run)).take(count);
    let work = |run| runner.run_one(run, pool.as_ref(), watch, interrupt);
    let deliver = |record: Option<RunRecord>| {
        // A run that was cut ends the experiment: later runs may not stand before it.
        let record = record.ok_or(None)?;
        if let Err(source) = sink.take(&record) {
            // Runs that cannot be kept need not end.
            interrupt.raise(Interrupt::ABANDONED);
            return Err(Some(RunError::Sink { run: record.id.run, source }));
        }
        watch.ended(&record);
        Ok(())
    };
    match in_order(runs, Threads { jobs: workers, ahead: AHEAD }, work, deliver) {
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
    let mut race = runner.plan().race().expect("the plan is a race");
    let done = known.keys().copied().collect();
    let mut raced = RacedRuns { sink, calls: known.clone() };
    while let Some(block) = race.next() {
        let share = runner.plan().share(Shard::WHOLE);
        let remaining = RemainingRuns { share, done: &done, race: Some(&race) };
        // A block that is recorded whole needs no threads.
        if remaining.count() > 0
            && perform(runner, jobs, &remaining, &mut raced, watch, interrupt)? == Halt::Interrupted
        {
            return Ok((Halt::Interrupted, race));
        }
        let mut calls = Vec::new();
        for run in block {
            if race.has(run) {
                calls.push(raced.calls[&run]);
            }
        }
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
