//! `GET runs`: rows of `runs.csv`.

use serde_json::{Value, json};

use super::experiment::FOLDER;
use super::{Asked, Endpoint, Run, request};
use crate::Shared;
use crate::refusal::Refusal;
use kenga_core::budget::Interrupt;
use kenga_core::spec::Param;
use kenga_lab::results::{Folder, FolderKind, Reading, ResultsError, RunRow, UnusedRows};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "runs",
    "the runs of a results folder that have ended: rows of runs.csv",
    PARAMS,
    answers,
    Run::Read("GET", run),
);

/// The most rows of an answer.
const MOST: i64 = 1000;

const PARAMS: &[Param] = &[
    FOLDER,
    Param::integer("from", 0..=i64::MAX, 0).about("pass over so many rows"),
    Param::integer("limit", 0..=MOST, 100).about("show at most so many"),
];

fn run(asked: &Asked, shared: &Shared, _: &Interrupt) -> Result<Value, Refusal> {
    let asked = request::read(asked, PARAMS)?;
    let (from, limit) = (asked.count("from"), asked.count("limit"));
    let path = shared.lab.shelf().find(asked.text("folder")).map_err(Refusal::of_shelf)?;
    if FolderKind::of(&path) == FolderKind::Tuning {
        return Err(Refusal::of_results(ResultsError::Tuning { path }));
    }
    let columns = Folder::run_columns(&path).map_err(Refusal::of_results)?;
    let (mut rows, mut total) = (Vec::new(), 0);
    let reading = Reading::open(&path).map_err(Refusal::of_results)?;
    let read = reading.rows.each(|row: RunRow| {
        if total >= from && total - from < limit {
            rows.push(Value::Object(row.object(&columns)));
        }
        total += 1;
    });
    read.map_err(Refusal::of_results)?;
    let note = reading.rows.unused().map(UnusedRows::note);
    Ok(json!({"columns": columns, "rows": rows, "from": from, "total": total, "note": note}))
}

fn answers() -> Value {
    json!({
        "type": "object",
        "required": ["columns", "rows", "from", "total", "note"],
        "properties": {
            "columns": {"type": "array", "items": {"type": "string"}, "description": "those of runs.csv, in its order"},
            "rows": {"type": "array", "items": {"type": "object"}, "description": "a value for each column; null where the file is empty"},
            "from": {"type": "integer"},
            "total": {"type": "integer", "description": "rows of complete runs"},
            "note": {"type": ["string", "null"], "description": "rows that are not used, and why"},
        },
    })
}
