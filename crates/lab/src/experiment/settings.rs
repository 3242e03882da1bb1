//! The settings of an experiment: the points of its sweep, or the one setting of a configuration that sweeps nothing.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, json};

use super::config::Config;
use super::json::text_without;
use super::labels::{has_label, name_of};
use super::race::RaceRules;
use kenga_core::spec::Value;

/// The key that more replicates change.
pub(super) const REPLICATES: &str = "replicates";

/// Every setting of an experiment.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The keys that are swept, as dotted paths; none without a sweep.
    pub keys: Vec<String>,
    /// The settings in the order of their indices; there is at least one. They have puzzles, seed, replicates, record and
    /// exact in common.
    pub all: Vec<Setting>,
    /// The sweep as it was written, for the manifest.
    pub sweep: Option<serde_json::Value>,
    /// How settings are dropped while the sweep runs, if it is a race.
    pub race: Option<RaceRules>,
    /// Notes for the user on how the settings were chosen; none where they were read from a folder.
    pub notes: Vec<String>,
}

/// One setting.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The value of every swept key; `None` for a key that its condition leaves out of this setting.
    pub values: Vec<Option<Value>>,
    /// The values as the columns of `runs.csv` show them; empty for a key that is left out.
    pub labels: Vec<String>,
    /// The label that it has been given, unless settings that vary other keys too share that of their algorithm.
    pub name: Option<String>,
    /// The configuration at this point.
    pub config: Config,
}

impl Setting {
    /// A setting without labels.
    pub(super) fn new(values: Vec<Option<Value>>, config: Config) -> Self {
        Self { values, labels: Vec::new(), name: config.label(), config }
    }
}

impl From<Config> for Settings {
    fn from(config: Config) -> Self {
        Self {
            keys: Vec::new(),
            all: vec![Setting::new(Vec::new(), config)],
            sweep: None,
            race: None,
            notes: Vec::new(),
        }
    }
}

impl Settings {
    /// Settings, which get their labels.
    pub(super) fn new(
        keys: Vec<String>,
        mut all: Vec<Setting>,
        sweep: Option<serde_json::Value>,
        race: Option<RaceRules>,
    ) -> Self {
        let mut named: BTreeMap<String, u64> = BTreeMap::new();
        for name in all.iter().filter_map(|setting| setting.name.as_ref()) {
            *named.entry(name.clone()).or_default() += 1;
        }
        for setting in &mut all {
            setting.name = setting.name.take().filter(|name| named[name] == 1);
        }
        for (column, key) in keys.iter().enumerate() {
            // Two tables of one name need more than the name to be told apart.
            let mut named_values = BTreeSet::new();
            for setting in &all {
                if let Some(value) = &setting.values[column]
                    && let Some(name) = name_of(key, value)
                {
                    named_values.insert((name.into_owned(), label_in_full(value)));
                }
            }
            for setting in &mut all {
                let label = setting.values[column].as_ref().map(|value| label(key, value, &named_values));
                setting.labels.push(label.unwrap_or_default());
            }
        }
        Self { keys, all, sweep, race, notes: Vec::new() }
    }

    /// Two values of a key that have been given one label, or the name of another value, in words.
    pub(super) fn shared_label(&self) -> Option<String> {
        for (column, key) in self.keys.iter().enumerate() {
            let mut called: BTreeMap<Cow<'_, str>, &Value> = BTreeMap::new();
            for value in self.all.iter().filter_map(|setting| setting.values[column].as_ref()) {
                let Some(name) = name_of(key, value) else { continue };
                let Some(other) = called.insert(name.clone(), value).filter(|other| *other != value) else {
                    continue;
                };
                if has_label(value) || has_label(other) {
                    let (first, second) = (label_in_full(other), label_in_full(value));
                    return Some(format!("two values of `{key}` are called `{name}`: {first} and {second}"));
                }
            }
        }
        None
    }

    /// Two settings that have the same labels, in words.
    pub(super) fn alike(&self) -> Option<String> {
        let mut labels = BTreeSet::new();
        for (index, setting) in self.all.iter().enumerate() {
            if !labels.insert(&setting.labels) {
                return Some(self.describe(index));
            }
        }
        None
    }

    /// A setting in words: its label, or `mutation.rate = 0.05, population = 40`; empty without a label and a sweep.
    pub fn describe(&self, setting: usize) -> String {
        if let Some(name) = &self.all[setting].name {
            return name.clone();
        }
        let mut words = Vec::new();
        for (key, label) in self.keys.iter().zip(&self.all[setting].labels) {
            if !label.is_empty() {
                words.push(format!("{} = {label}", short_key(key)));
            }
        }
        words.join(", ")
    }

    /// The settings as JSON lines: `setting`, its swept `values`, and its `config` as resolved, without puzzle files and
    /// replicates, which all have in common.
    pub fn lines(&self) -> String {
        self.each_line().collect()
    }

    /// The same line by line: all of them may be a hundred megabytes.
    pub fn each_line(&self) -> impl Iterator<Item = String> {
        (0..self.all.len()).map(move |index| self.line(index))
    }

    fn line(&self, index: usize) -> String {
        let setting = &self.all[index];
        let mut values = Map::new();
        for (key, value) in self.keys.iter().zip(&setting.values) {
            values.insert(key.clone(), value.as_ref().map_or(json!(null), Value::as_json));
        }
        // It is the text of one object, whose parts need not be read to be written.
        let (values, config) =
            (json!(values), text_without(&setting.config.resolved, &["puzzles", REPLICATES]));
        format!("{{\"setting\":{index},\"values\":{values},\"config\":{config}}}\n")
    }
}

/// A key for people: nearly all that is swept belongs to the algorithm.
pub fn short_key(key: &str) -> &str {
    key.strip_prefix("algorithm.").unwrap_or(key)
}

/// The name that a value has or is.
fn name(value: &Value) -> Option<&str> {
    match value {
        Value::Text(name) => Some(name),
        Value::Spec(spec) if !spec.name.is_empty() => Some(&spec.name),
        _ => None,
    }
}

/// A value in a word: a table by its name.
pub(crate) fn value_word(value: &Value) -> String {
    name(value).map_or_else(|| value.as_json().to_string(), str::to_owned)
}

/// A value for people: of a table its name where that tells it from the others of its key, else all that is in it.
/// `named_values` has every value of the key that has a name, with it and in full.
fn label(key: &str, value: &Value, named_values: &BTreeSet<(String, String)>) -> String {
    match name_of(key, value) {
        Some(name) if named_values.iter().filter(|(other, _)| *other == name).count() < 2 => {
            name.into_owned()
        }
        _ => label_in_full(value),
    }
}

/// A value with all that is in it.
pub(super) fn label_in_full(value: &Value) -> String {
    match value {
        Value::Flag(flag) => flag.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Real(0.0) => "0".to_owned(),
        Value::Real(number) if number.abs() >= 1e16 => format!("{number:e}"),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => text.clone(),
        Value::List(_) => value.as_json().to_string(),
        Value::Spec(spec) => {
            let inner: Vec<String> = spec
                .values
                .iter()
                .map(|named| format!("{}={}", named.key, label_in_full(&named.value)))
                .collect();
            let inner = inner.join(" ");
            if inner.is_empty() { spec.name.clone() } else { format!("{}({inner})", spec.name) }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Config, Value};
    use crate::experiment::ConfigDraft;
    use kenga_core::spec::Spec;

    /// The labels of the settings of a sweep, or why there are none.
    fn labels(sweep: &str) -> Result<Vec<String>, String> {
        let text = format!("[budget]\nevaluations = 9\n[algorithm]\nname = 'genetic'\n[sweep]\n{sweep}");
        let settings = ConfigDraft::read("x.toml", &text).and_then(ConfigDraft::settings);
        let settings = settings.map_err(|error| error.to_string())?;
        Ok(settings.all.iter().map(|setting| setting.labels.join(" ")).collect())
    }

    fn sound(sweep: &str) -> Vec<String> {
        labels(sweep).expect("a sound sweep")
    }

    #[test]
    fn equal_configurations_are_one_setting_however_they_are_written() {
        assert_eq!(sound("'algorithm.crossover.rate' = [0.5, 1, 1.0]"), ["0.5", "1"]);
        assert_eq!(sound("'algorithm.crossover.rate' = [-0.0, 0, 0.0]"), ["0"]);
        let both = "'algorithm.mutation' = ['swap', {name = 'swap', rate = 0.5}]\n'algorithm.mutation.rate' = [0.1, 0.2]";
        assert_eq!(sound(both), ["swap 0.1", "swap 0.2"]);
        let default = "'algorithm.mutation' = ['swap', {name = 'swap'}, 'redraw']";
        assert_eq!(sound(default), ["swap", "redraw"]);
    }

    #[test]
    fn settings_that_differ_have_other_labels() {
        let tables = "'algorithm.mutation' = ['swap', {name = 'swap', rate = 0.5}, {name = 'redraw'}]";
        assert_eq!(sound(tables), ["swap", "swap(rate=0.5)", "redraw"]);
        let inner = "algorithm = [{name = 'genetic', mutation = {name = 'swap', rate = 0.1}}, {name = 'genetic', mutation = {name = 'swap', rate = 0.2}}]";
        assert_eq!(sound(inner), ["genetic(mutation=swap(rate=0.1))", "genetic(mutation=swap(rate=0.2))"]);
    }

    /// How many values of a configuration another one does not share.
    fn held(config: &Config, other: &Config) -> usize {
        fn count(spec: &Spec, other: Option<&Spec>) -> usize {
            let mut values = 0;
            for named in &spec.values {
                let beside =
                    other.and_then(|other| other.values.iter().find(|beside| beside.key == named.key));
                if beside.is_some_and(|beside| Arc::ptr_eq(beside, named)) {
                    continue;
                }
                values += 1;
                if let Value::Spec(inner) = &named.value {
                    let beside = beside.and_then(|beside| match &beside.value {
                        Value::Spec(beside) => Some(beside),
                        _ => None,
                    });
                    values += count(inner, beside);
                }
            }
            values
        }
        count(&config.resolved, Some(&other.resolved))
    }

    #[test]
    fn a_setting_holds_only_the_values_in_which_it_differs() {
        let files = format!("puzzles = [{}]", "'a-long-name-of-a-puzzle.json', ".repeat(500));
        let text = format!(
            "{files}\n[budget]\nevaluations = 9\n[sweep]\n'algorithm.population' = {{from = 2, to = 200, points = {}}}",
            kenga_testing::size(49, 199)
        );
        let settings =
            ConfigDraft::read("x.toml", &text).and_then(ConfigDraft::settings).expect("a sound sweep");
        let first = &settings.all[0].config;
        // The algorithm, and in it the population.
        let own = |settings: &super::Settings| {
            let mut pairs = settings.all.windows(2);
            pairs.all(|pair| held(&pair[1].config, &pair[0].config) == 2)
        };
        assert!(own(&settings));
        let text = settings.lines();
        let mut lines = text.lines().map(|line| serde_json::from_str(line).ok());
        let again = super::Settings::from_lines(&mut lines, first, None).expect("lines");
        assert!(own(&again));
        assert_eq!(again.lines(), settings.lines());
        assert_eq!(first.puzzles().len(), 500);
    }

    #[test]
    fn a_grid_of_too_many_points_is_refused_before_any_is_made() {
        // No computer could make them one by one.
        let axis = |key: &str| format!("'algorithm.{key}' = {{from = 0.0, to = 1.0, points = 10_000}}\n");
        let axes = ["mutation.rate", "crossover.rate", "replacement.elitism", "population", "offset"]
            .map(axis)
            .concat();
        assert_eq!(labels(&axes), Err("the sweep has more than 100000 settings".to_owned()));
    }

    #[test]
    fn a_key_that_no_configuration_has_is_refused_beside_others() {
        let beside = "'algorithm.population' = [4, 8]\n";
        let cases = [
            ("'algorithm.popluation' = [4]", "unknown key `popluation` in `algorithm`"),
            (
                "'algorithm.popluation' = {values = [4], when = 'budget.evaluations > 99'}",
                "unknown key `popluation`",
            ),
            ("'algorithm.mutation.rte' = [0.1]", "unknown key `rte` in `algorithm.mutation`"),
            ("'algorithm.elites' = {form = 1, too = 9}", "unknown key `elites` in `algorithm`"),
            ("'algorithm.mutation.rate' = {form = 1, too = 9}", "unknown key `form`"),
            ("'budget.moves' = {form = 1, too = 9}", "unknown key `form` in the axis `budget.moves`"),
            ("'algorithm.popluation' = {}", "`algorithm.popluation` takes a list of values"),
            ("'budget.moves' = {}", "`budget.moves` takes a list of values"),
        ];
        for (axis, expected) in cases {
            let said = labels(&format!("{beside}{axis}")).expect_err(axis);
            assert!(said.contains(expected), "{axis}: {said}");
        }
    }

    #[test]
    fn a_member_that_is_an_empty_table_is_refused_with_its_family() {
        for (key, family) in [
            ("algorithm.selection", "selection"),
            ("algorithm.crossover", "crossover"),
            ("algorithm.encoding", "encoding"),
            ("algorithm", "algorithm"),
        ] {
            let text = format!("[budget]\nevaluations = 9\n[{key}]\n");
            let said = ConfigDraft::read("x.toml", &text)
                .and_then(ConfigDraft::settings)
                .expect_err(key)
                .to_string();
            assert_eq!(said, format!("the key `name` is missing in the table of the {family}"));
        }
    }
}
