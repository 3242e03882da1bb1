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
    let (was, is) = (fields(row), fields(&again));
    let differs = |(key, value): (&String, &Value)| {
        let is = is.get(key).filter(|is| *is != value)?;
        Some(format!("{key} {is}, recorded {value}"))
    };
    let differences: Vec<String> = was.iter().filter_map(differs).collect();
    match differences.is_empty() {
        true => "as recorded".to_owned(),
        false => format!("not as recorded: {}", differences.join("; ")),
    }
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
