//! `GET frames`: what is shown of a run that is played; as a stream, as it changes.

use std::sync::Arc;

use super::schema::{Schema, any_object, field, flag, integer, maybe, number, object, one_of};
use super::{Endpoint, Handler, Refusal, RequestFields, ServerState};
use crate::play::PlayStream;
use crate::stream::Source;
use kenga_core::spec::{Param, ParamKind};

pub(super) static ENDPOINT: Endpoint =
    Endpoint::new("frames", "what is shown of a run that is played", PARAMS, answers, Handler::Stream(run));

/// The parameter that names a play.
pub(super) const PLAY: Param =
    Param::required("play", ParamKind::Text).about("the id that play has answered");

const PARAMS: &[Param] = &[PLAY];

fn run(fields: &RequestFields, shared: &Arc<ServerState>) -> Result<Source, Refusal> {
    let mut stream = PlayStream::new(shared.plays.find(fields.text("play"))?);
    Ok(Box::new(move || stream.news()))
}

fn answers() -> Schema {
    let run = any_object().about("which run it is, and the exact facts; where it is another than before");
    object(&[
        field("state", one_of(&["preparing", "playing", "paused", "ended", "failed", "closed"])),
        maybe("speed", number().or_null().about("generations a second; null: no limit")),
        maybe("last", integer().or_null()),
        maybe("replays", integer().or_null()),
        maybe("counts_operators", flag()),
        maybe("record", any_object().or_null().about("what the run came to, once it was played to its end")),
        maybe("run", run),
        maybe("frame", any_object().about("the moment that is shown, where it is another than before")),
        maybe("curve", any_object().about("samples that were not told before, a list for every column")),
    ])
}
