//! The description of the API for OpenAPI 3.1, made from the table of endpoints.

use serde_json::{Map, Value, json};

use super::request::{is_required, object, property, read};
use super::{Access, Endpoint, Run, TABLE, Takes};
use crate::refusal::{Code, Refusal};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "openapi.json",
    "this API described for programs, in OpenAPI 3.1",
    &[],
    answers,
    Run::Show(|asked, _| {
        read(asked, &[])?;
        Ok(document())
    }),
)
.open();

/// The whole description.
fn document() -> Value {
    let paths: Map<String, Value> = TABLE.iter().map(|endpoint| (endpoint.path(), path(endpoint))).collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "kenga",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "What kenga does with puzzles. Answers are the objects that the command line prints with --json.",
            "license": {"name": env!("CARGO_PKG_LICENSE")},
        },
        "paths": paths,
        "components": {
            "schemas": {"Error": Refusal::schema()},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "the token of the address that kenga serve prints"},
            },
        },
    })
}

fn path(endpoint: &Endpoint) -> Value {
    let mut operation = json!({
        "operationId": endpoint.name.replace('.', "_"),
        "summary": endpoint.about,
        "responses": responses(endpoint),
    });
    if endpoint.access() != Access::Open {
        operation["security"] = json!([{"token": []}]);
    }
    match &endpoint.takes {
        Takes::Params(params) if !endpoint.is_work() => {
            let parameter = |param| json!({"name": (param as &kenga_core::spec::Param).name, "in": "query", "required": is_required(param), "schema": property(param)});
            operation["parameters"] = params.iter().map(parameter).collect();
        }
        Takes::Params(params) => operation["requestBody"] = body(&object(params)),
        Takes::Object(schema) => operation["requestBody"] = body(&schema()),
    }
    let method = endpoint.method().to_lowercase();
    json!({ method: operation })
}

fn body(schema: &Value) -> Value {
    json!({"required": true, "content": {"application/json": {"schema": schema}}})
}

/// The answer, and every refusal by its status.
fn responses(endpoint: &Endpoint) -> Value {
    let mut responses = json!({
        "200": {"description": "done", "content": endpoint.content()},
    });
    let refusal = json!({"schema": {"$ref": "#/components/schemas/Error"}});
    for code in Code::ALL {
        let (name, status) = code.facts();
        let response = &mut responses[status.to_string()];
        let before = response["description"].as_str().map_or_else(String::new, |names| format!("{names}, "));
        *response = json!({"description": before + name, "content": {"application/json": refusal}});
    }
    responses
}

fn answers() -> Value {
    json!({"type": "object", "required": ["openapi", "info", "paths"]})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_endpoint_is_described() {
        let document = document();
        for endpoint in TABLE {
            let operation = &document["paths"][endpoint.path()][endpoint.method().to_lowercase()];
            assert_eq!(operation["summary"], endpoint.about, "{}", endpoint.name);
            assert_eq!(operation["requestBody"].is_object(), endpoint.is_work(), "{}", endpoint.name);
            let is_secured = endpoint.access() != Access::Open;
            assert_eq!(operation["security"].is_array(), is_secured, "{}", endpoint.name);
            assert!(operation["responses"]["421"]["description"] == "foreign_host", "{}", endpoint.name);
        }
    }

    #[test]
    fn every_refusal_has_a_name_and_a_status_of_its_own() {
        let names: std::collections::BTreeSet<&str> = Code::ALL.iter().map(|code| code.facts().0).collect();
        assert_eq!(names.len(), Code::ALL.len());
        let is_refusal = |code: &Code| (400..600).contains(&code.facts().1);
        assert!(Code::ALL.iter().all(is_refusal));
    }
}
