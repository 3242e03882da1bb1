//! The command `kenga`, and the names that it knows.

use std::ffi::OsString;

use kenga::cli::main_within;
use kenga::craft::ladder::Tier;
use kenga::puzzle::formats;
use kenga::report::answers::FamilyListing;
use kenga::study::{EXPORTS, Metric};
use pyo3::prelude::*;
use serde_json::{Value, json};

/// Does what the command line asks for, without the lock of the interpreter, and returns the exit code; `command` starts
/// this kenga once more.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, command: Vec<OsString>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| main_within(command, arguments))
}

/// The members of every family as a JSON list, one object each as in `kenga list --json`.
#[pyfunction]
pub(crate) fn members() -> String {
    let mut all = Vec::new();
    for family in FamilyListing::all() {
        for member in &family.members {
            all.push(family.json(member));
        }
    }
    Value::Array(all).to_string()
}

/// Names that stand in no family: of formats that puzzles are written in, of exports, metrics and tiers, as a JSON object.
#[pyfunction]
pub(crate) fn names() -> String {
    let written = formats::TABLE.iter().filter(|format| format.is_written());
    json!({
        "format": written.map(|format| format.name).collect::<Vec<_>>(),
        "export": EXPORTS.iter().map(|export| export.name).collect::<Vec<_>>(),
        "metric": Metric::ALL.map(Metric::name),
        "tier": Tier::ALL.map(Tier::name),
    })
    .to_string()
}
