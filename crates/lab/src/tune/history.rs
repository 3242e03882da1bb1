//! The history of a tuning, read from its folder: what was tried, when it was dropped, and what it came to.

use std::fs;
use std::path::Path;

use serde_json::Value as Json;

use super::manifest::{ABLATION, CANDIDATES, DECISIONS, RUNS, TuneManifest};
use super::recorded::RecordedRun;
use super::{AblationStep, Options};
use crate::experiment::Space;
use crate::results::ResultsError;

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
    /// Runs, and those that were cut short.
    pub runs: (u64, u64),
    /// Calls of all runs.
    pub used: u64,
}

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
    /// Reads the folder of a tuning, ended or not.
    ///
    /// # Errors
    /// [`ResultsError::NoResults`], [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub fn read(path: &Path) -> Result<Self, ResultsError> {
        let manifest = TuneManifest::read(path)?;
        let damaged = |file: &str, problem: String| ResultsError::Damaged {
            path: path.join(file),
            at: String::new(),
            problem,
        };
        let (space, options) = manifest.space_and_options(path)?;
        let text = |file: &str| {
            let at = path.join(file);
            fs::read_to_string(&at).map_err(ResultsError::io("read", &at))
        };
        let line = |file: &'static str, index: usize| {
            move || damaged(file, format!("line {} is not a valid row", index + 1))
        };
        let keys = space.keys();
        let candidates: Vec<CandidateRow> = whole_lines(&text(CANDIDATES)?)
            .enumerate()
            .map(|(index, row)| candidate(row, &keys).ok_or_else(line(CANDIDATES, index)))
            .collect::<Result<_, _>>()?;
        let born = candidates.len();
        // Every iteration has a newcomer at least.
        let is_possible = |one: &DecisionRow| one.candidate < born && one.iteration <= born as u64;
        let decision = |row: &str| decision(row).filter(is_possible);
        let decisions =
            rows(&text(DECISIONS)?, |index, row| decision(row).ok_or_else(line(DECISIONS, index)))?;
        let step = |row: &str| step(row).filter(|one| one.candidate < born);
        let ablation = rows(&text(ABLATION)?, |index, row| step(row).ok_or_else(line(ABLATION, index)))?;
        let made = rows(&text(RUNS)?, |index, row| RecordedRun::read(row).ok_or_else(line(RUNS, index)))?;
        let used = made.iter().try_fold(0u64, |used, run| used.checked_add(run.outcome.calls()));
        let used = used.ok_or_else(|| damaged(RUNS, "its calls are too many to be counted".to_owned()))?;
        let capped = made.iter().filter(|run| run.outcome.is_capped).count() as u64;
        let runs = (made.len() as u64, capped);
        Ok(Self { manifest, space, options, candidates, decisions, ablation, runs, used })
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

/// The lines that are whole: the last one of a program that was killed may not be.
fn whole_lines(text: &str) -> impl Iterator<Item = &str> {
    text[..text.rfind('\n').map_or(0, |end| end + 1)].lines()
}

fn rows<T>(
    text: &str,
    read: impl Fn(usize, &str) -> Result<T, ResultsError>,
) -> Result<Vec<T>, ResultsError> {
    whole_lines(text).enumerate().skip(1).map(|(index, row)| read(index, row)).collect()
}

fn candidate(row: &str, keys: &[String]) -> Option<CandidateRow> {
    let json: Json = serde_json::from_str(row).ok()?;
    let word = |key: &String| match &json["values"][key] {
        Json::Null => None,
        Json::String(text) => Some(text.clone()),
        Json::Object(member) if member.contains_key("name") => member["name"].as_str().map(str::to_owned),
        other => Some(other.to_string()),
    };
    let draws: Vec<Option<f64>> = json["draws"].as_array()?.iter().map(Json::as_f64).collect();
    if draws.len() != keys.len() {
        return None;
    }
    Some(CandidateRow {
        iteration: json["iteration"].as_u64()?,
        draws,
        words: keys.iter().map(word).collect(),
    })
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
