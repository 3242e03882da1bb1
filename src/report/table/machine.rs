//! Tables for programs: every value under a name of its own, with all of its digits.

use serde_json::{Map, Value};

use super::{Cell, Column, Table};

pub(super) fn json(table: &Table) -> Value {
    let row = |row: &Vec<Cell>| {
        let object: Map<String, Value> =
            named(table, row).map(|(name, value)| (name.to_owned(), value.clone())).collect();
        Value::Object(object)
    };
    Value::Array(table.rows.iter().map(row).collect())
}

pub(super) fn csv(table: &Table) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = table.columns.iter().flat_map(|column| &column.names);
    let records = table.rows.iter().map(|row| named(table, row).map(|(_, value)| field(value)).collect());
    for record in std::iter::once(names.cloned().collect::<Vec<_>>()).chain(records) {
        writer.write_record(record).expect("memory takes every record of as many fields");
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("fields are text")
}

/// The values of a row with their names; a value that is not there is null.
fn named<'a>(table: &'a Table, row: &'a [Cell]) -> impl Iterator<Item = (&'a str, &'a Value)> {
    let of = |(column, cell): (&'a Column, &'a Cell)| {
        let values = cell.values.iter().chain(std::iter::repeat(&Value::Null));
        column.names.iter().map(String::as_str).zip(values)
    };
    table.columns.iter().zip(row).flat_map(of)
}

fn field(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(field).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}
