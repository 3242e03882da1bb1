//! A run of a tuning: as it is asked for, and as `runs.csv` records it.

use std::ops::Range;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Candidate, TuneError};
use crate::experiment::{CappedRun, Config, has_optimum};
use crate::results::{PlainRow, RUNS};
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

/// A run of a tuning: what was asked for, and what came of it. Its row in `runs.csv` has the fields but `failure`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TuneRun {
    /// Its index, from 0.
    pub run: u64,
    /// The iteration, from 1; 0 of the ablation.
    pub iteration: u64,
    /// The candidate.
    pub candidate: usize,
    /// The block.
    pub block: usize,
    /// The puzzle of the block.
    pub puzzle: usize,
    /// The replicate of the block.
    pub replicate: u64,
    /// The calls at which it was to be cut short; `None` without a cap.
    pub cap: Option<u64>,
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
    /// How it ended.
    #[serde(rename = "capped")]
    pub end: TuneRunEnd,
    /// The cost that its program reports, if it does; the outer value is there where reported costs are compared.
    #[serde(
        default,
        deserialize_with = "cost_column",
        serialize_with = "cost_cell",
        skip_serializing_if = "Option::is_none"
    )]
    pub cost: Option<Option<f64>>,
    /// Why it failed, if it did and that is known.
    #[serde(skip)]
    pub failure: Option<Failure>,
}

/// How a run of a tuning ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TuneRunEnd {
    /// By itself, or by its budget.
    #[default]
    #[serde(rename = "false")]
    Full,
    /// It was cut short by its cap.
    #[serde(rename = "true")]
    Capped,
    /// A program of the user's own broke down in it.
    #[serde(rename = "failed")]
    Failed,
}

impl PlainRow for TuneRun {
    const FILE: &'static str = RUNS;
}

impl TuneRun {
    /// The run at a place of a batch, once it has been made.
    pub fn new(batch: &RunBatch<'_>, place: usize, made: CappedRun) -> Self {
        let RunRequest { candidate, block, place: (puzzle, replicate), cap } = batch.requests[place];
        let end = match made {
            CappedRun { failure: Some(_), .. } => TuneRunEnd::Failed,
            CappedRun { is_capped: true, .. } => TuneRunEnd::Capped,
            _ => TuneRunEnd::Full,
        };
        Self {
            run: batch.run(place),
            iteration: batch.iteration,
            candidate,
            block,
            puzzle,
            replicate,
            cap,
            solved: made.solved,
            evaluations: made.spent.evaluations,
            moves: made.spent.moves,
            best_fitness: made.best_fitness,
            calls_to_best: made.calls_to_best,
            end,
            cost: batch.compares_costs.then_some(made.cost),
            failure: made.failure,
        }
    }

    /// The request that it answers.
    pub fn request(&self) -> RunRequest {
        let Self { candidate, block, puzzle, replicate, cap, .. } = *self;
        RunRequest { candidate, block, place: (puzzle, replicate), cap }
    }

    /// Evaluations and moves.
    pub fn calls(&self) -> u64 {
        self.evaluations.saturating_add(self.moves)
    }

    /// A program of the user's own broke down in it.
    pub fn has_failed(&self) -> bool {
        self.end == TuneRunEnd::Failed
    }

    /// It was cut short by its cap.
    pub fn is_capped(&self) -> bool {
        self.end == TuneRunEnd::Capped
    }

    /// Its best fitness; `None` of one that failed, which may have claimed anything before.
    pub(super) fn sound_fitness(&self) -> Option<u32> {
        self.best_fitness.filter(|_| !self.has_failed())
    }

    /// Why it cannot be, by itself, if the default of the tuning is `default`.
    pub(super) fn problem(&self, default: &Config) -> Option<&'static str> {
        let budget = &default.budget;
        let most = |limit: Option<u64>| limit.unwrap_or(u64::MAX);
        if self.evaluations > most(budget.evaluations) || self.moves > most(budget.moves) {
            return Some("it cost more than the budget of a run");
        }
        if self.calls_to_best > self.calls() {
            return Some("its best came after its end");
        }
        if self.cost.flatten().is_some_and(|cost| !cost.is_finite()) {
            return Some("its cost is not a number");
        }
        if self.has_failed() {
            if self.candidate == 0 {
                return Some("the default failed, which ends a tuning");
            }
            // What broke down may have claimed anything before.
            return self.solved.then_some("it failed and is solved");
        }
        if self.is_capped() && (self.solved || self.cap.is_none_or(|cap| self.calls() < cap)) {
            return Some("nothing has cut it");
        }
        // A bound that is no optimum can be reached without solving.
        let may_be_bound = || default.instances().is_some_and(|all| !all.iter().all(has_optimum));
        if self.solved != (self.best_fitness == Some(0)) && (self.solved || !may_be_bound()) {
            return Some("it is solved exactly where its best fitness is 0");
        }
        None
    }

    /// Checks that it is the run that is due at a place of a batch; a run may cost `worst` calls.
    ///
    /// # Errors
    /// [`TuneError::UnexpectedRun`].
    pub(super) fn check_due(&self, batch: &RunBatch<'_>, place: usize, worst: u64) -> Result<(), TuneError> {
        let (run, iteration, request) = (batch.run(place), batch.iteration, &batch.requests[place]);
        // The budget is only kept if no run cost more than was set aside for it.
        let is_possible = self.problem(&batch.candidates[0].config).is_none() && self.calls() <= worst;
        if (self.run, self.iteration, &self.request()) == (run, iteration, request) && is_possible {
            return Ok(());
        }
        let RunRequest { candidate, block, .. } = request;
        let due = format!(
            "candidate {candidate} on block {block} in iteration {iteration}, of {worst} calls at most"
        );
        Err(TuneError::UnexpectedRun { run, due })
    }
}

/// Reads a cell of the column `cost`, which is not there unless reported costs are compared.
fn cost_column<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<f64>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// Writes a cell of the column `cost`.
fn cost_cell<S: Serializer>(cost: &Option<Option<f64>>, serializer: S) -> Result<S::Ok, S::Error> {
    match cost.flatten() {
        Some(cost) => serializer.collect_str(&cost),
        None => serializer.serialize_none(),
    }
}
