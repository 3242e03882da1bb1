//! `GET experiments`: the results folders behind the server, and the files that can be named beside them.

use std::path::absolute;

use serde_json::{Value, json};

use super::experiment::folder_schema;
use super::{Asked, Endpoint, Run, request};
use crate::Shared;
use crate::refusal::Refusal;
use kenga_core::budget::Interrupt;

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "experiments",
    "the results folders behind the server, and how far they are",
    &[],
    answers,
    Run::Read("GET", run),
);

/// The most files that are named.
const FILES: usize = 500;

fn run(asked: &Asked, shared: &Shared, interrupt: &Interrupt) -> Result<Value, Refusal> {
    request::read(asked, &[])?;
    let mut names = shared.lab.shelf().names();
    let mut folders = Vec::new();
    // One whose folder was removed while it runs can still be stopped.
    names.folders.extend(
        shared.lab.names().into_iter().filter(|name| !names.folders.contains(name)).collect::<Vec<_>>(),
    );
    for name in names.folders.iter().take_while(|_| !interrupt.is_raised()) {
        // What was removed meanwhile is passed over.
        folders.extend(shared.lab.object(name).ok());
    }
    names.files.retain(|name| may_hold_puzzles(name));
    let is_cut = names.is_cut || names.files.len() > FILES;
    names.files.truncate(FILES);
    let path = shared.lab.shelf().path();
    let path = absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string();
    Ok(json!({"path": path, "folders": folders, "files": names.files, "more": is_cut}))
}

/// Judged by its name.
fn may_hold_puzzles(name: &str) -> bool {
    let kind = name.rsplit_once('.').map(|(_, kind)| kind);
    kind.is_some_and(|kind| ["txt", "json", "jsonl", "col", "pls"].contains(&kind))
}

fn answers() -> Value {
    json!({
        "type": "object",
        "required": ["path", "folders", "files", "more"],
        "properties": {
            "path": {"type": "string", "description": "the folder that is served"},
            "folders": {"type": "array", "items": folder_schema()},
            "files": {"type": "array", "items": {"type": "string"}, "description": "files beside them that may hold puzzles"},
            "more": {"type": "boolean", "description": "the folder holds more than is listed"},
        },
    })
}
