//! The configuration of a setting as text, key by key, held once where settings agree.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

/// Every key of a configuration, as a dotted path, with its value; of a member its name.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// Those of the first setting.
    first: Arc<BTreeMap<String, String>>,
    /// Where these are others; `None` for a key that is not there.
    own: BTreeMap<String, Option<String>>,
}

impl Values {
    /// The values of a configuration, of which a column shows some otherwise.
    pub(super) fn new(config: Value, shown: impl Iterator<Item = (String, String)>) -> Self {
        let mut first = BTreeMap::new();
        flatten("", &config, &mut first);
        // What a column shows tells tables of one name apart.
        first.extend(shown);
        Self { first: first.into(), own: BTreeMap::new() }
    }

    /// The same values, of which those that the first setting has too are held once.
    pub(super) fn shared(&self, first: &Self) -> Self {
        let first = Arc::clone(&first.first);
        let is_own = |(key, value): &(&String, &String)| first.get(*key) != Some(*value);
        let others = self.iter().filter(is_own).map(|(key, value)| (key.clone(), Some(value.clone())));
        let gone = first.keys().filter(|key| self.get(key).is_none()).map(|key| (key.clone(), None));
        Self { own: others.chain(gone).collect(), first }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&String> {
        self.own.get(key).map_or_else(|| self.first.get(key), Option::as_ref)
    }

    /// All of them; those that are the setting's own come last.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &String)> {
        let first = self.first.iter().filter(|(key, _)| !self.own.contains_key(*key));
        first.chain(self.own.iter().filter_map(|(key, value)| Some((key, value.as_ref()?))))
    }

    /// Every key.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        self.iter().map(|(key, _)| key)
    }
}

/// Every key of a configuration by its dotted path.
fn flatten(path: &str, value: &Value, into: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(object) => {
            if let Some(Value::String(name)) = object.get("name") {
                into.insert(path.to_owned(), name.clone());
            }
            for (key, value) in object {
                let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                flatten(&inner, value, into);
            }
        }
        Value::String(text) => drop(into.insert(path.to_owned(), text.clone())),
        Value::Number(number) if number.is_f64() => {
            drop(into.insert(path.to_owned(), number.as_f64().unwrap_or(f64::NAN).to_string()));
        }
        other => drop(into.insert(path.to_owned(), other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn values(config: Value) -> Values {
        Values::new(config, [("shown".to_owned(), "0.5".to_owned())].into_iter())
    }

    #[test]
    fn shared_values_are_the_same_and_only_what_differs_is_held_again() {
        let first =
            json!({"seed": 1, "algorithm": {"name": "genetic", "mutation": {"name": "swap", "rate": 0.5}}});
        let other =
            json!({"seed": 1, "algorithm": {"name": "genetic", "mutation": "redraw", "population": 8}});
        let (first, alone) = (values(first), values(other));
        let shared = alone.clone().shared(&first);
        let sorted = |values: &Values| -> BTreeMap<String, String> {
            values.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
        };
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
