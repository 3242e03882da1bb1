//! `GET health`: that the server is there, and what it is doing; as a stream, whenever that changes.

use std::sync::Arc;

use serde_json::{Value, json};

use super::schema::{Schema, field, flag, integer, object, text};
use super::{Endpoint, Handler, Refusal, RequestFields, ServerState};
use crate::stream::{News, Source};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "health",
    "that the server is there, and how much it is doing",
    &[],
    answers,
    Handler::Stream(run),
)
.open();

fn run(_: &RequestFields, shared: &Arc<ServerState>) -> Result<Source, Refusal> {
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

fn health(shared: &ServerState) -> Value {
    let load = shared.work.load();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "running": load.running,
        "waiting": load.waiting,
        "streams": shared.streams.open(),
        "read_only": shared.guard.read_only,
    })
}

fn answers() -> Schema {
    object(&[
        field("version", text()),
        field("running", integer().about("requests that are worked on")),
        field("waiting", integer().about("requests that wait for others")),
        field("streams", integer().about("streams that are open")),
        field("read_only", flag()),
    ])
}
