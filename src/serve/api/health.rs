//! `GET health`: that the server is there, and what it is doing.

use serde_json::{Map, Value, json};

use super::{Endpoint, State, request};
use crate::serve::refusal::Refusal;

pub(super) static ENDPOINT: Endpoint =
    Endpoint::show("health", "that the server is there, and how much it is doing", &[], answers, run);

fn run(asked: &Map<String, Value>, state: &State) -> Result<Value, Refusal> {
    request::read(asked, &[])?;
    Ok(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "running": state.load.running,
        "waiting": state.load.waiting,
        "read_only": state.read_only,
    }))
}

fn answers() -> Value {
    json!({
        "type": "object",
        "required": ["version", "running", "waiting", "read_only"],
        "properties": {
            "version": {"type": "string"},
            "running": {"type": "integer", "description": "requests that are worked on"},
            "waiting": {"type": "integer", "description": "requests that wait for others"},
            "read_only": {"type": "boolean"},
        },
    })
}
