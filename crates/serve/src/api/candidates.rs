//! `POST candidates`: what a person pencils into the open cells of a grid.

use serde_json::json;

use super::puzzle::{COLORS, GRID, ID, PUZZLE, own_grid, puzzle};
use super::schema::{Schema, any_list, field, list, object, text};
use super::{Answer, Endpoint, Handler, RequestFields};
use kenga_core::budget::Interrupt;
use kenga_core::problem::{Problem, bits};
use kenga_core::spec::Param;
use kenga_craft::ladder::pencil_marks;

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "candidates",
    "the digits that open cells may have by the digits in a partly filled grid alone",
    PARAMS,
    answers,
    Handler::Compute(run),
);

const PARAMS: &[Param] = &[PUZZLE, GRID, ID, COLORS];

fn run(fields: &RequestFields, _: &Interrupt) -> Answer {
    let puzzle = puzzle(fields)?;
    let grid = own_grid(fields, &puzzle)?;
    let problem = Problem::compile(&puzzle);
    let given = puzzle.given_grid();
    let mut candidates = Vec::new();
    for (cell, mask) in pencil_marks(&puzzle, &problem, &grid).into_iter().enumerate() {
        // Masks are by cell of the problem, which has no black ones; pages count places of the rectangle.
        let place = problem.place(cell);
        if grid.get(place).is_none() && given.get(place).is_none() {
            let digits: Vec<u8> = bits(mask).map(|rank| problem.values()[rank as usize]).collect();
            candidates.push(json!([place / puzzle.cols(), place % puzzle.cols(), digits]));
        }
    }
    Ok(json!({"id": puzzle.id, "candidates": candidates}))
}

fn answers() -> Schema {
    let candidates = list(any_list().of_length(3));
    object(&[
        field("id", text()),
        field(
            "candidates",
            candidates.about("of each open cell [row, column, [digits]], as picture takes them"),
        ),
    ])
}
