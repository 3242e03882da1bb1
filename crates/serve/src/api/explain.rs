//! `POST explain`: the lines of `kenga explain --json`.

use serde_json::{Map, Value, json};

use super::picture::{self, add_picture};
use super::puzzle::{COLORS, ID, PUZZLE, UP_TO, puzzle, tier};
use super::{Endpoint, Run, request};
use crate::refusal::Refusal;
use kenga_core::budget::Interrupt;
use kenga_core::problem::Problem;
use kenga_core::spec::Param;
use kenga_craft::ladder::{Frame, verify};
use kenga_report::answers::{Ascent, climb, step_marks};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "explain",
    "solves a puzzle step by step as a person does, and says why",
    PARAMS,
    answers,
    Run::Work(run),
);

const PARAMS: &[Param] = &[
    PUZZLE,
    ID,
    COLORS,
    UP_TO,
    Param::flag("verify", false)
        .about("have the exact solver check that each step follows from the rules that it names"),
    Param::integer("from", 0..=1_000_000, 0)
        .about("the first step, from 0, that tells what a picture shows of it"),
    Param::integer("pictured", 0..=100, 0)
        .about("how many steps from there on tell what a picture shows of them; fewer of a large puzzle"),
];

fn run(asked: &Map<String, Value>, interrupt: &Interrupt) -> Result<Value, Refusal> {
    let asked = request::read(asked, PARAMS)?;
    let puzzle = puzzle(&asked)?;
    let problem = Problem::compile(&puzzle);
    let frame = Frame::new(&puzzle, &problem).interruptible(interrupt);
    let first = asked.size("from");
    let pictured = first..first + asked.size("pictured").min(picture::most(&puzzle));
    let (mut ascent, mut steps) = (Ascent::new(&puzzle), Vec::new());
    let summit = climb(&frame, tier(&asked), interrupt, &mut |candidates, step| -> Result<(), Refusal> {
        let verdict = asked.flag("verify").then(|| verify(candidates, step, interrupt));
        ascent.add(step, verdict);
        let mut said = ascent.step_json(candidates, step, verdict);
        if pictured.contains(&steps.len()) {
            add_picture(&mut said, &puzzle, &step_marks(&puzzle, candidates, Some(step)));
        }
        steps.push(said);
        Ok(())
    })?;
    let end = ascent.end_json(&summit, asked.flag("verify"));
    let mut ending = json!({"words": ascent.ending(&summit)});
    if pictured.contains(&steps.len()) {
        add_picture(&mut ending, &puzzle, &step_marks(&puzzle, &summit.candidates, None));
    }
    Ok(json!({"steps": steps, "end": end, "ending": ending}))
}

fn answers() -> Value {
    let cell = json!({"type": "array", "items": {"type": "integer"}, "description": "[row, column] from 0"});
    let filled = json!({
        "type": ["object", "null"],
        "properties": {"cell": cell, "digit": {"type": "integer"}},
    });
    let lost = json!({
        "type": "object",
        "properties": {"cell": cell, "digits": {"type": "array", "items": {"type": "integer"}}},
    });
    let mut step = json!({
        "type": "object",
        "required": ["id", "step", "technique", "score", "round", "fills", "removes", "cells", "groups", "words"],
        "properties": {
            "id": {"type": "string"},
            "step": {"type": "integer", "description": "from 1"},
            "technique": {"type": "string"},
            "score": {"type": "number"},
            "round": {"type": "integer"},
            "fills": filled,
            "removes": {"type": "array", "items": lost},
            "cells": {"type": "array", "items": cell},
            "groups": {"type": "array", "items": {"type": "string"}},
            "words": {"type": "string"},
            "verified": {"enum": ["yes", "no", "undecided"]},
        },
    });
    let end = json!({
        "type": "object",
        "required": ["id", "end", "status", "score", "tier", "steps"],
        "properties": {"end": {"enum": ["solved", "stuck", "refuted"]}},
    });
    let mut ending = json!({
        "type": "object",
        "required": ["words"],
        "properties": {"words": {"type": "string", "description": "how it ended"}},
    });
    for (name, schema) in picture::drawable() {
        step["properties"][name] = schema.clone();
        ending["properties"][name] = schema;
    }
    json!({
        "type": "object",
        "required": ["steps", "end", "ending"],
        "properties": {"steps": {"type": "array", "items": step}, "end": end, "ending": ending},
    })
}
