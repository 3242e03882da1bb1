//! `POST births`: how an individual of a run that is played came to be.

use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use super::frames::PLAY;
use super::{Asked, Endpoint, Run, request};
use crate::Shared;
use crate::play::{Play, origin};
use crate::refusal::{Code, Refusal};
use kenga_core::spec::{Param, ParamKind};
use kenga_lab::playback::{Frame, Order, View};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "births",
    "how an individual came to be: its parents, what crossover, mutation and improvement made, what was repaired and broken",
    PARAMS,
    answers,
    Run::Act(run),
);

const PARAMS: &[Param] = &[
    PLAY,
    Param::optional("generation", ParamKind::Integer(0, i64::MAX))
        .about("the generation that is meant; refused where another one is shown"),
    Param::integer("population", 0..=i64::MAX, 0).about("which population, from 0"),
    Param::integer("individual", 0..=i64::MAX, 0).about("its row in the frame, from 0: best first"),
];

/// How long the generation is waited for that is made once more: so many looks, so far apart.
const LOOKS: (u32, Duration) = (100, Duration::from_millis(20));

fn run(asked: &Asked, shared: &Arc<Shared>) -> Result<Value, Refusal> {
    let asked = request::read(asked, PARAMS)?;
    let play = shared.plays.find(asked.text("play"))?;
    let (view, frame) = shown(&play)?;
    let wanted = asked.integer_or_absent("generation").map(i64::unsigned_abs);
    if wanted.is_some_and(|wanted| wanted != frame.generation) {
        let message = format!("generation {} is shown", frame.generation);
        return Err(Refusal::new(Code::NotShown, message, "pause, and ask again"));
    }
    let place = (asked.size("population"), asked.size("individual"));
    if frame.islands.get(place.0).is_none_or(|rows| place.1 >= rows.len()) {
        return Err(Refusal::new(Code::NotShown, "no such individual is shown", ""));
    }
    let frame = if frame.origin(place.0, place.1).is_some() { frame } else { found(&play, &frame)? };
    let fitness = view.fitness.ok_or_else(preparing)?;
    let puzzle = &play.plan.puzzles[play.plan.id(view.run).puzzle];
    origin(&frame, place, &fitness, puzzle).ok_or_else(preparing)
}

/// What is shown, and the moment.
fn shown(play: &Play) -> Result<(View, Arc<Frame>), Refusal> {
    let view = play.view()?;
    let frame = view.frame.clone().ok_or_else(preparing)?;
    Ok((view, frame))
}

fn preparing() -> Refusal {
    Refusal::new(Code::Busy, "the run is being replayed", "ask again in a second")
}

/// The moment with what was not noted of it: its generation is made once more, from the start of the run.
fn found(play: &Play, wanted: &Frame) -> Result<Arc<Frame>, Refusal> {
    // An order would cut the replay that is under way.
    if shown(play)?.0.replays.is_none() {
        play.player.order(Order::FindOrigins);
    }
    for _ in 0..LOOKS.0 {
        sleep(LOOKS.1);
        let (_, frame) = shown(play)?;
        if frame.generation == wanted.generation && !frame.origins.is_empty() {
            return Ok(frame);
        }
    }
    Err(preparing())
}

fn answers() -> Value {
    let groups =
        json!({"type": "array", "items": {"type": "object"}, "description": "groups with name and cells"});
    let step =
        json!({"type": ["object", "null"], "description": "the genome after this step, and its fitness"});
    json!({
        "type": "object",
        "required": ["generation", "origin", "individual"],
        "properties": {
            "generation": {"type": "integer"},
            "origin": {
                "enum": ["random", "born", "stayed", "moved", "unknown"],
                "description": "stayed: it was in the population before; moved: a local search came from another position; \
                                unknown: the algorithm does not say",
            },
            "individual": {"type": "object", "description": "genome, fitness, terms, and the groups that are broken"},
            "parents": {"type": "array", "minItems": 2, "maxItems": 2, "description": "first the one that it takes after"},
            "better": {"type": "integer", "description": "which parent is the better one: 0 or 1"},
            "crossed": step, "mutated": step, "improved": step, "from": step,
            "repaired": groups, "broke": groups,
        },
    })
}
