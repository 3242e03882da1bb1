//! The columns of a table that tell settings apart.

use serde_json::Value;

use crate::experiment::{Settings, short_key};
use crate::report::{Cell, Column};

/// How many swept keys have a column each.
const COLUMNS: usize = 4;

/// A column a swept key, or of many keys one of words.
pub(in crate::cli) fn columns(settings: &Settings) -> Vec<Column> {
    let column = |key: &String| Column::words(short_key(key), key.clone());
    match settings.keys.len() {
        0..=COLUMNS => settings.keys.iter().map(column).collect(),
        _ => vec![Column::words("setting", "setting")],
    }
}

/// The cells of a setting in [`columns`].
pub(in crate::cli) fn cells(settings: &Settings, setting: usize) -> Vec<Cell> {
    match settings.keys.len() {
        0..=COLUMNS => settings.all[setting].labels.iter().map(|label| cell(label)).collect(),
        _ => vec![Cell::words(settings.in_words(setting))],
    }
}

/// The value of a swept key, from its text; a key that the setting does not have is empty.
fn cell(label: &str) -> Cell {
    let text = || Value::String(label.to_owned());
    let value =
        if label.is_empty() { Value::Null } else { serde_json::from_str(label).unwrap_or_else(|_| text()) };
    Cell::new(label, [value])
}
