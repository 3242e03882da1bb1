//! `POST order`: what a run that is played does next.

use std::sync::Arc;

use serde_json::{Value, json};

use super::frames::PLAY;
use super::play::speed;
use super::{Asked, Endpoint, Run, request};
use crate::Shared;
use crate::play::Play;
use crate::refusal::{Code, Refusal};
use kenga_core::spec::{Param, ParamKind, Spec};
use kenga_lab::playback::Order;

pub(super) static ENDPOINT: Endpoint =
    Endpoint::new("order", "tells a run that is played what to do next", PARAMS, answers, Run::Act(run));

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

fn run(asked: &Asked, shared: &Arc<Shared>) -> Result<Value, Refusal> {
    let asked = request::read(asked, PARAMS)?;
    let play = shared.plays.find(asked.text("play"))?;
    match asked.text("order") {
        "close" => shared.plays.close(&play),
        order => obey(&play, order, &asked)?,
    }
    Ok(json!({}))
}

fn obey(play: &Arc<Play>, order: &str, asked: &Spec) -> Result<(), Refusal> {
    let player = &play.player;
    match order {
        "play" => player.play(true),
        "pause" => player.play(false),
        "forward" => player.order(Order::Forward(whole(asked, order)?)),
        "improvement" => player.order(Order::Improvement),
        "seek" => player.order(Order::Seek(whole(asked, order)?)),
        "speed" => player.set_speed(speed(value(asked, order)?)),
        "count_operators" => player.order(Order::CountOperators(value(asked, order)? != 0.0)),
        "run" => play.go_to(whole(asked, order)?)?,
        _ => player.order(Order::End),
    }
    Ok(())
}

/// The value of an order that needs one.
fn value(asked: &Spec, order: &str) -> Result<f64, Refusal> {
    let missing = || Refusal::new(Code::BadRequest, format!("the order {order} takes a value"), "");
    asked.real_or_absent("value").ok_or_else(missing)
}

/// Its value as a whole number.
fn whole(asked: &Spec, order: &str) -> Result<u64, Refusal> {
    let value = value(asked, order)?;
    if value.fract() == 0.0 {
        return Ok(value as u64);
    }
    Err(Refusal::new(Code::BadRequest, format!("the order {order} takes a whole number, not {value}"), ""))
}

fn answers() -> Value {
    json!({"type": "object", "description": "empty; the stream shows what comes of it"})
}
