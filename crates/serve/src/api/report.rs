//! `POST report`: what `kenga report` and `kenga compare` say of results folders, for a page and for programs.

use std::path::PathBuf;

use miette::Report;
use serde_json::{Map, Value, json};

use super::{Asked, Endpoint, Run, request};
use crate::Shared;
use crate::refusal::{Code, Refusal};
use kenga_core::budget::Interrupt;
use kenga_core::spec::{Param, ParamKind, Spec, Value as SpecValue};
use kenga_lab::experiment::on_cores;
use kenga_lab::study::{Metric, Study};
use kenga_report::answers::{ComparisonOrder, compared, keep_puzzles, key_of, study_of};
use kenga_report::compare::{as_json, as_page};
use kenga_report::report_part;

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "report",
    "reports on results folders, and compares their settings",
    PARAMS,
    answers,
    Run::Read("POST", run),
);

/// The names of [`Metric::ALL`].
const METRICS: &[&str] = &["calls", "evaluations", "moves", "cpu_s", "best_fitness", "distance"];

const PARAMS: &[Param] = &[
    Param::required("folders", ParamKind::Texts).about("results folders, as `experiments` names them"),
    Param::optional("by", ParamKind::Texts).about("group settings by the values of these keys"),
    Param::optional("where", ParamKind::Table)
        .about("keep only settings of which each of these keys has one of the values"),
    Param::optional("ids", ParamKind::Texts).about("keep only the puzzles with these ids"),
    Param::choice("metric", METRICS, "calls").about("what is compared"),
    Param::real("alpha", 1e-9..=0.5, 0.05).about("significance level, over all pairs together"),
    Param::optional("baseline", ParamKind::Text).about("compare every setting with this one only"),
];

/// The most folders.
const FOLDERS: usize = 64;

fn run(asked: &Asked, shared: &Shared, interrupt: &Interrupt) -> Result<Value, Refusal> {
    let asked = request::read(asked, PARAMS)?;
    let folders = folders(&asked, shared)?;
    let bad = |report: Report| Refusal::of(Code::BadQuestion, &report);
    let (mut study, by) = study_of(&folders, &texts(&asked, "by")).map_err(bad)?;
    let (keys, puzzles) = (keys(&study), ids(&study));
    for (key, values) in filters(&asked)? {
        let key = key_of(&study, &key).map_err(bad)?;
        study.keep_settings(&key, &values);
    }
    keep_puzzles(&mut study, &texts(&asked, "ids")).map_err(bad)?;
    if interrupt.is_raised() {
        return Err(Refusal::new(Code::TimeLimit, "the request was broken off", ""));
    }
    // One thread: other requests and experiments have the rest.
    on_cores(1, || answer(&study, &by, &asked, (keys, puzzles)))
}

fn answer(
    study: &Study,
    by: &[String],
    asked: &Spec,
    (keys, puzzles): (Value, Value),
) -> Result<Value, Refusal> {
    let nothing = || {
        let help = "wait until some have, or keep more of the settings";
        Refusal::new(Code::BadQuestion, "no run of these has ended", help)
    };
    let body = report_part(study, by).ok_or_else(nothing)?;
    let order = ComparisonOrder {
        metric: Metric::ALL
            .into_iter()
            .find(|metric| metric.name() == asked.text("metric"))
            .unwrap_or(Metric::Calls),
        alpha: asked.real("alpha"),
        baseline: asked.entry("baseline").map(|_| asked.text("baseline")),
    };
    let arms = study.arms(by);
    let names: Vec<&str> = arms.iter().map(|arm| arm.name.as_str()).collect();
    let found = compared(study, &arms, &order, "wait until its runs have ended");
    let problem = found.as_ref().err().map(|report| Refusal::of(Code::BadQuestion, report));
    Ok(json!({
        "body": body,
        "notes": study.partial().collect::<Vec<_>>(),
        "keys": keys,
        "puzzles": puzzles,
        "settings": names,
        "comparison": found.as_ref().ok().map(as_json),
        "comparison_body": found.as_ref().ok().map(|found| as_page(found).into_string()),
        "problem": problem.map(|refusal| refusal.message().to_owned()),
    }))
}

/// The paths of the folders that are asked about.
fn folders(asked: &Spec, shared: &Shared) -> Result<Vec<PathBuf>, Refusal> {
    let names = texts(asked, "folders");
    if names.is_empty() || names.len() > FOLDERS {
        let message = format!("`folders` takes 1 to {FOLDERS} names, not {}", names.len());
        return Err(Refusal::new(Code::BadQuestion, message, ""));
    }
    names.iter().map(|name| shared.lab.shelf().find(name).map_err(Refusal::of_shelf)).collect()
}

fn texts(asked: &Spec, key: &str) -> Vec<String> {
    match asked.get(key) {
        Some(_) => asked.texts(key).iter().map(ToString::to_string).collect(),
        None => Vec::new(),
    }
}

/// The keys of `where` with their values.
fn filters(asked: &Spec) -> Result<Vec<(String, Vec<String>)>, Refusal> {
    let Some(SpecValue::Spec(table)) = asked.get("where") else { return Ok(Vec::new()) };
    let values = |named: &kenga_core::spec::Named| match &named.value {
        SpecValue::List(values) => values.iter().map(text).collect::<Option<Vec<String>>>(),
        value => text(value).map(|value| vec![value]),
    };
    let filter = |named: &kenga_core::spec::Named| {
        let bad =
            || Refusal::new(Code::BadRequest, format!("`where.{}` takes a list of texts", named.key), "");
        Ok((named.key.clone(), values(named).ok_or_else(bad)?))
    };
    table.values.iter().map(filter).collect()
}

fn text(value: &SpecValue) -> Option<String> {
    match value {
        SpecValue::Text(text) => Some(text.clone()),
        _ => None,
    }
}

/// The keys in which settings differ, each with its values.
fn keys(study: &Study) -> Value {
    let values = |key: &String| {
        let mut seen: Vec<&String> = Vec::new();
        for value in study.settings.iter().filter_map(|setting| setting.values.get(key)) {
            if !seen.contains(&value) {
                seen.push(value);
            }
        }
        json!(seen)
    };
    Value::Object(study.keys.iter().map(|key| (key.clone(), values(key))).collect::<Map<_, _>>())
}

fn ids(study: &Study) -> Value {
    study.puzzles().iter().map(|puzzle| puzzle.id.as_str()).collect()
}

fn answers() -> Value {
    let text = json!({"type": "string"});
    let texts = |about: &str| json!({"type": "array", "items": text, "description": about});
    json!({
        "type": "object",
        "required": ["body", "notes", "keys", "puzzles", "settings", "comparison", "comparison_body", "problem"],
        "properties": {
            "body": {"type": "string", "description": "HTML: what stands in the page of kenga report below its title"},
            "notes": texts("folders that hold a part of their experiment, or rows that are not used, and why"),
            "keys": {"type": "object", "additionalProperties": {"type": "array", "items": text}, "description": "the keys in which settings differ, with their values"},
            "puzzles": texts("their ids"),
            "settings": texts("the names of the settings, such as baseline takes them"),
            "comparison": {"type": ["object", "null"], "description": "as kenga compare --json"},
            "comparison_body": {"type": ["string", "null"], "description": "the same as HTML"},
            "problem": {"type": ["string", "null"], "description": "why there is nothing to compare"},
        },
    })
}
