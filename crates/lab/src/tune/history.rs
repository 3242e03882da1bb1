//! The history of a tuning, read from its folder: what was tried, when it was dropped, and what it came to.

use std::path::Path;

use super::manifest::TuneManifest;
use super::validate::{CheckedTuning, check_without_replay};
use super::{AblationStep, Candidate, Decision, Options, TuneRun};
use crate::experiment::Space;
use crate::results::{Finding, RUNS, ResultsError};

/// A tuning as its folder tells it.
#[derive(Debug)]
pub struct TuneHistory {
    /// What the folder is for.
    pub manifest: TuneManifest,
    /// The space.
    pub space: Space,
    /// The options.
    pub options: Options,
    /// The candidates, in the order of birth.
    pub candidates: Vec<Candidate>,
    /// The decisions, in their order.
    pub decisions: Vec<Decision>,
    /// The ablation path.
    pub ablation: Vec<AblationStep>,
    /// How many runs are used: those before the first that is not the one that is due.
    pub runs: u64,
    /// How many of them were cut short.
    pub cut: u64,
    /// The calls of these runs together.
    pub used: u64,
    /// How many rows `runs.csv` has.
    listed: u64,
    /// The claims that do not hold.
    refuted: Vec<Finding>,
}

/// The most claims that the notes name.
const FINDINGS: usize = 5;

impl TuneHistory {
    /// Reads the folder of a tuning, ended or not, and checks it as [`validate`](super::validate) does, without making a run,
    /// on `jobs` threads. The history goes as far as the recorded runs are those that are due, and has what follows from them,
    /// whatever the other files say.
    ///
    /// # Errors
    /// Those of [`validate`](super::validate), and [`ResultsError::Damaged`] for calls that are too many to be counted.
    pub fn read(path: &Path, jobs: usize) -> Result<Self, ResultsError> {
        let manifest = TuneManifest::read(path)?;
        let (space, options) = manifest.space_and_options(path)?;
        let checked = check_without_replay(path, jobs)?;
        let CheckedTuning { found, listed, runs, candidates, decisions, ablation } = checked;
        let used = calls_of(path, &runs)?;
        let cut = runs.iter().filter(|run| run.is_capped()).count() as u64;
        let (runs, refuted) = (runs.len() as u64, found.all.findings);
        Ok(Self {
            manifest,
            space,
            options,
            candidates,
            decisions,
            ablation,
            runs,
            cut,
            used,
            listed,
            refuted,
        })
    }

    /// What does not hold, and how many runs are left out for it; nothing where every claim holds.
    pub fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.refuted.iter().take(FINDINGS).map(Finding::to_string).collect();
        if self.refuted.len() > FINDINGS {
            let more = self.refuted.len() - FINDINGS;
            notes.push(format!("`kenga validate` names {more} more"));
        }
        if self.runs < self.listed {
            let Self { runs, listed, .. } = self;
            notes.push(format!("only the first {runs} of {listed} runs are used"));
        }
        notes
    }

    /// The best candidate so far, if a race has ended.
    pub fn best(&self) -> Option<usize> {
        let first = |decision: &&Decision| decision.is_elite() && decision.rank == Some(1.0);
        self.decisions.iter().rfind(first).map(|decision| decision.candidate)
    }

    /// The iterations that have ended.
    pub fn iterations(&self) -> u64 {
        self.decisions
            .iter()
            .filter(|decision| decision.is_elite())
            .map(|one| one.iteration)
            .max()
            .unwrap_or(0)
    }
}

/// The calls of all runs.
fn calls_of(folder: &Path, runs: &[TuneRun]) -> Result<u64, ResultsError> {
    let mut calls = 0u64;
    for run in runs {
        // A file that was changed may hold any number.
        let Some(sum) = calls.checked_add(run.calls()) else {
            return Err(ResultsError::damaged(
                &folder.join(RUNS),
                "its calls are too many to be counted".to_owned(),
            ));
        };
        calls = sum;
    }
    Ok(calls)
}
