//! `GET experiments`: the results folders behind the server, and the files that can be named beside them.

use std::path::absolute;

use serde_json::json;

use super::experiment::folder_schema;
use super::schema::{Schema, field, flag, list, object, text};
use super::{Answer, Endpoint, Handler, RequestFields, ServerState};
use kenga_core::budget::Interrupt;

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "experiments",
    "the results folders behind the server, and how far they are",
    &[],
    answers,
    Handler::ReadFiles("GET", run),
);

/// The most files that are named.
const FILES: usize = 500;

/// The endings of files that may hold puzzles.
const PUZZLE_FILES: [&str; 5] = ["txt", "json", "jsonl", "col", "pls"];

fn run(_: &RequestFields, shared: &ServerState, interrupt: &Interrupt) -> Answer {
    let mut names = shared.lab.served().names();
    // An experiment whose folder was removed while it runs can still be stopped.
    for name in shared.lab.names() {
        if !names.folders.contains(&name) {
            names.folders.push(name);
        }
    }
    let mut folders = Vec::new();
    for name in &names.folders {
        if interrupt.is_raised() {
            break;
        }
        // What was removed meanwhile is passed over.
        folders.extend(shared.lab.object(name).ok());
    }
    names.files.retain(|name| may_hold_puzzles(name));
    let is_cut = names.is_cut || names.files.len() > FILES;
    names.files.truncate(FILES);
    let path = shared.lab.served().path();
    let path = absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string();
    Ok(json!({"path": path, "folders": folders, "files": names.files, "more": is_cut}))
}

/// Judged by its name.
fn may_hold_puzzles(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| PUZZLE_FILES.contains(&ending))
}

fn answers() -> Schema {
    object(&[
        field("path", text().about("the folder that is served")),
        field("folders", list(folder_schema())),
        field("files", list(text()).about("files beside them that may hold puzzles")),
        field("more", flag().about("the list is incomplete: the folder holds more")),
    ])
}
