//! The manifest: what was asked for, without a clock, a host, a path or a thread count.

use serde_json::{Map, Value, json};

use crate::experiment::{Config, ConfigError};

/// The version of the folder's layout.
const FORMAT: u64 = 1;

/// What `manifest.json` says.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// The version of kenga that wrote it.
    pub kenga: String,
    /// The layout of the folder.
    pub format: u64,
    /// The configuration as resolved, puzzle files left out: the puzzles themselves are in `puzzles.jsonl`.
    pub config: Map<String, Value>,
}

impl Manifest {
    /// The manifest of a configuration under this version.
    pub fn new(config: &Config) -> Self {
        let mut resolved = config.resolved.clone();
        resolved.remove("puzzles");
        Self { kenga: env!("CARGO_PKG_VERSION").to_owned(), format: FORMAT, config: resolved }
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let value = json!({ "format": self.format, "kenga": self.kenga, "config": self.config });
        let mut text = serde_json::to_string_pretty(&value).expect("maps with text keys can be written");
        text.push('\n');
        text
    }

    /// Reads the text of the file; `None` when it is not a manifest.
    pub fn parse(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let config = value.get("config")?.as_object()?.clone();
        let kenga = value.get("kenga")?.as_str()?.to_owned();
        Some(Self { kenga, format: value.get("format")?.as_u64()?, config })
    }

    /// The configuration, checked again.
    ///
    /// # Errors
    /// When this version does not know a key or a value of it.
    pub fn to_config(&self) -> Result<Config, ConfigError> {
        Config::from_json(&self.config)
    }

    /// The first key that differs in another manifest, with both values; more replicates do not count, for they append.
    pub fn difference(&self, other: &Self) -> Option<(String, String, String)> {
        if self.kenga != other.kenga {
            return Some(("kenga".to_owned(), self.kenga.clone(), other.kenga.clone()));
        }
        if self.format != other.format {
            return Some(("format".to_owned(), self.format.to_string(), other.format.to_string()));
        }
        difference("", &Value::Object(self.config.clone()), &Value::Object(other.config.clone()))
    }
}

fn difference(path: &str, was: &Value, is: &Value) -> Option<(String, String, String)> {
    let (Value::Object(old), Value::Object(new)) = (was, is) else {
        let appends = path == "replicates" && is.as_u64() >= was.as_u64();
        return (was != is && !appends).then(|| (path.to_owned(), was.to_string(), is.to_string()));
    };
    let keys: Vec<&String> = old.keys().chain(new.keys().filter(|key| !old.contains_key(*key))).collect();
    keys.into_iter().find_map(|key| {
        let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match (old.get(key), new.get(key)) {
            (Some(was), Some(is)) => difference(&inner, was, is),
            (was, is) => {
                let shown = |value: Option<&Value>| value.map_or("absent".to_owned(), Value::to_string);
                Some((inner, shown(was), shown(is)))
            }
        }
    })
}
