//! `POST explain`: the lines of `kenga explain --json`.

use serde_json::json;

use super::picture::{self, add_picture};
use super::puzzle::{COLORS, ID, PUZZLE, UP_TO, puzzle, tier};
use super::schema::{
    Schema, cell, field, integer, list, maybe, number, object, object_of, one_of, placed_digit, text,
};
use super::{Answer, Endpoint, Handler, Refusal, RequestFields};
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
    Handler::Compute(run),
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

fn run(fields: &RequestFields, interrupt: &Interrupt) -> Answer {
    let puzzle = puzzle(fields)?;
    let verifies = fields.flag("verify");
    let problem = Problem::compile(&puzzle);
    let frame = Frame::new(&puzzle, &problem).interruptible(interrupt);
    let first = fields.size("from");
    let pictured = first..first + fields.size("pictured").min(picture::most(&puzzle));
    let (mut ascent, mut steps) = (Ascent::new(&puzzle), Vec::new());
    let summit = climb(&frame, tier(fields), interrupt, &mut |candidates, step| -> Result<(), Refusal> {
        let verdict = verifies.then(|| verify(candidates, step, interrupt));
        ascent.add(step, verdict);
        let mut said = ascent.step_json(candidates, step, verdict);
        if pictured.contains(&steps.len()) {
            add_picture(&mut said, &puzzle, &step_marks(&puzzle, candidates, Some(step)));
        }
        steps.push(said);
        Ok(())
    })?;
    let end = ascent.end_json(&summit, verifies);
    let mut ending = json!({"words": ascent.ending(&summit)});
    if pictured.contains(&steps.len()) {
        add_picture(&mut ending, &puzzle, &step_marks(&puzzle, &summit.candidates, None));
    }
    Ok(json!({"steps": steps, "end": end, "ending": ending}))
}

fn answers() -> Schema {
    let loss = object(&[maybe("cell", cell()), maybe("digits", list(integer()))]);
    let step = object(&[
        field("id", text()),
        field("step", integer().about("from 1")),
        field("technique", text()),
        field("score", number()),
        field("round", integer()),
        field("fills", placed_digit().or_null()),
        field("removes", list(loss)),
        field("cells", list(cell())),
        field("groups", list(text())),
        field("words", text()),
        maybe("verified", one_of(&["yes", "no", "undecided"])),
        maybe("grid", picture::grid_schema()),
        maybe("marks", picture::marks_schema()),
    ]);
    let end = object_of(&["id", "end", "status", "score", "tier", "steps"])
        .with_maybe("end", one_of(&["solved", "stuck", "refuted"]));
    let ending = object(&[
        field("words", text().about("how it ended")),
        maybe("grid", picture::grid_schema()),
        maybe("marks", picture::marks_schema()),
    ]);
    object(&[field("steps", list(step)), field("end", end), field("ending", ending)])
}
