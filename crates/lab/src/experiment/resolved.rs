//! A resolved configuration as the JSON of a manifest, and back.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Map;

use super::labels::name_of;
use kenga_core::spec::{MAX_EXACT, Named, Place, Spec, Value};
use kenga_core::text::joined;

pub(super) type Json = serde_json::Value;

/// A resolved configuration: of every key at the top its value as JSON text. Settings of a sweep share the texts that they
/// have in common, so that a hundred thousand of them fit into memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResolvedConfig(Vec<(Arc<str>, Arc<str>)>);

impl ResolvedConfig {
    /// The texts of what [`Spec::as_json`] has made.
    pub(super) fn new(object: &Map<String, Json>) -> Self {
        let mut texts = Vec::new();
        for (key, value) in object {
            texts.push((key.as_str().into(), value.to_string().into()));
        }
        Self(texts)
    }

    /// The whole of it.
    pub fn object(&self) -> Map<String, Json> {
        let mut object = Map::new();
        for (key, text) in &self.0 {
            object.insert(key.to_string(), value_of(text));
        }
        object
    }

    /// The text of [`object`](Self::object) without some keys.
    pub(super) fn text_without(&self, keys: &[&str]) -> String {
        let mut pairs = Vec::new();
        for (key, text) in &self.0 {
            if !keys.contains(&&**key) {
                pairs.push(format!("{}:{text}", Json::from(&**key)));
            }
        }
        format!("{{{}}}", pairs.join(","))
    }

    /// The keys at the top.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(key, _)| &**key)
    }

    /// The value of a key at the top.
    pub fn get(&self, key: &str) -> Option<Json> {
        self.text(key).map(|text| value_of(text))
    }

    /// The value of a key at the top, as JSON text.
    pub fn text(&self, key: &str) -> Option<&Arc<str>> {
        self.0.iter().find(|(own, _)| **own == *key).map(|(_, text)| text)
    }

    /// Gives a key at the top another value.
    pub(super) fn set(&mut self, key: &str, value: &Json) {
        for (own, text) in &mut self.0 {
            if **own == *key {
                *text = value.to_string().into();
            }
        }
    }

    /// Takes over what is the same in another configuration.
    pub(super) fn share(&mut self, other: &Self) {
        for ((key, text), (other_key, other_text)) in self.0.iter_mut().zip(&other.0) {
            if key == other_key {
                key.clone_from(other_key);
            }
            if text == other_text {
                text.clone_from(other_text);
            }
        }
    }

    /// How many bytes of text it does not share with another configuration.
    #[cfg(test)]
    pub(super) fn own_bytes(&self, other: &Self) -> usize {
        let mut bytes = 0;
        for text in self.0.iter().flat_map(|(key, text)| [key, text]) {
            let is = |(key, value): &(Arc<str>, Arc<str>)| Arc::ptr_eq(text, key) || Arc::ptr_eq(text, value);
            if !other.0.iter().any(is) {
                bytes += text.len();
            }
        }
        bytes
    }
}

fn value_of(text: &str) -> Json {
    serde_json::from_str(text).expect("it was written as JSON")
}

/// The algorithm of a configuration; its parameters are read when they are asked for.
#[derive(Clone, Debug)]
pub struct ResolvedAlgorithm {
    /// Its name.
    pub name: &'static str,
    text: Arc<str>,
}

impl ResolvedAlgorithm {
    /// The algorithm that a configuration has resolved, whose member has the name.
    pub(super) fn new(name: &'static str, resolved: &ResolvedConfig) -> Self {
        Self { name, text: Arc::clone(resolved.text("algorithm").expect("there is always one")) }
    }

    /// What it is called: a program by its file, any other by its name.
    pub(crate) fn called(&self) -> String {
        let value = Value::Spec(self.spec());
        name_of("algorithm", &value).map_or_else(|| self.name.to_owned(), Cow::into_owned)
    }

    /// The calls that count as a generation in the log of a local search; `None` of an algorithm without that key.
    pub(crate) fn calls_of_generation(&self) -> Option<u64> {
        value_of(&self.text).get("generation")?.as_u64()
    }

    /// All of it, resolved.
    pub fn spec(&self) -> Spec {
        match value_from_json(&value_of(&self.text)) {
            Value::Spec(spec) => spec,
            _ => unreachable!("an algorithm is a table"),
        }
    }
}

/// A text that is equal for equal configurations, however they were written: `1` and `1.0` are one number.
pub(super) fn canonical(value: &Json) -> String {
    match value {
        Json::Number(number) => match number.as_f64() {
            Some(real) if !number.is_i64() && real.fract() == 0.0 && real.abs() < MAX_EXACT => {
                (real as i64).to_string()
            }
            _ => number.to_string(),
        },
        Json::Array(values) => {
            let values = joined(values.iter().map(canonical), ",");
            format!("[{values}]")
        }
        Json::Object(object) => {
            let mut pairs = Vec::new();
            for (key, value) in object {
                pairs.push(format!("{key}:{}", canonical(value)));
            }
            format!("{{{}}}", pairs.join(","))
        }
        other => other.to_string(),
    }
}

/// The value at a dotted path of a resolved configuration.
pub(super) fn at_path<'a>(config: &'a Map<String, Json>, path: &str) -> Option<&'a Json> {
    match path.split_once('.') {
        None => config.get(path),
        Some((head, rest)) => at_path(config.get(head)?.as_object()?, rest),
    }
}

/// A resolved value is what was asked for: whole numbers are real numbers too, a name stands for its member, and a table
/// for one that has all of it.
pub(super) fn is_value(asked: &Json, is: &Json) -> bool {
    match (asked, is) {
        (Json::Number(asked), Json::Number(is)) => match (asked.as_i64(), is.as_i64()) {
            (Some(asked), Some(is)) => asked == is,
            _ => asked.as_f64() == is.as_f64(),
        },
        (Json::String(_), Json::Object(member)) => member.get("name") == Some(asked),
        (Json::Object(asked), Json::Object(member)) => {
            asked.iter().all(|(key, asked)| member.get(key).is_some_and(|is| is_value(asked, is)))
        }
        (Json::Array(asked), Json::Array(is)) => {
            asked.len() == is.len() && asked.iter().zip(is).all(|(asked, is)| is_value(asked, is))
        }
        _ => asked == is,
    }
}

/// The spec that [`Spec::as_json`] has made the object of; its places are lost.
pub(super) fn spec_from_json(object: &Map<String, Json>) -> Spec {
    let mut spec = Spec::default();
    for (key, value) in object {
        match (key.as_str(), value) {
            ("name", Json::String(name)) => spec.name.clone_from(name),
            _ => spec.values.push(Named::new(key, value_from_json(value), Place::default())),
        }
    }
    spec
}

/// The value that [`Value::as_json`] has made.
pub(super) fn value_from_json(value: &Json) -> Value {
    match value {
        Json::Bool(flag) => Value::Flag(*flag),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Integer(number),
            None => Value::Real(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(values) => Value::List(values.iter().map(value_from_json).collect()),
        Json::Object(object) => Value::Spec(spec_from_json(object)),
        // No resolved value is null; what it stands for is then refused as a text.
        Json::Null => Value::Text("null".to_owned()),
    }
}
