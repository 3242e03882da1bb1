//! The rows of `runs.csv`.

use std::str::FromStr;

use csv::StringRecord;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};

use super::{CsvRow, csv_text, read_fields};
use crate::experiment::{Config, Plan, RunRecord, race_calls};
use crate::results::files::RUNS;
use kenga_core::budget::StopReason;
use kenga_core::text::{cell, from_cell};

/// A row of `runs.csv`; an empty field is unknown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRow {
    /// Index of the run.
    pub run: u64,
    /// Id of the puzzle.
    pub puzzle: String,
    /// Index of the setting.
    pub setting: u64,
    /// Index of the replicate.
    pub replicate: u64,
    /// The values of the swept keys, one column a key; empty for a key that is left out of the setting.
    #[serde(skip_deserializing, serialize_with = "cells")]
    pub swept: Vec<String>,
    /// Whether it reached fitness 0.
    pub solved: bool,
    /// Whether it did, and the referee agreed.
    pub verified: bool,
    /// What solved it: `search`, or `propagation` before the search.
    pub solved_by: Option<String>,
    /// Evaluations spent.
    pub evaluations: u64,
    /// Moves spent.
    pub moves: u64,
    /// Generations completed.
    pub generations: u64,
    /// Lowest fitness; like all of the best unknown where the run ended before its first evaluation.
    pub best_fitness: Option<u32>,
    /// Evaluations spent when it was found.
    pub evaluations_to_best: Option<u64>,
    /// Moves spent when it was found.
    pub moves_to_best: Option<u64>,
    /// A [`StopReason`] by name.
    pub stop_reason: String,
    /// Evaluations after which no solution could be found any more.
    pub dead_at: Option<u64>,
    /// Cells in which the best differs from the nearest known solution.
    pub distance: Option<u32>,
    /// The best grid; empty where it is unknown.
    pub grid: String,
}

/// The value of the column `solved_by`.
pub(crate) fn solver_of(by_propagation: bool) -> &'static str {
    if by_propagation { "propagation" } else { "search" }
}

impl RunRow {
    /// Evaluations within which a solution counts as found at once.
    pub(crate) const AT_ONCE: u64 = 100;

    /// The row of a finished run of a plan.
    pub fn new(record: &RunRecord, plan: &Plan) -> Self {
        let best = record.best.as_ref();
        Self {
            run: record.id.run,
            puzzle: plan.puzzles[record.id.puzzle].id.clone(),
            setting: record.id.setting,
            replicate: record.id.replicate,
            // People read the labels; `settings.jsonl` has the values.
            swept: plan.setting(record.id.setting).labels.clone(),
            solved: record.solved,
            verified: record.verified,
            solved_by: record.solved.then(|| solver_of(record.by_propagation).to_owned()),
            evaluations: record.spent.evaluations,
            moves: record.spent.moves,
            generations: record.spent.generations,
            best_fitness: best.map(|best| best.fitness),
            evaluations_to_best: best.map(|best| best.at.evaluations),
            moves_to_best: best.map(|best| best.at.moves),
            stop_reason: record.stop.name().to_owned(),
            dead_at: record.dead_at,
            distance: best.and_then(|best| best.distance),
            grid: best.map_or_else(String::new, |best| best.grid.to_string()),
        }
    }

    /// The puzzle, setting or replicate that the plan does not have there, in words.
    pub fn contradiction(&self, plan: &Plan) -> Option<String> {
        let run = self.run;
        let id = plan.id(run);
        let is_planned = run < plan.runs() && self.puzzle == plan.puzzles[id.puzzle].id;
        if is_planned && self.setting == id.setting && self.replicate == id.replicate {
            return None;
        }
        // A name that the plan has nowhere says more than that the row is out of place.
        if !plan.puzzles.iter().any(|puzzle| puzzle.id == self.puzzle) {
            let puzzle = &self.puzzle;
            return Some(format!("run {run} is of `{puzzle}`, which is not among the folder's puzzles"));
        }
        if self.setting >= plan.settings.all.len() as u64 {
            let setting = self.setting;
            return Some(format!(
                "run {run} is of setting {setting}, which is not among the folder's settings"
            ));
        }
        Some(format!("run {run} has another puzzle, setting or replicate than the plan says"))
    }

    /// Reads the columns that every file has by their places; `keys` swept keys stand between them. `None` if a field cannot be
    /// read.
    fn read_quickly(record: &StringRecord, keys: usize) -> Option<Self> {
        let field = |place: usize| record.get(if place < BEFORE_SWEPT { place } else { place + keys });
        let number = |place: usize| field(place)?.parse().ok();
        let flag = |place: usize| field(place)?.parse().ok();
        let text = |place: usize| Some(field(place)?.to_owned());
        Some(Self {
            run: number(0)?,
            puzzle: text(1)?,
            setting: number(2)?,
            replicate: number(3)?,
            swept: Vec::new(),
            solved: flag(4)?,
            verified: flag(5)?,
            solved_by: known(field(6)?)?,
            evaluations: number(7)?,
            moves: number(8)?,
            generations: number(9)?,
            best_fitness: known(field(10)?)?,
            evaluations_to_best: known(field(11)?)?,
            moves_to_best: known(field(12)?)?,
            stop_reason: text(13)?,
            dead_at: known(field(14)?)?,
            distance: known(field(15)?)?,
            grid: text(16)?,
        })
    }

    /// The row as an object with the columns of its file in their order; what is empty there is null.
    pub fn object(&self, columns: &[String]) -> Map<String, Value> {
        let Ok(Value::Object(mut fields)) = serde_json::to_value(self) else { return Map::new() };
        let mut swept = self.swept.iter();
        let mut object = Map::new();
        for column in columns {
            let value = match fields.shift_remove(column) {
                Some(Value::String(text)) if text.is_empty() => Value::Null,
                Some(value) => value,
                None => swept.next().map_or(Value::Null, |label| value_of(label)),
            };
            object.insert(column.clone(), value);
        }
        object
    }

    /// Evaluations and moves spent.
    pub fn calls(&self) -> u64 {
        self.evaluations.saturating_add(self.moves)
    }

    /// Evaluations and moves spent when the best was found.
    pub fn calls_to_best(&self) -> Option<u64> {
        Some(self.evaluations_to_best?.saturating_add(self.moves_to_best?))
    }

    /// Whether the run solved its puzzle: it reached fitness 0, and the referee agreed.
    pub fn is_success(&self) -> bool {
        self.solved && self.verified
    }

    /// Whether the referee refuted the solution that the run ended with.
    pub fn is_refuted(&self) -> bool {
        self.stop_reason == StopReason::Solved.name() && !self.verified
    }

    /// Evaluations and moves until the solution; `None` for a run without one.
    pub fn calls_to_solution(&self) -> Option<u64> {
        if self.is_success() { self.calls_to_best() } else { None }
    }

    /// The number that a race compares.
    pub fn race_calls(&self) -> f64 {
        race_calls(self.is_success(), self.calls_to_best().unwrap_or(0))
    }

    /// Whether the clock ended the run, so that it cannot be replayed.
    pub fn was_cut_by_the_clock(&self) -> bool {
        self.stop_reason == StopReason::Seconds.name()
    }

    /// Whether it failed.
    pub fn has_failed(&self) -> bool {
        self.stop_reason == StopReason::Failed.name()
    }

    /// Whether it was solved within its first hundred evaluations. Of a program this may say that it solves the puzzle by
    /// other means than the search.
    pub fn is_solved_at_once(&self) -> bool {
        self.is_success() && self.evaluations <= Self::AT_ONCE
    }

    /// Whether propagation reached fitness 0 before the search; `None` of a run that did not reach it.
    pub(crate) fn is_by_propagation(&self) -> Option<bool> {
        self.solved_by.as_deref().map(|solver| solver == solver_of(true))
    }
}

/// A value that may be unknown; `None` if it cannot be read.
fn known<T: FromStr>(field: &str) -> Option<Option<T>> {
    if field.is_empty() { Some(None) } else { field.parse().ok().map(Some) }
}

/// The value of a swept key, from its label; null for a key that the setting does not have.
fn value_of(label: &str) -> Value {
    match label {
        "" => Value::Null,
        label => serde_json::from_str(label).unwrap_or_else(|_| Value::String(label.to_owned())),
    }
}

/// Writes the texts that the author of a sweep chose, each as a [`cell`].
fn cells<S: Serializer>(texts: &[String], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(texts.iter().map(|text| cell(text)))
}

/// The number of columns before the swept keys.
const BEFORE_SWEPT: usize = 4;

/// The columns that every file has.
const COLUMNS: [&str; 17] = [
    "run",
    "puzzle",
    "setting",
    "replicate",
    "solved",
    "verified",
    "solved_by",
    "evaluations",
    "moves",
    "generations",
    "best_fitness",
    "evaluations_to_best",
    "moves_to_best",
    "stop_reason",
    "dead_at",
    "distance",
    "grid",
];

impl CsvRow for RunRow {
    const FILE: &'static str = RUNS;

    fn read(record: &StringRecord, columns: &StringRecord, _places: &[usize]) -> Result<Self, String> {
        let keys = record.len().saturating_sub(COLUMNS.len());
        // A field that is not as kenga writes it is told, or understood, by the slow way.
        let mut row = match Self::read_quickly(record, keys) {
            Some(row) => row,
            None => read_fields(record, columns)?,
        };
        // Their names are in the header alone, between columns that are fixed.
        for label in record.iter().skip(BEFORE_SWEPT).take(keys) {
            row.swept.push(from_cell(label).to_owned());
        }
        Ok(row)
    }

    fn text(rows: impl IntoIterator<Item = Self>, _config: &Config) -> Vec<u8> {
        csv_text(rows, false)
    }
}

/// The header line of `runs.csv`, with the keys that are swept.
pub(in crate::results) fn run_header(keys: &[String]) -> Vec<u8> {
    let mut columns = COLUMNS.to_vec();
    columns.splice(BEFORE_SWEPT..BEFORE_SWEPT, keys.iter().map(String::as_str));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns).expect("memory does not fail");
    writer.into_inner().expect("memory does not fail")
}
