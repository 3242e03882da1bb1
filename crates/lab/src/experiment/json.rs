//! A resolved configuration as the JSON of a manifest, and back; its values looked up and compared.

use std::sync::Arc;

use serde_json::Map;

use kenga_core::spec::{MAX_EXACT, Named, Place, Spec, Value};
use kenga_core::text::joined;

pub(super) type Json = serde_json::Value;

/// The canonical text of a spec without some of its keys: for manifests and for hashing.
pub(super) fn text_without(spec: &Spec, keys: &[&str]) -> String {
    let mut object = spec.as_json();
    object.retain(|key, _| !keys.contains(&key.as_str()));
    Json::Object(object).to_string()
}

/// A text that is equal for equal values, however they were written: `1` and `1.0` are one number.
pub(super) fn canonical(value: &Value) -> String {
    match value {
        Value::Real(real) if real.fract() == 0.0 && real.abs() < MAX_EXACT => (*real as i64).to_string(),
        Value::List(values) => format!("[{}]", joined(values.iter().map(canonical), ",")),
        Value::Spec(spec) => canonical_spec(spec),
        other => other.as_json().to_string(),
    }
}

/// See [`canonical`].
pub(super) fn canonical_spec(spec: &Spec) -> String {
    let pairs = spec.values.iter().map(|named| format!("{}:{}", named.key, canonical(&named.value)));
    format!("{{{}}}", joined([spec.name.clone()].into_iter().chain(pairs), ","))
}

/// The value at a dotted path; of `name` that of a table.
pub(super) fn at_path(spec: &Spec, path: &str) -> Option<Value> {
    let Some((head, rest)) = path.split_once('.') else {
        if path == "name" && !spec.name.is_empty() {
            return Some(Value::Text(spec.name.clone()));
        }
        return spec.get(path).cloned();
    };
    match spec.get(head)? {
        Value::Spec(inner) => at_path(inner, rest),
        // A member by its bare name.
        Value::Text(name) if rest == "name" => Some(Value::Text(name.clone())),
        _ => None,
    }
}

/// A resolved value is what was asked for: whole numbers are real numbers too, a name stands for its member, and a table
/// for one that has all of it.
pub(super) fn is_value(asked: &Value, is: &Value) -> bool {
    match (asked, is) {
        (Value::Integer(asked), Value::Real(is)) => *asked as f64 == *is,
        (Value::Real(asked), Value::Integer(is)) => *asked == *is as f64,
        (Value::Text(asked), Value::Spec(member)) => member.name == *asked,
        (Value::Spec(asked), Value::Spec(member)) => {
            let has = |key: &str, asked: &Value| member.get(key).is_some_and(|is| is_value(asked, is));
            (asked.name.is_empty() || asked.name == member.name)
                && asked.values.iter().all(|named| has(&named.key, &named.value))
        }
        (Value::List(asked), Value::List(is)) => {
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
            _ => spec.values.push(Arc::new(Named::new(key, value_from_json(value), Place::default()))),
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
