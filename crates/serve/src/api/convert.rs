//! `POST convert`: as `kenga convert`, and pictures as `kenga draw`.

use serde_json::json;

use super::puzzle::{COLORS, ID, PUZZLE, puzzle, puzzles};
use super::schema::{Schema, field, list, object, one_of, text};
use super::written::{BINARY, NAMES, drawn};
use super::{Answer, Code, Endpoint, Handler, Refusal, RequestFields};
use kenga_core::budget::Interrupt;
use kenga_core::puzzle::Puzzle;
use kenga_core::spec::{Param, ParamKind};
use kenga_core::text::nearest;
use kenga_report::answers::OutputFormat;

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "convert",
    "writes puzzles in another format, as a model for another solver, or as a picture",
    PARAMS,
    answers,
    Handler::Compute(run),
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

fn run(fields: &RequestFields, interrupt: &Interrupt) -> Answer {
    let name = fields.text("to");
    let target = OutputFormat::all().find(|format| format.name() == name);
    if !NAMES.contains(&name) {
        let known = nearest(name, NAMES.iter().copied()).join(", ");
        let message = format!("no format `{name}` is written");
        return Err(Refusal::new(Code::BadRequest, message, format!("known: {known}")));
    }
    let puzzles = if target.is_some_and(OutputFormat::is_many) && !fields.has("id") {
        puzzles(fields, MOST)?
    } else {
        vec![puzzle(fields)?]
    };
    // Cut short where the interrupt is raised: whoever raised it does not read the answer.
    let mut text = String::new();
    for puzzle in &puzzles {
        if interrupt.is_raised() {
            break;
        }
        text += &match target {
            Some(target) => written(puzzle, target)?,
            None => drawn(puzzle, name),
        };
    }
    let ids: Vec<&str> = puzzles.iter().map(|puzzle| puzzle.id.as_str()).collect();
    Ok(json!({"ids": ids, "format": name, "text": text}))
}

fn written(puzzle: &Puzzle, target: OutputFormat) -> Result<String, Refusal> {
    target.write(puzzle).map_err(|error| {
        let message = format!("puzzle `{}` cannot be written: {error}", puzzle.id);
        Refusal::new(Code::Unwritable, message, "every puzzle can be written as `json`")
    })
}

fn answers() -> Schema {
    let written = text().about(&format!("{} in base64", BINARY.join(" and ")));
    object(&[field("ids", list(text())), field("format", one_of(&NAMES)), field("text", written)])
}
