//! `POST generate`: as `kenga generate`.

use serde_json::{Value, json};

use super::fields::{RequestFields, spec};
use super::puzzle::canonical_object;
use super::schema::{Schema, any_object, field, is_required, list, object, of_param, of_params, text};
use super::{Answer, Code, Endpoint, Handler, Refusal};
use kenga_core::budget::Interrupt;
use kenga_core::spec::{Catalog, Member, Param, ParamKind, Spec};
use kenga_craft::{GENERATORS, Series};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "generate",
    "makes puzzles to order; the same order gives the same puzzles as kenga generate",
    &[],
    answers,
    Handler::Compute(run),
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

fn run(fields: &RequestFields, interrupt: &Interrupt) -> Answer {
    let (mut common, mut own) = (Spec::default(), Spec::default());
    for named in spec(&fields.object)?.values {
        // Keys of the kind's own are checked by its generator, which names them as the command line does.
        let is_common = PARAMS.iter().any(|param| param.name == named.key);
        let part = if is_common { &mut common } else { &mut own };
        part.values.push(named);
    }
    let common = RequestFields::resolved(&common, PARAMS)?;
    own.name = common.text("kind").to_owned();
    let series = Series::new(&own, common.count("seed"), common.size("count"))
        .map_err(|error| Refusal::of_spec(Code::BadOrder, &error))?;
    Ok(made(&series, common.size("first"), interrupt))
}

/// The puzzles of a series from this number on, and notes of those that were not found.
fn made(series: &Series, first: usize, interrupt: &Interrupt) -> Value {
    let (mut puzzles, mut notes, mut missed) = (Vec::new(), Vec::new(), 0);
    for number in first..first + series.len() {
        // After so many in a row without a puzzle the order asks for what there is not.
        if interrupt.is_raised() || missed == HOPELESS {
            break;
        }
        match series.make(number, interrupt) {
            Ok(puzzle) => {
                missed = 0;
                puzzles.push(canonical_object(&puzzle));
            }
            Err(shortfall) => {
                missed += 1;
                notes.push(shortfall.to_string());
            }
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
    let mut schema = of_params(PARAMS);
    let mut required = vec!["kind"];
    schema["title"] = json!(member.name);
    schema["description"] = json!(member.about);
    for param in member.params {
        if is_required(param) {
            required.push(param.name);
        }
        schema["properties"][param.name] = of_param(param);
    }
    schema["required"] = json!(required);
    schema["properties"]["kind"] = json!({"const": member.name});
    schema
}

fn answers() -> Schema {
    let notes =
        list(text()).about("puzzles that were not found; after three in a row no more are looked for");
    object(&[field("puzzles", list(any_object()).about("canonical JSON")), field("notes", notes)])
}
