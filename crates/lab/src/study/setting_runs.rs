//! The runs of the settings that are compared: of each setting, or of all settings with the same values of some keys.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::sample::{Block, RunValue, SettingSample};
use super::{CompareError, Metric, Study, StudyRun, StudySetting};
use crate::experiment::{Plan, is_inside, short_key};
use kenga_core::sort::sort_by;
use kenga_stats::Observed;

/// The runs of a setting, or of several joined.
#[derive(Clone)]
pub struct SettingRuns<'a> {
    /// Its name in tables.
    pub name: String,
    /// Its name in sentences.
    pub spoken: String,
    /// Its values of the requested keys, in their order; empty where single settings are compared.
    pub values: Vec<String>,
    /// The settings that it joins, as indices of [`Study::settings`].
    pub settings: Vec<usize>,
    /// The number of each of these settings, by folder and index there. Settings that agree in all keys but the requested
    /// ones have the same number, whatever they are joined to.
    variants: BTreeMap<(usize, u64), u32>,
    /// The other keys of each number with their values.
    pub(super) variant_names: Arc<[String]>,
    /// Its runs by block, in order.
    pub runs: Vec<&'a StudyRun>,
}

impl StudyRun {
    /// What decides its start: the puzzle, the seed and the replicate. Runs with the same form a [`Block`].
    pub(super) fn start(&self) -> (&str, u64, u64) {
        (&self.row.puzzle, self.seed, self.row.replicate)
    }

    /// The folder and the index of its setting there.
    fn setting(&self) -> (usize, u64) {
        (self.folder, self.row.setting)
    }
}

impl SettingRuns<'_> {
    /// Its runs in terms of a metric.
    ///
    /// # Errors
    /// [`CompareError::NoRun`], and [`CompareError::NoValue`] for a run that did not fail and has no value of the metric.
    pub fn sample(&self, study: &Study, metric: Metric) -> Result<SettingSample, CompareError> {
        self.sample_of(study, metric, |run| metric.observed(run))
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
        observed: impl Fn(&StudyRun) -> Option<Observed>,
    ) -> Result<SettingSample, CompareError> {
        if self.runs.is_empty() {
            return Err(CompareError::NoRun(self.name.clone()));
        }
        let mut budgets = BTreeMap::new();
        for setting in &self.settings {
            let setting = &study.settings[*setting];
            budgets.insert((setting.folder, setting.setting), metric.budget(setting));
        }
        let mut runs = Vec::with_capacity(self.runs.len());
        for run in &self.runs {
            let row = &run.row;
            let evaluated_nothing = metric == Metric::BestFitness && row.best_fitness.is_none();
            let failed = row.has_failed() || evaluated_nothing;
            let observed = match observed(run) {
                // A value from before the failure would rank before those of runs that did not fail.
                _ if failed && !metric.is_time() => Observed::solved(f64::INFINITY),
                Some(observed) => observed,
                None => {
                    let (setting, metric) = (self.name.clone(), metric.name());
                    return Err(CompareError::NoValue { run: row.run, setting, metric });
                }
            };
            let value = RunValue {
                observed,
                failed,
                solved: if metric.is_time() { observed.solved } else { row.solved },
                budget: budgets[&run.setting()],
                gave_up: row.gave_up(),
                // What evaluated nothing is worse than whatever did.
                fitness: row.best_fitness.map_or(f64::INFINITY, f64::from),
                variant: self.variants[&run.setting()],
            };
            let block = Block { puzzle: row.puzzle.clone(), seed: run.seed, replicate: row.replicate };
            runs.push((block, value));
        }
        Ok(SettingSample::new(&self.name, &self.spoken, runs))
    }

    /// How many of its runs failed.
    pub fn failed(&self) -> u64 {
        self.runs.iter().filter(|run| run.row.has_failed()).count() as u64
    }

    /// The mean of the calls of its runs that neither solved nor failed; `None` without one.
    pub fn calls_spent(&self) -> Option<f64> {
        let mut calls = Vec::new();
        for run in &self.runs {
            if !run.row.solved && !run.row.has_failed() {
                calls.push(run.row.calls() as f64);
            }
        }
        (!calls.is_empty()).then(|| kenga_stats::mean(&calls))
    }

    /// How many of its runs a program solved within their first hundred evaluations.
    pub fn solved_at_once(&self, study: &Study) -> u64 {
        let mut count = 0;
        for run in &self.runs {
            let settings = &study.folders[run.folder].plan.settings.all;
            let setting = settings.get(run.row.setting as usize);
            if setting.is_some_and(|setting| setting.config.has_program) && run.row.is_solved_at_once() {
                count += 1;
            }
        }
        count
    }

    /// The setting on one puzzle; `None` without a run of it.
    #[must_use]
    pub fn on(&self, puzzle: &str) -> Option<Self> {
        let mut part = self.clone();
        part.runs.retain(|run| run.row.puzzle == puzzle);
        if part.runs.is_empty() { None } else { Some(part) }
    }
}

impl Study {
    /// The runs of every setting by itself, or of all settings with the same values of `keys` joined.
    pub fn setting_runs(&self, keys: &[String]) -> Vec<SettingRuns<'_>> {
        let mut all: Vec<SettingRuns<'_>> = Vec::new();
        let mut index: BTreeMap<String, usize> = BTreeMap::new();
        let mut variants: BTreeMap<String, u32> = BTreeMap::new();
        for (place, setting) in self.settings.iter().enumerate() {
            let own = self.named(setting, keys);
            // Settings with the same values of the keys are one, in the order of the first.
            let joined = *index.entry(own.name.clone()).or_insert(all.len());
            if joined == all.len() {
                all.push(own);
            }
            // Runs of two joined settings are alike in all but the requested keys where their other keys agree.
            let rest = if keys.is_empty() { String::new() } else { self.rest(setting, keys) };
            let next = variants.len() as u32;
            let variant = *variants.entry(rest).or_insert(next);
            let joined = &mut all[joined];
            joined.settings.push(place);
            joined.variants.insert((setting.folder, setting.setting), variant);
            joined.runs.extend(&setting.runs);
        }
        let mut names = vec![String::new(); variants.len()];
        for (name, number) in variants {
            names[number as usize] = name;
        }
        let names: Arc<[String]> = names.into();
        for SettingRuns { runs, variants, variant_names, .. } in &mut all {
            *variant_names = Arc::clone(&names);
            sort_by(runs, |a, b| {
                a.start().cmp(&b.start()).then_with(|| variants[&a.setting()].cmp(&variants[&b.setting()]))
            });
        }
        all
    }

    /// What is compared where settings with the values of this one are joined, still without runs.
    fn named(&self, setting: &StudySetting, keys: &[String]) -> SettingRuns<'_> {
        let mut values = Vec::with_capacity(keys.len());
        for key in keys {
            values.push(setting.values.get(key).cloned().unwrap_or_default());
        }
        SettingRuns {
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
            variants: BTreeMap::new(),
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
