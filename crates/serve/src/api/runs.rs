//! `GET runs`: rows of `runs.csv`.

use serde_json::{Value, json};

use super::experiment::FOLDER;
use super::schema::{Schema, any_object, field, integer, list, object, text};
use super::{Answer, Endpoint, Handler, RequestFields, ServerState};
use kenga_core::budget::Interrupt;
use kenga_core::spec::Param;
use kenga_lab::results::{Folder, FolderKind, Reading, ResultsError, RunRow};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "runs",
    "the runs of a results folder that have ended: rows of runs.csv",
    PARAMS,
    answers,
    Handler::ReadFiles("GET", run),
);

/// The most rows of an answer.
const MOST: i64 = 1000;

const PARAMS: &[Param] = &[
    FOLDER,
    Param::integer("from", 0..=i64::MAX, 0).about("pass over so many rows"),
    Param::integer("limit", 0..=MOST, 100).about("show at most so many"),
];

fn run(fields: &RequestFields, shared: &ServerState, _: &Interrupt) -> Answer {
    let (from, limit) = (fields.count("from"), fields.count("limit"));
    let path = shared.lab.served().find(fields.text("folder"))?;
    if FolderKind::of(&path) == FolderKind::Tuning {
        return Err(ResultsError::Tuning { path }.into());
    }
    // All rows are read for the total, and only those of the page are kept.
    let columns = Folder::run_columns(&path)?;
    let (mut rows, mut total) = (Vec::new(), 0);
    let reading = Reading::open(&path)?;
    reading.rows.each(|row: RunRow| {
        if total >= from && total - from < limit {
            let mut object = row.object(&columns);
            if let Some(value) = reading.plan.value(row.run, row.best_fitness) {
                object.insert("value".to_owned(), json!(value));
            }
            rows.push(Value::Object(object));
        }
        total += 1;
    })?;
    let note = reading.rows.note();
    Ok(json!({"columns": columns, "rows": rows, "from": from, "total": total, "note": note}))
}

fn answers() -> Schema {
    let rows = list(any_object()).about("a value for each column, null where the file is empty; of a problem of one's own also `value`, its best value");
    object(&[
        field("columns", list(text()).about("those of runs.csv, in its order")),
        field("rows", rows),
        field("from", integer()),
        field("total", integer().about("rows of complete runs")),
        field("note", text().or_null().about("rows that are not used and why, or how many are missing")),
    ])
}
