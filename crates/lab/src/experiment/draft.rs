//! A configuration assembled layer by layer: preset, file, `--set`, and a point of its sweep.

use std::sync::Arc;

use super::config::{Config, PRESET, SWEEP, config};
use super::json::{at_path, is_value};
use super::layers::Layers;
use super::settings::{REPLICATES, Settings};
use super::sweep::{Space, Sweep, merge_sweep};
use super::toml::{self, ConfigError, Sources, merge};
use kenga_core::spec::{Named, Param, Place, Spec, SpecError, Value, resolve_section};
use kenga_core::text::nearest;

/// A configuration under assembly.
#[derive(Clone, Debug, Default)]
pub struct ConfigDraft {
    layers: Layers,
}

impl ConfigDraft {
    /// Reads the file, over the preset that it names.
    ///
    /// # Errors
    /// A text that is not TOML, or an unknown preset.
    pub fn read(name: &str, text: &str) -> Result<Self, ConfigError> {
        let mut sources = Sources::default();
        let source = sources.add(name, text);
        let mut file = toml::read(&sources, source, text)?;
        let named = remove(&mut file, PRESET);
        // Errors of the whole configuration are shown in the file.
        if file.name.is_empty() {
            file.place = Place { source, ..Place::default() };
        }
        let layers = Layers { sources, preset: Spec::default(), above: vec![file] };
        let mut draft = Self { layers };
        if let Some(named) = named {
            draft.layers.preset = preset(&mut draft.layers.sources, &named)?;
        }
        Ok(draft)
    }

    /// Overlays an assignment such as `algorithm.mutation.rate=0.05`. The value is TOML; a bare word is read as a text.
    ///
    /// # Errors
    /// An assignment that is not `key = value`, or one to `preset`, which lies below the file and not over it.
    pub fn set(&mut self, assignment: &str) -> Result<(), ConfigError> {
        let Some((key, value)) = assignment.split_once('=') else {
            return Err(self.no_assignment(assignment));
        };
        let word = value.trim();
        // A shell takes the quotes of TOML away.
        let text = if is_bare_word(word) { format!("{key}=\"{word}\"") } else { assignment.to_owned() };
        let source = self.layers.sources.add("--set", &text);
        let spec = toml::read(&self.layers.sources, source, &text)?;
        if let Some(preset) = spec.entry(PRESET) {
            let message = "only the file can name a preset".to_owned();
            let help = "write `preset = \"…\"` in the configuration".to_owned();
            return Err(self.layers.sources.show(&SpecError::Conflict {
                message,
                help,
                place: preset.key_place,
            }));
        }
        self.layers.above.push(spec);
        Ok(())
    }

    fn no_assignment(&mut self, text: &str) -> ConfigError {
        let place = Place { source: self.layers.sources.add("--set", text), start: 0, end: text.len() };
        let (message, label) = (format!("`{text}` sets no key"), "expected KEY=VALUE".to_owned());
        let help = Some("give the key and its value, such as `--set algorithm.population=40`".to_owned());
        self.layers.sources.error(message, label, help, place)
    }

    /// Checks everything and fills the defaults in, for a configuration that sweeps nothing.
    ///
    /// # Errors
    /// The first key, name or value that cannot be used; a sweep, whose settings [`settings`](Self::settings) gives.
    pub fn finish(self) -> Result<Config, ConfigError> {
        let spec = self.layers.merged(&self.layers.preset);
        if let Some(sweep) = spec.entry(SWEEP) {
            let message = "the configuration is a sweep of many settings".to_owned();
            let (help, place) = ("leave [sweep] out for one setting".to_owned(), sweep.key_place);
            return Err(self.layers.sources.show(&SpecError::Conflict { message, help, place }));
        }
        config(&spec, None).map_err(|error| self.layers.sources.show(&error))
    }

    fn presets_of(&mut self, sweep: &Sweep) -> Result<Vec<(Value, Spec)>, ConfigError> {
        let mut presets = Vec::new();
        for named in sweep.presets() {
            let preset = preset(&mut self.layers.sources, &named)?;
            presets.push((named.value, preset));
        }
        Ok(presets)
    }

    /// Takes the tables `[sweep]` out of the layers, one laid over the other.
    fn take_sweep(&mut self) -> Result<Option<Named>, ConfigError> {
        let mut taken = None;
        for layer in &mut self.layers.above {
            if let Some(upper) = remove(layer, SWEEP) {
                let merged = merge_sweep(taken, upper, &self.layers.sources);
                taken = Some(merged.map_err(|error| self.layers.sources.show(&error))?);
            }
        }
        Ok(taken)
    }

    /// What was set over the file and then by the sweep in every setting.
    fn without_effect(&self, sweep: &Sweep) -> Vec<String> {
        let mut set = Vec::new();
        for layer in self.layers.above.iter().skip(1) {
            assignments("", layer, &mut set);
        }
        let mut notes = Vec::new();
        for (key, _) in set {
            if sweep.sets(&key) {
                notes.push(format!("`--set {key}=…` has no effect: the sweep sets the key in every setting"));
            }
        }
        notes
    }
}

// The rooms of kenga use these; their names may change.
#[doc(hidden)]
impl ConfigDraft {
    /// Every setting of the sweep, checked, with the defaults filled in; one setting where nothing is swept.
    ///
    /// # Errors
    /// What is wrong with the sweep, or the first key, name or value of a setting that cannot be used.
    pub fn settings(mut self) -> Result<Settings, ConfigError> {
        let Some(named) = self.take_sweep()? else {
            return self.finish().map(Settings::from);
        };
        let file = self.layers.merged(&self.layers.preset);
        let sweep =
            Sweep::read(&named, &self.layers.sources).map_err(|error| self.layers.sources.show(&error))?;
        let seed = match file.get("seed") {
            Some(Value::Integer(seed)) => seed.unsigned_abs(),
            _ => 1,
        };
        let presets = self.presets_of(&sweep)?;
        // A swept preset lies below the file, so that each setting is laid over its own.
        let lower = |name: Option<&Value>| self.layers.over(name, &presets);
        let mut settings = sweep.settings(seed, &lower).map_err(|error| self.layers.sources.show(&error))?;
        settings.notes.extend(self.without_effect(&sweep));
        Ok(settings)
    }

    /// The space of the sweep, for those who choose its points themselves.
    ///
    /// # Errors
    /// No sweep, what is wrong with it, or with the configuration without it.
    pub fn space(mut self) -> Result<Space, ConfigError> {
        let Some(named) = self.take_sweep()? else {
            let message = "there is nothing to choose: the configuration has no [sweep]".to_owned();
            let help =
                "add the keys and their values, such as `\"algorithm.population\" = { from = 20, to = 320 }`";
            let place = self.layers.above.first().map(|file| file.place).unwrap_or_default();
            return Err(self.show(&SpecError::Conflict { message, help: help.to_owned(), place }));
        };
        let sweep = Sweep::read(&named, &self.layers.sources).map_err(|error| self.show(&error))?;
        let presets = self.presets_of(&sweep)?;
        Space::new(self.layers, sweep, presets)
    }

    /// Takes a table with keys of its own out of the layers, one laid over the other, checked against its parameters; `None`
    /// where no layer has it.
    ///
    /// # Errors
    /// What is no table, or a key or a value of it that cannot be used.
    pub fn take_section(&mut self, key: &str, params: &[Param]) -> Result<Option<Spec>, ConfigError> {
        let mut taken: Option<Spec> = None;
        for layer in &mut self.layers.above {
            let Some(named) = remove(layer, key) else { continue };
            let Value::Spec(upper) = &named.value else {
                let (expected, found) = ("a table".to_owned(), named.value.kind().to_owned());
                let (key, place) = (key.to_owned(), named.place);
                return Err(self.layers.sources.show(&SpecError::Value { key, expected, found, place }));
            };
            match &mut taken {
                // `--set tune.budget=…` changes one key of the file's table.
                Some(lower) => merge(lower, upper),
                None => taken = Some(upper.clone()),
            }
        }
        let Some(taken) = taken else { return Ok(None) };
        let section = resolve_section(&taken, &format!("[{key}]"), params);
        section.map(Some).map_err(|error| self.show(&error))
    }

    /// Shows an error in the text that it is about.
    pub fn show(&self, error: &SpecError) -> ConfigError {
        self.layers.sources.show(error)
    }
}

/// Takes a key out of a layer.
fn remove(layer: &mut Spec, key: &str) -> Option<Named> {
    let place = layer.values.iter().position(|named| named.key == key)?;
    Some(Arc::unwrap_or_clone(layer.values.remove(place)))
}

/// A key on which two configurations disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyDifference {
    /// The dotted path of the key.
    pub key: String,
    /// Its value in the earlier one, as JSON; `absent` where it has none.
    pub was: String,
    /// Its value in the later one.
    pub is: String,
}

impl KeyDifference {
    /// A difference of `key`.
    pub fn new(key: &str, was: &impl ToString, is: &impl ToString) -> Self {
        Self { key: key.to_owned(), was: was.to_string(), is: is.to_string() }
    }
}

impl Settings {
    /// Takes more replicates from what was set; the first key of the rest in which a setting differs.
    pub fn extend(&mut self, draft: &ConfigDraft) -> Option<KeyDifference> {
        let mut set = Vec::new();
        for layer in &draft.layers.above {
            assignments("", layer, &mut set);
        }
        for (key, value) in set {
            // What a sweep varies differs from what was set in some of them.
            for setting in &mut self.all {
                let config = &mut setting.config;
                let is = at_path(&config.resolved, &key);
                if is.as_ref().is_some_and(|is| is_value(&value, is)) {
                    continue;
                }
                match value {
                    Value::Integer(more) if key == REPLICATES && more > config.replicates as i64 => {
                        config.resolved.set(Named::new(REPLICATES, value.clone(), Place::default()));
                        config.replicates = more.unsigned_abs();
                    }
                    _ => {
                        let was = is.map_or("absent".to_owned(), |is| is.as_json().to_string());
                        return Some(KeyDifference { key, was, is: value.as_json().to_string() });
                    }
                }
            }
        }
        None
    }
}

/// Adds the dotted paths of what is no table, with their values.
fn assignments(path: &str, spec: &Spec, all: &mut Vec<(String, Value)>) {
    if !spec.name.is_empty() {
        all.push((format!("{path}name"), Value::Text(spec.name.clone())));
    }
    for named in &spec.values {
        let key = format!("{path}{}", named.key);
        match &named.value {
            Value::Spec(inner) => assignments(&format!("{key}."), inner, all),
            value => all.push((key, value.clone())),
        }
    }
}

/// The preset that a key names.
fn preset(sources: &mut Sources, named: &Named) -> Result<Spec, ConfigError> {
    let Value::Text(wanted) = &named.value else {
        let (key, place) = (named.key.clone(), named.place);
        let (expected, found) = ("a name from `kenga list preset`".to_owned(), named.value.kind().to_owned());
        return Err(sources.show(&SpecError::Value { key, expected, found, place }));
    };
    let Some(preset) = PRESETS.iter().find(|preset| preset.name == wanted) else {
        let known = nearest(wanted, PRESETS.iter().map(|preset| preset.name));
        let (family, name, place) = (PRESET.to_owned(), wanted.clone(), named.place);
        return Err(sources.show(&SpecError::UnknownName { family, name, known, place }));
    };
    let source = sources.add(&format!("preset {}", preset.name), preset.text);
    toml::read(sources, source, preset.text)
}

fn is_bare_word(value: &str) -> bool {
    let word = value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    word && value.starts_with(|c: char| c.is_ascii_alphabetic())
        && !matches!(value, "true" | "false" | "inf" | "nan")
}

/// A named lowest layer of a configuration.
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// What it sets up, in a sentence.
    pub about: &'static str,
    /// Its TOML.
    pub text: &'static str,
}

/// Every preset.
pub static PRESETS: &[Preset] = &[
    Preset {
        name: "pyevolve",
        about: "the genetic algorithm of the original experiment, step by step (Pyevolve 0.6, 2012)",
        text: include_str!("presets/pyevolve.toml"),
    },
    Preset {
        name: "values",
        about: "a genetic algorithm for a problem of your own whose genes are whole numbers or bits",
        text: include_str!("presets/values.toml"),
    },
    Preset {
        name: "permutation",
        about: "a genetic algorithm for a problem of your own whose genome is a permutation",
        text: include_str!("presets/permutation.toml"),
    },
];
