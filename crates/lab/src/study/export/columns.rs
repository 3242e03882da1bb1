//! The columns and cells of tables, and the settings as columns. A cell is a JSON value: null is unknown.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::study::values::{each_leaf, is_of_search};
use crate::study::{Study, StudySetting};

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ExportColumn {
    /// Its name; seconds end in `_s`, counts of evaluations and moves begin with `calls`.
    pub(super) name: String,
    /// The type of its cells.
    pub(super) kind: CellKind,
}

/// The type of the cells of a column, unless they are unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellKind {
    Flag,
    Integer,
    Real,
    Text,
}

/// Keys as columns, with a cell for every setting: `cells[setting][column]`.
#[derive(Default)]
pub(super) struct KeyColumns {
    pub(super) columns: Vec<ExportColumn>,
    pub(super) cells: Vec<Vec<Value>>,
}

impl ExportColumn {
    pub(super) fn new(name: impl Into<String>, kind: CellKind) -> Self {
        Self { name: name.into(), kind }
    }
}

/// A cell as text; `None` when it is unknown.
pub(super) fn cell_text(cell: &Value) -> Option<String> {
    match cell {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        // A whole real has no decimals in a table.
        Value::Number(number) if number.is_f64() => number.as_f64().map(|number| number.to_string()),
        other => Some(other.to_string()),
    }
}

/// A cell as the type of its column.
fn as_kind(cell: Value, kind: CellKind) -> Value {
    match (&cell, kind) {
        (Value::Number(number), CellKind::Real) => number.as_f64().into(),
        (Value::Bool(_) | Value::Number(_), CellKind::Text) => cell_text(&cell).into(),
        _ => cell,
    }
}

/// The narrowest type that holds all cells.
fn kind_of(cells: &[Value]) -> CellKind {
    let mut narrowest = None;
    for cell in cells {
        let kind = match cell {
            Value::Null => continue,
            Value::Bool(_) => CellKind::Flag,
            Value::Number(number) if number.is_i64() => CellKind::Integer,
            Value::Number(_) => CellKind::Real,
            _ => CellKind::Text,
        };
        // Whole numbers are reals too; any other mixture can only be text.
        narrowest = Some(match (narrowest, kind) {
            (None, kind) => kind,
            (Some(known), kind) if known == kind => kind,
            (Some(CellKind::Integer | CellKind::Real), CellKind::Integer | CellKind::Real) => CellKind::Real,
            _ => CellKind::Text,
        });
    }
    narrowest.unwrap_or(CellKind::Text)
}

/// The swept keys, and the others, each with a cell for every setting.
pub(super) fn settings_by_column(study: &Study) -> (KeyColumns, KeyColumns) {
    let swept = study.swept_keys();
    let mut rows = Vec::with_capacity(study.settings.len());
    let mut fixed = BTreeSet::new();
    for setting in &study.settings {
        // Settings may lack keys of others: columns are those of all.
        let row = leaves(study, setting);
        for key in row.keys() {
            if !swept.contains(key) {
                fixed.insert(key.clone());
            }
        }
        rows.push(row);
    }
    let fixed: Vec<String> = fixed.into_iter().collect();
    (values(&swept, &rows), values(&fixed, &rows))
}

/// The keys that distinguish the settings. Where the name of a member and the member itself both differ, the name is left
/// out.
pub(super) fn distinguishing(study: &Study) -> KeyColumns {
    let mut rows = Vec::with_capacity(study.settings.len());
    for setting in &study.settings {
        let mut cells = leaves(study, setting);
        // Names of members, under the keys of the members.
        for key in &study.keys {
            if let (false, Some(name)) = (cells.contains_key(key), setting.values.get(key)) {
                cells.insert(key.clone(), name.as_str().into());
            }
        }
        rows.push(cells);
    }
    let mut keys = study.keys.clone();
    // The member stands for both: its cell is the name.
    keys.retain(|key| match key.strip_suffix(".name") {
        Some(member) => !study.keys.iter().any(|other| other == member),
        None => true,
    });
    values(&keys, &rows)
}

/// The values of some keys.
fn values(keys: &[String], rows: &[BTreeMap<String, Value>]) -> KeyColumns {
    let mut cells = vec![Vec::with_capacity(keys.len()); rows.len()];
    let mut columns = Vec::with_capacity(keys.len());
    for key in keys {
        let column: Vec<Value> = rows.iter().map(|row| row.get(key).cloned().unwrap_or_default()).collect();
        let kind = kind_of(&column);
        columns.push(ExportColumn::new(key, kind));
        for (row, cell) in cells.iter_mut().zip(column) {
            row.push(as_kind(cell, kind));
        }
    }
    KeyColumns { columns, cells }
}

/// Every key of a setting's configuration that is not a table, by dotted path, and every swept key: the cell of a swept
/// table is its label.
fn leaves(study: &Study, setting: &StudySetting) -> BTreeMap<String, Value> {
    let settings = &study.folders[setting.folder].plan.settings;
    let here = &settings.all[setting.setting as usize];
    let mut cells = BTreeMap::new();
    each_leaf("", &here.config.resolved.as_json(), &mut |key, value| {
        if is_of_search(&key) {
            cells.insert(key, value.clone());
        }
    });
    for ((key, value), label) in settings.keys.iter().zip(&here.values).zip(&here.labels) {
        if value.is_none() {
            cells.insert(key.clone(), Value::Null);
        } else if !cells.contains_key(key) {
            cells.insert(key.clone(), label.as_str().into());
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_column_has_the_narrowest_kind_that_holds_all_its_cells() {
        let kind = |cells: Value| kind_of(cells.as_array().expect("a list"));
        assert_eq!(kind(json!([1, null])), CellKind::Integer);
        assert_eq!(kind(json!([1, 0.5])), CellKind::Real);
        assert_eq!(kind(json!([1, "x"])), CellKind::Text);
        assert_eq!(kind(json!([true, 1])), CellKind::Text);
        assert_eq!(kind(json!([null])), CellKind::Text);
    }

    #[test]
    fn a_cell_takes_the_kind_of_its_column() {
        assert_eq!(as_kind(json!(1), CellKind::Real), json!(1.0));
        assert_eq!(as_kind(json!(0.5), CellKind::Text), json!("0.5"));
        assert_eq!(as_kind(Value::Null, CellKind::Text), Value::Null);
    }
}
