//! The columns and cells of tables, and the settings as columns.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::study::Study;
use crate::study::study::{each_leaf, is_of_search};

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
fn kind_of<'a>(cells: impl Iterator<Item = &'a ExportCell>) -> CellKind {
    let kind = |cell: &ExportCell| match cell {
        ExportCell::Unknown => None,
        ExportCell::Flag(_) => Some(CellKind::Flag),
        ExportCell::Integer(_) => Some(CellKind::Integer),
        ExportCell::Real(_) => Some(CellKind::Real),
        ExportCell::Text(_) | ExportCell::List(_) => Some(CellKind::Text),
    };
    let join = |a, b| match (a, b) {
        _ if a == b => a,
        (CellKind::Integer, CellKind::Real) | (CellKind::Real, CellKind::Integer) => CellKind::Real,
        _ => CellKind::Text,
    };
    cells.filter_map(kind).reduce(join).unwrap_or(CellKind::Text)
}

/// The swept keys, and the others, each with a cell for every setting.
pub(super) fn settings_by_column(study: &Study) -> (SettingColumns, SettingColumns) {
    let swept = study.swept_keys();
    let leaves: Vec<BTreeMap<String, ExportCell>> =
        (0..study.settings.len()).map(|at| leaves(study, at)).collect();
    let all: BTreeSet<&String> = leaves.iter().flat_map(BTreeMap::keys).collect();
    let fixed: Vec<String> = all.into_iter().filter(|key| !swept.contains(key)).cloned().collect();
    (values(&swept, &leaves), values(&fixed, &leaves))
}

/// The keys that distinguish the settings. Where the name of a member and the member itself both differ, the name is left
/// out.
pub(super) fn distinguishing(study: &Study) -> SettingColumns {
    let rows: Vec<BTreeMap<String, ExportCell>> = (0..study.settings.len())
        .map(|at| {
            let mut cells = leaves(study, at);
            // Names of members, under the keys of the members.
            for key in &study.keys {
                let named = || study.settings[at].values.get(key).cloned().map(ExportCell::Text);
                if let (false, Some(name)) = (cells.contains_key(key), named()) {
                    cells.insert(key.clone(), name);
                }
            }
            cells
        })
        .collect();
    let is_name_of_other = |key: &&String| {
        key.strip_suffix(".name").is_some_and(|member| study.keys.iter().any(|other| other == member))
    };
    let keys: Vec<String> = study.keys.iter().filter(|key| !is_name_of_other(key)).cloned().collect();
    values(&keys, &rows)
}

/// The values of some keys.
fn values(keys: &[String], leaves: &[BTreeMap<String, ExportCell>]) -> SettingColumns {
    let cell = |row: &BTreeMap<String, ExportCell>, key: &String| {
        row.get(key).cloned().unwrap_or(ExportCell::Unknown)
    };
    let mut cells = vec![Vec::with_capacity(keys.len()); leaves.len()];
    let mut columns = Vec::with_capacity(keys.len());
    for key in keys {
        let column: Vec<ExportCell> = leaves.iter().map(|row| cell(row, key)).collect();
        let kind = kind_of(column.iter());
        columns.push(ExportColumn::new(key, kind));
        for (row, cell) in cells.iter_mut().zip(column) {
            row.push(cell.into_kind(kind));
        }
    }
    SettingColumns { columns, cells }
}

/// Every key of a setting's configuration that is not a table, by dotted path, and every swept key: the cell of a swept
/// table is its label.
fn leaves(study: &Study, index: usize) -> BTreeMap<String, ExportCell> {
    let setting = &study.settings[index];
    let settings = &study.sources[setting.source].plan.settings;
    let here = &settings.all[setting.setting as usize];
    let mut cells = BTreeMap::new();
    each_leaf("", &here.config.resolved.object(), &mut |key, value| {
        if is_of_search(&key) {
            cells.insert(key, ExportCell::from_json(value));
        }
    });
    for ((key, value), label) in settings.keys.iter().zip(&here.values).zip(&here.labels) {
        match value {
            None => drop(cells.insert(key.clone(), ExportCell::Unknown)),
            Some(_) if cells.contains_key(key) => {}
            Some(_) => drop(cells.insert(key.clone(), ExportCell::Text(label.clone()))),
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
        assert_eq!(kind_of([&one, &ExportCell::Unknown].into_iter()), CellKind::Integer);
        assert_eq!(kind_of([&one, &half].into_iter()), CellKind::Real);
        assert_eq!(kind_of([&one, &text].into_iter()), CellKind::Text);
        assert_eq!(kind_of([&ExportCell::Flag(true), &one].into_iter()), CellKind::Text);
        assert_eq!(kind_of([&ExportCell::Unknown].into_iter()), CellKind::Text);
    }

    #[test]
    fn a_cell_takes_the_kind_of_its_column() {
        assert_eq!(ExportCell::Integer(1).into_kind(CellKind::Real), ExportCell::Real(1.0));
        assert_eq!(ExportCell::Real(0.5).into_kind(CellKind::Text), ExportCell::Text("0.5".to_owned()));
        assert_eq!(ExportCell::Unknown.into_kind(CellKind::Text), ExportCell::Unknown);
    }
}
