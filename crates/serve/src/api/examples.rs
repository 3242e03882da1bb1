//! `GET examples`: configurations to begin with.

use serde_json::json;

use super::schema::{Schema, field, list, object, text};
use super::{Answer, Endpoint, Handler, RequestFields};
use crate::{Example, ServerState};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "examples",
    "configurations with puzzles, to be played or changed",
    &[],
    answers,
    Handler::Get(run),
)
.open();

fn run(_: &RequestFields, shared: &ServerState) -> Answer {
    let mut examples = Vec::new();
    for Example { name, about, config, puzzle } in shared.examples {
        examples.push(json!({"name": name, "about": about, "config": config, "puzzle": puzzle}));
    }
    Ok(examples.into())
}

fn answers() -> Schema {
    list(object(&["name", "about", "config", "puzzle"].map(|name| field(name, text()))))
}
