//! The makers of the runs of a tuning.

use super::{RunBatch, RunRequest, TuneError, TuneRun};
use crate::experiment::{CappedRuns, Config, Threads, in_order};
use kenga_core::budget::Interrupt;

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
