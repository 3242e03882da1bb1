//! The texts of a configuration: TOML read with the place of every value, one layer laid over another, and errors shown
//! where they are.

use std::ops::Range;
use std::sync::Arc;

use miette::{Diagnostic, SourceSpan};
use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use kenga_core::puzzle::formats::Excerpt;
use kenga_core::sort::sort_by_key;
use kenga_core::spec::{Named, Place, Spec, SpecError, Value};

/// The texts that a configuration is put together from, in the order of [`Place::source`].
#[derive(Clone, Debug, Default)]
pub struct Sources {
    texts: Vec<(String, String)>,
}

/// A configuration that cannot be used; shown with the line and a caret.
#[derive(Debug, Error, Diagnostic)]
#[error(transparent)]
#[diagnostic(transparent)]
pub struct ConfigError(Box<LabelledError>);

#[derive(Debug, Error, Diagnostic)]
#[error("{message}")]
struct LabelledError {
    message: String,
    label: String,
    #[source_code]
    text: Excerpt,
    #[label("{label}")]
    span: SourceSpan,
    #[help]
    help: Option<String>,
}

impl Sources {
    /// Adds a text under the name that errors show; its index is returned.
    pub fn add(&mut self, name: &str, text: &str) -> usize {
        self.texts.push((name.to_owned(), text.to_owned()));
        self.texts.len() - 1
    }

    /// What stands at a place.
    pub(super) fn text(&self, place: Place) -> &str {
        let Some((_, text)) = self.texts.get(place.source) else { return "" };
        text.get(place.start..place.end).unwrap_or_default()
    }

    /// The line of a place, from 1.
    pub(super) fn line(&self, place: Place) -> usize {
        let text = self.texts.get(place.source).map_or("", |(_, text)| text);
        text.bytes().take(place.start).filter(|byte| *byte == b'\n').count() + 1
    }

    /// Shows an error in its text.
    pub fn show(&self, error: &SpecError) -> ConfigError {
        self.error(error.to_string(), error.label(), Some(error.help()), error.place())
    }

    /// An error with words of its own at a place.
    pub(super) fn error(
        &self,
        message: String,
        label: String,
        help: Option<String>,
        place: Place,
    ) -> ConfigError {
        let (name, text) = self.texts.get(place.source).cloned().unwrap_or_default();
        let (start, end) = (place.start.min(text.len()), place.end.min(text.len()));
        // A caret needs a character: at the end of the text it takes the last one.
        let start =
            if start == text.len() { text.floor_char_boundary(start.saturating_sub(1)) } else { start };
        let (text, span) = Excerpt::cut(&name, &text, 0, start..end.max(start));
        ConfigError(Box::new(LabelledError { message, label, text, span, help }))
    }
}

/// More keys than any table of a configuration has: keys are looked for one by one.
const MOST_KEYS: usize = 1000;

/// Reads one of the texts of a configuration.
///
/// # Errors
/// A text that is not TOML, a value of a kind that no key takes (a date), or a table of more than 1000 keys, shown at its
/// place.
pub(super) fn read(sources: &Sources, source: usize, text: &str) -> Result<Spec, ConfigError> {
    let table = DeTable::parse(text).map_err(|error| {
        let span = error.span().unwrap_or(0..text.len());
        let (mut message, mut label) = (error.message(), "not TOML");
        let mut place = Place { source, start: span.start, end: span.end };
        if let Some(gap) = missing_value(text, span.start) {
            (message, label) = ("a value is missing", "expected a value");
            (place.start, place.end) = (gap.start, gap.end);
        }
        let help =
            Some("a configuration is a TOML file; `kenga guide configuration` has every key".to_owned());
        sources.error(message.to_owned(), label.to_owned(), help, place)
    })?;
    let place = Place { source, start: 0, end: 0 };
    TomlReader { sources, source, text }.spec(table.get_ref(), place)
}

/// The gap in which a key has no value, where the parser has stopped behind an equals sign.
fn missing_value(text: &str, stop: usize) -> Option<Range<usize>> {
    let stop = text.floor_char_boundary(stop);
    let start = text[..stop].trim_end_matches([' ', '\t']).len();
    let rest = text[start..].trim_start_matches([' ', '\t']);
    let is_behind_equals = text[..start].ends_with('=');
    // What ends a line, a comment, or the next entry of a table in braces.
    let is_empty = rest.is_empty() || rest.starts_with(['\n', '\r', '#', ',', '}']);
    (is_behind_equals && is_empty).then(|| start..start.max(text.len() - rest.len()))
}

/// Where the entries of the list stand that is at `place`; none where there is no list.
pub(super) fn entries(sources: &Sources, place: Place) -> Vec<Place> {
    let Ok(value) = DeValue::parse(sources.text(place)) else { return Vec::new() };
    let DeValue::Array(values) = value.get_ref() else { return Vec::new() };
    let mut places = Vec::new();
    for value in values {
        let (source, span) = (place.source, value.span());
        places.push(Place { source, start: place.start + span.start, end: place.start + span.end });
    }
    places
}

struct TomlReader<'a> {
    sources: &'a Sources,
    source: usize,
    text: &'a str,
}

impl TomlReader<'_> {
    fn spec(&self, table: &DeTable<'_>, place: Place) -> Result<Spec, ConfigError> {
        if table.len() > MOST_KEYS {
            let message = format!("a table has at most {MOST_KEYS} keys, not {}", table.len());
            return Err(self.sources.error(message, "in this table".to_owned(), None, place));
        }
        let mut spec = Spec { place, ..Spec::default() };
        for (key, value) in table {
            let named = Named {
                key: key.get_ref().to_string(),
                key_place: self.place(key),
                value: self.value(value)?,
                place: self.place(value),
            };
            match (&named.value, named.key.as_str()) {
                // Another `name` than a text stays a key, which the check of keys refuses.
                (Value::Text(name), "name") => {
                    spec.name.clone_from(name);
                    spec.place = named.place;
                }
                _ => spec.values.push(Arc::new(named)),
            }
        }
        // The parser sorts keys; people expect errors in the order of their text.
        sort_by_key(&mut spec.values, |named| named.key_place.start);
        Ok(spec)
    }

    fn value(&self, value: &Spanned<DeValue<'_>>) -> Result<Value, ConfigError> {
        let refuse = |message: &str| {
            let (message, label) = (message.to_owned(), "cannot be used".to_owned());
            Err(self.sources.error(message, label, None, self.place(value)))
        };
        Ok(match value.get_ref() {
            DeValue::String(text) => Value::Text(text.to_string()),
            DeValue::Boolean(flag) => Value::Flag(*flag),
            // The parser leaves numbers as they are written: any base, any length.
            DeValue::Integer(digits) => match i64::from_str_radix(digits.as_str(), digits.radix()) {
                Ok(number) => Value::Integer(number),
                Err(_) => return refuse("a whole number beyond 64 bits"),
            },
            DeValue::Float(digits) => match digits.as_str().parse() {
                Ok(number) => Value::Real(number),
                Err(_) => return refuse("not a number"),
            },
            DeValue::Array(values) => {
                let values: Result<_, _> = values.iter().map(|value| self.value(value)).collect();
                Value::List(values?)
            }
            DeValue::Table(table) => Value::Spec(self.spec(table, self.place(value))?),
            DeValue::Datetime(_) => return refuse("no key takes a date"),
        })
    }

    fn place<T>(&self, spanned: &Spanned<T>) -> Place {
        let span = spanned.span();
        Place { source: self.source, start: span.start, end: span.end.min(self.text.len()) }
    }
}

/// Lays `upper` over `lower`. Tables are merged key by key; but a table that names another member replaces
/// the one below, whose parameters belong to the former member.
pub(super) fn merge(lower: &mut Spec, upper: &Spec) {
    if !upper.name.is_empty() {
        if !lower.name.is_empty() && upper.name != lower.name {
            *lower = upper.clone();
            return;
        }
        lower.name.clone_from(&upper.name);
        lower.place = upper.place;
    }
    for named in &upper.values {
        merge_key(lower, named);
    }
}

fn merge_key(lower: &mut Spec, named: &Arc<Named>) {
    let Some(below) = lower.values.iter_mut().find(|below| below.key == named.key) else {
        lower.values.push(Arc::clone(named));
        return;
    };
    match (&below.value, &named.value) {
        (Value::Spec(_), Value::Spec(upper)) => {
            if let Value::Spec(lower) = &mut Arc::make_mut(below).value {
                merge(lower, upper);
            }
        }
        // A member given by its bare name below gets parameters from above.
        (Value::Text(name), Value::Spec(upper)) if upper.name.is_empty() || upper.name == *name => {
            let value = Value::Spec(Spec { name: name.clone(), ..upper.clone() });
            *below = Arc::new(Named { value, ..Named::clone(named) });
        }
        // The bare name of the same member changes nothing.
        (Value::Spec(lower), Value::Text(name)) if lower.name == *name => {}
        _ => below.clone_from(named),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::toml;

    #[test]
    fn a_missing_value_is_called_so_where_it_should_stand() {
        for (text, stop, gap) in [
            ("seed =   # comment", 9, Some(6..9)),
            ("seed = \nruns = 3", 7, Some(6..7)),
            ("seed =", 6, Some(6..6)),
            ("a = { b = , c = 1 }", 10, Some(9..10)),
            ("seed = oops", 7, None),
            ("seed", 4, None),
        ] {
            assert_eq!(missing_value(text, stop), gap, "{text}");
        }
        for text in ["seed =   # comment", "seed = \nruns = 3", "seed =", "a = { b = , c = 1 }"] {
            let mut sources = Sources::default();
            let source = sources.add("a.toml", text);
            let said = toml::read(&sources, source, text).expect_err("no value");
            assert_eq!(said.to_string(), "a value is missing", "{text}");
        }
    }

    #[test]
    fn a_table_of_more_keys_than_anyone_needs_is_refused() {
        let keys = |count: usize| (0..count).map(|key| format!("k{key} = 1\n")).collect::<String>();
        let read = |text: &str| {
            let mut sources = Sources::default();
            let source = sources.add("a.toml", text);
            toml::read(&sources, source, text).map_err(|error| error.to_string())
        };
        for head in ["", "[algorithm]\n", "[a.b]\n"] {
            assert!(read(&format!("{head}{}", keys(MOST_KEYS - 1))).is_ok());
            let said = read(&format!("{head}{}", keys(MOST_KEYS + 1))).expect_err("too many keys");
            assert!(said.starts_with("a table has at most 1000 keys, not 100"), "{said}");
        }
    }

    fn read(text: &str) -> Spec {
        toml::read(&Sources::default(), 0, text).expect("sound TOML")
    }

    fn laid(lower: &str, upper: &str) -> Spec {
        let mut spec = read(lower);
        merge(&mut spec, &read(upper));
        spec
    }

    fn member(spec: &Spec) -> (&str, Vec<&str>) {
        let Some(Value::Spec(member)) = spec.get("m") else { panic!("a table") };
        (&member.name, member.values.iter().map(|named| named.key.as_str()).collect())
    }

    #[test]
    fn keys_are_merged_and_the_upper_one_wins() {
        let spec = laid("a = 1\n[m]\nname = 'x'\np = 1", "a = 2\n[m]\nq = 3");
        assert_eq!(spec.get("a"), Some(&Value::Integer(2)));
        assert_eq!(member(&spec), ("x", vec!["p", "q"]));
    }

    #[test]
    fn another_member_starts_anew() {
        assert_eq!(member(&laid("m = {name = 'x', p = 1}", "m = {name = 'y', q = 3}")), ("y", vec!["q"]));
        assert_eq!(laid("m = {name = 'x', p = 1}", "m = 'y'").get("m"), Some(&Value::Text("y".to_owned())));
    }

    #[test]
    fn a_bare_name_takes_parameters_from_above_and_keeps_those_below() {
        assert_eq!(member(&laid("m = 'x'", "m.q = 3")), ("x", vec!["q"]));
        assert_eq!(member(&laid("m = {name = 'x', p = 1}", "m = 'x'")), ("x", vec!["p"]));
    }
}
