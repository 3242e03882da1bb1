//! `POST hint`: as `kenga hint --json`.

use serde_json::{Map, Value, json};

use super::puzzle::{COLORS, GRID, ID, PUZZLE, grid, puzzle};
use super::{Endpoint, Run, request};
use crate::refusal::Refusal;
use kenga_core::budget::Interrupt;
use kenga_core::problem::Problem;
use kenga_core::spec::Param;
use kenga_craft::ladder::hint;
use kenga_report::answers::hint_json;

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
