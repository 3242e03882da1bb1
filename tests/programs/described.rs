//! Answers of the server against its own description, both ways: what the description names is there, of its kind, and
//! nothing is there that it does not name.

use std::collections::BTreeSet;

use serde_json::Value;

/// Checks an answer of an endpoint against the `openapi.json` of its server.
///
/// # Panics
/// Where both differ.
pub fn check(document: &Value, method: &str, path: &str, answer: &Value) {
    let content = &document["paths"][path][method.to_lowercase()]["responses"]["200"]["content"];
    let schema = &content["application/json"]["schema"];
    assert!(schema.is_object(), "{method} {path} is not described: {content}");
    check_value(schema, answer, path);
}

fn check_value(schema: &Value, value: &Value, at: &str) {
    if let Some(words) = schema["enum"].as_array() {
        assert!(words.contains(value), "{at} is {value}, not one of {words:?}");
        return;
    }
    let kinds = match &schema["type"] {
        Value::String(kind) => vec![kind.as_str()],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return,
    };
    assert!(kinds.iter().any(|kind| is_of(value, kind)), "{at} is {value}, not of {kinds:?}");
    match value {
        Value::Array(items) => {
            let count = items.len() as u64;
            assert!(schema["minItems"].as_u64().is_none_or(|least| least <= count), "{at}: {count} items");
            assert!(schema["maxItems"].as_u64().is_none_or(|most| count <= most), "{at}: {count} items");
            for (place, item) in items.iter().enumerate() {
                check_value(&schema["items"], item, &format!("{at}[{place}]"));
            }
        }
        Value::Object(members) => {
            let listed = schema["required"].as_array().into_iter().flatten();
            let required: BTreeSet<&str> = listed.filter_map(Value::as_str).collect();
            for key in &required {
                assert!(members.contains_key(*key), "{at} has no `{key}`: {value}");
            }
            let described = schema["properties"].as_object();
            // Of some objects only the names of keys are said: those may have others.
            let is_whole = described.is_some_and(|known| required.iter().all(|key| known.contains_key(*key)));
            for (key, member) in members {
                let inside = format!("{at}.{key}");
                match described.and_then(|known| known.get(key)) {
                    Some(known) => check_value(known, member, &inside),
                    None if schema["additionalProperties"].is_object() => {
                        check_value(&schema["additionalProperties"], member, &inside);
                    }
                    None => assert!(!is_whole, "{inside} is not described"),
                }
            }
        }
        _ => {}
    }
}

fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        other => panic!("{other} is no type of JSON Schema"),
    }
}
