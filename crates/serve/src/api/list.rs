//! `GET list`: the objects of `kenga list --json`.

use serde_json::Value;

use super::schema::{Schema, field, list, number, object, object_of, text};
use super::{Answer, Code, Endpoint, Handler, Refusal, RequestFields, ServerState};
use kenga_core::spec::{Param, ParamKind};
use kenga_core::text::nearest;
use kenga_report::answers::FamilyListing;

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "list",
    "every algorithm, operator, generator and technique, with parameters, ranges, defaults and sources",
    PARAMS,
    answers,
    Handler::Get(run),
)
.open();

const PARAMS: &[Param] =
    &[Param::optional("family", ParamKind::Text).about("one family alone, such as selection")];

fn run(fields: &RequestFields, _: &ServerState) -> Answer {
    let mut families = FamilyListing::all();
    if let Some(name) = fields.text_or_absent("family") {
        let known = nearest(name, families.iter().map(|family| family.name)).join(", ");
        families.retain(|family| family.name == name);
        if families.is_empty() {
            let message = format!("there is no family `{name}`");
            return Err(Refusal::new(Code::NotFound, message, format!("known: {known}")));
        }
    }
    let mut members = Vec::new();
    for family in &families {
        members.extend(family.members.iter().map(|member| family.json(member)));
    }
    Ok(Value::Array(members))
}

fn answers() -> Schema {
    let values = object_of(&["kind"])
        .about("what it takes in parts: its kind, and least, most, words, family or params");
    let param = object(&[
        field("name", text()),
        field("takes", text()),
        field("default", text()),
        field("about", text()),
        field("values", values),
    ]);
    list(object(&[
        field("family", text()),
        field("name", text()),
        field("about", text()),
        field("encodings", list(text()).or_null().about("null where they do not matter")),
        field("params", list(param)),
        field("source", text()),
        field("score", number().or_null().about("how hard a technique is")),
    ]))
}
