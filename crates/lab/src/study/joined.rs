//! What is compared: each setting by itself, or all settings with the same values of some keys joined.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::sample::{Block, RunValue, SettingSample};
use super::{CompareError, Metric, Study, StudySetting};
use crate::experiment::{Plan, is_inside, short_key};
use crate::results::RunRow;
use kenga_core::sort::sort_by;
use kenga_stats::{Observed, mean};

/// One setting, or several joined, with their runs.
#[derive(Clone)]
pub struct JoinedSettings {
    /// Its name in tables.
    pub name: String,
    /// Its name in sentences.
    pub spoken: String,
    /// Its values of the requested keys, in their order; empty where single settings are compared.
    pub values: Vec<String>,
    /// The settings that it joins, as indices of [`Study::settings`].
    pub settings: Vec<usize>,
    /// The number of each setting of the study. Settings that agree in all keys but the requested ones have the same
    /// number, whatever they are joined to.
    variants: Arc<[u32]>,
    /// The other keys of each number with their values.
    pub(super) variant_names: Arc<[String]>,
    /// Its runs by block, in order, as indices of [`Study::runs`].
    runs: Vec<u32>,
}

impl JoinedSettings {
    /// Its runs by block, in order, as indices of [`Study::runs`].
    pub fn runs(&self) -> impl ExactSizeIterator<Item = usize> + Clone {
        self.runs.iter().map(|run| *run as usize)
    }

    /// Its runs on one puzzle, or on all.
    pub fn runs_on<'a>(
        &'a self,
        study: &Study,
        puzzle: Option<&str>,
    ) -> impl ExactSizeIterator<Item = usize> + Clone + use<'a> {
        let mut runs = &self.runs[..];
        if let Some(puzzle) = puzzle {
            // Blocks are in the order of the ids.
            let first = runs.partition_point(|run| **study.puzzle_of(*run as usize) < *puzzle);
            runs = &runs[first..];
            runs = &runs[..runs.partition_point(|run| **study.puzzle_of(*run as usize) <= *puzzle)];
        }
        runs.iter().map(|run| *run as usize)
    }

    /// Its runs on one puzzle, or on all, in terms of a metric.
    ///
    /// # Errors
    /// [`CompareError::NoRun`], and [`CompareError::NoValue`] for a run that did not fail and has no value of the metric.
    pub fn sample(
        &self,
        study: &Study,
        metric: Metric,
        puzzle: Option<&str>,
    ) -> Result<SettingSample, CompareError> {
        self.sample_of(study, metric, puzzle, |run| metric.observed(&study.runs, run))
    }

    /// Its runs in terms of times or values in the unit of a metric, `None` where one is unknown. Of a time a run has solved
    /// when that time is not censored.
    ///
    /// # Errors
    /// As [`sample`](Self::sample).
    pub(super) fn sample_of(
        &self,
        study: &Study,
        metric: Metric,
        puzzle: Option<&str>,
        observed: impl Fn(usize) -> Option<Observed>,
    ) -> Result<SettingSample, CompareError> {
        let (runs, chosen) = (&study.runs, self.runs_on(study, puzzle));
        if chosen.len() == 0 {
            return Err(CompareError::NoRun(self.name.clone()));
        }
        let mut budgets = BTreeMap::new();
        for setting in &self.settings {
            budgets.insert(*setting as u32, metric.budget(runs, &study.settings[*setting]));
        }
        let mut sample = SettingSample::empty(&self.name, &self.spoken, chosen.len());
        for run in chosen {
            let best = runs.best_fitness[run];
            let failed = runs.has_failed(run) || metric == Metric::BestFitness && best.is_none();
            let observed = match observed(run) {
                // A value from before the failure would rank before those of runs that did not fail.
                _ if failed && !metric.is_time() => Observed::solved(f64::INFINITY),
                Some(observed) => observed,
                None => {
                    let (setting, metric) = (self.name.clone(), metric.name());
                    return Err(CompareError::NoValue { run: runs.run[run], setting, metric });
                }
            };
            let setting = runs.setting[run];
            let value = RunValue {
                observed,
                failed,
                solved: if metric.is_time() { observed.solved } else { runs.solved[run] },
                budget: budgets[&setting],
                gave_up: runs.gave_up(run),
                // A run without evaluations ranks behind all others.
                fitness: best.map_or(f64::INFINITY, f64::from),
                variant: self.variants[setting as usize],
            };
            let puzzle = Arc::clone(study.puzzle_of(run));
            sample.push(Block { puzzle, seed: runs.seed[run], replicate: runs.replicate[run] }, value);
        }
        Ok(sample)
    }

    /// How many of its runs failed, on one puzzle or on all.
    pub fn failed(&self, study: &Study, puzzle: Option<&str>) -> u64 {
        self.runs_on(study, puzzle).filter(|run| study.runs.has_failed(*run)).count() as u64
    }

    /// The mean of the calls of its runs that neither solved nor failed; `None` without one.
    pub(super) fn calls_spent(&self, study: &Study, puzzle: Option<&str>) -> Option<f64> {
        let runs = &study.runs;
        let mut calls = Vec::new();
        for run in self.runs_on(study, puzzle) {
            if !runs.solved[run] && !runs.has_failed(run) {
                calls.push(runs.spent(run) as f64);
            }
        }
        (!calls.is_empty()).then(|| mean(&calls))
    }

    /// How many of its runs a program solved within their first hundred evaluations.
    pub fn solved_at_once(&self, study: &Study, puzzle: Option<&str>) -> u64 {
        let runs = &study.runs;
        let mut count = 0;
        for run in self.runs_on(study, puzzle) {
            let StudySetting { folder, setting, .. } = study.settings[runs.setting[run] as usize];
            let config = &study.folders[folder].plan.setting(setting).config;
            count +=
                u64::from(config.has_program && runs.solved[run] && runs.evaluations[run] <= RunRow::AT_ONCE);
        }
        count
    }
}

impl Study {
    /// Every setting by itself, or all settings with the same values of `keys` joined.
    pub fn joined_settings(&self, keys: &[String]) -> Vec<JoinedSettings> {
        let mut all: Vec<JoinedSettings> = Vec::new();
        let mut index: BTreeMap<String, usize> = BTreeMap::new();
        let (mut numbers, mut variants) = (BTreeMap::new(), Vec::with_capacity(self.settings.len()));
        for (place, setting) in self.settings.iter().enumerate() {
            let named = self.named(setting, keys);
            // Settings with the same values of the keys are one, in the order of the first.
            let joined = *index.entry(named.name.clone()).or_insert(all.len());
            if joined == all.len() {
                all.push(named);
            }
            // Runs of two joined settings are alike in all but the requested keys where their other keys agree.
            let rest = if keys.is_empty() { String::new() } else { self.rest(setting, keys) };
            let next = numbers.len() as u32;
            variants.push(*numbers.entry(rest).or_insert(next));
            let joined = &mut all[joined];
            joined.settings.push(place);
            joined.runs.extend(&setting.runs);
        }
        let mut names = vec![String::new(); numbers.len()];
        for (name, number) in numbers {
            names[number as usize] = name;
        }
        let (names, variants): (Arc<[String]>, Arc<[u32]>) = (names.into(), variants.into());
        for joined in &mut all {
            (joined.variant_names, joined.variants) = (Arc::clone(&names), Arc::clone(&variants));
            let place = |run: &u32| {
                let run = *run as usize;
                (self.runs.start(run), variants[self.runs.setting[run] as usize])
            };
            sort_by(&mut joined.runs, |a, b| place(a).cmp(&place(b)));
        }
        all
    }

    /// What is compared where settings with the values of this one are joined, still without runs.
    fn named(&self, setting: &StudySetting, keys: &[String]) -> JoinedSettings {
        let mut values = Vec::with_capacity(keys.len());
        for key in keys {
            values.push(setting.values.get(key).cloned().unwrap_or_default());
        }
        JoinedSettings {
            name: name_of(keys, &values).unwrap_or_else(|| setting.label.clone()),
            spoken: if !keys.is_empty() {
                spoken(&describe(keys, &values))
            } else if setting.is_named {
                setting.label.clone()
            } else {
                spoken(&setting.label)
            },
            values,
            settings: Vec::new(),
            variants: Arc::default(),
            variant_names: Arc::default(),
            runs: Vec::new(),
        }
    }

    /// The other keys of a setting with their values. A key that is not swept itself, such as a parameter of a member that
    /// one of `keys` names, belongs to that one.
    fn rest(&self, setting: &StudySetting, keys: &[String]) -> String {
        let swept = &self.folders[setting.folder].plan.settings.keys;
        let mut rest = Vec::new();
        for key in &self.keys {
            let is_requested = keys.iter().any(|requested| table(requested) == table(key));
            let is_parameter =
                !swept.contains(key) && keys.iter().any(|requested| is_inside(key, table(requested)));
            if is_requested || is_parameter {
                continue;
            }
            if let Some(value) = setting.values.get(key) {
                rest.push(format!("{} = {value}", short_key(key)));
            }
        }
        rest.join(", ")
    }

    /// The key that `text` stands for; see [`key_meant`].
    pub fn key(&self, text: &str) -> Option<&str> {
        let all: BTreeSet<&String> = self.settings.iter().flat_map(|setting| setting.values.keys()).collect();
        key_meant(text, all, &self.keys)
    }
}

/// The key among `all` that `text` stands for: the key itself, its short form in tables, or an ending that only one key has;
/// of several with that ending the one that is swept.
pub fn key_meant<'a>(
    text: &str,
    all: impl IntoIterator<Item = &'a String>,
    swept_keys: &[String],
) -> Option<&'a str> {
    let (mut short, mut swept, mut ending) = (Vec::new(), Vec::new(), Vec::new());
    for key in all {
        if key == text {
            return Some(key);
        }
        if short_key(key) == text {
            short.push(key);
        }
        if key.strip_suffix(text).is_some_and(|head| head.ends_with('.')) {
            ending.push(key);
            // Tables print one word for the table of an operator and for its name.
            if swept_keys.contains(key) {
                swept.push(key);
            }
        }
    }
    // An ending is a guess, and counts only where nothing better fits.
    for keys in [short, swept, ending] {
        if let [only] = keys[..] {
            return Some(only);
        }
    }
    None
}

/// The table of a member where the key is its name, else the key.
fn table(key: &str) -> &str {
    key.strip_suffix(".name").unwrap_or(key)
}

/// The name of settings with these values of some keys; `None` without keys.
fn name_of(keys: &[String], values: &[String]) -> Option<String> {
    // The value of a single key is a name by itself; of several, each needs its key.
    match keys {
        [] => None,
        [_] if !values[0].is_empty() => Some(values[0].clone()),
        _ => Some(describe(keys, values)),
    }
}

/// The names that the settings of a plan will have in a comparison, joined by these of its swept keys.
pub fn planned_names(plan: &Plan, by: &[String]) -> BTreeSet<String> {
    let settings = &plan.settings;
    let places = by.iter().filter_map(|key| settings.keys.iter().position(|swept| swept == key));
    let places: Vec<usize> = places.collect();
    let mut names = BTreeSet::new();
    for (index, setting) in settings.all.iter().enumerate() {
        let values: Vec<String> = places.iter().map(|place| setting.labels[*place].clone()).collect();
        names.insert(name_of(by, &values).unwrap_or_else(|| match settings.describe(index) {
            words if words.is_empty() => setting.config.algorithm_name(),
            words => words,
        }));
    }
    names
}

/// Keys with their values, for tables.
fn describe(keys: &[String], values: &[String]) -> String {
    let mut parts = Vec::with_capacity(keys.len());
    for (key, value) in keys.iter().zip(values) {
        let key = short_key(key);
        parts.push(if value.is_empty() { format!("no {key}") } else { format!("{key} = {value}") });
    }
    parts.join(", ")
}

/// Keys with their values, for sentences: `mutation.rate 0.05 with population 10`.
fn spoken(label: &str) -> String {
    let label = label.replace(" = ", " ");
    let Some((first, rest)) = label.split_once(", ") else { return label };
    match rest.rsplit_once(", ") {
        Some((others, last)) => format!("{first} with {others} and {last}"),
        None => format!("{first} with {rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_spoken_of_without_signs() {
        assert_eq!(spoken("mutation.rate = 0.05, population = 10"), "mutation.rate 0.05 with population 10");
        assert_eq!(spoken("a = 1, b = 2, c = 3"), "a 1 with b 2 and c 3");
        assert_eq!(spoken("genetic"), "genetic");
    }
}
