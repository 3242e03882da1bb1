//! `POST plan`: what an experiment would be, without starting it.

use serde_json::json;

use super::schema::{Schema, field, flag, integer, list, object, text};
use super::{Answer, Endpoint, Handler, RequestFields, ServerState};
use crate::lab::{ExperimentRequest, REQUEST, read_request};
use kenga_core::budget::Interrupt;

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "plan",
    "checks a configuration, and says what would be run",
    &REQUEST,
    answers,
    Handler::ReadFiles("POST", run),
);

/// The most settings that are shown.
const SHOWN: usize = 200;

fn run(fields: &RequestFields, shared: &ServerState, interrupt: &Interrupt) -> Answer {
    let ExperimentRequest { plan, notes } = read_request(shared.lab.served(), fields, interrupt)?;
    let settings = &plan.settings;
    let words: Vec<String> =
        (0..settings.all.len().min(SHOWN)).map(|setting| settings.describe(setting)).collect();
    let ids: Vec<&str> = plan.puzzles.iter().take(SHOWN).map(|puzzle| puzzle.id.as_str()).collect();
    Ok(json!({
        "runs": plan.runs(),
        "replicates": plan.config.replicates,
        "seed": plan.config.seed,
        "puzzles": plan.puzzles.len(),
        "settings": settings.all.len(),
        "keys": settings.keys,
        "race": settings.race.is_some(),
        "notes": notes,
        "each_puzzle": ids,
        "each_setting": words,
    }))
}

fn answers() -> Schema {
    object(&[
        field("runs", integer().about("replicates x puzzles x settings; a race may make fewer")),
        field("replicates", integer()),
        field("seed", integer()),
        field("puzzles", integer()),
        field("settings", integer()),
        field("keys", list(text()).about("the swept keys")),
        field("race", flag()),
        field("notes", list(text()).about("on how the settings were chosen")),
        field("each_puzzle", list(text()).about("ids, the first of them")),
        field("each_setting", list(text()).about("settings in words, the first of them")),
    ])
}
