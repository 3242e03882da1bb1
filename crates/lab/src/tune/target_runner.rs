//! The runs of a tuning: what is asked for, what comes of it, and who makes them.

use std::ops::Range;

use super::{Candidate, TuneError};
use crate::experiment::{CappedRun, CappedRuns, Config, Threads, in_order};
use kenga_core::budget::Interrupt;
use kenga_core::search::Failure;

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

/// What came of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// It found a solution, which the referee accepts.
    pub solved: bool,
    /// Full fitness computations.
    pub evaluations: u64,
    /// Differences of fitness computed.
    pub moves: u64,
    /// Its best fitness; `None` where it ended before its first evaluation.
    pub best_fitness: Option<u32>,
    /// Calls when the best was found.
    pub calls_to_best: u64,
    /// It was cut short by its cap.
    pub is_capped: bool,
    /// Why it failed, if it did; not known of one that is read from `runs.csv`, which keeps only that it did.
    pub failure: Option<Failure>,
    /// What it has cost, where its program reports that.
    pub cost: Option<f64>,
}

impl Outcome {
    /// Evaluations and moves.
    pub fn calls(&self) -> u64 {
        self.evaluations + self.moves
    }

    /// A program of the user's own broke down in it.
    pub fn has_failed(&self) -> bool {
        self.failure.is_some()
    }
}

impl From<CappedRun> for Outcome {
    fn from(run: CappedRun) -> Self {
        Self {
            solved: run.solved,
            evaluations: run.spent.evaluations,
            moves: run.spent.moves,
            best_fitness: run.best_fitness,
            calls_to_best: run.calls_to_best,
            is_capped: run.is_capped,
            failure: run.failure,
            cost: run.cost,
        }
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
    fn make(
        &mut self,
        batch: &RunBatch<'_>,
        take: &mut dyn FnMut(&RunRequest, Outcome) -> bool,
    ) -> Result<(), TuneError>;
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

    fn make(
        &mut self,
        batch: &RunBatch<'_>,
        take: &mut dyn FnMut(&RunRequest, Outcome) -> bool,
    ) -> Result<(), TuneError> {
        let RunBatch { requests, candidates, .. } = *batch;
        let (runs, interrupt) = (&self.runs, self.interrupt);
        let work = |request: &RunRequest| {
            let config = &candidates[request.candidate].config;
            runs.make(config, request.place, request.cap, interrupt).map(Outcome::from)
        };
        let mut left = requests.iter();
        let jobs = self.jobs.min(requests.len()).max(1);
        let end =
            in_order(requests.iter(), Threads { jobs, ahead: AHEAD }, work, |outcome: Option<Outcome>| {
                let is_taken =
                    left.next().zip(outcome).is_some_and(|(request, outcome)| take(request, outcome));
                if !is_taken && !interrupt.is_raised() {
                    // Runs that are under way would be thrown away: they end at once.
                    interrupt.raise(Interrupt::ABANDONED);
                }
                if is_taken { Ok(()) } else { Err(TuneError::Interrupted) }
            });
        end.map(|_| ())
    }
}
