//! What a tuning writes down as it goes on.

use super::{Candidate, TuneRun};
use crate::results::ResultsError;

/// What a tuning writes down; a journal that does not say otherwise has no runs, and writes down nothing.
pub trait Journal {
    /// The next run that is already recorded in the folder; `None` after the last one.
    ///
    /// # Errors
    /// [`ResultsError::Io`], here and below.
    fn recorded(&mut self) -> Result<Option<TuneRun>, ResultsError> {
        Ok(None)
    }

    /// Notes a candidate, whose values are those of these keys.
    ///
    /// # Errors
    /// When it cannot be written.
    fn candidate(&mut self, _candidate: &Candidate, _keys: &[String]) -> Result<(), ResultsError> {
        Ok(())
    }

    /// Notes a run that was made.
    ///
    /// # Errors
    /// When it cannot be written.
    fn run(&mut self, _run: &TuneRun) -> Result<(), ResultsError> {
        Ok(())
    }

    /// Notes a decision.
    ///
    /// # Errors
    /// When it cannot be written.
    fn decision(&mut self, _decision: &Decision) -> Result<(), ResultsError> {
        Ok(())
    }

    /// Notes a step of the ablation path.
    ///
    /// # Errors
    /// When it cannot be written.
    fn step(&mut self, _step: &AblationStep) -> Result<(), ResultsError> {
        Ok(())
    }
}

/// The header lines of `decisions.csv` and `ablation.csv`.
pub(super) const DECISION_COLUMNS: &str = "iteration,blocks,block,candidate,decision,test,p,rank,cost,used\n";
pub(super) const ABLATION_COLUMNS: &str = "step,change,candidate,cost,solved,blocks\n";

/// The kinds of decisions.
pub(super) const ELITE: &str = "elite";
pub(super) const DROPPED: &str = "dropped";

/// What a race decides about a candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The iteration, from 1.
    pub iteration: u64,
    /// Blocks of the race so far.
    pub blocks: usize,
    /// The last of them.
    pub block: usize,
    /// The candidate.
    pub candidate: usize,
    /// `dropped` or `elite`.
    pub kind: &'static str,
    /// By which test: `friedman`, `wilcoxon`, `capping`, or none for an elite.
    pub test: &'static str,
    /// The p-value of the test, where it has one.
    pub p: Option<f64>,
    /// Its average rank, or as an elite its place, from 1.
    pub rank: Option<f64>,
    /// Its mean cost over the blocks of the race.
    pub cost: f64,
    /// Calls of all runs so far.
    pub used: u64,
}

impl Decision {
    /// Whether the candidate becomes an elite; it is dropped otherwise.
    pub fn is_elite(&self) -> bool {
        self.kind == ELITE
    }

    /// Its row in `decisions.csv`.
    pub(super) fn row(&self) -> String {
        let Self { iteration, blocks, block, candidate, kind, test, p, rank, cost, used } = self;
        let (p, rank) = (or_empty(*p), or_empty(*rank));
        format!("{iteration},{blocks},{block},{candidate},{kind},{test},{p},{rank},{cost},{used}\n")
    }
}

/// A step of the path; the first one is the default, the last one the best.
#[derive(Clone, Debug, PartialEq)]
pub struct AblationStep {
    /// Its number, from 0.
    pub step: usize,
    /// The keys that changed, in words: `rate: 0.05 -> 0.2`; empty for the default.
    pub change: String,
    /// The candidate after it.
    pub candidate: usize,
    /// Mean cost on the blocks of the path.
    pub cost: f64,
    /// Runs with a solution; `None` where no run can have one.
    pub solved: Option<usize>,
    /// Blocks, each a run.
    pub blocks: usize,
}

impl AblationStep {
    /// Its row in `ablation.csv`.
    pub(super) fn row(&self) -> String {
        let Self { step, change, candidate, cost, solved, blocks } = self;
        let (change, solved) = (change.replace('"', "\"\""), or_empty(*solved));
        format!("{step},\"{change}\",{candidate},{cost},{solved},{blocks}\n")
    }
}

/// A value as a cell of a table.
fn or_empty(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
