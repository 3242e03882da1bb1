//! `GET health`: that the server is there, and what it is doing; as a stream, whenever that changes.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Asked, Endpoint, Run, request};
use crate::Shared;
use crate::refusal::Refusal;
use crate::stream::{News, Source};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "health",
    "that the server is there, and how much it is doing",
    &[],
    answers,
    Run::Watch(run),
)
.open();

fn run(asked: &Asked, shared: &Arc<Shared>) -> Result<Source, Refusal> {
    request::read(asked, &[])?;
    let (shared, mut last) = (Arc::clone(shared), Value::Null);
    Ok(Box::new(move || {
        let health = health(&shared);
        if health == last {
            return News::Nothing;
        }
        last.clone_from(&health);
        News::Event("health", health.to_string())
    }))
}

fn health(shared: &Shared) -> Value {
    let load = shared.work.load();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "running": load.running,
        "waiting": load.waiting,
        "streams": shared.streams.open(),
        "read_only": shared.guard.read_only,
    })
}

fn answers() -> Value {
    json!({
        "type": "object",
        "required": ["version", "running", "waiting", "streams", "read_only"],
        "properties": {
            "version": {"type": "string"},
            "running": {"type": "integer", "description": "requests that are worked on"},
            "waiting": {"type": "integer", "description": "requests that wait for others"},
            "streams": {"type": "integer", "description": "streams that are open"},
            "read_only": {"type": "boolean"},
        },
    })
}
