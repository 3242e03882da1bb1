//! What a request holds: keys with values, checked against parameters as those of a configuration are.

use axum::extract::Query;
use axum::http::Uri;
use serde_json::{Map, Value as Json, json};

use super::written::NAMES;
use crate::refusal::{Code, Refusal};
use kenga_core::spec::{DefaultValue, Named, Param, ParamKind, Place, Spec, Value, resolve};

/// Keys whose text may be JSON itself: a canonical puzzle, a list of rows.
const TEXTS: [&str; 2] = ["puzzle", "grid"];

/// The key of a list of texts of which each may be JSON itself.
const LISTS: &str = "puzzles";

/// A puzzle to try.
const EXAMPLE: &str = "4:b_a4_a_6aa,m8s1a6s1m4a3d2";

/// The keys of a query; a value is a number or a flag where its parameter takes one.
///
/// # Errors
/// What is no query, and a key that stands twice.
pub(super) fn query(uri: &Uri, params: &[Param]) -> Result<Map<String, Json>, Refusal> {
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri);
    let pairs = pairs.map_err(|error| Refusal::new(Code::BadRequest, error.body_text(), ""))?;
    let mut asked = Map::new();
    for (key, value) in pairs.0 {
        let param = params.iter().find(|param| param.name == key);
        if asked.insert(key.clone(), typed(value, param)).is_some() {
            return Err(Refusal::new(Code::BadRequest, format!("the key `{key}` stands twice"), ""));
        }
    }
    Ok(asked)
}

/// The value of a text.
fn typed(text: String, param: Option<&Param>) -> Json {
    match param.map(|param| param.kind) {
        Some(ParamKind::Integer(..) | ParamKind::Real(..) | ParamKind::Flag) => {
            let value = serde_json::from_str(&text).ok();
            value.filter(|value: &Json| value.is_number() || value.is_boolean()).unwrap_or(Json::String(text))
        }
        _ => Json::String(text),
    }
}

/// The values of a request, checked and with defaults.
///
/// # Errors
/// An unknown key, a missing one, or a value of the wrong kind or outside its range.
pub(crate) fn read(asked: &Map<String, Json>, params: &[Param]) -> Result<Spec, Refusal> {
    resolve(&spec(asked)?, "the request", params).map_err(|error| Refusal::of_spec(Code::BadRequest, &error))
}

/// The values of a request as they are.
///
/// # Errors
/// A value that is null.
pub(super) fn spec(asked: &Map<String, Json>) -> Result<Spec, Refusal> {
    let mut spec = Spec::default();
    for (key, json) in asked {
        let is_text = TEXTS.contains(&key.as_str()) && (json.is_object() || json.is_array());
        let value = match json {
            json if is_text => Some(Value::Text(json.to_string())),
            Json::Array(texts) if key == LISTS => {
                texts.iter().map(text).collect::<Option<_>>().map(Value::List)
            }
            json => value(json),
        };
        let refusal =
            || Refusal::new(Code::BadRequest, format!("`{key}` is null"), "leave it out, or give it a value");
        spec.set(Named::new(key, value.ok_or_else(refusal)?, Place::default()));
    }
    Ok(spec)
}

/// A text, or an object as a text.
fn text(json: &Json) -> Option<Value> {
    match json {
        Json::Object(_) => Some(Value::Text(json.to_string())),
        json => value(json),
    }
}

/// A value of JSON; none for null.
fn value(json: &Json) -> Option<Value> {
    Some(match json {
        Json::Null => return None,
        Json::Bool(flag) => Value::Flag(*flag),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Value::Integer(whole),
            None => Value::Real(number.as_f64()?),
        },
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(values) => Value::List(values.iter().map(value).collect::<Option<_>>()?),
        Json::Object(object) => {
            let named = |(key, json)| Some(Named::new(key, value(json)?, Place::default()));
            Value::Spec(Spec { values: object.iter().map(named).collect::<Option<_>>()?, ..Spec::default() })
        }
    })
}

/// The schema of an object with these parameters.
pub(crate) fn object(params: &[Param]) -> Json {
    let required: Vec<&str> =
        params.iter().filter(|param| is_required(param)).map(|param| param.name).collect();
    let properties: Map<String, Json> =
        params.iter().map(|param| (param.name.to_owned(), property(param))).collect();
    json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
}

/// The parameter must be there.
pub(crate) fn is_required(param: &Param) -> bool {
    param.default == DefaultValue::Required
}

/// The schema of a parameter.
pub(crate) fn property(param: &Param) -> Json {
    let mut schema = match param.kind {
        _ if param.name == "puzzle" => json!({"type": ["string", "object"], "examples": [EXAMPLE]}),
        _ if param.name == "to" => json!({"enum": *NAMES}),
        _ if param.name == "grid" => {
            let cell = json!({"type": ["integer", "null"], "minimum": 0, "maximum": 255});
            json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "array", "items": cell}}]})
        }
        ParamKind::Integer(low, high) => json!({"type": "integer", "minimum": low, "maximum": high}),
        ParamKind::Real(low, high) => json!({"type": "number", "minimum": low, "maximum": high}),
        ParamKind::Choice(words) => json!({"enum": words}),
        ParamKind::Flag => json!({"type": "boolean"}),
        ParamKind::Texts if param.name == LISTS => {
            json!({"type": "array", "items": {"type": ["string", "object"], "examples": [EXAMPLE]}})
        }
        ParamKind::Texts => json!({"type": "array", "items": {"type": "string"}}),
        ParamKind::Table => {
            json!({"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}})
        }
        _ => json!({"type": "string"}),
    };
    schema["description"] = json!(param.about);
    match param.default {
        DefaultValue::Integer(number) => schema["default"] = json!(number),
        DefaultValue::Real(number) => schema["default"] = json!(number),
        DefaultValue::Text(text) => schema["default"] = json!(text),
        DefaultValue::Flag(flag) => schema["default"] = json!(flag),
        _ => {}
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMS: &[Param] = &[
        Param::required("puzzle", ParamKind::Text).about("the puzzle"),
        Param::integer("count", 1..=9, 2).about("how many"),
    ];

    fn asked(json: &Json) -> Result<Spec, String> {
        let said = |refusal: Refusal| refusal.json()["error"]["message"].as_str().expect("a text").to_owned();
        read(json.as_object().expect("an object"), PARAMS).map_err(said)
    }

    #[test]
    fn what_is_not_taken_is_named() {
        for (json, message) in [
            (json!({}), "the key `puzzle` is missing in the request"),
            (json!({"puzzle": "x", "cuont": 1}), "unknown key `cuont` in the request"),
            (json!({"puzzle": "x", "count": 0}), "`count` takes a whole number from 1 to 9, not 0"),
            (json!({"puzzle": "x", "count": "1"}), "`count` takes a whole number from 1 to 9, not \"1\""),
            (json!({"puzzle": 3}), "`puzzle` takes a text, not 3"),
            (json!({"puzzle": "x", "count": null}), "`count` is null"),
        ] {
            assert_eq!(asked(&json), Err(message.to_owned()));
        }
    }

    #[test]
    fn a_puzzle_may_be_an_object() {
        let spec = asked(&json!({"puzzle": {"size": 1, "cages": []}})).expect("sound");
        assert_eq!((spec.text("puzzle"), spec.integer("count")), (r#"{"size":1,"cages":[]}"#, 2));
    }

    #[test]
    fn the_schema_says_what_is_taken() {
        let expected = json!({
            "type": "object",
            "required": ["puzzle"],
            "properties": {
                "puzzle": {"type": ["string", "object"], "examples": [EXAMPLE], "description": "the puzzle"},
                "count": {"type": "integer", "minimum": 1, "maximum": 9, "description": "how many", "default": 2},
            },
            "additionalProperties": false,
        });
        assert_eq!(object(PARAMS), expected);
    }

    #[test]
    fn a_key_of_a_query_stands_once() {
        let read = |uri: &'static str| query(&Uri::from_static(uri), PARAMS).map_err(|refusal| refusal.code);
        assert_eq!(read("/x?a=1&b=%20"), Ok(json!({"a": "1", "b": " "}).as_object().expect("one").clone()));
        assert_eq!(read("/x?a=1&a=2"), Err(Code::BadRequest));
        assert_eq!(read("/x"), Ok(Map::new()));
        let typed = json!({"count": 7, "puzzle": "7"}).as_object().expect("one").clone();
        assert_eq!(read("/x?count=7&puzzle=7"), Ok(typed));
    }
}
