//! `GET frames`: what is shown of a run that is played; as a stream, as it changes.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Asked, Endpoint, Run, request};
use crate::Shared;
use crate::play::Telling;
use crate::refusal::Refusal;
use crate::stream::Source;
use kenga_core::spec::{Param, ParamKind};

pub(super) static ENDPOINT: Endpoint =
    Endpoint::new("frames", "what is shown of a run that is played", PARAMS, answers, Run::Watch(run));

/// The parameter that names a play.
pub(super) const PLAY: Param =
    Param::required("play", ParamKind::Text).about("the id that play has answered");

const PARAMS: &[Param] = &[PLAY];

fn run(asked: &Asked, shared: &Arc<Shared>) -> Result<Source, Refusal> {
    let asked = request::read(asked, PARAMS)?;
    let mut telling = Telling::new(shared.plays.find(asked.text("play"))?);
    Ok(Box::new(move || telling.news()))
}

fn answers() -> Value {
    let whole = json!({"type": ["integer", "null"]});
    json!({
        "type": "object",
        "required": ["state"],
        "properties": {
            "state": {"enum": ["preparing", "playing", "paused", "ended", "failed", "closed"]},
            "speed": {"type": ["number", "null"], "description": "generations a second; null: no limit"},
            "last": whole,
            "replays": whole,
            "counts_operators": {"type": "boolean"},
            "record": {"type": ["object", "null"], "description": "what the run came to, once it was played to its end"},
            "run": {"type": "object", "description": "which run it is, and the exact facts; where it is another than before"},
            "frame": {"type": "object", "description": "the moment that is shown, where it is another than before"},
            "curve": {"type": "object", "description": "samples that were not told before, a list for every column"},
        },
    })
}
