//! `POST generate`: as `kenga generate`.

use serde_json::{Map, Value, json};

use super::request::{is_required, property, spec};
use super::{Endpoint, Run, request};
use crate::refusal::{Code, Refusal};
use kenga_core::budget::Interrupt;
use kenga_core::puzzle::formats;
use kenga_core::spec::{Catalog, Member, Param, ParamKind, Spec};
use kenga_craft::{GENERATORS, Series};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "generate",
    "makes puzzles to order; the same order gives the same puzzles as kenga generate",
    &[],
    answers,
    Run::Work(run),
)
.taking(takes);

/// What every kind takes; the table of generators says what else.
const PARAMS: &[Param] = &[
    Param::required("kind", ParamKind::Text).about("what to make"),
    Param::integer("count", 1..=100, 1).about("how many puzzles"),
    Param::integer("first", 0..=999_999, 0)
        .about("the number of the first puzzle: those before it are left out"),
    Param::integer("seed", 0..=i64::MAX, 1).about("the seed of the random numbers"),
];

/// Puzzles in a row that are not found, after which no more are looked for.
const HOPELESS: usize = 3;

fn run(asked: &Map<String, Value>, interrupt: &Interrupt) -> Result<Value, Refusal> {
    let (common, own): (Vec<_>, Vec<_>) =
        spec(asked)?.values.into_iter().partition(|named| PARAMS.iter().any(|param| param.name == named.key));
    let common = Spec { values: common, ..Spec::default() };
    let common = kenga_core::spec::resolve(&common, "the request", PARAMS);
    let common = common.map_err(|error| Refusal::of_spec(Code::BadRequest, &error))?;
    let order = Spec { values: own, ..Spec::named(common.text("kind")) };
    let series = Series::new(&order, common.count("seed"), common.size("count"));
    let series = series.map_err(|error| Refusal::of_spec(Code::BadOrder, &error))?;
    Ok(made(&series, common.size("first"), interrupt))
}

/// The puzzles of a series from this number on, and notes of those that were not found.
fn made(series: &Series, first: usize, interrupt: &Interrupt) -> Value {
    let (mut puzzles, mut notes, mut missed) = (Vec::new(), Vec::new(), 0);
    for number in (first..first + series.len()).take_while(|_| !interrupt.is_raised()) {
        match series.make(number, interrupt) {
            Ok(puzzle) => {
                missed = 0;
                let text = formats::canonical(&puzzle);
                puzzles.push(serde_json::from_str::<Value>(&text).expect("canonical JSON is JSON"));
            }
            Err(shortfall) => {
                missed += 1;
                notes.push(shortfall.to_string());
            }
        }
        if missed == HOPELESS {
            break;
        }
    }
    json!({"puzzles": puzzles, "notes": notes})
}

/// An object for each kind.
fn takes() -> Value {
    let kinds: Vec<Value> = GENERATORS.members().into_iter().map(kind).collect();
    json!({"oneOf": kinds})
}

fn kind(member: &Member) -> Value {
    let mut schema = request::object(PARAMS);
    schema["title"] = json!(member.name);
    schema["description"] = json!(member.about);
    let required = member.params.iter().filter(|param| is_required(param)).map(|param| param.name);
    schema["required"] = ["kind"].into_iter().chain(required).collect();
    for param in member.params {
        schema["properties"][param.name] = property(param);
    }
    schema["properties"]["kind"] = json!({"const": member.name});
    schema
}

fn answers() -> Value {
    json!({
        "type": "object",
        "required": ["puzzles", "notes"],
        "properties": {
            "puzzles": {"type": "array", "items": {"type": "object"}, "description": "canonical JSON"},
            "notes": {"type": "array", "items": {"type": "string"}, "description": "puzzles that were not found; after three in a row no more are looked for"},
        },
    })
}
