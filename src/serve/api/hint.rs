//! `POST hint`: as `kenga hint --json`.

use serde_json::{Map, Value, json};

use super::puzzle::{COLORS, GRID, ID, PUZZLE, grid, puzzle};
use super::{Endpoint, Run, request};
use crate::answers::hint_json;
use crate::budget::Interrupt;
use crate::craft::ladder::hint;
use crate::problem::Problem;
use crate::serve::refusal::Refusal;
use crate::spec::Param;

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "hint",
    "names the first mistake in a partly filled grid, or the next step",
    PARAMS,
    answers,
    Run::Work(run),
);

const PARAMS: &[Param] = &[
    PUZZLE,
    GRID,
    ID,
    COLORS,
    Param::flag("more", false).about("the whole hint: every step up to the next digit, with its reason"),
];

fn run(asked: &Map<String, Value>, interrupt: &Interrupt) -> Result<Value, Refusal> {
    let asked = request::read(asked, PARAMS)?;
    let puzzle = puzzle(&asked)?;
    let grid = grid(&asked, &puzzle)?;
    let found = hint(&puzzle, &Problem::compile(&puzzle), &grid, interrupt);
    Ok(hint_json(&puzzle, &found, asked.flag("more")))
}

fn answers() -> Value {
    let cell = json!({"type": "array", "items": {"type": "integer"}, "description": "[row, column] from 0"});
    let mut mistake = cell.clone();
    mistake["type"] = json!(["array", "null"]);
    let step = json!({
        "type": "object",
        "required": ["technique", "words"],
        "properties": {"technique": {"type": "string"}, "words": {"type": "string"}},
    });
    json!({
        "type": "object",
        "required": ["id", "hint", "mistake", "words", "fills", "steps"],
        "properties": {
            "id": {"type": "string"},
            "hint": {"type": "string"},
            "mistake": mistake,
            "words": {"type": "string"},
            "fills": {"type": ["object", "null"], "properties": {"cell": cell, "digit": {"type": "integer"}}},
            "steps": {"type": "array", "items": step},
        },
    })
}
