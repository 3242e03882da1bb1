//! `GET examples`: configurations to begin with.

use serde_json::{Value, json};

use super::{Asked, Endpoint, Run, request};
use crate::refusal::Refusal;
use crate::{Example, Shared};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "examples",
    "configurations with puzzles, to be played or changed",
    &[],
    answers,
    Run::Show(run),
)
.open();

fn run(asked: &Asked, shared: &Shared) -> Result<Value, Refusal> {
    request::read(asked, &[])?;
    let mut examples = Vec::new();
    for Example { name, about, config, puzzle } in shared.examples {
        examples.push(json!({"name": name, "about": about, "config": config, "puzzle": puzzle}));
    }
    Ok(examples.into())
}

fn answers() -> Value {
    let text = json!({"type": "string"});
    json!({
        "type": "array",
        "items": {
            "type": "object",
            "required": ["name", "about", "config", "puzzle"],
            "properties": {"name": text, "about": text, "config": text, "puzzle": text},
        },
    })
}
