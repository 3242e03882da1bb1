//! What people call things: the `label` of a setting, which its algorithm may have in its table, and the `suite` of puzzles.
//! What has no label is called by its values, and a program by its file: the paths of a machine tell readers nothing.

use std::borrow::Cow;
use std::path::Path;

use kenga_core::spec::{Named, Spec, SpecError, Value};
use kenga_core::text::id_flaw;

/// The key of a label.
pub(crate) const LABEL: &str = "label";

/// The key of the name of all puzzles together.
pub(crate) const SUITE: &str = "suite";

/// The key of an algorithm that is a program.
const COMMAND: &str = "command";

/// The most characters of a name.
const MOST: usize = 60;

/// Checks the names in a configuration. The label of its algorithm is that of the setting, which has no other then.
///
/// # Errors
/// What cannot be shown in a table, or in a cell of a spreadsheet.
pub(super) fn take_labels(spec: &mut Spec) -> Result<(), SpecError> {
    let mut of_algorithm = None;
    if let Some(Value::Spec(algorithm)) = spec.get("algorithm")
        && algorithm.entry(LABEL).is_some()
    {
        let mut algorithm = algorithm.clone();
        of_algorithm = algorithm.entry(LABEL).cloned();
        algorithm.values.retain(|named| named.key != LABEL);
        let place = spec.place_of("algorithm");
        spec.set(Named::new("algorithm", Value::Spec(algorithm), place));
    }
    if let Some(label) = of_algorithm {
        spec.set(label);
    }
    for key in [LABEL, SUITE] {
        let Some(Named { value, place, .. }) = spec.entry(key) else { continue };
        let flaw = match value {
            Value::Text(text) => name_flaw(text),
            other => Some(format!("is {}", other.kind())),
        };
        if let Some(flaw) = flaw {
            let (expected, found) =
                (format!("a name of up to {MOST} characters"), format!("one that {flaw}"));
            return Err(SpecError::Value { key: key.to_owned(), expected, found, place: *place });
        }
    }
    Ok(())
}

fn name_flaw(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some("is empty".to_owned());
    }
    if text.chars().count() > MOST {
        return Some("is longer".to_owned());
    }
    id_flaw(text).map(str::to_owned)
}

/// What the value of a key is called: a table by its label, a program by its file, a member by its name.
pub(super) fn name_of<'a>(key: &str, value: &'a Value) -> Option<Cow<'a, str>> {
    match value {
        Value::Text(name) => Some(name.into()),
        Value::Spec(spec) => {
            if let Some(Value::Text(label)) = spec.get(LABEL) {
                return Some(label.into());
            }
            if let Some(Value::List(words)) = spec.get(COMMAND) {
                return program(words);
            }
            Some(spec.name.as_str()).filter(|name| !name.is_empty()).map(Cow::from)
        }
        Value::List(words) if key.rsplit('.').next() == Some(COMMAND) => program(words),
        _ => None,
    }
}

/// A table has been given a label.
pub(super) fn has_label(value: &Value) -> bool {
    matches!(value, Value::Spec(spec) if spec.entry(LABEL).is_some())
}

/// The file of a program, without folders: `ga.py` of `["python3", "/lab/ga.py"]`; `None` where it is no command.
fn program(words: &[Value]) -> Option<Cow<'_, str>> {
    let mut files = Vec::new();
    for word in words {
        let Value::Text(word) = word else { return None };
        files.push(Path::new(word).file_name()?.to_str()?);
    }
    let (first, rest) = files.split_first()?;
    // What an interpreter runs has an ending; its options have none.
    let script = rest.iter().find(|file| !file.starts_with('-') && Path::new(file).extension().is_some());
    Some(script.unwrap_or(first).to_owned().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Value {
        Value::List(words.iter().map(|word| Value::Text((*word).to_owned())).collect())
    }

    #[test]
    fn a_program_is_called_by_its_file() {
        for (command, name) in [
            (&["python3", "/lab/ga.py"][..], Some("ga.py")),
            (&["python3", "-u", "ga.py", "--fast"], Some("ga.py")),
            (&["/lab/bin/search", "--x"], Some("search")),
            (&["./search"], Some("search")),
            (&[], None),
            (&["/"], None),
        ] {
            assert_eq!(name_of("algorithm.command", &words(command)).as_deref(), name, "{command:?}");
        }
        assert_eq!(name_of("record.columns", &words(&["a"])), None);
    }

    #[test]
    fn a_name_can_be_shown_everywhere() {
        for text in ["", "=1+1", "a\nb", " a", "\u{1b}[1m", &"a".repeat(61)] {
            assert!(name_flaw(text).is_some(), "{text:?}");
        }
        for text in ["GA", "my search, with \"tabu\" <b>", "é", &"a".repeat(60)] {
            assert_eq!(name_flaw(text), None, "{text:?}");
        }
    }
}
