//! What a request holds: keys with values, checked against parameters as those of a configuration are.

use std::ops::Deref;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Query, Request};
use axum::http::Uri;
use axum::http::header::CONTENT_TYPE;
use serde_json::{Map, Value as Json};

use crate::connection::whole;
use crate::refusal::{Code, Refusal};
use kenga_core::spec::{Named, Param, ParamKind, Place, Spec, Value, resolve};

/// Keys whose text may be JSON itself: a canonical puzzle, a list of rows.
const TEXTS: [&str; 2] = ["puzzle", "grid"];

/// The key of a list of texts of which each may be JSON itself.
pub(super) const LISTS: &str = "puzzles";

/// A puzzle to try.
pub(super) const EXAMPLE: &str = "4:b_a4_a_6aa,m8s1a6s1m4a3d2";

/// The fields of a request: checked, and with the defaults of those that were not sent.
pub(super) struct RequestFields {
    spec: Spec,
    /// The object as it was sent, of an endpoint that has a schema of its own.
    pub(super) object: Map<String, Json>,
}

impl RequestFields {
    /// Checks an object against parameters.
    ///
    /// # Errors
    /// An unknown key, a missing one, or a value of the wrong kind or outside its range.
    pub(super) fn checked(object: &Map<String, Json>, params: &[Param]) -> Result<Self, Refusal> {
        Self::resolved(&spec(object)?, params)
    }

    /// As [`checked`](Self::checked), for values that were read already.
    pub(super) fn resolved(spec: &Spec, params: &[Param]) -> Result<Self, Refusal> {
        let spec = resolve(spec, "the request", params)
            .map_err(|error| Refusal::of_spec(Code::BadRequest, &error))?;
        Ok(Self { spec, object: Map::new() })
    }

    /// An object that its endpoint checks itself.
    pub(super) fn unchecked(object: Map<String, Json>) -> Self {
        Self { spec: Spec::default(), object }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.entry(key).is_some()
    }

    pub(super) fn text_or_absent(&self, key: &str) -> Option<&str> {
        if self.has(key) { Some(self.text(key)) } else { None }
    }

    pub(super) fn count_or_absent(&self, key: &str) -> Option<u64> {
        self.integer_or_absent(key).map(i64::unsigned_abs)
    }
}

impl Deref for RequestFields {
    type Target = Spec;

    fn deref(&self) -> &Spec {
        &self.spec
    }
}

/// The object of a request's body.
///
/// # Errors
/// A body that does not come whole, that is not sent as JSON, or that is no object.
pub(super) async fn body(request: Request<Body>) -> Result<Map<String, Json>, Refusal> {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default();
    let is_json = kind.trim().eq_ignore_ascii_case("application/json");
    // A body is read even where it is refused: a client that still writes would not read the answer.
    let bytes = whole(request.into_body()).await?;
    if !is_json {
        let help = "send Content-Type: application/json";
        return Err(Refusal::new(Code::NotJson, "Content-Type is not application/json", help));
    }
    match serde_json::from_slice(&bytes) {
        Ok(Json::Object(object)) => Ok(object),
        Ok(_) => Err(Refusal::new(Code::BadRequest, "the body is no JSON object", "")),
        Err(error) => Err(Refusal::new(Code::BadRequest, format!("the body is not JSON: {error}"), "")),
    }
}

/// The keys of a query; a value is a number or a flag where its parameter takes one.
///
/// # Errors
/// What is no query, and a key that stands twice.
pub(super) fn query(uri: &Uri, params: &[Param]) -> Result<Map<String, Json>, Refusal> {
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri);
    let pairs = pairs.map_err(|error| Refusal::new(Code::BadRequest, error.body_text(), ""))?;
    let mut object = Map::new();
    for (key, value) in pairs.0 {
        let param = params.iter().find(|param| param.name == key);
        if object.insert(key.clone(), typed(value, param)).is_some() {
            return Err(Refusal::new(Code::BadRequest, format!("the key `{key}` stands twice"), ""));
        }
    }
    Ok(object)
}

/// The value of a text.
fn typed(text: String, param: Option<&Param>) -> Json {
    let Some(ParamKind::Integer(..) | ParamKind::Real(..) | ParamKind::Flag) = param.map(|param| param.kind)
    else {
        return Json::String(text);
    };
    // `1e9` and `true` are read as in a body; whatever else stands there is refused by the parameter, in its own words.
    match serde_json::from_str(&text) {
        Ok(value @ (Json::Number(_) | Json::Bool(_))) => value,
        _ => Json::String(text),
    }
}

/// The values of a request as they are.
///
/// # Errors
/// A value that is null.
pub(super) fn spec(object: &Map<String, Json>) -> Result<Spec, Refusal> {
    let mut spec = Spec::default();
    for (key, json) in object {
        // A puzzle and a grid may be JSON themselves: they are read as texts in any format are, with the same errors.
        let value = match json {
            Json::Object(_) | Json::Array(_) if TEXTS.contains(&key.as_str()) => {
                Some(Value::Text(json.to_string()))
            }
            Json::Array(items) if key == LISTS => {
                items.iter().map(text_or_object).collect::<Option<_>>().map(Value::List)
            }
            json => value(json),
        };
        let Some(value) = value else {
            let help = "leave it out, or give it a value";
            return Err(Refusal::new(Code::BadRequest, format!("`{key}` is null"), help));
        };
        spec.set(Named::new(key, value, Place::default()));
    }
    Ok(spec)
}

/// A text, or an object as a text.
fn text_or_object(json: &Json) -> Option<Value> {
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
            let mut spec = Spec::default();
            for (key, json) in object {
                spec.values.push(Arc::new(Named::new(key, value(json)?, Place::default())));
            }
            Value::Spec(spec)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const PARAMS: &[Param] = &[
        Param::required("puzzle", ParamKind::Text).about("the puzzle"),
        Param::integer("count", 1..=9, 2).about("how many"),
    ];

    fn checked(json: &Json) -> Result<RequestFields, String> {
        let said = |refusal: Refusal| refusal.json()["error"]["message"].as_str().expect("a text").to_owned();
        RequestFields::checked(json.as_object().expect("an object"), PARAMS).map_err(said)
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
            assert_eq!(checked(&json).err(), Some(message.to_owned()));
        }
    }

    #[test]
    fn a_puzzle_may_be_an_object() {
        let fields = checked(&json!({"puzzle": {"size": 1, "cages": []}})).expect("sound");
        assert_eq!((fields.text("puzzle"), fields.integer("count")), (r#"{"size":1,"cages":[]}"#, 2));
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
