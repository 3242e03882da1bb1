//! `POST candidates`: what a person pencils into the open cells of a grid.

use serde_json::{Map, Value, json};

use super::puzzle::{COLORS, GRID, ID, PUZZLE, grid, puzzle};
use super::{Endpoint, Run, request};
use crate::refusal::Refusal;
use kenga_core::budget::Interrupt;
use kenga_core::problem::{Problem, bits};
use kenga_core::spec::Param;
use kenga_craft::ladder::pencil_marks;

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "candidates",
    "the digits that open cells may have by the digits in a partly filled grid alone",
    PARAMS,
    answers,
    Run::Work(run),
);

const PARAMS: &[Param] = &[PUZZLE, GRID, ID, COLORS];

fn run(asked: &Map<String, Value>, _: &Interrupt) -> Result<Value, Refusal> {
    let asked = request::read(asked, PARAMS)?;
    let puzzle = puzzle(&asked)?;
    let grid = grid(&asked, &puzzle)?;
    let problem = Problem::compile(&puzzle);
    let given = puzzle.given_grid();
    let is_open = |place: usize| grid.get(place).is_none() && given.get(place).is_none();
    let masks = pencil_marks(&puzzle, &problem, &grid).into_iter().enumerate();
    let open = masks.map(|(cell, mask)| (problem.place(cell), mask)).filter(|(place, _)| is_open(*place));
    let listed = open.map(|(place, mask)| {
        let digits: Vec<u8> = bits(mask).map(|rank| problem.values()[rank as usize]).collect();
        json!([place / puzzle.cols(), place % puzzle.cols(), digits])
    });
    Ok(json!({"id": puzzle.id, "candidates": listed.collect::<Vec<_>>()}))
}

fn answers() -> Value {
    json!({
        "type": "object",
        "required": ["id", "candidates"],
        "properties": {
            "id": {"type": "string"},
            "candidates": {
                "type": "array",
                "items": {"type": "array", "minItems": 3, "maxItems": 3},
                "description": "of each open cell [row, column, [digits]], as picture takes them",
            },
        },
    })
}
