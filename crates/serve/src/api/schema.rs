//! Schemas of JSON for the description of the API, built from small parts: `object(&[field("id", text()), maybe("why", text())])`.
//!
//! Keys keep the order in which they are written: it is that of the description.

use serde_json::{Map, Value, json};

use super::fields::{EXAMPLE, LISTS};
use super::written::NAMES;
use kenga_core::spec::{DefaultValue, Param, ParamKind};

/// The schema of a value.
#[derive(Clone)]
pub(super) struct Schema(pub(super) Value);

/// A key of an object.
pub(super) struct SchemaField {
    name: &'static str,
    schema: Schema,
    is_required: bool,
}

/// A key that every object has.
pub(super) fn field(name: &'static str, schema: Schema) -> SchemaField {
    SchemaField { name, schema, is_required: true }
}

/// A key that an object may lack.
pub(super) fn maybe(name: &'static str, schema: Schema) -> SchemaField {
    SchemaField { name, schema, is_required: false }
}

/// An object with these keys, and perhaps others.
pub(super) fn object(fields: &[SchemaField]) -> Schema {
    let (mut required, mut properties) = (Vec::new(), Map::new());
    for SchemaField { name, schema, is_required } in fields {
        if *is_required {
            required.push(*name);
        }
        properties.insert((*name).to_owned(), schema.0.clone());
    }
    let mut schema = json!({"type": "object"});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema["properties"] = Value::Object(properties);
    Schema(schema)
}

/// An object of which only the names of its keys are said.
pub(super) fn object_of(keys: &[&str]) -> Schema {
    Schema(json!({"type": "object", "required": keys}))
}

/// An object of which nothing is said.
pub(super) fn any_object() -> Schema {
    Schema(json!({"type": "object"}))
}

/// An object with a value of one kind for every key, whatever its keys.
pub(super) fn map_of(value: Schema) -> Schema {
    Schema(json!({"type": "object", "additionalProperties": value.0}))
}

pub(super) fn list(item: Schema) -> Schema {
    Schema(json!({"type": "array", "items": item.0}))
}

/// A list of which nothing is said.
pub(super) fn any_list() -> Schema {
    Schema(json!({"type": "array"}))
}

/// One of these words.
pub(super) fn one_of(words: &[&str]) -> Schema {
    Schema(json!({"enum": words}))
}

pub(super) fn text() -> Schema {
    Schema(json!({"type": "string"}))
}

pub(super) fn integer() -> Schema {
    Schema(json!({"type": "integer"}))
}

/// A whole number that is not negative.
pub(super) fn count() -> Schema {
    Schema(json!({"type": "integer", "minimum": 0}))
}

pub(super) fn number() -> Schema {
    Schema(json!({"type": "number"}))
}

pub(super) fn flag() -> Schema {
    Schema(json!({"type": "boolean"}))
}

/// A cell as `[row, column]` from 0.
pub(super) fn cell() -> Schema {
    list(integer()).about("[row, column] from 0")
}

/// A digit that a step fills in.
pub(super) fn placed_digit() -> Schema {
    object(&[maybe("cell", cell()), maybe("digit", integer())])
}

impl Schema {
    /// Says what the value is.
    pub(super) fn about(mut self, about: &str) -> Self {
        self.0["description"] = json!(about);
        self
    }

    /// Allows null.
    pub(super) fn or_null(mut self) -> Self {
        match self.0.get_mut("enum").and_then(Value::as_array_mut) {
            Some(words) => words.push(Value::Null),
            None => self.0["type"] = json!([self.0["type"], "null"]),
        }
        self
    }

    /// Says how many items a list has.
    pub(super) fn of_length(mut self, length: usize) -> Self {
        self.0["minItems"] = json!(length);
        self.0["maxItems"] = json!(length);
        self
    }

    /// Adds a key that the object may lack.
    pub(super) fn with_maybe(mut self, name: &str, schema: Self) -> Self {
        self.0["properties"][name] = schema.0;
        self
    }
}

/// The schema of a request with these parameters and no others.
pub(super) fn of_params(params: &[Param]) -> Value {
    let mut properties = Map::new();
    for param in params {
        properties.insert(param.name.to_owned(), of_param(param));
    }
    let required: Vec<&str> =
        params.iter().filter(|param| is_required(param)).map(|param| param.name).collect();
    json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
}

/// The parameter must be there.
pub(super) fn is_required(param: &Param) -> bool {
    param.default == DefaultValue::Required
}

/// The schema of a parameter.
pub(super) fn of_param(param: &Param) -> Value {
    let mut schema = match param.kind {
        // By name, where the kind says less than what is taken: a puzzle is a text, or its object.
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

    #[test]
    fn the_schema_says_what_is_taken() {
        const PARAMS: &[Param] = &[
            Param::required("puzzle", ParamKind::Text).about("the puzzle"),
            Param::integer("count", 1..=9, 2).about("how many"),
        ];
        let expected = json!({
            "type": "object",
            "required": ["puzzle"],
            "properties": {
                "puzzle": {"type": ["string", "object"], "examples": [EXAMPLE], "description": "the puzzle"},
                "count": {"type": "integer", "minimum": 1, "maximum": 9, "description": "how many", "default": 2},
            },
            "additionalProperties": false,
        });
        assert_eq!(of_params(PARAMS), expected);
    }
}
