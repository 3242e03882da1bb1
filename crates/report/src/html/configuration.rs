//! The configuration: the algorithm as a tree, and the whole as TOML, to be saved and run again.
//!
//! A node of the tree is a member of a family with its parameters; below it are the members in its slots. The tree follows
//! the configuration: a table with a `name` is a member, and its other tables are its slots.

use maud::{Markup, html};
use serde_json::{Map, Value, json};

use kenga_lab::experiment::{ConfigDraft, Plan};
use kenga_lab::study::StudyFolder;

/// The most values of a swept key that are listed, and the most algorithms of a sweep that are drawn.
const VALUES: usize = 8;
const TREES: usize = 6;

/// The path of the algorithm, and that of a problem of the user's own.
const ROOT: &str = "algorithm";
const PROBLEM: &str = "problem";

/// The algorithm of a folder, or the algorithms of its sweep.
pub(super) fn algorithm(folder: &StudyFolder) -> Markup {
    let tree = |config: &Map<String, Value>| config.get(ROOT).map(|value| node(folder, ROOT, ROOT, value));
    let settings = &folder.plan.settings;
    let Some(column) = column(folder, ROOT) else {
        return html! { ul.tree { @if let Some(tree) = tree(&folder.plan.config.resolved.as_json()) { (tree) } } };
    };
    let mut seen: Vec<&str> = Vec::new();
    let mut trees = Vec::new();
    for setting in settings.all.iter().filter(|setting| !setting.labels[column].is_empty()) {
        if !seen.contains(&&*setting.labels[column]) {
            seen.push(&setting.labels[column]);
            trees.extend(tree(&setting.config.resolved.as_json()));
        }
    }
    let more = trees.len().saturating_sub(TREES);
    html! {
        ul.tree { @for tree in trees.iter().take(TREES) { (tree) } }
        @if more > 0 { "and " (more) " more" }
    }
}

/// The problem of the user's own of a folder: its command, genes and options, each with its value or its swept values.
pub(super) fn problem(folder: &StudyFolder) -> Markup {
    let config = folder.plan.config.resolved.as_json();
    html! { ul.tree { @if let Some(problem) = config.get(PROBLEM) { (node(folder, PROBLEM, PROBLEM, problem)) } } }
}

/// A member, or a table without a name, as an item of a list.
fn node(folder: &StudyFolder, path: &str, slot: &str, value: &Value) -> Markup {
    let Some(table) = value.as_object() else { return html! {} };
    let (mut leaves, mut slots) = (Vec::new(), Vec::new());
    for (key, value) in table {
        if is_default(table, key) {
            continue;
        }
        let inner = format!("{path}.{key}");
        let members = nodes(value);
        if column(folder, &inner).is_none() && !members.is_empty() {
            slots.push((key, inner, members));
        } else if key != "name" {
            leaves.extend(leaf(folder, &inner, value).map(|words| format!("{key} {words}")));
        }
    }
    html! {
        li {
            @if path != ROOT && path != PROBLEM { (slot) " " }
            @if let Some(name) = table.get("name").and_then(Value::as_str) { b { (name) } }
            @if !leaves.is_empty() { span.parameters { " " (leaves.join(", ")) } }
            @if !slots.is_empty() {
                ul {
                    @for (key, inner, members) in slots {
                        @for (place, member) in members.iter().enumerate() {
                            @let slot = if members.len() > 1 { format!("{key} {}", place + 1) } else { key.clone() };
                            (node(folder, &inner, &slot, member))
                        }
                    }
                }
            }
        }
    }
}

/// The tables of a value, itself or those in a list, with more than a name.
fn nodes(value: &Value) -> Vec<&Value> {
    let is_node = |value: &Value| value.as_object().is_some_and(|table| table.len() > 1);
    match value {
        Value::Array(values) if values.iter().any(is_node) => values.iter().collect(),
        value if is_node(value) => vec![value],
        _ => Vec::new(),
    }
}

/// A parameter in words: its value, the name of a member without parameters, or its swept values.
fn leaf(folder: &StudyFolder, path: &str, value: &Value) -> Option<String> {
    if column(folder, path).is_some() {
        return Some(format!("swept: {}", values(folder, path)));
    }
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(table) => table.get("name").and_then(Value::as_str).map(str::to_owned),
        Value::Array(values) => {
            let values: Option<Vec<String>> = values.iter().map(|value| leaf(folder, "", value)).collect();
            values.map(|values| values.join(" "))
        }
        Value::Null => None,
        value => Some(value.to_string()),
    }
}

/// The column of the swept key at a path, or of the key that names the member there.
fn column(folder: &StudyFolder, path: &str) -> Option<usize> {
    let table = |key: &str| key.strip_suffix(".name").unwrap_or(key).to_owned();
    folder.plan.settings.keys.iter().position(|key| table(key) == table(path))
}

/// The values of a swept key, each once, in the order of the settings.
pub fn values(folder: &StudyFolder, path: &str) -> String {
    let Some(column) = column(folder, path) else { return String::new() };
    let mut values: Vec<String> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for setting in &folder.plan.settings.all {
        let label = &setting.labels[column];
        if !label.is_empty() && seen.insert(label) {
            values.push(label.clone());
        }
    }
    listed(&values, ", ")
}

/// Some values; of many the first ones, the last one, and their number.
pub(super) fn listed(values: &[String], between: &str) -> String {
    match values {
        [head @ .., last] if values.len() > VALUES => {
            format!("{}, … {last} ({} values)", head[..VALUES - 2].join(", "), values.len())
        }
        values => values.join(between),
    }
}

/// The file of the folder that holds the puzzles.
pub const PUZZLES: &str = "puzzles.jsonl";

/// The configuration of a plan as TOML, with its sweep, and whether it reproduces the settings of the plan. `puzzles` is the
/// file that it names.
pub fn configuration(plan: &Plan, puzzles: &str) -> (String, bool) {
    let whole = text(plan, puzzles, true);
    let again = ConfigDraft::read("again.toml", &whole).and_then(ConfigDraft::settings);
    match again {
        Ok(settings) if settings.each_line().eq(plan.settings.each_line()) => (whole, true),
        _ => (text(plan, puzzles, false), false),
    }
}

fn text(plan: &Plan, puzzles: &str, with_sweep: bool) -> String {
    let mut config: Map<String, Value> = plan.config.resolved.as_json();
    config.shift_remove("puzzles");
    let mut ordered = Map::new();
    if plan.config.has_own_problem() {
        // What weighs the groups of puzzles means nothing.
        config.shift_remove("fitness");
    } else {
        ordered.insert("puzzles".to_owned(), json!([puzzles]));
    }
    // TOML needs values above tables.
    let (tables, values): (Vec<_>, Vec<_>) = config.into_iter().partition(|(_, value)| value.is_object());
    ordered.extend(values);
    ordered.extend(tables);
    if let Some(sweep) = plan.settings.sweep.as_ref().filter(|_| with_sweep) {
        ordered.insert("sweep".to_owned(), sweep.clone());
    }
    without_defaults(&mut ordered);
    toml::to_string(&ordered).unwrap_or_default()
}

/// Whether the table `key` is the default of a list with the same name in the plural: it has no effect beside the list.
fn is_default(table: &Map<String, Value>, key: &str) -> bool {
    let plural = table.get(&format!("{key}s")).and_then(Value::as_array);
    plural.is_some_and(|list| !list.is_empty())
}

/// Removes the defaults that a list beside them replaces.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_values_are_counted() {
        let values: Vec<String> = (1..=20).map(|value| value.to_string()).collect();
        assert_eq!(listed(&values, ", "), "1, 2, 3, 4, 5, 6, … 20 (20 values)");
        assert_eq!(listed(&values[..2], " or "), "1 or 2");
    }
}
