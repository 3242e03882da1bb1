//! Apache Parquet: the table with typed columns, uncompressed, so that it needs no system library.
//!
//! Needs the feature `parquet`; without it the error says how to build it.

use super::{Export, ExportError, ExportFormat, ExportRows, Files};

/// The format, and the feature that it is built with.
const NAME: &str = "parquet";

/// The format.
pub(super) const FORMAT: ExportFormat = ExportFormat {
    name: NAME,
    about: "the same table with typed columns; needs kenga built with --features parquet",
    is_folder: false,
    is_table: true,
    write,
};

#[cfg(feature = "parquet")]
fn write(export: &Export, rows: ExportRows, files: &mut dyn Files) -> Result<(), ExportError> {
    let table = super::tables::ExportTable::new(export, rows)?;
    files.file("", &mut |out| built::write(&table, out))
}

#[cfg(not(feature = "parquet"))]
fn write(_export: &Export, _rows: ExportRows, _files: &mut dyn Files) -> Result<(), ExportError> {
    Err(ExportError::Without { format: NAME })
}

#[cfg(feature = "parquet")]
mod built {
    use std::io::{self, Write};
    use std::sync::Arc;

    use ::parquet::basic::{ConvertedType, LogicalType, Repetition, Type as Physical};
    use ::parquet::column::writer::ColumnWriter;
    use ::parquet::errors::ParquetError;
    use ::parquet::file::properties::WriterProperties;
    use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
    use ::parquet::schema::types::{Type, TypePtr};

    use serde_json::Value;

    use crate::study::export::FileError;
    use crate::study::export::columns::{CellKind, ExportColumn, cell_text};
    use crate::study::export::tables::ExportTable;

    /// The rows of a group, which memory holds at a time.
    const GROUP: usize = 1 << 16;

    /// Writes the table.
    pub(super) fn write(table: &ExportTable<'_>, out: &mut (dyn Write + Send)) -> Result<(), FileError> {
        let columns = &table.columns;
        let properties = WriterProperties::builder().set_created_by("kenga".to_owned()).build();
        let mut writer =
            SerializedFileWriter::new(out, schema(columns).map_err(io)?, Arc::new(properties)).map_err(io)?;
        let mut group: Vec<Vec<Value>> = vec![Vec::new(); columns.len()];
        table.each(&mut |row| {
            for (column, cell) in group.iter_mut().zip(row) {
                column.push(cell.clone());
            }
            if group[0].len() == GROUP { write_group(&mut writer, columns, &mut group) } else { Ok(()) }
        })?;
        write_group(&mut writer, columns, &mut group)?;
        writer.close().map_err(io)?;
        Ok(())
    }

    fn write_group<W: Write + Send>(
        writer: &mut SerializedFileWriter<W>,
        columns: &[ExportColumn],
        group: &mut [Vec<Value>],
    ) -> Result<(), FileError> {
        if group[0].is_empty() {
            return Ok(());
        }
        let mut row_group = writer.next_row_group().map_err(io)?;
        for (column, cells) in columns.iter().zip(group) {
            write_column(&mut row_group, column.kind, cells).map_err(io)?;
            cells.clear();
        }
        row_group.close().map_err(io)?;
        Ok(())
    }

    /// Writes the known cells, and for every cell whether it is known.
    fn write_column<W: Write + Send>(
        group: &mut SerializedRowGroupWriter<'_, W>,
        kind: CellKind,
        cells: &[Value],
    ) -> Result<(), ParquetError> {
        // The definition level of a flat optional column: 1 where there is a value.
        let known: Vec<i16> = cells.iter().map(|cell| i16::from(!cell.is_null())).collect();
        let mut column = group.next_column()?.expect("the schema has a column for each");
        match (column.untyped(), kind) {
            (ColumnWriter::BoolColumnWriter(writer), CellKind::Flag) => {
                let values: Vec<bool> = cells.iter().filter_map(Value::as_bool).collect();
                writer.write_batch(&values, Some(&known), None)?;
            }
            (ColumnWriter::Int64ColumnWriter(writer), CellKind::Integer) => {
                let values: Vec<i64> = cells.iter().filter_map(Value::as_i64).collect();
                writer.write_batch(&values, Some(&known), None)?;
            }
            (ColumnWriter::DoubleColumnWriter(writer), CellKind::Real) => {
                let values: Vec<f64> = cells.iter().filter_map(Value::as_f64).collect();
                writer.write_batch(&values, Some(&known), None)?;
            }
            (ColumnWriter::ByteArrayColumnWriter(writer), CellKind::Text) => {
                let texts = cells.iter().filter_map(cell_text);
                let values: Vec<_> = texts.map(|text| text.into_bytes().into()).collect();
                writer.write_batch(&values, Some(&known), None)?;
            }
            _ => unreachable!("the schema gives a column the physical type of its kind"),
        }
        column.close()
    }

    fn schema(columns: &[ExportColumn]) -> Result<TypePtr, ParquetError> {
        let field = |ExportColumn { name, kind }: &ExportColumn| {
            let (physical, logical, converted) = match kind {
                CellKind::Flag => (Physical::BOOLEAN, None, ConvertedType::NONE),
                CellKind::Integer => (Physical::INT64, None, ConvertedType::NONE),
                CellKind::Real => (Physical::DOUBLE, None, ConvertedType::NONE),
                CellKind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String), ConvertedType::UTF8),
            };
            let field = Type::primitive_type_builder(name, physical);
            let field = field.with_logical_type(logical).with_converted_type(converted);
            Ok(Arc::new(field.with_repetition(Repetition::OPTIONAL).build()?))
        };
        let fields = columns.iter().map(field).collect::<Result<_, ParquetError>>()?;
        Ok(Arc::new(Type::group_type_builder("runs").with_fields(fields).build()?))
    }

    fn io(error: ParquetError) -> FileError {
        FileError::Io(match error {
            ParquetError::External(inner) => match inner.downcast::<io::Error>() {
                Ok(error) => *error,
                Err(other) => io::Error::other(other),
            },
            other => io::Error::other(other),
        })
    }
}
