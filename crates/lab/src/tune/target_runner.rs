//! The runs of a tuning that are asked for, and who makes them.

use std::ops::Range;

use super::{Candidate, TuneError, TuneRun};
use crate::experiment::{CappedRuns, Config, Threads, in_order};
use kenga_core::budget::Interrupt;

/// A run that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRequest {
    /// The candidate.
    pub candidate: usize,
    /// The block.
    pub block: usize,
    /// The puzzle and the replicate of the block.
    pub place: (usize, u64),
    /// The calls at which it is cut short, if it can matter no more then.
    pub cap: Option<u64>,
}

/// Runs that are due together: none of them decides about another.
#[derive(Clone, Copy, Debug)]
pub struct RunBatch<'a> {
    /// The index of the first run in `runs.csv`.
    pub first: u64,
    /// The iteration, from 1; 0 of the ablation.
    pub iteration: u64,
    /// The runs, in the order of their indices.
    pub requests: &'a [RunRequest],
    /// All candidates.
    pub candidates: &'a [Candidate],
    /// The costs that programs report are compared, and recorded.
    pub compares_costs: bool,
}

impl<'a> RunBatch<'a> {
    /// The index of the run at a place.
    pub(super) fn run(&self, place: usize) -> u64 {
        self.first + place as u64
    }

    /// The indices of all runs.
    pub(super) fn runs(&self) -> Range<u64> {
        self.first..self.run(self.requests.len())
    }

    /// The same batch with those requests alone that are at these places.
    pub(super) fn part(&self, places: Range<usize>) -> RunBatch<'a> {
        let first = self.run(places.start);
        RunBatch { first, requests: &self.requests[places], ..*self }
    }
}

/// Makes the runs of candidates: the target runner of irace.
pub trait TargetRunner {
    /// Makes the configuration of a candidate ready, which is `words` in words; it follows from the configuration alone
    /// whether it can be run.
    ///
    /// # Errors
    /// Why it cannot be run, in words.
    fn admit(&mut self, config: &Config, words: &str) -> Result<(), String>;

    /// Makes runs of candidates that were admitted, and hands over what comes of them in their order, until `take` says no.
    ///
    /// # Errors
    /// [`TuneError`] where a run is not made.
    fn make(&mut self, batch: &RunBatch<'_>, take: &mut dyn FnMut(TuneRun) -> bool) -> Result<(), TuneError>;
}

/// Makes real runs.
pub struct LocalRunner<'a> {
    /// The puzzles.
    pub runs: CappedRuns,
    /// Threads.
    pub jobs: usize,
    /// What cuts runs.
    pub interrupt: &'a Interrupt,
}

/// Runs that may wait, for each thread, for an earlier one to end.
const AHEAD: usize = 8;

impl TargetRunner for LocalRunner<'_> {
    fn admit(&mut self, config: &Config, words: &str) -> Result<(), String> {
        self.runs.admit(config, words).map_err(|error| error.to_string())
    }

    fn make(&mut self, batch: &RunBatch<'_>, take: &mut dyn FnMut(TuneRun) -> bool) -> Result<(), TuneError> {
        let (runs, interrupt) = (&self.runs, self.interrupt);
        let work = |place: usize| {
            let RunRequest { candidate, place: of_block, cap, .. } = batch.requests[place];
            let made = runs.make(&batch.candidates[candidate].config, of_block, cap, interrupt)?;
            Some(TuneRun::new(batch, place, made))
        };
        let due = batch.requests.len();
        let threads = Threads { jobs: self.jobs.min(due).max(1), ahead: AHEAD };
        let end = in_order(0..due, threads, work, |run: Option<TuneRun>| {
            if run.is_some_and(&mut *take) {
                return Ok(());
            }
            if !interrupt.is_raised() {
                // Runs that are under way would be thrown away: they end at once.
                interrupt.raise(Interrupt::ABANDONED);
            }
            Err(TuneError::Interrupted)
        });
        end.map(|_| ())
    }
}
