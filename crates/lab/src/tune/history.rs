//! The history of a tuning, read from its folder: what was tried, when it was dropped, and what it came to.

use std::path::Path;

use serde_json::Value as Json;

use super::manifest::{ABLATION, CANDIDATES, DECISIONS, RUNS, TuneManifest, damaged};
use super::recorded::RecordedRun;
use super::validate::{CheckedTuning, check_without_replay};
use super::{AblationStep, Options};
use crate::experiment::Space;
use crate::results::{Finding, ResultsError};

/// A tuning as its folder tells it.
#[derive(Debug)]
pub struct TuneHistory {
    /// What it was for.
    pub manifest: TuneManifest,
    /// The space.
    pub space: Space,
    /// The options.
    pub options: Options,
    /// The candidates, in the order of birth.
    pub candidates: Vec<CandidateRow>,
    /// The decisions, in their order.
    pub decisions: Vec<DecisionRow>,
    /// The ablation path.
    pub ablation: Vec<AblationStep>,
    /// Runs.
    pub runs: u64,
    /// Those of them that were cut short.
    pub cut: u64,
    /// Calls of all runs.
    pub used: u64,
    /// Rows of `runs.csv`.
    listed: u64,
    /// What does not hold.
    refuted: Vec<Finding>,
}

/// How many claims that do not hold are named.
const FINDINGS: usize = 5;

/// A candidate.
#[derive(Clone, Debug)]
pub struct CandidateRow {
    /// The iteration of its birth, from 1; 0 of the ablation.
    pub iteration: u64,
    /// Its coordinates, from 0 to 1.
    pub draws: Vec<Option<f64>>,
    /// Its values, in words.
    pub words: Vec<Option<String>>,
}

/// A decision.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionRow {
    /// The iteration, from 1.
    pub iteration: u64,
    /// Blocks of the race until then.
    pub blocks: u64,
    /// The candidate.
    pub candidate: usize,
    /// It is an elite; it is dropped otherwise.
    pub is_elite: bool,
    /// By which test.
    pub test: String,
    /// The place of an elite, from 1, or an average rank.
    pub rank: Option<f64>,
    /// Mean cost.
    pub cost: f64,
    /// Calls of all runs until then.
    pub used: u64,
}

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
        let CheckedTuning { found, listed, runs, derived } = check_without_replay(path, jobs)?;
        let DerivedRows { candidates, decisions, ablation } =
            DerivedRows::read(path, &derived, &space.keys())?;
        let used = calls_of(path, &runs)?;
        let cut = runs.iter().filter(|run| run.outcome.is_capped).count() as u64;
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
        let first = |decision: &&DecisionRow| decision.is_elite && decision.rank == Some(1.0);
        self.decisions.iter().rfind(first).map(|decision| decision.candidate)
    }

    /// The iterations that have ended.
    pub fn iterations(&self) -> u64 {
        self.decisions.iter().filter(|decision| decision.is_elite).map(|one| one.iteration).max().unwrap_or(0)
    }
}

/// The rows of the files that follow from the runs.
struct DerivedRows {
    candidates: Vec<CandidateRow>,
    decisions: Vec<DecisionRow>,
    ablation: Vec<AblationStep>,
}

impl DerivedRows {
    /// Reads the texts of `candidates.jsonl`, `decisions.csv` and `ablation.csv`.
    fn read(folder: &Path, texts: &[String; 3], keys: &[String]) -> Result<Self, ResultsError> {
        let [candidates, decisions, ablation] = texts;
        let candidates = rows(&folder.join(CANDIDATES), candidates, 0, |row| candidate(row, keys))?;
        let born = candidates.len();
        // Every iteration has a newcomer at least.
        let decisions = rows(&folder.join(DECISIONS), decisions, 1, |row| {
            decision(row).filter(|one| one.candidate < born && one.iteration <= born as u64)
        })?;
        let ablation =
            rows(&folder.join(ABLATION), ablation, 1, |row| step(row).filter(|one| one.candidate < born))?;
        Ok(Self { candidates, decisions, ablation })
    }
}

/// The calls of all runs.
fn calls_of(folder: &Path, runs: &[RecordedRun]) -> Result<u64, ResultsError> {
    let mut calls = 0u64;
    for run in runs {
        let Some(sum) = calls.checked_add(run.outcome.calls()) else {
            return Err(damaged(&folder.join(RUNS), "its calls are too many to be counted".to_owned()));
        };
        calls = sum;
    }
    Ok(calls)
}

/// The rows of the text of a file behind those of its head.
fn rows<T>(
    at: &Path,
    text: &str,
    head: usize,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>, ResultsError> {
    let mut rows = Vec::new();
    for (index, line) in text.lines().enumerate().skip(head) {
        match read(line) {
            Some(row) => rows.push(row),
            None => return Err(damaged(at, format!("line {} is not a valid row", index + 1))),
        }
    }
    Ok(rows)
}

fn candidate(row: &str, keys: &[String]) -> Option<CandidateRow> {
    let json: Json = serde_json::from_str(row).ok()?;
    let draws: Vec<Option<f64>> = json["draws"].as_array()?.iter().map(Json::as_f64).collect();
    // Figures look up the coordinates by the place of the key.
    if draws.len() != keys.len() {
        return None;
    }
    let mut words = Vec::with_capacity(keys.len());
    for key in keys {
        words.push(match &json["values"][key] {
            Json::Null => None,
            Json::String(text) => Some(text.clone()),
            Json::Object(member) if member.contains_key("name") => member["name"].as_str().map(str::to_owned),
            other => Some(other.to_string()),
        });
    }
    Some(CandidateRow { iteration: json["iteration"].as_u64()?, draws, words })
}

fn decision(row: &str) -> Option<DecisionRow> {
    let cells: Vec<&str> = row.split(',').collect();
    let [iteration, blocks, _, candidate, kind, test, _, rank, cost, used] = cells[..] else { return None };
    Some(DecisionRow {
        iteration: iteration.parse().ok()?,
        blocks: blocks.parse().ok()?,
        candidate: candidate.parse().ok()?,
        is_elite: kind == "elite",
        test: test.to_owned(),
        rank: rank.parse().ok(),
        cost: cost.parse().ok()?,
        used: used.parse().ok()?,
    })
}

fn step(row: &str) -> Option<AblationStep> {
    let (number, rest) = row.split_once(",\"")?;
    let (change, rest) = rest.rsplit_once("\",")?;
    let cells: Vec<&str> = rest.split(',').collect();
    let [candidate, cost, solved, blocks] = cells[..] else { return None };
    Some(AblationStep {
        step: number.parse().ok()?,
        change: change.replace("\"\"", "\""),
        candidate: candidate.parse().ok()?,
        cost: cost.parse().ok()?,
        solved: solved.parse().ok()?,
        blocks: blocks.parse().ok()?,
    })
}
