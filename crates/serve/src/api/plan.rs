//! `POST plan`: what an experiment would be, without starting it.

use serde_json::{Value, json};

use super::{Asked, Endpoint, Run, request};
use crate::Shared;
use crate::lab::{ORDER, Order};
use crate::refusal::Refusal;
use kenga_core::budget::Interrupt;
use kenga_core::spec::Param;

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "plan",
    "checks a configuration, and says what would be run",
    PARAMS,
    answers,
    Run::Read("POST", run),
);

const PARAMS: &[Param] = &ORDER;

/// The most settings that are shown.
const SHOWN: usize = 200;

fn run(asked: &Asked, shared: &Shared, interrupt: &Interrupt) -> Result<Value, Refusal> {
    let asked = request::read(asked, PARAMS)?;
    let Order { plan, notes } = Order::read(shared.lab.shelf(), &asked, interrupt)?;
    let settings = &plan.settings;
    let words = (0..settings.all.len().min(SHOWN)).map(|setting| settings.describe(setting));
    let puzzles = plan.puzzles.iter().take(SHOWN).map(|puzzle| puzzle.id.as_str());
    Ok(json!({
        "runs": plan.runs(),
        "replicates": plan.config.replicates,
        "seed": plan.config.seed,
        "puzzles": plan.puzzles.len(),
        "settings": settings.all.len(),
        "keys": settings.keys,
        "race": settings.race.is_some(),
        "notes": notes,
        "each_puzzle": puzzles.collect::<Vec<_>>(),
        "each_setting": words.collect::<Vec<_>>(),
    }))
}

fn answers() -> Value {
    let count = json!({"type": "integer"});
    let texts = |about: &str| json!({"type": "array", "items": {"type": "string"}, "description": about});
    json!({
        "type": "object",
        "required": ["runs", "replicates", "seed", "puzzles", "settings", "keys", "race", "notes", "each_puzzle", "each_setting"],
        "properties": {
            "runs": {"type": "integer", "description": "replicates x puzzles x settings; a race may make fewer"},
            "replicates": count,
            "seed": count,
            "puzzles": count,
            "settings": count,
            "keys": texts("the swept keys"),
            "race": {"type": "boolean"},
            "notes": texts("on how the settings were chosen"),
            "each_puzzle": texts("ids, the first of them"),
            "each_setting": texts("settings in words, the first of them"),
        },
    })
}
