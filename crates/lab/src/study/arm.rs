//! The sides of a comparison in the runs of a study: one setting each, or all settings with the same values of some keys.

use std::collections::BTreeMap;

use super::sample::{Block, Reading, SideSample};
use super::{CompareError, Metric, Study, StudyRun, StudySetting};
use crate::experiment::short_key;
use kenga_core::sort::sort_by;
use kenga_stats::Observed;

/// One side of a comparison.
#[derive(Clone)]
pub struct Arm<'a> {
    /// Its name in tables.
    pub name: String,
    /// Its name in sentences.
    pub spoken: String,
    /// Its values of the requested keys, in their order; empty where single settings are compared.
    pub values: Vec<String>,
    /// Its settings, as indices of [`Study::settings`].
    pub settings: Vec<usize>,
    /// Its runs by block, in order.
    pub runs: Vec<ArmRun<'a>>,
}

/// A run of a side.
#[derive(Clone)]
pub struct ArmRun<'a> {
    /// Its puzzle, seed and replicate.
    pub block: Block,
    /// Its setting, as an index of [`Study::settings`].
    pub setting: usize,
    /// The number of its setting within the side; settings of two sides that agree in all other keys have the same.
    pub variant: u32,
    /// The run.
    pub run: &'a StudyRun,
}

impl<'a> Arm<'a> {
    /// Its runs in terms of a metric.
    ///
    /// # Errors
    /// [`CompareError::NoRun`], and [`CompareError::NoValue`] for a run without a value of the metric.
    pub fn sample(&self, study: &Study, metric: Metric) -> Result<SideSample, CompareError> {
        self.sample_of(study, metric, |one| metric.observed(one.run))
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
        observed: impl Fn(&ArmRun<'a>) -> Option<Observed>,
    ) -> Result<SideSample, CompareError> {
        if self.runs.is_empty() {
            return Err(CompareError::NoRun(self.name.clone()));
        }
        let budget = |setting: &usize| (*setting, metric.budget(&study.settings[*setting]));
        let budgets: BTreeMap<usize, f64> = self.settings.iter().map(budget).collect();
        let read = |one: &ArmRun<'a>| {
            let (row, budget) = (&one.run.row, budgets[&one.setting]);
            let observed = observed(one).ok_or_else(|| CompareError::NoValue {
                run: row.run,
                side: self.name.clone(),
                metric: metric.name(),
            })?;
            // What evaluated nothing is worse than whatever did.
            let fitness = row.best_fitness.map_or(f64::INFINITY, f64::from);
            let solved = if metric.is_time() { observed.solved } else { row.solved };
            let (gave_up, variant) = (row.gave_up(), one.variant);
            Ok((one.block.clone(), Reading { observed, solved, budget, gave_up, fitness, variant }))
        };
        let runs = self.runs.iter().map(read).collect::<Result<Vec<_>, CompareError>>()?;
        Ok(SideSample::new(&self.name, &self.spoken, runs))
    }

    /// How many of its runs failed.
    pub fn failed(&self) -> u64 {
        self.runs.iter().filter(|one| one.run.row.has_failed()).count() as u64
    }

    /// How many of its runs a program solved within their first hundred evaluations.
    pub fn solved_at_once(&self, study: &Study) -> u64 {
        let mut count = 0;
        for one in &self.runs {
            let StudySetting { source, setting, .. } = &study.settings[one.setting];
            let settings = &study.sources[*source].plan.settings.all;
            let is_program = settings.get(*setting as usize).is_some_and(|setting| setting.config.can_fail);
            if is_program && one.run.row.is_solved_at_once() {
                count += 1;
            }
        }
        count
    }

    /// The side on one puzzle; `None` without a run of it.
    #[must_use]
    pub fn on(&self, puzzle: &str) -> Option<Self> {
        let runs: Vec<ArmRun<'a>> =
            self.runs.iter().filter(|one| one.block.puzzle == puzzle).cloned().collect();
        (!runs.is_empty()).then(|| Self { runs, ..self.clone() })
    }
}

impl Study {
    /// The sides of a comparison: every setting by itself, or all settings with the same values of `keys` joined.
    pub fn arms(&self, keys: &[String]) -> Vec<Arm<'_>> {
        let mut arms: Vec<Arm<'_>> = Vec::new();
        let mut index: BTreeMap<String, usize> = BTreeMap::new();
        let mut variants: BTreeMap<String, u32> = BTreeMap::new();
        for (place, setting) in self.settings.iter().enumerate() {
            let values: Vec<String> =
                keys.iter().map(|key| setting.values.get(key).cloned().unwrap_or_default()).collect();
            let named = describe(keys, &values);
            let name = match keys {
                [] => setting.label.clone(),
                [_] if !values[0].is_empty() => values[0].clone(),
                _ => named.clone(),
            };
            let spoken = spoken(if keys.is_empty() { &setting.label } else { &named });
            let arm = *index.entry(name.clone()).or_insert_with(|| {
                arms.push(Arm { name, spoken, values, settings: Vec::new(), runs: Vec::new() });
                arms.len() - 1
            });
            arms[arm].settings.push(place);
            let rest = if keys.is_empty() { String::new() } else { self.rest(setting, keys) };
            let next = variants.len() as u32;
            let variant = *variants.entry(rest).or_insert(next);
            let seed = self.sources[setting.source].plan.config.seed;
            arms[arm].runs.extend(setting.runs.iter().map(|run| {
                let (puzzle, replicate) = (run.row.puzzle.clone(), run.row.replicate);
                ArmRun { block: Block { puzzle, seed, replicate }, setting: place, variant, run }
            }));
        }
        for arm in &mut arms {
            sort_by(&mut arm.runs, |a, b| a.block.cmp(&b.block).then(a.variant.cmp(&b.variant)));
        }
        arms
    }

    /// The other keys of a setting with their values. A key that is not swept itself, such as a parameter of a member that
    /// one of `keys` names, belongs to that one.
    fn rest(&self, setting: &StudySetting, keys: &[String]) -> String {
        let swept = &self.sources[setting.source].plan.settings.keys;
        let table = |key: &str| key.strip_suffix(".name").unwrap_or(key).to_owned();
        let tables: Vec<String> = keys.iter().map(|key| table(key)).collect();
        let belongs = |key: &str| {
            tables.contains(&table(key))
                || !swept.iter().any(|swept| swept == key)
                    && tables
                        .iter()
                        .any(|asked| key.strip_prefix(asked).is_some_and(|rest| rest.starts_with('.')))
        };
        let values = self.keys.iter().filter(|key| !belongs(key));
        let shown = |key: &String| Some(format!("{} = {}", short_key(key), setting.values.get(key)?));
        values.filter_map(shown).collect::<Vec<_>>().join(", ")
    }

    /// The key that `text` stands for: the key itself, its short form in tables, or an ending that only one key has.
    pub fn key(&self, text: &str) -> Option<&str> {
        let all = || self.settings.iter().flat_map(|setting| setting.values.keys());
        if let Some(key) = all().find(|key| *key == text) {
            return Some(key);
        }
        let alone = |fits: &dyn Fn(&str) -> bool| {
            let found: std::collections::BTreeSet<&str> =
                all().map(String::as_str).filter(|key| fits(key)).collect();
            (found.len() == 1).then(|| found.first().copied()).flatten()
        };
        let ends = |key: &str| key.strip_suffix(text).is_some_and(|head| head.ends_with('.'));
        // Tables print one word for the table of an operator and for its name.
        let in_sweep = |key: &str| ends(key) && self.keys.iter().any(|swept| swept == key);
        let is_short = |key: &str| short_key(key) == text;
        alone(&is_short).or_else(|| alone(&in_sweep)).or_else(|| alone(&ends))
    }
}

/// Keys with their values, for tables.
fn describe(keys: &[String], values: &[String]) -> String {
    let one = |(key, value): (&String, &String)| match value.as_str() {
        "" => format!("no {}", short_key(key)),
        value => format!("{} = {value}", short_key(key)),
    };
    keys.iter().zip(values).map(one).collect::<Vec<_>>().join(", ")
}

/// Keys with their values, for sentences: `mutation.rate 0.05 with population 10`.
fn spoken(label: &str) -> String {
    let label = label.replace(" = ", " ");
    match label.split_once(", ") {
        Some((first, rest)) => {
            let rest: Vec<&str> = rest.split(", ").collect();
            let (last, others) = rest.split_last().expect("a split has a part");
            match others {
                [] => format!("{first} with {last}"),
                others => format!("{first} with {} and {last}", others.join(", ")),
            }
        }
        None => label,
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
