//! `GET formats`: what puzzles are read from and written as.

use serde_json::{Map, Value, json};

use super::written::{NAMES, SVG};
use super::{Endpoint, Run, request};
use crate::Shared;
use crate::refusal::Refusal;
use kenga_core::puzzle::formats::TABLE;
use kenga_report::answers::OutputFormat;

pub(super) static ENDPOINT: Endpoint =
    Endpoint::new("formats", "what puzzles are read from and written as", &[], answers, Run::Show(run))
        .open();

fn run(asked: &Map<String, Value>, _: &Shared) -> Result<Value, Refusal> {
    request::read(asked, &[])?;
    let format = |name: &str, about: &str| {
        let read = TABLE.find(name);
        json!({
            "name": name,
            "about": about,
            "many": read.is_some_and(|format| format.many),
            "read": read.is_some(),
            "written": NAMES.contains(&name),
        })
    };
    let only_read = TABLE.iter().filter(|format| !format.is_written()).map(|one| [one.name, one.about]);
    let written = OutputFormat::all().map(|one| [one.name(), one.about()]);
    Ok(written.chain([SVG]).chain(only_read).map(|[name, about]| format(name, about)).collect())
}

fn answers() -> Value {
    let flag = |about: &str| json!({"type": "boolean", "description": about});
    json!({
        "type": "array",
        "items": {
            "type": "object",
            "required": ["name", "about", "many", "read", "written"],
            "properties": {
                "name": {"type": "string"},
                "about": {"type": "string"},
                "many": flag("one text holds many puzzles"),
                "read": flag("puzzles are read from it"),
                "written": flag("convert writes it"),
            },
        },
    })
}
