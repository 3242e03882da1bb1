//! `POST check`: as `kenga check --json`.

use super::puzzle::{COLORS, ID, PUZZLE, grid, puzzle};
use super::schema::{Schema, field, flag, integer, list, object, text};
use super::{Answer, Endpoint, Handler, RequestFields};
use crate::work::SECONDS;
use kenga_core::budget::Interrupt;
use kenga_core::puzzle::check;
use kenga_core::solver::Limits;
use kenga_core::spec::{Param, ParamKind};
use kenga_report::answers::{Completion, verdict_json};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "check",
    "says whether a grid solves a puzzle, which groups fail, and whether a partial grid can still be completed",
    PARAMS,
    answers,
    Handler::Compute(run),
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

fn run(fields: &RequestFields, interrupt: &Interrupt) -> Answer {
    let puzzle = puzzle(fields)?;
    let grid = grid(fields, &puzzle)?;
    let verdict = check(&puzzle, &grid);
    // Both bounds leave the question open: the nodes that were asked for, and the time before the server cuts the work.
    let limits =
        Limits { nodes: Some(fields.count("node_limit")), seconds: Some(SECONDS), ..Limits::default() };
    let completion = Completion::of(&puzzle, &grid, &verdict, &limits, interrupt);
    Ok(verdict_json(&puzzle, &verdict, completion))
}

fn answers() -> Schema {
    let cells = list(list(integer()).of_length(2)).about("[row, column] from 0");
    let failure = object(&[
        field("group", text()),
        field("role", text()),
        field("cells", cells.clone()),
        field("reason", text()),
    ]);
    object(&[
        field("id", text()),
        field("solution", flag().about("the grid solves the puzzle")),
        field("consistent", flag().about("no rule is broken so far")),
        field("completable", flag().or_null().about("null where limits left it open")),
        field("missing", cells.clone()),
        field("foreign", cells),
        field("failures", list(failure)),
    ])
}
