//! `POST check`: as `kenga check --json`.

use serde_json::{Map, Value, json};

use super::puzzle::{COLORS, ID, PUZZLE, puzzle};
use super::{Endpoint, Run, request};
use crate::refusal::{Code, Refusal};
use crate::work::SECONDS;
use kenga_core::budget::Interrupt;
use kenga_core::puzzle::check;
use kenga_core::solver::Limits;
use kenga_core::spec::{Param, ParamKind};
use kenga_report::answers::{Completion, parse_grid, verdict_json};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "check",
    "says whether a grid solves a puzzle, which groups fail, and whether a partial grid can still be completed",
    PARAMS,
    answers,
    Run::Work(run),
);

const PARAMS: &[Param] = &[
    PUZZLE,
    Param::required("grid", ParamKind::Text).about(
        "rows divided by / or line breaks, `.` for an empty cell; or a list of rows, null for an empty cell",
    ),
    ID,
    COLORS,
    Param::integer("node_limit", 0..=i64::MAX, 1_000_000)
        .about("give up on completing a partial grid after so many decisions of the search"),
];

fn run(asked: &Map<String, Value>, interrupt: &Interrupt) -> Result<Value, Refusal> {
    let asked = request::read(asked, PARAMS)?;
    let puzzle = puzzle(&asked)?;
    let grid = parse_grid("grid", asked.text("grid"), &puzzle);
    let grid = grid.map_err(|report| Refusal::of(Code::BadGrid, &report))?;
    let verdict = check(&puzzle, &grid);
    let limits =
        Limits { nodes: Some(asked.count("node_limit")), seconds: Some(SECONDS), ..Limits::default() };
    let completion = Completion::of(&puzzle, &grid, &verdict, &limits, interrupt);
    Ok(verdict_json(&puzzle, &verdict, completion))
}

fn answers() -> Value {
    let cells = json!({
        "type": "array",
        "items": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
        "description": "[row, column] from 0",
    });
    let failure = json!({
        "type": "object",
        "required": ["group", "role", "cells", "reason"],
        "properties": {
            "group": {"type": "string"},
            "role": {"type": "string"},
            "cells": cells,
            "reason": {"type": "string"},
        },
    });
    json!({
        "type": "object",
        "required": ["id", "solution", "consistent", "completable", "missing", "foreign", "failures"],
        "properties": {
            "id": {"type": "string"},
            "solution": {"type": "boolean", "description": "the grid solves the puzzle"},
            "consistent": {"type": "boolean", "description": "no rule is broken so far"},
            "completable": {"type": ["boolean", "null"], "description": "null where limits left it open"},
            "missing": cells,
            "foreign": cells,
            "failures": {"type": "array", "items": failure},
        },
    })
}
