//! A tuning repeated from its recorded runs: the decisions that follow from them, as `kenga tune --resume` makes them.

use std::collections::VecDeque;

use super::super::journal::{ABLATION_COLUMNS, DECISION_COLUMNS};
use super::super::{
    AblationStep, Candidate, Decision, Journal, LocalRunner, RunBatch, TargetRunner, TuneError, TuneRun,
};
use crate::experiment::Config;
use crate::results::ResultsError;

/// Hands over the recorded runs, and collects what follows from them.
pub(super) struct Audit {
    runs: VecDeque<TuneRun>,
    /// Runs that must have been recorded when the files that follow from them were read.
    runs_before: usize,
    /// The runs that were due.
    pub(super) taken: usize,
    pub(super) candidates: Vec<Candidate>,
    pub(super) decisions: Vec<Decision>,
    pub(super) ablation: Vec<AblationStep>,
    /// The files that hold these three.
    pub(super) derived: [DerivedText; 3],
}

/// The text of a file that follows from the runs.
#[derive(Default)]
pub(super) struct DerivedText {
    /// All of it.
    pub(super) text: String,
    /// How much of it was there at least when the file was read.
    pub(super) least: usize,
}

impl Audit {
    pub(super) fn new(runs: &[TuneRun], runs_before: usize) -> Self {
        let heads = ["", DECISION_COLUMNS, ABLATION_COLUMNS];
        let derived = heads.map(|head| DerivedText { text: head.to_owned(), least: 0 });
        Self {
            runs: runs.iter().cloned().collect(),
            runs_before,
            taken: 0,
            candidates: Vec::new(),
            decisions: Vec::new(),
            ablation: Vec::new(),
            derived,
        }
    }
}

impl Journal for Audit {
    fn recorded(&mut self) -> Result<Option<TuneRun>, ResultsError> {
        let next = self.runs.pop_front();
        if next.is_some() {
            self.taken += 1;
            if self.taken <= self.runs_before {
                for derived in &mut self.derived {
                    derived.least = derived.text.len();
                }
            }
        }
        Ok(next)
    }

    fn candidate(&mut self, candidate: &Candidate, keys: &[String]) -> Result<(), ResultsError> {
        self.derived[0].text += &candidate.line(keys);
        self.candidates.push(candidate.clone());
        Ok(())
    }

    fn decision(&mut self, decision: &Decision) -> Result<(), ResultsError> {
        self.derived[1].text += &decision.row();
        self.decisions.push(decision.clone());
        Ok(())
    }

    fn step(&mut self, step: &AblationStep) -> Result<(), ResultsError> {
        self.derived[2].text += &step.row();
        self.ablation.push(step.clone());
        Ok(())
    }
}

/// Admits candidates as a tuning does, and makes no run.
pub(super) struct IdleRunner<'a> {
    pub(super) local: LocalRunner<'a>,
}

impl TargetRunner for IdleRunner<'_> {
    fn admit(&mut self, config: &Config, words: &str) -> Result<(), String> {
        self.local.admit(config, words)
    }

    fn make(&mut self, _: &RunBatch<'_>, _: &mut dyn FnMut(TuneRun) -> bool) -> Result<(), TuneError> {
        // What is not recorded ends the audit, as an interrupt would.
        Err(TuneError::Interrupted)
    }
}
