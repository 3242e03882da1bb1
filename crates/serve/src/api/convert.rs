//! `POST convert`: as `kenga convert`, and pictures as `kenga draw --to svg`.

use serde_json::{Map, Value, json};

use super::puzzle::{COLORS, ID, PUZZLE, puzzle, puzzles};
use super::written::{NAMES, SVG};
use super::{Endpoint, Run, request};
use crate::refusal::{Code, Refusal};
use kenga_core::budget::Interrupt;
use kenga_core::puzzle::Puzzle;
use kenga_core::spec::{Param, ParamKind, Spec};
use kenga_core::text::nearest;
use kenga_report::answers::OutputFormat;
use kenga_report::drawing::{self, Marks, Style};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "convert",
    "writes puzzles in another format, as a model for another solver, or as a picture",
    PARAMS,
    answers,
    Run::Work(run),
);

const PARAMS: &[Param] = &[
    PUZZLE,
    ID,
    COLORS,
    Param::required("to", ParamKind::Text)
        .about("the format to write: one of those that GET formats calls written"),
];

/// The most puzzles in one request.
const MOST: usize = 1000;

fn run(asked: &Map<String, Value>, interrupt: &Interrupt) -> Result<Value, Refusal> {
    let asked = request::read(asked, PARAMS)?;
    let name = asked.text("to");
    let target = OutputFormat::all().find(|format| format.name() == name);
    if target.is_none() && name != SVG[0] {
        let known = nearest(name, NAMES.iter().copied()).join(", ");
        return Err(Refusal::new(
            Code::BadRequest,
            format!("no format `{name}` is written"),
            format!("known: {known}"),
        ));
    }
    let puzzles = wanted(&asked, target.is_some_and(OutputFormat::is_many))?;
    let going = puzzles.iter().take_while(|_| !interrupt.is_raised());
    let text: String = going.map(|puzzle| written(puzzle, target)).collect::<Result<_, _>>()?;
    let ids: Vec<&str> = puzzles.iter().map(|puzzle| puzzle.id.as_str()).collect();
    Ok(json!({"ids": ids, "format": name, "text": text}))
}

/// All puzzles for a format that holds many, else the one.
fn wanted(asked: &Spec, many: bool) -> Result<Vec<Puzzle>, Refusal> {
    match many && asked.entry("id").is_none() {
        true => puzzles(asked, MOST),
        false => puzzle(asked).map(|puzzle| vec![puzzle]),
    }
}

fn written(puzzle: &Puzzle, target: Option<OutputFormat>) -> Result<String, Refusal> {
    let Some(target) = target else {
        return Ok(drawing::picture(puzzle, &Marks::new(puzzle), &Style::default()).svg(&puzzle.id));
    };
    target.write(puzzle).map_err(|error| {
        let message = format!("puzzle `{}` cannot be written: {error}", puzzle.id);
        Refusal::new(Code::Unwritable, message, "json holds every puzzle")
    })
}

fn answers() -> Value {
    json!({
        "type": "object",
        "required": ["ids", "format", "text"],
        "properties": {
            "ids": {"type": "array", "items": {"type": "string"}},
            "format": {"enum": *NAMES},
            "text": {"type": "string"},
        },
    })
}
