//! `POST solve`: as `kenga solve --json`.

use serde_json::Value;

use super::puzzle::{COLORS, ID, PUZZLE, bad_grid, puzzle};
use super::schema::{Schema, field, flag, integer, list, maybe, number, object, object_of, one_of, text};
use super::{Answer, Code, Endpoint, Handler, Refusal, RequestFields};
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
    Handler::Compute(run),
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

fn run(fields: &RequestFields, interrupt: &Interrupt) -> Answer {
    let mut puzzle = puzzle(fields)?;
    let with = fields.text_or_absent("with").map(givens).transpose()?;
    if let Some(with) = &with {
        puzzle = with.add_to(puzzle).map_err(bad_grid)?;
    }
    let count = fields.count_or_absent("count");
    let solver = Solver {
        limits: Limits {
            // The second solution decides whether the first is the only one.
            solutions: count.unwrap_or(2),
            reported: KEPT as u64,
            nodes: fields.count_or_absent("node_limit"),
            seconds: Some(fields.real("time_limit")),
        },
        counting: count.is_some(),
        why: fields.flag("why"),
        // Of a clue that is impossible by itself only the command line speaks.
        naming: false,
        with: with.as_ref(),
        interrupt,
    };
    Ok(Value::Object(solver.answer(puzzle).json()))
}

fn givens(text: &str) -> Result<Givens, Refusal> {
    text.parse::<Givens>().map_err(|error| Refusal::new(Code::BadGrid, format!("`with`: {error}"), ""))
}

/// What the exact search says of a puzzle.
pub(super) fn status() -> Schema {
    one_of(&["unique", "multiple", "solved", "unsolvable", "undecided"])
}

fn answers() -> Schema {
    let microseconds = number().about("microseconds of CPU");
    let grid = list(list(integer().or_null()));
    object(&[
        field("id", text()),
        field("status", status()),
        field("solutions", list(grid).about("the first two")),
        field("count", integer()),
        field("count_is_exact", flag()),
        field("nodes", integer().about("decisions of the search")),
        field("compile_us", microseconds.clone()),
        field("first_us", number().or_null().about("microseconds of CPU up to the first solution")),
        field("search_us", microseconds),
        maybe("why", list(object_of(&["op", "target", "cells"])).or_null()),
        maybe("why_is", one_of(&["smallest", "irreducible", "reduced"]).or_null()),
    ])
}
