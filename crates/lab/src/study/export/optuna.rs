//! A journal for the `JournalStorage` of Optuna: one study, with a trial for each setting.
//!
//! Parameters are the keys that distinguish the settings; a key that is swept over a range has its ends and its scale. The
//! value is PAR-10, the mean calls to the solution, an unsolved run counting ten budgets of its setting; or where no run can
//! be solved the mean of the best values, failed runs left out. Intermediate values are its running mean after every
//! replicate.
//! Results hold no clock, so every trial begins and ends at [`NO_TIME`].
//!
//! T. Akiba, S. Sano, T. Yanase, T. Ohta, M. Koyama, "Optuna", KDD 2019, doi 10.1145/3292500.3330701; PAR-10: F. Hutter,
//! H. Hoos, K. Leyton-Brown, T. Stützle, JAIR 36, 2009, doi 10.1613/jair.2861.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::columns::{CellKind, KeyColumns};
use super::{Export, ExportError, ExportFormat, ExportRows, Files};
use crate::study::{Metric, RunSubject, StudySetting};
use kenga_core::sort::sort_by;
use kenga_stats::{expected_running_time, median, rank_values, successes};

/// The format.
pub(super) const FORMAT: ExportFormat = ExportFormat {
    name: "optuna",
    about: "a journal that Optuna loads: one study, one trial per setting, valued by PAR-10 of calls, or by the best value where no optimum is known",
    is_folder: false,
    is_table: false,
    write,
};

/// The time at which every trial begins and ends: results hold no clock.
const NO_TIME: &str = "2000-01-01T00:00:00.000000";

// Operations of the journal.
const CREATE_STUDY: u8 = 0;
const STUDY_USER_ATTR: u8 = 2;
const STUDY_SYSTEM_ATTR: u8 = 3;
const CREATE_TRIAL: u8 = 4;
const TRIAL_PARAM: u8 = 5;
const TRIAL_STATE: u8 = 6;
const INTERMEDIATE: u8 = 7;
const TRIAL_USER_ATTR: u8 = 8;

// Its directions and the states of its trials.
const MINIMIZE: u8 = 1;
const MAXIMIZE: u8 = 2;
const COMPLETE: u8 = 1;
const FAIL: u8 = 3;

const NOTE: &str = "one trial per setting; value: PAR-10 of calls (evaluations and moves) to the solution, an unsolved run \
                    counts ten budgets of its setting; the mean of the best values where no run can be solved, \
                    failed runs left out; intermediate values: the same up to a replicate; \
                    a setting without runs: failed; datetimes mean nothing: results hold no clock";

fn write(export: &Export, _rows: ExportRows, files: &mut dyn Files) -> Result<(), ExportError> {
    let keys = &export.distinguishing;
    let spaces: Vec<ParamSpace> =
        (0..keys.columns.len()).map(|column| ParamSpace::new(export, column)).collect();
    let is_by_value = !RunSubject::of(&export.study).can_be_solved;
    let first = export.study.counted_runs().next();
    let scale = first.and_then(|run| export.study.scale(run)).filter(|_| is_by_value);
    let direction = if scale.is_some_and(|scale| scale.maximise) { MAXIMIZE } else { MINIMIZE };
    files.file("", &mut |out| {
        let mut journal = Journal { export, spaces: &spaces, is_by_value, out };
        journal.study(direction)?;
        for setting in 0..export.study.settings.len() {
            journal.trial(setting)?;
        }
        Ok(())
    })
}

/// A journal being written.
struct Journal<'a> {
    export: &'a Export,
    /// The values of each key that distinguishes the settings.
    spaces: &'a [ParamSpace],
    /// The value of a trial is a mean of best values, not PAR-10: no run can be solved.
    is_by_value: bool,
    out: &'a mut (dyn Write + Send),
}

impl Journal<'_> {
    /// Writes an operation.
    fn log(&mut self, operation: u8, fields: Value) -> io::Result<()> {
        let mut line = json!({ "op_code": operation, "worker_id": "kenga" });
        let fields = fields.as_object().expect("fields are an object").clone();
        line.as_object_mut().expect("a line is an object").extend(fields);
        writeln!(self.out, "{line}")
    }

    fn study(&mut self, direction: u8) -> io::Result<()> {
        let names: Vec<&str> = self.export.study.folders.iter().map(|folder| &*folder.name).collect();
        let name = names.join(" + ");
        self.log(CREATE_STUDY, json!({ "study_name": name, "directions": [direction] }))?;
        for (name, value) in [("kenga", env!("CARGO_PKG_VERSION")), ("note", NOTE)] {
            self.log(STUDY_USER_ATTR, json!({ "study_id": 0, "user_attr": { name: value } }))?;
        }
        let names = json!({ "study:metric_names": [if self.is_by_value { "mean best value" } else { "PAR-10 of calls" }] });
        self.log(STUDY_SYSTEM_ATTR, json!({ "study_id": 0, "system_attr": names }))
    }

    /// The number of a run whose mean is the value of its trial; `None` of a run that is left out.
    fn number(&self, run: usize, budget: f64) -> Option<f64> {
        let study = &self.export.study;
        if self.is_by_value {
            return study.value(run).filter(|_| !study.runs.has_failed(run));
        }
        Some(Metric::Calls.observed(&study.runs, run)?.penalised(budget))
    }

    /// Writes a setting; the ids of trials count from 0 as settings do.
    fn trial(&mut self, trial: usize) -> io::Result<()> {
        let study = &self.export.study;
        let setting = &study.settings[trial];
        let budget = Metric::Calls.budget(&study.runs, setting);
        self.log(CREATE_TRIAL, json!({ "study_id": 0, "datetime_start": NO_TIME }))?;
        self.params(trial)?;
        let mut numbers = Vec::new();
        for run in setting.runs() {
            numbers.extend(self.number(run, budget).map(|number| (study.runs.replicate[run], number)));
        }
        for (step, value) in running_means(&numbers) {
            self.log(INTERMEDIATE, json!({ "trial_id": trial, "step": step, "intermediate_value": value }))?;
        }
        for (name, value) in attributes(self.export, setting, budget) {
            self.log(TRIAL_USER_ATTR, json!({ "trial_id": trial, "user_attr": { name: value } }))?;
        }
        // A setting without a run is a trial that failed: Optuna takes no value that is missing.
        let (state, values) = match running_means(&numbers).last() {
            Some((_, value)) => (COMPLETE, json!([value])),
            None => (FAIL, Value::Null),
        };
        let end =
            json!({ "trial_id": trial, "state": state, "values": values, "datetime_complete": NO_TIME });
        self.log(TRIAL_STATE, end)
    }

    fn params(&mut self, trial: usize) -> io::Result<()> {
        let KeyColumns { columns, cells } = &self.export.distinguishing;
        for ((column, space), cell) in columns.iter().zip(self.spaces).zip(&cells[trial]) {
            // A key without a value in the setting is not a parameter of the trial.
            let Some(value) = space.internal(cell) else { continue };
            let param = json!({
                "trial_id": trial,
                "param_name": column.name,
                "param_value_internal": value,
                "distribution": space.distribution.to_string(),
            });
            self.log(TRIAL_PARAM, param)?;
        }
        Ok(())
    }
}

/// The values that a parameter takes.
struct ParamSpace {
    distribution: Value,
    /// The choices, unless the values are numbers.
    choices: Option<Vec<Value>>,
}

impl ParamSpace {
    fn new(export: &Export, column: usize) -> Self {
        let values = &export.distinguishing;
        let mut known: Vec<Value> = Vec::new();
        for row in &values.cells {
            // Optuna refuses a journal whose choices differ between trials: all are gathered first.
            let value = choice(&row[column]);
            if !row[column].is_null() && !known.contains(&value) {
                known.push(value);
            }
        }
        let name = match values.columns[column].kind {
            CellKind::Integer => "IntDistribution",
            CellKind::Real => "FloatDistribution",
            CellKind::Flag | CellKind::Text => {
                let distribution =
                    json!({ "name": "CategoricalDistribution", "attributes": { "choices": known } });
                return Self { distribution, choices: Some(known) };
            }
        };
        // Optuna takes further trials from the range that was asked for, not from what was drawn of it.
        let mut is_log = false;
        for folder in &export.study.folders {
            let Some(axis) = folder.plan.settings.axis(&values.columns[column].name) else { continue };
            is_log |= axis.get("scale").is_some_and(|scale| scale == "log");
            known.extend(["from", "to"].iter().filter_map(|end| axis.get(end)).cloned());
        }
        sort_by(&mut known, |a, b| a.as_f64().partial_cmp(&b.as_f64()).expect("settings hold no NaN"));
        let step = if name == "IntDistribution" { json!(1) } else { Value::Null };
        // The logarithm of what another folder has may be unknown.
        let is_log = is_log && known.first().and_then(Value::as_f64).is_some_and(|least| least > 0.0);
        let attributes = json!({ "log": is_log, "step": step, "low": known.first(), "high": known.last() });
        Self { distribution: json!({ "name": name, "attributes": attributes }), choices: None }
    }

    /// A value in the journal: a number, or the index of a choice.
    fn internal(&self, cell: &Value) -> Option<Value> {
        if cell.is_null() {
            return None;
        }
        let Some(choices) = &self.choices else { return Some(cell.clone()) };
        let value = choice(cell);
        choices.iter().position(|known| *known == value).map(|place| json!(place))
    }
}

/// A choice; Optuna has no lists.
fn choice(cell: &Value) -> Value {
    if cell.is_array() || cell.is_object() { Value::String(cell.to_string()) } else { cell.clone() }
}

fn mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() { None } else { Some(values.iter().sum::<f64>() / values.len() as f64) }
}

/// The mean of the numbers of runs up to every replicate.
fn running_means(numbers: &[(u64, f64)]) -> Vec<(u64, f64)> {
    let mut means: Vec<(u64, f64)> = Vec::new();
    let mut sum = 0.0;
    for (count, (replicate, number)) in (1u64..).zip(numbers) {
        sum += number;
        let now = (*replicate, sum / count as f64);
        match means.last_mut() {
            Some(last) if last.0 == now.0 => *last = now,
            _ => means.push(now),
        }
    }
    means
}

/// The attributes of a trial; null where a number is unknown. A run whose program failed is charged its whole `budget`, and is in
/// no median and no mean of best values.
fn attributes(export: &Export, setting: &StudySetting, budget: f64) -> Vec<(&'static str, Value)> {
    let runs = &export.study.runs;
    let (mut observed, mut finished) = (Vec::new(), Vec::new());
    let (mut best, mut values) = (Vec::new(), Vec::new());
    for run in setting.runs() {
        let Some(mut calls) = Metric::Calls.observed(runs, run) else { continue };
        if !runs.has_failed(run) {
            finished.push(calls);
            best.extend(runs.best_fitness[run].map(f64::from));
            values.extend(export.study.value(run));
        } else if budget.is_finite() {
            calls.spent = budget;
        }
        observed.push(calls);
    }
    let (runs, solved) = (observed.len(), successes(&observed));
    let mut attributes = vec![
        ("folder", json!(export.study.folders[setting.folder].name)),
        ("setting", json!(setting.setting)),
        ("label", json!(setting.label)),
        ("runs", json!(runs)),
        ("solved", json!(solved)),
        ("success_rate", json!(if runs > 0 { Some(solved as f64 / runs as f64) } else { None })),
        ("median_calls_to_solution", json!(median(&rank_values(&finished)).map(|median| median.value))),
        ("expected_running_calls", json!(expected_running_time(&observed))),
        ("mean_best_fitness", json!(mean(&best))),
    ];
    // Puzzles have no values.
    if !values.is_empty() {
        attributes.push(("mean_best_value", json!(mean(&values))));
    }
    attributes
}
