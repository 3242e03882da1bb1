//! `GET experiment`: one results folder, with its configuration, puzzles and settings.

use serde_json::{Value, json};

use super::{Asked, Endpoint, Run, request};
use crate::Shared;
use crate::refusal::Refusal;
use kenga_core::budget::Interrupt;
use kenga_core::puzzle::formats;
use kenga_core::spec::{Param, ParamKind};
use kenga_lab::results::read_plan;
use kenga_report::{PUZZLES, configuration};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "experiment",
    "a results folder: how far it is, its configuration, puzzles and settings",
    PARAMS,
    answers,
    Run::Read("GET", run),
);

/// The parameter that names a results folder.
pub(super) const FOLDER: Param = Param::required("folder", ParamKind::Text)
    .about("the results folder, as `experiments` names it: relative to the folder that is served");

const PARAMS: &[Param] = &[FOLDER];

/// The most puzzles and settings that are shown.
const SHOWN: usize = 200;

fn run(asked: &Asked, shared: &Shared, _: &Interrupt) -> Result<Value, Refusal> {
    let asked = request::read(asked, PARAMS)?;
    let name = asked.text("folder");
    let mut object = shared.lab.object(name)?;
    let path = shared.lab.shelf().find(name).map_err(Refusal::of_shelf)?;
    let (plan, _) = read_plan(&path).map_err(Refusal::of_results)?;
    let file = if name == "." { PUZZLES.to_owned() } else { format!("{name}/{PUZZLES}") };
    let (config, is_whole) = configuration(&plan, &file);
    let puzzles = plan.puzzles.iter().take(SHOWN).map(|puzzle| {
        json!({
            "id": puzzle.id,
            "kind": puzzle.kind.name(),
            "rows": puzzle.rows(),
            "columns": puzzle.cols(),
            "text": formats::canonical(puzzle),
        })
    });
    let setting = |index: usize| {
        let labels = &plan.settings.all[index].labels;
        let values: serde_json::Map<String, Value> =
            plan.settings.keys.iter().cloned().zip(labels.iter().map(|label| json!(label))).collect();
        json!({"setting": index, "values": values, "words": plan.settings.describe(index)})
    };
    let settings = 0..plan.settings.all.len().min(SHOWN);
    object.insert("config".to_owned(), json!(config));
    object.insert("config_is_whole".to_owned(), json!(is_whole));
    object.insert("each_puzzle".to_owned(), puzzles.collect());
    object.insert("each_setting".to_owned(), settings.map(setting).collect());
    Ok(Value::Object(object))
}

/// What every answer about a folder has.
pub(super) fn folder_schema() -> Value {
    let count = json!({"type": "integer", "minimum": 0});
    let text = json!({"type": "string"});
    let or_none = |kind: &str, about: &str| json!({"type": [kind, "null"], "description": about});
    json!({
        "type": "object",
        "required": ["folder", "state", "problem", "done", "solved", "failed"],
        "properties": {
            "folder": text,
            "state": {
                "enum": ["finished", "interrupted", "locked", "tuning", "unreadable", "waiting", "preparing", "running", "stopping"],
                "description": "locked: another program writes it; interrupted: it can be resumed; tuning: a folder of kenga tune, whose results folders lie inside; the last four: this server runs it",
            },
            "problem": or_none("string", "why it cannot be read, or has stopped"),
            "before": or_none("integer", "of one that waits, how many come first"),
            "done": {"type": "integer", "description": "runs that have ended"},
            "solved": count,
            "failed": count,
            "best_fitness": or_none("integer", "the lowest of all runs"),
            "note": or_none("string", "rows of runs.csv that are not used, and why; `kenga validate` says more"),
            "calls": or_none("integer", "evaluations and moves that this server has made of it"),
            "calls_per_s": or_none("number", "the same for a second"),
            "under_way": {"type": "array", "items": {
                "type": "object",
                "required": ["run", "puzzle", "setting", "replicate", "generations", "calls", "best_fitness"],
            }, "description": "the runs that are being made"},
            "runs": {"type": "integer", "description": "runs that it has in all; a race may make fewer"},
            "puzzles": count,
            "settings": count,
            "replicates": count,
            "seed": count,
            "keys": {"type": "array", "items": text, "description": "the swept keys"},
            "algorithms": {"type": "array", "items": text},
            "race": {"type": "boolean"},
            "shard": or_none("string", "the shard that the folder is for, as K/N"),
        },
    })
}

fn answers() -> Value {
    let mut schema = folder_schema();
    let text = json!({"type": "string"});
    schema["properties"]["config"] = json!({"type": "string", "description": "the configuration as TOML; the puzzles that it names are those of the folder"});
    schema["properties"]["config_is_whole"] =
        json!({"type": "boolean", "description": "the configuration gives the same settings again"});
    schema["properties"]["each_puzzle"] = json!({"type": "array", "items": {
        "type": "object",
        "required": ["id", "kind", "rows", "columns", "text"],
        "properties": {"id": text, "kind": text, "rows": {"type": "integer"}, "columns": {"type": "integer"}, "text": text},
    }, "description": "the first of them"});
    schema["properties"]["each_setting"] = json!({"type": "array", "items": {
        "type": "object",
        "required": ["setting", "values", "words"],
        "properties": {"setting": {"type": "integer"}, "values": {"type": "object"}, "words": text},
    }, "description": "the first of them"});
    schema
}
