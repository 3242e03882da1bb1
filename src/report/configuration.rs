//! The configuration of a folder as TOML, to be saved and run again.

use serde_json::{Map, Value, json};

use crate::experiment::{Draft, Plan};

/// The file of the folder that holds the puzzles.
const PUZZLES: &str = "puzzles.jsonl";

/// The configuration of a plan as TOML, with its sweep, and whether reading it gives the very settings of the plan.
pub(super) fn configuration(plan: &Plan) -> (String, bool) {
    let whole = text(plan, true);
    let again = Draft::read("again.toml", &whole).and_then(Draft::settings);
    match again {
        Ok(settings) if settings.each_line().eq(plan.settings.each_line()) => (whole, true),
        _ => (text(plan, false), false),
    }
}

fn text(plan: &Plan, with_sweep: bool) -> String {
    let mut config: Map<String, Value> = plan.config.resolved.object();
    config.shift_remove("puzzles");
    let mut ordered = Map::new();
    ordered.insert("puzzles".to_owned(), json!([PUZZLES]));
    // Values stand above tables, as TOML has them.
    let (tables, values): (Vec<_>, Vec<_>) = config.into_iter().partition(|(_, value)| value.is_object());
    ordered.extend(values);
    ordered.extend(tables);
    if let Some(sweep) = plan.settings.sweep.as_ref().filter(|_| with_sweep) {
        ordered.insert("sweep".to_owned(), sweep.clone());
    }
    without_defaults(&mut ordered);
    toml::to_string(&ordered).unwrap_or_default()
}

/// A table that only says what the members of a list would be like: where the list stands beside it, under the same name in
/// the plural, it decides nothing.
pub(super) fn is_default(table: &Map<String, Value>, key: &str) -> bool {
    let plural = table.get(&format!("{key}s")).and_then(Value::as_array);
    plural.is_some_and(|list| !list.is_empty())
}

/// Takes out what may not stand beside the list that replaces it.
fn without_defaults(table: &mut Map<String, Value>) {
    let defaults: Vec<String> = table.keys().filter(|key| is_default(table, key)).cloned().collect();
    for key in defaults {
        table.shift_remove(&key);
    }
    for value in table.values_mut() {
        match value {
            Value::Object(inner) => without_defaults(inner),
            Value::Array(values) => {
                values.iter_mut().filter_map(Value::as_object_mut).for_each(without_defaults);
            }
            _ => {}
        }
    }
}
