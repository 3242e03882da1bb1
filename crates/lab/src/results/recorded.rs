//! What a folder holds of a run, beside what playing it again gives.

use std::path::Path;

use serde_json::{Map, Value};

use super::{Reading, ResultsError, RunRow};
use crate::experiment::{Plan, RunRecord};

/// The row of a run, if the folder has one.
///
/// # Errors
/// Those of [`Reading::open`] and [`FolderRows::each`](super::FolderRows::each).
pub fn recorded_row(folder: &Path, run: u64) -> Result<Option<RunRow>, ResultsError> {
    let mut found = None;
    Reading::open(folder)?.rows.each(|row: RunRow| {
        if row.run == run {
            found = Some(row);
        }
    })?;
    Ok(found)
}

/// Whether a run that was made again is as its row says, in words.
pub fn recorded_verdict(row: Option<&RunRow>, record: &RunRecord, plan: &Plan) -> String {
    let Some(row) = row else {
        return "not recorded: the folder has no complete run of this number".to_owned();
    };
    let again = RunRow::new(record, plan);
    let is = fields(&again);
    let mut differences = Vec::new();
    for (key, was) in &fields(row) {
        if let Some(is) = is.get(key)
            && is != was
        {
            differences.push(format!("{key} {is}, recorded {was}"));
        }
    }
    if differences.is_empty() {
        return "as recorded".to_owned();
    }
    format!("not as recorded: {}", differences.join("; "))
}

/// The columns of a row but for those of the sweep, which the plan says.
fn fields(row: &RunRow) -> Map<String, Value> {
    let mut fields = match serde_json::to_value(row) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    fields.shift_remove("swept");
    fields
}
