//! The settings of a sweep as a manifest keeps them: read again, and compared with the sweep that they came from.

use std::sync::Arc;

use thiserror::Error;

use super::axis::Axis;
use super::method::Method;
use super::{COMMON, Sweep, SweepPoint};
use crate::experiment::config::{Config, PRESET, SWEEP, config};
use crate::experiment::json::{Json, at_path, is_value, spec_from_json, value_from_json};
use crate::experiment::labels::LABEL;
use crate::experiment::race::RaceRules;
use crate::experiment::settings::{REPLICATES, Setting, Settings};
use crate::experiment::toml::Sources;
use kenga_core::spec::{Named, Place, Spec, SpecError, Value};

/// Why a text is not the settings of a sweep.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SettingsError {
    /// A setting has a configuration that this program does not know.
    #[error(transparent)]
    Config(#[from] SpecError),
    /// The text is something else, or contradicts the configuration or itself.
    #[error("{0}")]
    Contradiction(String),
}

impl Settings {
    /// The settings of the lines that [`each_line`](Self::each_line) has written, read as JSON one after the other; `common`
    /// is the configuration of the first setting. `None` stands for a line that is none.
    ///
    /// # Errors
    /// [`SettingsError`] for lines that are not that, a configuration that this program does not know, or settings that
    /// contradict `common` or themselves.
    pub(crate) fn from_lines(
        lines: &mut dyn Iterator<Item = Option<Json>>,
        common: &Config,
        sweep: Option<Json>,
    ) -> Result<Self, SettingsError> {
        let mut keys: Vec<String> = Vec::new();
        let mut settings: Vec<Setting> = Vec::new();
        for (index, line) in lines.enumerate() {
            let Some(line) = line else { return Err(unread()) };
            let (Some(values), Some(object)) = (line["values"].as_object(), line["config"].as_object())
            else {
                return Err(unread());
            };
            if settings.is_empty() {
                keys = values.keys().cloned().collect();
            }
            // Columns of `runs.csv` are named by the keys of the first line.
            if !values.keys().eq(&keys) {
                return Err(unread());
            }
            let mut point = SweepPoint::new();
            for value in values.values() {
                point.push(if value.is_null() { None } else { Some(value_from_json(value)) });
            }
            let mut resolved = spec_from_json(object);
            // Lines leave out what a longer experiment changes.
            let replicates = Value::Integer(common.replicates as i64);
            resolved.set(Named::new(REPLICATES, replicates, Place::default()));
            let first = settings.first().map(|first| &first.config);
            let before = settings.last().map_or(common, |last| &last.config);
            let config = config(&resolved, Some(before))?;
            let problem = disagreement(index, &line, &config, first, common)
                .or_else(|| first.and_then(|first| other_key(&keys, &config.resolved, &first.resolved)));
            if let Some(problem) = problem.or_else(|| other_value(&keys, &point, &config.resolved)) {
                return Err(SettingsError::Contradiction(format!("line {}: {problem}", index + 1)));
            }
            settings.push(Setting::new(point, config));
        }
        if settings.is_empty() {
            return Err(unread());
        }
        let race = sweep.as_ref().and_then(race_of);
        Ok(Self::new(keys, settings, sweep, race))
    }

    /// The list of values or the range of a swept key, as it was written.
    pub(crate) fn axis(&self, key: &str) -> Option<&Json> {
        let sweep = self.sweep.as_ref()?;
        // Keys are written as dotted paths in quotes or as tables in tables.
        sweep.get(key).or_else(|| key.split('.').try_fold(sweep, |table, key| table.get(key)))
    }

    /// How these settings contradict the sweep that was kept with them, if they do.
    pub fn contradiction(&self) -> Option<String> {
        self.sweep.as_ref().and_then(|sweep| contradiction(sweep, self))
    }
}

fn unread() -> SettingsError {
    SettingsError::Contradiction("not the settings of a sweep".to_owned())
}

/// The rules of a sweep that a manifest has kept, if it is a race.
fn race_of(written: &Json) -> Option<RaceRules> {
    Method::read(&spec_from_json(written.as_object()?)).ok()?.race
}

/// In what a line of settings contradicts the manifest's configuration, the first line, or itself.
fn disagreement(
    index: usize,
    line: &Json,
    config: &Config,
    first: Option<&Config>,
    common: &Config,
) -> Option<String> {
    if line["setting"] != index {
        return Some(format!("this is setting {index}, not {}", line["setting"]));
    }
    let differs = |key: &str, other: &Config| config.resolved.get(key) != other.resolved.get(key);
    if let Some(first) = first {
        if let Some(key) = COMMON.into_iter().find(|key| differs(key, first)) {
            return Some(format!("`{key}` is not that of the other settings"));
        }
    } else {
        // Lines leave the puzzle files out.
        for Named { key, .. } in common.resolved.values.iter().map(Arc::as_ref) {
            if key != "puzzles" && differs(key, common) {
                return Some(format!("`{key}` is not that of the manifest"));
            }
        }
    }
    None
}

/// Which key of a configuration differs from the first one, though no axis of the sweep reaches it. What an algorithm takes may
/// depend on what is swept, and a label on the swept algorithm.
fn other_key(keys: &[String], config: &Spec, first: &Spec) -> Option<String> {
    let is_swept = |key: &str| {
        keys.iter().any(|swept| swept == PRESET || swept == key || swept.starts_with(&format!("{key}.")))
    };
    for Named { key, .. } in first.values.iter().chain(&config.values).map(Arc::as_ref) {
        let may_differ = key == ALGORITHM || is_swept(key) || key == LABEL && is_swept(ALGORITHM);
        if !may_differ && config.get(key) != first.get(key) {
            return Some(format!("`{key}` is not that of the other settings"));
        }
    }
    None
}

/// The key of the algorithm.
const ALGORITHM: &str = "algorithm";

/// Which swept key has another value in the configuration.
fn other_value(keys: &[String], point: &SweepPoint, config: &Spec) -> Option<String> {
    for (key, value) in keys.iter().zip(point) {
        // A preset leaves no trace of its name.
        if let Some(value) = value
            && key != PRESET
            && !is_swept(key, value, keys, point, config)
        {
            let value = value.as_json();
            return Some(format!("`{key}` is swept as {value}, the configuration has another"));
        }
    }
    None
}

/// The configuration has the value of a swept key, but for what other swept keys set inside it.
fn is_swept(key: &str, value: &Value, keys: &[String], point: &SweepPoint, config: &Spec) -> bool {
    let mut value = value.clone();
    if let Value::Spec(table) = &mut value {
        // The label of an algorithm is that of the setting.
        if key == "algorithm"
            && let Some(label) = remove(table, LABEL)
            && config.get(LABEL) != Some(&label)
        {
            return false;
        }
        for (inner, its_value) in keys.iter().zip(point) {
            if its_value.is_some()
                && let Some(path) = inner.strip_prefix(key).and_then(|path| path.strip_prefix('.'))
            {
                remove(table, path);
            }
        }
    }
    at_path(config, key).is_some_and(|is| is_value(&value, &is))
}

/// Takes away the value at a dotted path.
fn remove(table: &mut Spec, path: &str) -> Option<Value> {
    let (head, rest) = match path.split_once('.') {
        Some((head, rest)) => (head, Some(rest)),
        None => (path, None),
    };
    if rest.is_none() && head == "name" {
        return Some(Value::Text(std::mem::take(&mut table.name)));
    }
    let place = table.values.iter().position(|named| named.key == head)?;
    let Some(rest) = rest else { return Some(table.values.remove(place).value.clone()) };
    match &mut Arc::make_mut(&mut table.values[place]).value {
        Value::Spec(inner) => remove(inner, rest),
        _ => None,
    }
}

/// In what the points of settings, by the keys that they have, contradict the sweep that a manifest has kept, if they do.
///
/// The points are drawn again over the configuration of the first setting. Where a condition, a preset or a table is
/// swept, what lies below the points may have been another: then each setting has to be at a point, in their order, but for
/// what its conditions leave out.
fn contradiction(written: &Json, settings: &Settings) -> Option<String> {
    let sweeps_others = Some("the manifest sweeps other keys or values".to_owned());
    let Some(written) = written.as_object() else { return sweeps_others };
    let named = Named::new(SWEEP, Value::Spec(spec_from_json(written)), Place::default());
    let Ok(sweep) = Sweep::read(&named, &Sources::default()) else { return sweeps_others };
    if !sweep.axes.iter().map(|axis| &axis.key).eq(&settings.keys) {
        return sweeps_others;
    }
    for setting in &settings.all {
        for (axis, value) in sweep.axes.iter().zip(&setting.values) {
            if let Some(value) = value
                && !axis.values.is_empty()
                && !axis.values.contains(value)
            {
                return sweeps_others;
            }
        }
    }
    let config = &settings.all[0].config;
    if !are_at_points(settings, &sweep, config.seed) {
        return sweeps_others;
    }
    if !sweep.conditions.is_empty() || !sweep.axes.iter().all(is_free) {
        return None;
    }
    let again = sweep.settings(config.seed, &|_| config.resolved.clone()).ok()?;
    let points = settings.all.iter().map(|setting| &setting.values);
    if points.eq(again.all.iter().map(|setting| &setting.values)) { None } else { sweeps_others }
}

/// Each setting is at a point that the method of a sweep draws, in their order.
fn are_at_points(settings: &Settings, sweep: &Sweep, seed: u64) -> bool {
    let mut rng = Sweep::rng(seed);
    // A method that takes other axes, or more of them than any sweep has points, gave none of these settings.
    let Ok(mut points) = sweep.points(&mut rng) else { return false };
    for setting in &settings.all {
        // A point that gave no setting was refused, or equal to one before.
        let is_here = |draws: Vec<f64>| {
            let mut chosen = sweep.axes.iter().zip(&draws).zip(&setting.values);
            chosen.all(|((axis, draw), value)| value.as_ref().is_none_or(|value| axis.at(*draw) == *value))
        };
        if !points.any(is_here) {
            return false;
        }
    }
    true
}

/// What lies below the values of an axis is the same at every point.
fn is_free(axis: &Axis) -> bool {
    let has_tables = axis.values.iter().any(|value| matches!(value, Value::Spec(_)));
    axis.when.is_empty() && axis.key != PRESET && !has_tables
}
