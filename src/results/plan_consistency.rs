//! Whether the parts of a plan agree: the manifest, the settings, and what is swept.

use serde_json::Value;

use crate::experiment::{Config, Settings};

/// What all settings have in common.
const COMMON: [&str; 3] = ["seed", "record", "exact"];

/// The first thing in which settings contradict the manifest's configuration or themselves; `text` is what they were
/// read from.
pub(super) fn disagreement(settings: &Settings, text: &str, common: &Config) -> Option<String> {
    let (first, whole) = (settings.all[0].config.resolved.object(), common.resolved.object());
    let differs = |key: &&String| *key != "puzzles" && first.get(*key) != whole.get(*key);
    if let Some(key) = whole.keys().find(differs) {
        return Some(format!("line 1: `{key}` is not that of the manifest"));
    }
    for (index, (setting, line)) in settings.all.iter().zip(text.lines()).enumerate() {
        let (config, at) = (setting.config.resolved.object(), index + 1);
        let line: Value = serde_json::from_str(line).unwrap_or_default();
        if line["setting"] != index {
            return Some(format!("line {at}: this is setting {index}, not {}", line["setting"]));
        }
        if let Some(key) = COMMON.into_iter().find(|key| config.get(*key) != first.get(*key)) {
            return Some(format!("line {at}: `{key}` is not that of the other settings"));
        }
        let Some(values) = line["values"].as_object() else { continue };
        let other = |(key, value): &(&String, &Value)| {
            let mut value = (*value).clone();
            let within =
                |inner: &String| inner.strip_prefix(key.as_str())?.strip_prefix('.').map(str::to_owned);
            // What a key inside the table sets is looked at with that key.
            let set = values.iter().filter(|(_, value)| !value.is_null());
            set.filter_map(|(inner, _)| within(inner)).for_each(|path| remove(&mut value, &path));
            // A preset leaves no trace of its name.
            !value.is_null() && *key != "preset" && !at_path(&config, key).is_some_and(|is| is_as(&value, is))
        };
        if let Some((key, value)) = values.iter().find(other) {
            return Some(format!("line {at}: `{key}` is swept as {value}, the configuration has another"));
        }
    }
    None
}

/// The value at a dotted path.
fn at_path<'a>(config: &'a serde_json::Map<String, Value>, path: &str) -> Option<&'a Value> {
    let (head, rest) = path.split_once('.').map_or((path, None), |(head, rest)| (head, Some(rest)));
    match rest {
        None => config.get(head),
        Some(rest) => at_path(config.get(head)?.as_object()?, rest),
    }
}

/// Takes away what is at a dotted path.
fn remove(table: &mut Value, path: &str) {
    let Some(table) = table.as_object_mut() else { return };
    match path.split_once('.') {
        None => drop(table.remove(path)),
        Some((head, rest)) => {
            if let Some(inner) = table.get_mut(head) {
                remove(inner, rest);
            }
        }
    }
}

/// A resolved value is what was asked for: a name stands for the member of that name, a table for one that has it all.
fn is_as(asked: &Value, is: &Value) -> bool {
    match (asked, is) {
        (Value::Number(asked), Value::Number(is)) => asked.as_f64() == is.as_f64(),
        (Value::String(name), Value::Object(member)) => {
            member.get("name") == Some(&Value::String(name.clone()))
        }
        (Value::Object(asked), Value::Object(member)) => {
            asked.iter().all(|(key, asked)| member.get(key).is_some_and(|is| is_as(asked, is)))
        }
        (Value::Array(asked), Value::Array(is)) => {
            asked.len() == is.len() && asked.iter().zip(is).all(|(asked, is)| is_as(asked, is))
        }
        _ => asked == is,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Draft;

    /// Settings that sweep all kinds of values, as lines.
    fn settings() -> Settings {
        let text = "\
            seed = 7\nbudget.evaluations = 100\n[sweep]\n\
            'algorithm.population' = [4, 8]\n\
            'algorithm.crossover' = ['two_point', { name = 'uniform', rate = 1 }]\n\
            'algorithm.mutation' = { values = [{ name = 'swap', rate = 0.5 }], when = 'algorithm.population > 2' }\n\
            'algorithm.mutation.rate' = [0.1, 0.2]\n";
        Draft::read("x.toml", text).and_then(Draft::settings).expect("a sound configuration")
    }

    fn found(change: impl Fn(String) -> String) -> Option<String> {
        let settings = settings();
        let common = settings.all[0].config.clone();
        let text = change(settings.lines());
        let again = Settings::from_lines(&text, &common, settings.sweep.clone());
        disagreement(&again.expect("a known configuration").expect("settings"), &text, &common)
    }

    #[test]
    fn what_was_written_agrees() {
        assert_eq!(found(|text| text), None);
    }

    #[test]
    fn what_was_changed_is_named_with_its_line() {
        let changed = |from: &str, to: &str| found(|text| text.replacen(from, to, 1)).unwrap_or_default();
        assert_eq!(changed("\"setting\":2", "\"setting\":4"), "line 3: this is setting 2, not 4");
        assert!(
            changed("\"algorithm.population\":8", "\"algorithm.population\":9")
                .starts_with("line 5: `algorithm.pop")
        );
        assert!(
            changed("\"algorithm.crossover\":\"two_point\"", "\"algorithm.crossover\":\"row\"")
                .starts_with("line 1: ")
        );
        assert!(
            changed("\"seed\":7", "\"seed\":8").starts_with("line 1: `seed` is not that of the manifest")
        );
    }
}
