//! `POST order`: what a run that is played does next.

use serde_json::json;

use super::frames::PLAY;
use super::play::speed;
use super::schema::{Schema, any_object};
use super::{Answer, Code, Endpoint, Handler, Refusal, RequestFields, ServerState};
use kenga_core::spec::{Param, ParamKind};
use kenga_lab::playback::PlayerCommand;

pub(super) static ENDPOINT: Endpoint =
    Endpoint::new("order", "tells a run that is played what to do next", PARAMS, answers, Handler::Post(run));

const PARAMS: &[Param] = &[
    PLAY,
    Param::choice(
        "order",
        &["play", "pause", "forward", "improvement", "seek", "end", "speed", "count_operators", "run", "close"],
        "pause",
    )
    .about("forward: on by `value` generations; improvement: to the next improvement of the best; seek: to the generation `value`"),
    Param::optional("value", ParamKind::Real(0.0, 9e15)).about(
        "of forward, seek and run a whole number; of speed generations a second, 0 for no limit; of count_operators 1 or 0",
    ),
];

fn run(fields: &RequestFields, shared: &ServerState) -> Answer {
    let play = shared.plays.find(fields.text("play"))?;
    let player = &play.player;
    match fields.text("order") {
        "play" => player.play(true),
        "pause" => player.play(false),
        "forward" => player.command(PlayerCommand::Forward(whole(fields)?)),
        "improvement" => player.command(PlayerCommand::Improvement),
        "seek" => player.command(PlayerCommand::Seek(whole(fields)?)),
        "speed" => player.set_speed(speed(value(fields)?)),
        "count_operators" => player.command(PlayerCommand::CountOperators(value(fields)? != 0.0)),
        "run" => play.go_to(whole(fields)?)?,
        "close" => shared.plays.close(&play),
        _ => player.command(PlayerCommand::End),
    }
    Ok(json!({}))
}

/// The value of an order that needs one.
fn value(fields: &RequestFields) -> Result<f64, Refusal> {
    fields.real_or_absent("value").ok_or_else(|| {
        let message = format!("the order {} takes a value", fields.text("order"));
        Refusal::new(Code::BadRequest, message, "")
    })
}

/// Its value as a whole number.
fn whole(fields: &RequestFields) -> Result<u64, Refusal> {
    let value = value(fields)?;
    if value.fract() == 0.0 {
        return Ok(value as u64);
    }
    let message = format!("the order {} takes a whole number, not {value}", fields.text("order"));
    Err(Refusal::new(Code::BadRequest, message, ""))
}

fn answers() -> Schema {
    any_object().about("empty; the stream shows what comes of it")
}
