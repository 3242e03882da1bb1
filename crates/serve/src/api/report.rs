//! `POST report`: what `kenga report` and `kenga compare` say of results folders, for a page and for programs.

use std::path::PathBuf;

use miette::Report;
use serde_json::{Map, Value, json};

use super::experiment::NOUNS;
use super::schema::{Schema, any_object, field, list, map_of, object, one_of, text};
use super::{Answer, Code, Endpoint, Handler, Refusal, RequestFields, ServerState};
use kenga_core::budget::Interrupt;
use kenga_core::spec::{Named, Param, ParamKind, Spec, Value as SpecValue};
use kenga_lab::experiment::on_cores;
use kenga_lab::study::{Metric, RunSubject, Smallest, Study};
use kenga_report::answers::{
    ComparisonOrder, all_failed, compared, groups_of, keep_puzzles, key_of, study_of,
};
use kenga_report::compare::{as_json, as_page};
use kenga_report::report_part;

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "report",
    "reports on results folders, and compares their settings",
    PARAMS,
    answers,
    Handler::ReadFiles("POST", run),
);

/// The names of [`Metric::ALL`].
const METRICS: &[&str] = &["calls", "evaluations", "moves", "cpu_s", "best_fitness", "distance", "cost"];

const PARAMS: &[Param] = &[
    Param::required("folders", ParamKind::Texts).about("results folders, as `experiments` names them"),
    Param::optional("by", ParamKind::Texts).about("group settings by the values of these keys"),
    Param::optional("where", ParamKind::Table)
        .about("keep only settings of which each of these keys has one of the values"),
    Param::optional("ids", ParamKind::Texts).about("keep only the puzzles with these ids"),
    Param::choice("metric", METRICS, "calls").about(
        "what is compared; without it `best_fitness` where no optimum of a problem of one's own is known",
    ),
    Param::real("alpha", 1e-9..=0.5, 0.05).about("significance level, over all pairs together"),
    Param::optional("baseline", ParamKind::Text).about("compare every setting with this one only"),
    Param::real("smallest", 1.001..=1e6, 1.25).about("the smallest ratio of two costs that matters"),
    Param::optional("group", ParamKind::Text).about(
        "take families of puzzles for the sample of their kind: `kind`, `size`, or a key of their `meta`",
    ),
];

/// The most folders.
const FOLDERS: usize = 64;

fn run(fields: &RequestFields, shared: &ServerState, interrupt: &Interrupt) -> Answer {
    let folders = folders(fields, shared)?;
    let (mut study, by) = study_of(&folders, &fields.texts("by")).map_err(bad_question)?;
    // Before anything is left out.
    let choices = ReportChoices { keys: keys(&study), puzzles: ids(&study) };
    if let Some(SpecValue::Spec(filters)) = fields.get("where") {
        keep_settings(&mut study, filters)?;
    }
    keep_puzzles(&mut study, &fields.texts("ids")).map_err(bad_question)?;
    if interrupt.is_raised() {
        return Err(Refusal::new(Code::TimeLimit, "the request was broken off", ""));
    }
    // One thread: other requests and experiments have the rest.
    on_cores(1, || report(&study, &by, fields, choices))
}

/// What a request may keep of some folders.
struct ReportChoices {
    keys: Value,
    puzzles: Value,
}

fn bad_question(report: Report) -> Refusal {
    Refusal::of(Code::BadQuestion, &report)
}

fn report(study: &Study, by: &[String], fields: &RequestFields, choices: ReportChoices) -> Answer {
    if let Some(error) = all_failed(study) {
        return Err(bad_question(error));
    }
    let Some(body) = report_part(study, by) else {
        let help = "wait until some have, or keep more of the settings";
        return Err(Refusal::new(Code::BadQuestion, "no run of these has ended", help));
    };
    let mut metric = Metric::usual(study);
    if fields.has("metric") {
        let asked = fields.text("metric");
        metric = Metric::ALL.into_iter().find(|known| known.name() == asked).unwrap_or(metric);
    }
    let groups = fields.text_or_absent("group").map(|column| groups_of(study, column, None));
    let order = ComparisonOrder {
        baseline: fields.text_or_absent("baseline"),
        groups: groups.transpose().map_err(bad_question)?,
        smallest: Smallest { ratio: fields.real("smallest") },
        ..ComparisonOrder::plain(metric, fields.real("alpha"))
    };
    let settings = study.joined_settings(by);
    let names: Vec<&str> = settings.iter().map(|setting| setting.name.as_str()).collect();
    // Where there is nothing to compare the report is still shown, with the reason in its place.
    let found = compared(study, &settings, &order, "wait until its runs have ended");
    let problem = found.as_ref().err().map(|report| Refusal::of(Code::BadQuestion, report));
    let found = found.as_ref().ok();
    Ok(json!({
        "body": body,
        "notes": study.partial().collect::<Vec<_>>(),
        "keys": choices.keys,
        "puzzles": choices.puzzles,
        "noun": RunSubject::of(study).noun(),
        "metric": metric.name(),
        "settings": names,
        "comparison": found.map(as_json),
        "comparison_body": found.map(|found| as_page(found).into_string()),
        "problem": problem.map(|refusal| refusal.message().to_owned()),
    }))
}

/// The paths of the folders that are asked about.
fn folders(fields: &RequestFields, shared: &ServerState) -> Result<Vec<PathBuf>, Refusal> {
    let names = fields.texts("folders");
    if names.is_empty() || names.len() > FOLDERS {
        let message = format!("`folders` takes 1 to {FOLDERS} names, not {}", names.len());
        return Err(Refusal::new(Code::BadQuestion, message, ""));
    }
    let mut folders = Vec::new();
    for name in &names {
        folders.push(shared.lab.served().find(name)?);
    }
    Ok(folders)
}

/// Keeps the settings of which each key has one of its values.
fn keep_settings(study: &mut Study, filters: &Spec) -> Result<(), Refusal> {
    let mut kept = Vec::new();
    for filter in &filters.values {
        let Some(values) = texts_of(filter) else {
            let message = format!("`where.{}` takes a list of texts", filter.key);
            return Err(Refusal::new(Code::BadRequest, message, ""));
        };
        kept.push((&filter.key, values));
    }
    for (key, values) in kept {
        let key = key_of(study, key).map_err(bad_question)?;
        study.keep_settings(&key, &values);
    }
    Ok(())
}

/// A text, or a list of texts.
fn texts_of(named: &Named) -> Option<Vec<String>> {
    let values = match &named.value {
        SpecValue::List(values) => values.as_slice(),
        value => std::slice::from_ref(value),
    };
    let mut texts = Vec::new();
    for value in values {
        let SpecValue::Text(text) = value else { return None };
        texts.push(text.clone());
    }
    Some(texts)
}

/// The keys in which settings differ, each with its values.
fn keys(study: &Study) -> Value {
    let mut keys = Map::new();
    for key in &study.keys {
        let mut seen: Vec<&String> = Vec::new();
        for value in study.settings.iter().filter_map(|setting| setting.values.get(key)) {
            if !seen.contains(&value) {
                seen.push(value);
            }
        }
        keys.insert(key.clone(), json!(seen));
    }
    Value::Object(keys)
}

fn ids(study: &Study) -> Value {
    study.puzzles().iter().map(|puzzle| puzzle.id.as_str()).collect()
}

fn answers() -> Schema {
    let text_or_null = text().or_null();
    object(&[
        field("body", text().about("HTML: what stands in the page of kenga report below its title")),
        field(
            "notes",
            list(text())
                .about("folders that hold a part of their experiment or runs of another folder, are not whole, or have rows that are not used, and why"),
        ),
        field("keys", map_of(list(text())).about("the keys in which settings differ, with their values")),
        field("puzzles", list(text()).about("their ids")),
        field("noun", one_of(&NOUNS).about("what one of the puzzles is called")),
        field("metric", one_of(METRICS)),
        field("settings", list(text()).about("the names of the settings, such as baseline takes them")),
        field("comparison", any_object().or_null().about("as kenga compare --json")),
        field("comparison_body", text_or_null.clone().about("the same as HTML")),
        field("problem", text_or_null.about("why there is nothing to compare")),
    ])
}
