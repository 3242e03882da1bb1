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
        Ok(settings) if settings.lines() == plan.settings.lines() => (whole, true),
        _ => (text(plan, false), false),
    }
}

fn text(plan: &Plan, with_sweep: bool) -> String {
    let mut config: Map<String, Value> = plan.config.resolved.clone();
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
    without_islands_alike(&mut ordered);
    toml::to_string(&ordered).unwrap_or_default()
}

/// Where islands differ, the island that all would be like is only a default, which may not stand beside them.
fn without_islands_alike(table: &mut Map<String, Value>) {
    if table.contains_key("islands") {
        table.shift_remove("island");
    }
    for value in table.values_mut() {
        match value {
            Value::Object(inner) => without_islands_alike(inner),
            Value::Array(values) => {
                values.iter_mut().filter_map(Value::as_object_mut).for_each(without_islands_alike)
            }
            _ => {}
        }
    }
}
