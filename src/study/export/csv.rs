//! Comma-separated values with a header: RFC 4180; an unknown cell is empty.

use super::columns::Column;
use super::error::FileError;
use super::tables::table;
use super::{Export, ExportError, ExportFormat, Files, Rows};

/// The format.
pub(super) struct Csv;

impl ExportFormat for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn about(&self) -> &'static str {
        "one table for R, pandas, polars or a spreadsheet: a row a run, with every key of its setting"
    }

    fn write(&self, export: &Export, rows: Rows, files: &mut dyn Files) -> Result<(), ExportError> {
        let table = table(export, rows)?;
        files.file("", &mut |out| {
            let mut writer = ::csv::Writer::from_writer(out);
            writer.write_record(table.columns().iter().map(|Column { name, .. }| name)).map_err(io)?;
            table.each(&mut |row| {
                let fields = row.iter().map(|cell| cell.text().unwrap_or_default());
                writer.write_record(fields).map_err(io)
            })?;
            Ok(writer.flush()?)
        })
    }
}

/// The error of the system as it is, so that a closed pipe can be told.
fn io(error: ::csv::Error) -> FileError {
    FileError::Io(match error.into_kind() {
        ::csv::ErrorKind::Io(error) => error,
        other => std::io::Error::other(format!("{other:?}")),
    })
}
