//! JSON lines: one object a row, numbers and flags as such; an unknown cell is null.

use serde_json::{Map, Value};

use super::tables::table;
use super::{Export, ExportError, ExportFormat, Files, Rows};

/// The format.
pub(super) struct Json;

impl ExportFormat for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn about(&self) -> &'static str {
        "the same table as JSON lines: an object a run, with typed values"
    }

    fn write(&self, export: &Export, rows: Rows, files: &mut dyn Files) -> Result<(), ExportError> {
        let table = table(export, rows)?;
        files.file("", &mut |out| {
            table.each(&mut |row| {
                let names = table.columns().iter().map(|column| column.name.clone());
                let object: Map<String, Value> = names.zip(row.iter().map(|cell| cell.json())).collect();
                Ok(writeln!(out, "{}", Value::Object(object))?)
            })
        })
    }
}
