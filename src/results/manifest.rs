//! The manifest: what was asked for, without a clock, a host, a path or a thread count.

use serde_json::{Map, Value, json};

use crate::experiment::{Config, ConfigError, Plan, Shard};

/// The version of the folder's layout.
pub(super) const FORMAT: u64 = 1;

/// The key of the configuration under which the sweep stands.
const SWEEP: &str = "sweep";

/// What `manifest.json` says.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// The version of kenga that wrote it.
    pub kenga: String,
    /// The layout of the folder.
    pub format: u64,
    /// The configuration as resolved, puzzle files left out: the puzzles themselves are in `puzzles.jsonl`. Of a sweep
    /// that of its first setting, with the sweep as it was written; the settings themselves are in `settings.jsonl`.
    pub config: Map<String, Value>,
    /// Which of the runs the folder is for, unless it is for all.
    pub shard: Option<Shard>,
}

impl Manifest {
    /// The manifest of a shard of a plan under this version.
    pub fn new(plan: &Plan, shard: Shard) -> Self {
        let mut config = plan.config.resolved.object();
        config.shift_remove("puzzles");
        if let Some(sweep) = &plan.settings.sweep {
            config.insert(SWEEP.to_owned(), sweep.clone());
        }
        let shard = Some(shard).filter(|shard| *shard != Shard::WHOLE);
        Self { kenga: env!("CARGO_PKG_VERSION").to_owned(), format: FORMAT, config, shard }
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let mut value = json!({ "format": self.format, "kenga": self.kenga, "config": self.config });
        if let Some(shard) = self.shard {
            value["shard"] = json!(shard.to_string());
        }
        let mut text = serde_json::to_string_pretty(&value).expect("maps with text keys can be written");
        text.push('\n');
        text
    }

    /// Reads the text of the file; `None` when it is not a manifest.
    pub fn parse(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let config = value.get("config")?.as_object()?.clone();
        let kenga = value.get("kenga")?.as_str()?.to_owned();
        let shard = match value.get("shard") {
            Some(shard) => Some(shard.as_str()?.parse().ok()?),
            None => None,
        };
        Some(Self { kenga, format: value.get("format")?.as_u64()?, config, shard })
    }

    /// The sweep as it was written, if there is one.
    pub fn sweep(&self) -> Option<Value> {
        self.config.get(SWEEP).cloned()
    }

    /// The configuration, checked again; of a sweep that of its first setting.
    ///
    /// # Errors
    /// When this version does not know a key or a value of it.
    pub fn to_config(&self) -> Result<Config, ConfigError> {
        let mut config = self.config.clone();
        config.shift_remove(SWEEP);
        Config::from_json(&config)
    }

    /// The first key that differs in another manifest, with both values; more replicates do not count, for they append.
    pub fn difference(&self, other: &Self) -> Option<(String, String, String)> {
        if self.kenga != other.kenga {
            return Some(("kenga".to_owned(), self.kenga.clone(), other.kenga.clone()));
        }
        if self.format != other.format {
            return Some(("format".to_owned(), self.format.to_string(), other.format.to_string()));
        }
        let shown = |shard: Option<Shard>| shard.unwrap_or(Shard::WHOLE).to_string();
        if self.shard != other.shard {
            return Some(("shard".to_owned(), shown(self.shard), shown(other.shard)));
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
