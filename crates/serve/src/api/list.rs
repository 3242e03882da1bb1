//! `GET list`: the objects of `kenga list --json`.

use serde_json::{Map, Value, json};

use super::{Endpoint, Run, request};
use crate::Shared;
use crate::refusal::{Code, Refusal};
use kenga_core::spec::{Param, ParamKind};
use kenga_core::text::nearest;
use kenga_report::answers::FamilyListing;

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "list",
    "every algorithm, operator, generator and technique, with parameters, ranges, defaults and sources",
    PARAMS,
    answers,
    Run::Show(run),
)
.open();

const PARAMS: &[Param] =
    &[Param::optional("family", ParamKind::Text).about("one family alone, such as selection")];

fn run(asked: &Map<String, Value>, _: &Shared) -> Result<Value, Refusal> {
    let asked = request::read(asked, PARAMS)?;
    let mut all = FamilyListing::all();
    if asked.entry("family").is_some() {
        let name = asked.text("family");
        if !all.iter().any(|family| family.name == name) {
            let known = nearest(name, all.iter().map(|family| family.name)).join(", ");
            let message = format!("there is no family `{name}`");
            return Err(Refusal::new(Code::NotFound, message, format!("known: {known}")));
        }
        all.retain(|family| family.name == name);
    }
    let members = all.iter().flat_map(|family| family.members.iter().map(|member| family.json(member)));
    Ok(members.collect())
}

fn answers() -> Value {
    let text = json!({"type": "string"});
    let param = json!({
        "type": "object",
        "required": ["name", "takes", "default", "about", "values"],
        "properties": {
            "name": text,
            "takes": text,
            "default": text,
            "about": text,
            "values": {"type": "object", "required": ["kind"], "description": "what it takes in parts: its kind, and least, most, words, family or params"},
        },
    });
    json!({
        "type": "array",
        "items": {
            "type": "object",
            "required": ["family", "name", "about", "encodings", "params", "source", "score"],
            "properties": {
                "family": text,
                "name": text,
                "about": text,
                "encodings": {"type": ["array", "null"], "items": text, "description": "null where they do not matter"},
                "params": {"type": "array", "items": param},
                "source": text,
                "score": {"type": ["number", "null"], "description": "how hard a technique is"},
            },
        },
    })
}
