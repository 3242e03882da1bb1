//! The settings of a sweep as a manifest keeps them: read again, and compared with the sweep that they came from.

use serde_json::json;

use super::axis::Axis;
use super::{Point, Sweep, method};
use crate::experiment::config::Config;
use crate::experiment::error::{ConfigError, Sources};
use crate::experiment::race::RaceRules;
use crate::experiment::resolved::{spec_from_json, value_from_json};
use crate::experiment::settings::{REPLICATES, Setting, Settings};
use crate::spec::{Named, Place, Value};

impl Settings {
    /// The settings that [`lines`](Self::lines) has written; `None` for a text that is not that. `common` is the
    /// configuration of the first setting.
    ///
    /// # Errors
    /// A configuration that this version does not know.
    pub fn from_lines(
        text: &str,
        common: &Config,
        sweep: Option<serde_json::Value>,
    ) -> Result<Option<Self>, ConfigError> {
        let (mut keys, mut points) = (None, Vec::new());
        for line in text.lines() {
            let line: serde_json::Value = match serde_json::from_str(line) {
                Ok(line) => line,
                Err(_) => return Ok(None),
            };
            let (Some(values), Some(config)) = (line["values"].as_object(), line["config"].as_object())
            else {
                return Ok(None);
            };
            let named: Vec<String> = values.keys().cloned().collect();
            if *keys.get_or_insert_with(|| named.clone()) != named {
                return Ok(None);
            }
            let value = |value: &serde_json::Value| (!value.is_null()).then(|| value_from_json(value));
            let mut config = config.clone();
            config.insert(REPLICATES.to_owned(), json!(common.replicates));
            let mut config = Config::from_json(&config)?;
            config.share(points.first().map_or(common, |(_, first)| first));
            points.push((values.values().map(value).collect::<Vec<_>>(), config));
        }
        let race = sweep.as_ref().and_then(race_of);
        Ok(keys.filter(|_| !points.is_empty()).map(|keys| Self::new(keys, points, sweep, race)))
    }

    /// How these settings contradict the sweep that was kept with them, if they do.
    pub fn contradiction(&self) -> Option<String> {
        self.sweep.as_ref().and_then(|sweep| contradiction(sweep, self))
    }
}

/// The rules of a sweep that a manifest has kept, if it is a race.
fn race_of(written: &serde_json::Value) -> Option<RaceRules> {
    method::read(&spec_from_json(written.as_object()?)).ok()?.race()
}

/// In what the points of settings, by the keys that they have, contradict the sweep that a manifest has kept, if they do.
///
/// The points are drawn again over the configuration of the first setting. Where a condition, a preset or a table is
/// swept, what lies below the points may have been another, and only keys and values can be told.
fn contradiction(written: &serde_json::Value, settings: &Settings) -> Option<String> {
    let sweeps_others = || Some("the manifest sweeps other keys or values".to_owned());
    let Some(written) = written.as_object() else { return sweeps_others() };
    let named = Named::new("sweep", Value::Spec(spec_from_json(written)), Place::default());
    let Ok(sweep) = Sweep::read(&named, &Sources::default()) else { return sweeps_others() };
    let is_of = |axis: &Axis, value: &Value| axis.values().is_empty() || axis.values().contains(value);
    let fits = |setting: &Setting| {
        let mut values = sweep.axes.iter().zip(&setting.values);
        values.all(|(axis, value)| value.as_ref().is_none_or(|value| is_of(axis, value)))
    };
    if !sweep.axes.iter().map(|axis| &axis.key).eq(&settings.keys) || !settings.all.iter().all(fits) {
        return sweeps_others();
    }
    let builds_on = |axis: &Axis| axis.values().iter().any(|value| matches!(value, Value::Spec(_)));
    let is_free = |axis: &Axis| axis.when.is_empty() && axis.key != "preset" && !builds_on(axis);
    if !sweep.conditions.is_empty() || !sweep.axes.iter().all(is_free) {
        return None;
    }
    let config = &settings.all[0].config;
    let base = spec_from_json(&config.resolved.object());
    let again = sweep.settings(config.seed, &|_| base.clone()).ok()?;
    let points = |settings: &Settings| settings.all.iter().map(|setting| setting.values.clone()).collect();
    let (was, is): (Vec<Point>, Vec<Point>) = (points(settings), points(&again));
    if was == is { None } else { sweeps_others() }
}
