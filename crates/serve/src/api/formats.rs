//! `GET formats`: what puzzles are read from and written as.

use serde_json::{Value, json};

use super::schema::{Schema, field, flag, list, object, one_of, text};
use super::written::{BINARY, NAMES, PICTURES};
use super::{Answer, Endpoint, Handler, RequestFields, ServerState};
use kenga_core::puzzle::formats::TABLE;
use kenga_report::answers::OutputFormat;

pub(super) static ENDPOINT: Endpoint =
    Endpoint::new("formats", "what puzzles are read from and written as", &[], answers, Handler::Get(run))
        .open();

fn run(_: &RequestFields, _: &ServerState) -> Answer {
    let mut formats = Vec::new();
    for [name, about] in PICTURES {
        formats.push(format(name, about, "picture"));
    }
    for written in OutputFormat::all() {
        let group = if matches!(written, OutputFormat::Model(_)) { "model" } else { "puzzle" };
        formats.push(format(written.name(), written.about(), group));
    }
    for read in TABLE.iter().filter(|format| !format.is_written()) {
        formats.push(format(read.name, read.about, "puzzle"));
    }
    Ok(Value::Array(formats))
}

fn format(name: &str, about: &str, group: &str) -> Value {
    let read = TABLE.find(name);
    json!({
        "name": name,
        "about": about,
        "many": read.is_some_and(|format| format.many),
        "read": read.is_some(),
        "written": NAMES.contains(&name),
        "group": group,
        "base64": BINARY.contains(&name),
    })
}

fn answers() -> Schema {
    list(object(&[
        field("name", text()),
        field("about", text()),
        field("many", flag().about("one text holds many puzzles")),
        field("read", flag().about("puzzles are read from it")),
        field("written", flag().about("convert writes it")),
        field("group", one_of(&["picture", "puzzle", "model"]).about("model: for another solver")),
        field("base64", flag().about("convert writes its bytes in base64")),
    ]))
}
