//! `POST solve`: as `kenga solve --json`.

use serde_json::{Map, Value, json};

use super::puzzle::{COLORS, ID, PUZZLE, puzzle};
use super::{Endpoint, Run, request};
use crate::refusal::{Code, Refusal};
use crate::work::SECONDS;
use kenga_core::budget::Interrupt;
use kenga_core::solver::Limits;
use kenga_core::spec::{Param, ParamKind};
use kenga_report::answers::{Givens, KEPT, Solver};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "solve",
    "solves a puzzle exactly, and says whether the solution is the only one",
    PARAMS,
    answers,
    Run::Work(run),
);

const PARAMS: &[Param] = &[
    PUZZLE,
    ID,
    COLORS,
    Param::optional("with", ParamKind::Text).about("givens to add before the puzzle is solved: A1=3,B2=5"),
    Param::optional("count", ParamKind::Integer(1, 1_000_000)).about("count solutions up to so many"),
    Param::optional("node_limit", ParamKind::Integer(0, i64::MAX))
        .about("give up after so many decisions of the search"),
    Param::real("time_limit", 0.0..=SECONDS, SECONDS).about("give up after so many seconds"),
    Param::flag("why", false)
        .about("name a smallest set of clues that conflict in a puzzle without solutions"),
];

fn run(asked: &Map<String, Value>, interrupt: &Interrupt) -> Result<Value, Refusal> {
    let asked = request::read(asked, PARAMS)?;
    let mut puzzle = puzzle(&asked)?;
    let with = asked.entry("with").map(|_| givens(asked.text("with"))).transpose()?;
    if let Some(with) = &with {
        puzzle = with.add_to(puzzle).map_err(|report| Refusal::of(Code::BadGrid, &report))?;
    }
    let count = asked.entry("count").map(|_| asked.count("count"));
    let solver = Solver {
        limits: Limits {
            solutions: count.unwrap_or(2),
            reported: KEPT as u64,
            nodes: asked.entry("node_limit").map(|_| asked.count("node_limit")),
            seconds: Some(asked.real("time_limit")),
        },
        counting: count.is_some(),
        why: asked.flag("why"),
        naming: false,
        with: with.as_ref(),
        interrupt,
    };
    Ok(Value::Object(solver.answer(puzzle).json()))
}

fn givens(text: &str) -> Result<Givens, Refusal> {
    text.parse::<Givens>().map_err(|error| Refusal::new(Code::BadGrid, format!("`with`: {error}"), ""))
}

fn answers() -> Value {
    let microseconds = json!({"type": "number", "description": "microseconds of CPU"});
    let row = json!({"type": "array", "items": {"type": ["integer", "null"]}});
    let clue = json!({"type": "object", "required": ["op", "target", "cells"]});
    json!({
        "type": "object",
        "required": ["id", "status", "solutions", "count", "count_is_exact", "nodes", "compile_us", "first_us", "search_us"],
        "properties": {
            "id": {"type": "string"},
            "status": {"enum": ["unique", "multiple", "solved", "unsolvable", "undecided"]},
            "solutions": {"type": "array", "items": {"type": "array", "items": row}, "description": "the first two"},
            "count": {"type": "integer"},
            "count_is_exact": {"type": "boolean"},
            "nodes": {"type": "integer", "description": "decisions of the search"},
            "compile_us": microseconds,
            "first_us": {"type": ["number", "null"], "description": "microseconds of CPU up to the first solution"},
            "search_us": microseconds,
            "why": {"type": ["array", "null"], "items": clue},
            "why_is": {"enum": ["smallest", "irreducible", "reduced", null]},
        },
    })
}
