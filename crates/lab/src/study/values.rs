//! The configurations of settings as keys with values.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::experiment::{COMMON, LABEL};

/// Every key of a configuration, as a dotted path, with its value; of a member its name.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// The values of the first setting, which all settings of a study share.
    first: Arc<BTreeMap<String, String>>,
    /// The values that differ from them; `None` for a key without a value.
    own: BTreeMap<String, Option<String>>,
}

impl Values {
    /// The values of a configuration; the labels of swept keys replace their values.
    pub(super) fn new(config: &Map<String, Value>, keys: &[String], labels: &[String]) -> Self {
        let mut first = BTreeMap::new();
        each_leaf("", config, &mut |path, value| {
            if let (Some(member), Value::String(name)) = (path.strip_suffix(".name"), value) {
                first.insert(member.to_owned(), name.clone());
            }
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or(f64::NAN).to_string(),
                other => other.to_string(),
            };
            first.insert(path, text);
        });
        // Labels distinguish tables of one name.
        for (key, label) in keys.iter().zip(labels) {
            first.insert(key.clone(), label.clone());
        }
        Self { first: first.into(), own: BTreeMap::new() }
    }

    /// The same values, sharing those that the first setting also has.
    pub(super) fn shared(&self, first: &Self) -> Self {
        let first = Arc::clone(&first.first);
        // Settings of a sweep differ in few keys, and there may be thousands of them.
        let mut own = BTreeMap::new();
        for (key, value) in self.iter() {
            if first.get(key) != Some(value) {
                own.insert(key.clone(), Some(value.clone()));
            }
        }
        for key in first.keys() {
            if self.get(key).is_none() {
                own.insert(key.clone(), None);
            }
        }
        Self { first, own }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&String> {
        match self.own.get(key) {
            Some(own) => own.as_ref(),
            None => self.first.get(key),
        }
    }

    /// All keys with their values; the setting's own come last.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &String)> {
        let first = self.first.iter().filter(|(key, _)| !self.own.contains_key(*key));
        first.chain(self.own.iter().filter_map(|(key, value)| Some((key, value.as_ref()?))))
    }

    /// Every key.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        self.iter().map(|(key, _)| key)
    }
}

/// Hands over every value of a configuration that is not a table, with its dotted path.
pub(super) fn each_leaf<'a>(
    path: &str,
    table: &'a Map<String, Value>,
    take: &mut dyn FnMut(String, &'a Value),
) {
    for (key, value) in table {
        let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match value {
            Value::Object(table) => each_leaf(&inner, table, take),
            value => take(inner, value),
        }
    }
}

/// Whether a key, as a dotted path, configures the search and not the experiment around it.
pub(super) fn is_of_search(key: &str) -> bool {
    key.split('.').next().is_some_and(|head| !COMMON.contains(&head) && head != LABEL)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn values(config: Value) -> Values {
        let config = config.as_object().expect("a configuration is a table");
        Values::new(config, &["shown".to_owned()], &["0.5".to_owned()])
    }

    fn sorted(values: &Values) -> BTreeMap<String, String> {
        values.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
    }

    #[test]
    fn shared_values_are_the_same_and_only_what_differs_is_held_again() {
        let first =
            json!({"seed": 1, "algorithm": {"name": "genetic", "mutation": {"name": "swap", "rate": 0.5}}});
        let other =
            json!({"seed": 1, "algorithm": {"name": "genetic", "mutation": "redraw", "population": 8}});
        let (first, alone) = (values(first), values(other));
        let shared = alone.clone().shared(&first);
        assert_eq!(sorted(&shared), sorted(&alone));
        assert_eq!(sorted(&shared).len(), 6);
        assert!(sorted(&alone).iter().all(|(key, value)| shared.get(key) == Some(value)));
        assert_eq!(shared.get("algorithm.mutation.rate"), None);
        let own: Vec<&str> = shared.own.keys().map(String::as_str).collect();
        assert_eq!(
            own,
            [
                "algorithm.mutation",
                "algorithm.mutation.name",
                "algorithm.mutation.rate",
                "algorithm.population"
            ]
        );
        assert!(first.clone().shared(&first).own.is_empty());
    }
}
