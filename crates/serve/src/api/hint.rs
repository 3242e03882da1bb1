//! `POST hint`: as `kenga hint --json`.

use super::puzzle::{COLORS, GRID, ID, PUZZLE, own_grid, puzzle};
use super::schema::{Schema, cell, field, list, object, placed_digit, text};
use super::{Answer, Endpoint, Handler, RequestFields};
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
    Handler::Compute(run),
);

const PARAMS: &[Param] = &[
    PUZZLE,
    GRID,
    ID,
    COLORS,
    Param::flag("more", false).about("the whole hint: every step up to the next digit, with its reason"),
];

fn run(fields: &RequestFields, interrupt: &Interrupt) -> Answer {
    let puzzle = puzzle(fields)?;
    let grid = own_grid(fields, &puzzle)?;
    let found = hint(&puzzle, &Problem::compile(&puzzle), &grid, interrupt);
    Ok(hint_json(&puzzle, &found, fields.flag("more")))
}

fn answers() -> Schema {
    let step = object(&[field("technique", text()), field("words", text())]);
    object(&[
        field("id", text()),
        field("hint", text()),
        field("mistake", cell().or_null()),
        field("words", text()),
        field("fills", placed_digit().or_null()),
        field("steps", list(step)),
    ])
}
