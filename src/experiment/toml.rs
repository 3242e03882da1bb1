//! TOML to specs, every key and value with its place.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::spec::{Named, Place, Spec, Value};

use super::error::{ConfigError, Sources};

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
        let place = Place { source, start: span.start, end: span.end };
        let help = Some("a configuration is a TOML file; see `configs/` for examples".to_owned());
        sources.error(error.message().to_owned(), "not TOML".to_owned(), help, place)
    })?;
    let place = Place { source, start: 0, end: 0 };
    Reader { sources, source, text }.spec(table.get_ref(), place)
}

/// Where the entries of the list stand that is at `place`; none where there is no list.
pub(super) fn entries(sources: &Sources, place: Place) -> Vec<Place> {
    let Ok(value) = DeValue::parse(sources.text(place)) else { return Vec::new() };
    let DeValue::Array(values) = value.get_ref() else { return Vec::new() };
    let moved = |span: Range<usize>| Place {
        source: place.source,
        start: place.start + span.start,
        end: place.start + span.end,
    };
    values.iter().map(|value| moved(value.span())).collect()
}

struct Reader<'a> {
    sources: &'a Sources,
    source: usize,
    text: &'a str,
}

impl Reader<'_> {
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
                (Value::Text(name), "name") => {
                    spec.name.clone_from(name);
                    spec.place = named.place;
                }
                _ => spec.values.push(named),
            }
        }
        // The parser sorts keys; people expect errors in the order of their text.
        spec.values.sort_by_key(|named| named.key_place.start);
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
            DeValue::Integer(digits) => match i64::from_str_radix(digits.as_str(), digits.radix()) {
                Ok(number) => Value::Integer(number),
                Err(_) => return refuse("a whole number beyond 64 bits"),
            },
            DeValue::Float(digits) => match digits.as_str().parse() {
                Ok(number) => Value::Real(number),
                Err(_) => return refuse("not a number"),
            },
            DeValue::Array(values) => {
                Value::List(values.iter().map(|value| self.value(value)).collect::<Result<_, _>>()?)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_more_keys_than_anyone_needs_is_refused() {
        let keys = |count: usize| (0..count).map(|key| format!("k{key} = 1\n")).collect::<String>();
        let read = |text: &str| {
            let mut sources = Sources::default();
            let source = sources.add("a.toml", text);
            read(&sources, source, text).map_err(|error| error.to_string())
        };
        for head in ["", "[algorithm]\n", "[a.b]\n"] {
            assert!(read(&format!("{head}{}", keys(MOST_KEYS - 1))).is_ok());
            let said = read(&format!("{head}{}", keys(MOST_KEYS + 1))).expect_err("too many keys");
            assert!(said.starts_with("a table has at most 1000 keys, not 100"), "{said}");
        }
    }
}
