//! The columns and cells of tables, and the settings as columns.

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

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ExportCell {
    Unknown,
    Flag(bool),
    Integer(i64),
    Real(f64),
    Text(String),
    /// A list, in a column of text.
    List(Value),
}

/// Columns with a cell for every setting: `cells[setting][column]`.
#[derive(Default)]
pub(super) struct SettingColumns {
    pub(super) columns: Vec<ExportColumn>,
    pub(super) cells: Vec<Vec<ExportCell>>,
}

impl ExportColumn {
    pub(super) fn new(name: impl Into<String>, kind: CellKind) -> Self {
        Self { name: name.into(), kind }
    }
}

impl ExportCell {
    /// A count.
    pub(super) fn count(number: u64) -> Self {
        i64::try_from(number).map_or(Self::Real(number as f64), Self::Integer)
    }

    /// A cell that may be unknown.
    pub(super) fn known<T>(value: Option<T>, cell: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Self::Unknown, cell)
    }

    /// The cell as text; `None` when it is unknown.
    pub(super) fn text(&self) -> Option<String> {
        match self {
            Self::Unknown => None,
            Self::Flag(flag) => Some(flag.to_string()),
            Self::Integer(number) => Some(number.to_string()),
            Self::Real(number) => Some(number.to_string()),
            Self::Text(text) => Some(text.clone()),
            Self::List(list) => Some(list.to_string()),
        }
    }

    /// The cell as JSON; null when it is unknown.
    pub(super) fn json(&self) -> Value {
        match self {
            Self::Unknown => Value::Null,
            Self::Flag(flag) => (*flag).into(),
            Self::Integer(number) => (*number).into(),
            Self::Real(number) => (*number).into(),
            Self::Text(text) => text.as_str().into(),
            Self::List(list) => list.clone(),
        }
    }

    fn from_json(value: &Value) -> Self {
        match value {
            Value::Null => Self::Unknown,
            Value::Bool(flag) => Self::Flag(*flag),
            Value::Number(number) => {
                number.as_i64().map_or_else(|| Self::Real(number.as_f64().unwrap_or(f64::NAN)), Self::Integer)
            }
            Value::String(text) => Self::Text(text.clone()),
            other => Self::List(other.clone()),
        }
    }

    /// The cell as the type of its column.
    fn into_kind(self, kind: CellKind) -> Self {
        match (self, kind) {
            (Self::Integer(number), CellKind::Real) => Self::Real(number as f64),
            (cell @ (Self::Flag(_) | Self::Integer(_) | Self::Real(_)), CellKind::Text) => {
                cell.text().map_or(Self::Unknown, Self::Text)
            }
            (cell, _) => cell,
        }
    }
}

/// The narrowest type that holds all cells.
fn kind_of(cells: &[ExportCell]) -> CellKind {
    let mut narrowest = None;
    for cell in cells {
        let kind = match cell {
            ExportCell::Unknown => continue,
            ExportCell::Flag(_) => CellKind::Flag,
            ExportCell::Integer(_) => CellKind::Integer,
            ExportCell::Real(_) => CellKind::Real,
            ExportCell::Text(_) | ExportCell::List(_) => CellKind::Text,
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
pub(super) fn settings_by_column(study: &Study) -> (SettingColumns, SettingColumns) {
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
pub(super) fn distinguishing(study: &Study) -> SettingColumns {
    let mut rows = Vec::with_capacity(study.settings.len());
    for setting in &study.settings {
        let mut cells = leaves(study, setting);
        // Names of members, under the keys of the members.
        for key in &study.keys {
            if let (false, Some(name)) = (cells.contains_key(key), setting.values.get(key)) {
                cells.insert(key.clone(), ExportCell::Text(name.clone()));
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
fn values(keys: &[String], rows: &[BTreeMap<String, ExportCell>]) -> SettingColumns {
    let mut cells = vec![Vec::with_capacity(keys.len()); rows.len()];
    let mut columns = Vec::with_capacity(keys.len());
    for key in keys {
        let column: Vec<ExportCell> =
            rows.iter().map(|row| row.get(key).cloned().unwrap_or(ExportCell::Unknown)).collect();
        let kind = kind_of(&column);
        columns.push(ExportColumn::new(key, kind));
        for (row, cell) in cells.iter_mut().zip(column) {
            row.push(cell.into_kind(kind));
        }
    }
    SettingColumns { columns, cells }
}

/// Every key of a setting's configuration that is not a table, by dotted path, and every swept key: the cell of a swept
/// table is its label.
fn leaves(study: &Study, setting: &StudySetting) -> BTreeMap<String, ExportCell> {
    let settings = &study.folders[setting.folder].plan.settings;
    let here = &settings.all[setting.setting as usize];
    let mut cells = BTreeMap::new();
    each_leaf("", &here.config.resolved.as_json(), &mut |key, value| {
        if is_of_search(&key) {
            cells.insert(key, ExportCell::from_json(value));
        }
    });
    for ((key, value), label) in settings.keys.iter().zip(&here.values).zip(&here.labels) {
        if value.is_none() {
            cells.insert(key.clone(), ExportCell::Unknown);
        } else if !cells.contains_key(key) {
            cells.insert(key.clone(), ExportCell::Text(label.clone()));
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_the_narrowest_kind_that_holds_all_its_cells() {
        let (one, half, text) =
            (ExportCell::Integer(1), ExportCell::Real(0.5), ExportCell::Text("x".to_owned()));
        assert_eq!(kind_of(&[one.clone(), ExportCell::Unknown]), CellKind::Integer);
        assert_eq!(kind_of(&[one.clone(), half]), CellKind::Real);
        assert_eq!(kind_of(&[one.clone(), text]), CellKind::Text);
        assert_eq!(kind_of(&[ExportCell::Flag(true), one]), CellKind::Text);
        assert_eq!(kind_of(&[ExportCell::Unknown]), CellKind::Text);
    }

    #[test]
    fn a_cell_takes_the_kind_of_its_column() {
        assert_eq!(ExportCell::Integer(1).into_kind(CellKind::Real), ExportCell::Real(1.0));
        assert_eq!(ExportCell::Real(0.5).into_kind(CellKind::Text), ExportCell::Text("0.5".to_owned()));
        assert_eq!(ExportCell::Unknown.into_kind(CellKind::Text), ExportCell::Unknown);
    }
}
