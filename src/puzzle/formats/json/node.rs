//! JSON values that know where they stand.
//!
//! `serde_json` parses; a raw value is a slice of the text it came from, so its place is known without a parser of
//! one's own.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::error::{Fault, Malformed, Span};
use super::super::words::{Word, offset};

/// A JSON value and its place in the record.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Node<'a> {
    word: Word<'a>,
}

/// A key of an object, and its value.
#[derive(Debug)]
pub(in super::super) struct Entry<'a> {
    pub(in super::super) key: String,
    pub(in super::super) key_span: Span,
    pub(in super::super) value: Node<'a>,
}

impl<'a> Node<'a> {
    /// The one value that a record is.
    pub(in super::super) fn parse(record: &'a str) -> Result<Self, Fault> {
        let raw: &RawValue =
            serde_json::from_str(record.trim_end()).map_err(|error| syntax(record, &error))?;
        Ok(Self { word: Word { text: record, start: 0 } }.child(raw))
    }

    /// Its place.
    pub(in super::super) fn span(&self) -> Span {
        self.word.span()
    }

    /// The place just before its closing bracket.
    pub(in super::super) fn closing(&self) -> Span {
        let end = self.span().end;
        end - 1..end
    }

    /// The pairs of an object, in their order.
    pub(in super::super) fn object(&self, expected: &str) -> Result<Vec<Entry<'a>>, Fault> {
        let Ok(Pairs(pairs)) = serde_json::from_str(self.word.text) else {
            return Err(self.unexpected(expected));
        };
        pairs.into_iter().map(|(key, value)| self.entry(key, value)).collect()
    }

    /// The items of a list.
    pub(in super::super) fn list(&self, expected: &str) -> Result<Vec<Self>, Fault> {
        let items: Vec<&RawValue> =
            serde_json::from_str(self.word.text).map_err(|_| self.unexpected(expected))?;
        Ok(items.into_iter().map(|raw| self.child(raw)).collect())
    }

    /// The items of a list of `N`.
    pub(in super::super) fn array<const N: usize>(&self, expected: &str) -> Result<[Self; N], Fault> {
        self.list(expected)?.try_into().map_err(|_| self.unexpected(expected))
    }

    /// The text of a string.
    pub(in super::super) fn string(&self, expected: &str) -> Result<String, Fault> {
        serde_json::from_str(self.word.text).map_err(|_| self.unexpected(expected))
    }

    /// The string without its quotes, as a word in place, where it has no escapes.
    pub(in super::super) fn word(&self, expected: &str) -> Result<Word<'a>, Fault> {
        match self.word.text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
            Some(text) if !text.contains('\\') => Ok(Word { text, start: self.word.start + 1 }),
            _ => Err(self.unexpected(expected)),
        }
    }

    /// True or false.
    pub(in super::super) fn boolean(&self, expected: &str) -> Result<bool, Fault> {
        serde_json::from_str(self.word.text).map_err(|_| self.unexpected(expected))
    }

    /// A whole number.
    pub(in super::super) fn whole(&self, expected: &str) -> Result<i64, Fault> {
        match self.word.text.as_bytes()[0] {
            b'-' | b'0'..=b'9' => self.word.whole(),
            _ => Err(self.unexpected(expected)),
        }
    }

    /// A whole number that fits into another type.
    pub(in super::super) fn number<T: TryFrom<i64>>(&self, expected: &str) -> Result<T, Fault> {
        T::try_from(self.whole(expected)?).map_err(|_| self.unexpected(expected))
    }

    /// The value as it stands.
    pub(in super::super) fn as_word(&self) -> Word<'a> {
        self.word
    }

    /// The value is a text.
    pub(in super::super) fn is_text(&self) -> bool {
        self.word.text.starts_with('"')
    }

    /// The value is a list.
    pub(in super::super) fn is_list(&self) -> bool {
        self.word.text.starts_with('[')
    }

    /// The value is an object.
    pub(in super::super) fn is_object(&self) -> bool {
        self.word.text.starts_with('{')
    }

    /// The value is `null`.
    pub(in super::super) fn is_null(&self) -> bool {
        self.word.text == "null"
    }

    /// The value as it is.
    pub(in super::super) fn value(&self) -> Result<Value, Fault> {
        serde_json::from_str(self.word.text).map_err(|error| {
            let label = "values are nested up to 127 deep and numbers fit into 64 bits";
            Fault::new(Malformed::Json(message(&error)), self.span(), label)
        })
    }

    /// The fault of a value that is not what stands here.
    pub(in super::super) fn unexpected(&self, expected: &str) -> Fault {
        Fault::unexpected(expected, self.described(), self.span())
    }

    fn described(&self) -> String {
        let short = self.word.text.chars().count() <= 40 && !self.word.text.contains('\n');
        match self.word.text.as_bytes()[0] {
            _ if short => format!("`{}`", self.word.text),
            b'{' => "an object".to_owned(),
            b'[' => "a list".to_owned(),
            _ => "a long text".to_owned(),
        }
    }

    fn entry(&self, key: &'a RawValue, value: &'a RawValue) -> Result<Entry<'a>, Fault> {
        let key = self.child(key);
        Ok(Entry { key: key.string("a key")?, key_span: key.span(), value: self.child(value) })
    }

    /// The node of a raw value that was parsed out of this one's text.
    fn child(&self, raw: &'a RawValue) -> Self {
        let start = self.word.start + offset(self.word.text, raw.get());
        Self { word: Word { text: raw.get(), start } }
    }
}

/// An object's pairs, repeated keys and all.
struct Pairs<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PairsVisitor;

        impl<'de> Visitor<'de> for PairsVisitor {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }

        deserializer.deserialize_map(PairsVisitor)
    }
}

/// Where and how a record breaks the grammar of JSON.
fn syntax(record: &str, error: &serde_json::Error) -> Fault {
    let message = message(error);
    if error.is_eof() {
        let end = record.trim_end().len();
        let within = message.trim_start_matches("EOF while parsing ").to_owned();
        return Fault::new(Malformed::Truncated(within), end..end, "the rest of it should follow here");
    }
    let line: usize = record.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let start = record.floor_char_boundary(line + error.column().saturating_sub(1));
    let end = start + record[start..].chars().next().map_or(0, char::len_utf8);
    Fault::new(Malformed::Json(message), start..end, "JSON goes wrong here")
}

/// The parser's words without the place, which is shown.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(message, _)| message.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_know_their_place() {
        let text = r#" {"a": [1, [2.0, "x"]]} "#;
        let root = Node::parse(text).expect("an object");
        let entries = root.object("an object").expect("an object");
        assert_eq!((&*entries[0].key, &text[entries[0].key_span.clone()]), ("a", "\"a\""));
        let items = entries[0].value.list("a list").expect("a list");
        let [two, word] = items[1].array("a pair").expect("a pair");
        assert_eq!((&text[two.span()], two.whole("a number").expect("whole")), ("2.0", 2));
        assert_eq!(&text[word.word("a word").expect("a word").span()], "x");
        assert_eq!(&text[root.closing()], "}");
    }

    #[test]
    fn syntax_errors_point_at_the_character() {
        let fault = Node::parse("{\"é\": 1,\n \"b\" 2}").expect_err("no colon");
        assert_eq!(fault.span, 15..16);
        assert_eq!(fault.what, Malformed::Json("expected `:`".to_owned()));
        let fault = Node::parse("{\"a\": [1, ").expect_err("truncated");
        assert_eq!((fault.span, fault.what), (9..9, Malformed::Truncated("a value".to_owned())));
    }
}
