//! The description of the API for OpenAPI 3.1, made from the table of endpoints.

use serde_json::{Map, Value, json};

use super::schema::{Schema, is_required, object_of, of_param, of_params};
use super::{Access, Answer, Code, Endpoint, Handler, Refusal, RequestFields, ServerState, TABLE, Takes};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "openapi.json",
    "this API described for programs, in OpenAPI 3.1",
    &[],
    answers,
    Handler::Get(run),
)
.open();

fn run(_: &RequestFields, _: &ServerState) -> Answer {
    Ok(document())
}

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
    match endpoint.takes {
        Takes::Fields(params) if endpoint.takes_body() => {
            operation["requestBody"] = body(&of_params(params));
        }
        Takes::Fields(params) => {
            let mut parameters = Vec::new();
            for param in params {
                let is_required = is_required(param);
                parameters.push(json!({
                    "name": param.name, "in": "query", "required": is_required, "schema": of_param(param),
                }));
            }
            operation["parameters"] = json!(parameters);
        }
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
    // A status stands for several codes: its description lists them.
    for code in Code::all() {
        let response = &mut responses[code.status().to_string()];
        let names = match response["description"].as_str() {
            Some(names) => format!("{names}, {}", code.name()),
            None => code.name().to_owned(),
        };
        *response = json!({"description": names, "content": {"application/json": refusal}});
    }
    responses
}

fn answers() -> Schema {
    object_of(&["openapi", "info", "paths"])
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
            assert_eq!(operation["requestBody"].is_object(), endpoint.takes_body(), "{}", endpoint.name);
            let is_secured = endpoint.access() != Access::Open;
            assert_eq!(operation["security"].is_array(), is_secured, "{}", endpoint.name);
            assert!(operation["responses"]["421"]["description"] == "foreign_host", "{}", endpoint.name);
        }
    }
}
