//! JSON values with their places in the text, and the keys of objects, of which each must be known and occur once; and
//! where the objects of a text end.
//!
//! `serde_json` parses. Its raw values are slices of the text, which gives their places without another parser.

use std::collections::BTreeSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::error::{Fault, Malformed, Span};
use super::line_end;
use super::words::Word;
use crate::text::meant;

/// The end of the object that starts here: that of its line or, where the object goes on, of the last line before the
/// next that begins with `{`. A list ends with its last line.
pub(super) fn object_end(text: &str) -> usize {
    let line = line_end(text);
    // A line that is a whole object is a record, so that a bad one spoils no other.
    if !goes_on(text[..line].trim_end()) {
        return line;
    }
    if text.starts_with('[') {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
        let Some(Ok(_)) = values.next() else { return text.len() };
        let end = values.byte_offset();
        return end + line_end(&text[end..]);
    }
    // Objects are indented in a text of several lines: a brace at the start of one begins the next.
    text[line - 1..].find("\n{").map_or(text.len(), |newline| line + newline)
}

/// Says whether a later line may complete the value. None completes an open string: that line is truncated.
fn goes_on(line: &str) -> bool {
    let Err(error) = serde_json::from_str::<&RawValue>(line) else { return false };
    error.is_eof() && !error.to_string().contains("string")
}

/// The keys of the first object of a text; `None` where the text does not begin with one.
pub(super) fn first_object(text: &str) -> Option<Keys<'_>> {
    let text = text.trim_start();
    if !text.starts_with('{') {
        return None;
    }
    Keys::read(JsonNode::parse(&text[..object_end(text)]).ok()?, "").ok()
}

/// A JSON value and its place in the record.
#[derive(Clone, Copy, Debug)]
pub(super) struct JsonNode<'a> {
    word: Word<'a>,
}

/// A key of an object, and its value.
#[derive(Debug)]
pub(super) struct KeyValue<'a> {
    pub(super) key: String,
    pub(super) key_span: Span,
    pub(super) value: JsonNode<'a>,
}

impl<'a> JsonNode<'a> {
    /// The JSON value of a record.
    pub(super) fn parse(record: &'a str) -> Result<Self, Fault> {
        let raw: &RawValue =
            serde_json::from_str(record.trim_end()).map_err(|error| syntax(record, &error))?;
        Ok(Self { word: Word { text: record, start: 0 } }.child(raw))
    }

    /// Its place.
    pub(super) fn span(&self) -> Span {
        self.word.span()
    }

    /// The place just before its closing bracket.
    pub(super) fn closing(&self) -> Span {
        let end = self.span().end;
        end - 1..end
    }

    /// The keys and values of an object, in their order.
    fn object(&self, expected: &str) -> Result<Vec<KeyValue<'a>>, Fault> {
        let Ok(RawPairs(pairs)) = serde_json::from_str(self.word.text) else {
            return Err(self.unexpected(expected));
        };
        let mut entries = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            let key = self.child(key);
            let value = self.child(value);
            entries.push(KeyValue { key: key.string("a key")?, key_span: key.span(), value });
        }
        Ok(entries)
    }

    /// The items of a list.
    pub(super) fn list(&self, expected: &str) -> Result<Vec<Self>, Fault> {
        let items: Vec<&RawValue> =
            serde_json::from_str(self.word.text).map_err(|_| self.unexpected(expected))?;
        Ok(items.into_iter().map(|raw| self.child(raw)).collect())
    }

    /// The items of a list of `N`.
    pub(super) fn array<const N: usize>(&self, expected: &str) -> Result<[Self; N], Fault> {
        self.list(expected)?.try_into().map_err(|_| self.unexpected(expected))
    }

    /// The text of a string.
    pub(super) fn string(&self, expected: &str) -> Result<String, Fault> {
        serde_json::from_str(self.word.text).map_err(|_| self.unexpected(expected))
    }

    /// The string without its quotes, as a word of the record; an error where it has escapes.
    pub(super) fn word(&self, expected: &str) -> Result<Word<'a>, Fault> {
        let text = self.word.text;
        // An escaped text is longer than what it says: places in it would be wrong.
        if self.is_text() && !text.contains('\\') {
            return Ok(Word { text: &text[1..text.len() - 1], start: self.word.start + 1 });
        }
        Err(self.unexpected(expected))
    }

    /// True or false.
    pub(super) fn boolean(&self, expected: &str) -> Result<bool, Fault> {
        serde_json::from_str(self.word.text).map_err(|_| self.unexpected(expected))
    }

    /// A whole number.
    pub(super) fn whole(&self, expected: &str) -> Result<i64, Fault> {
        match self.word.text.as_bytes()[0] {
            b'-' | b'0'..=b'9' => self.word.whole(),
            _ => Err(self.unexpected(expected)),
        }
    }

    /// A whole number from 0.
    pub(super) fn number(&self, expected: &str) -> Result<usize, Fault> {
        usize::try_from(self.whole(expected)?).map_err(|_| self.unexpected(expected))
    }

    /// A digit from 0 to 255.
    pub(super) fn digit(&self, expected: &str) -> Result<u8, Fault> {
        u8::try_from(self.whole(expected)?).map_err(|_| self.unexpected(expected))
    }

    /// The text of the value in the record.
    pub(super) fn as_word(&self) -> Word<'a> {
        self.word
    }

    /// The text of the value in the record, without the quotes of a string.
    pub(super) fn unquoted(&self, expected: &str) -> Result<Word<'a>, Fault> {
        if self.is_text() { self.word(expected) } else { Ok(self.word) }
    }

    /// Says whether the value is a string.
    pub(super) fn is_text(&self) -> bool {
        self.word.text.starts_with('"')
    }

    /// Says whether the value is a list.
    pub(super) fn is_list(&self) -> bool {
        self.word.text.starts_with('[')
    }

    /// Says whether the value is an object.
    pub(super) fn is_object(&self) -> bool {
        self.word.text.starts_with('{')
    }

    /// Says whether it is an object with one of these keys.
    pub(super) fn has_any(&self, keys: &[&str]) -> bool {
        let Ok(entries) = self.object("") else { return false };
        entries.iter().any(|entry| keys.contains(&&*entry.key))
    }

    /// Says whether the value is `null`.
    pub(super) fn is_null(&self) -> bool {
        self.word.text == "null"
    }

    /// The value for `meta`.
    pub(super) fn value(&self) -> Result<Value, Fault> {
        serde_json::from_str(self.word.text).map_err(|error| {
            let label = "values are nested up to 127 deep and numbers fit into 64 bits";
            Fault::new(Malformed::Json(message(&error)), self.span(), label)
        })
    }

    /// The fault of a value where something else is expected.
    pub(super) fn unexpected(&self, expected: &str) -> Fault {
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

    /// The node of a raw value parsed from this node's text.
    fn child(&self, raw: &'a RawValue) -> Self {
        Self { word: self.word.part(raw.get()) }
    }
}

/// The keys and values of an object, repeated keys included.
struct RawPairs<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for RawPairs<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RawPairsVisitor;

        impl<'de> Visitor<'de> for RawPairsVisitor {
            type Value = RawPairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                // A list and no map: of a key that occurs twice both must be seen.
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(RawPairs(pairs))
            }
        }

        deserializer.deserialize_map(RawPairsVisitor)
    }
}

/// The fault of a record that breaks the grammar of JSON.
fn syntax(record: &str, error: &serde_json::Error) -> Fault {
    let message = message(error);
    // A text that was cut off wants other help than one with a slip.
    if error.is_eof() {
        let end = record.trim_end().len();
        let within = message.trim_start_matches("EOF while parsing ").to_owned();
        return Fault::new(Malformed::Truncated(within), end..end, "the rest of it should follow here");
    }
    // The parser counts lines from 1 and bytes of a line from 1.
    let mut line_start = 0;
    for line in record.split_inclusive('\n').take(error.line().saturating_sub(1)) {
        line_start += line.len();
    }
    let start = record.floor_char_boundary(line_start + error.column().saturating_sub(1));
    let end = start + record[start..].chars().next().map_or(0, char::len_utf8);
    Fault::new(Malformed::Json(message), start..end, "syntax error here")
}

/// The parser's message without the place, which the excerpt shows.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((message, _)) => message.to_owned(),
        None => text,
    }
}

/// The keys and values of one object.
pub(super) struct Keys<'a> {
    owner: JsonNode<'a>,
    pub(super) entries: Vec<KeyValue<'a>>,
}

impl<'a> Keys<'a> {
    /// Reads an object in which no key occurs twice.
    pub(super) fn read(owner: JsonNode<'a>, expected: &str) -> Result<Self, Fault> {
        let entries = owner.object(expected)?;
        let mut known = BTreeSet::new();
        for KeyValue { key, key_span, .. } in &entries {
            // The parser itself would keep the last of two in silence.
            if !known.insert(key.as_str()) {
                let what = Malformed::RepeatedKey(key.clone());
                return Err(Fault::new(what, key_span.clone(), "this key occurs earlier in the object"));
            }
        }
        Ok(Self { owner, entries })
    }

    /// Refuses keys that are not among the known ones.
    pub(super) fn only(self, known: &[&'static str]) -> Result<Self, Fault> {
        for entry in &self.entries {
            if !known.contains(&&*entry.key) {
                return Err(unknown(&entry.key, entry.key_span.clone(), known));
            }
        }
        Ok(self)
    }

    /// The value of a key that may be absent.
    pub(super) fn get(&self, key: &str) -> Option<JsonNode<'a>> {
        let entry = self.entries.iter().find(|entry| entry.key == key)?;
        Some(entry.value)
    }

    /// The items of a list that may be absent.
    pub(super) fn list(&self, key: &str, expected: &str) -> Result<Vec<JsonNode<'a>>, Fault> {
        self.get(key).map_or(Ok(Vec::new()), |node| node.list(expected))
    }

    /// A flag, `absent` where the key is.
    pub(super) fn flag(&self, key: &str, absent: bool) -> Result<bool, Fault> {
        self.get(key).map_or(Ok(absent), |node| node.boolean("true or false"))
    }

    /// The value of the one key among synonyms that is there, if any.
    pub(super) fn get_one(&self, names: &[&'static str]) -> Result<Option<JsonNode<'a>>, Fault> {
        let mut found: Option<&KeyValue<'a>> = None;
        for entry in &self.entries {
            if !names.contains(&&*entry.key) {
                continue;
            }
            if let Some(first) = found {
                let label = format!("`{}` means the same: expected one of the two", first.key);
                return Err(Fault::new(
                    Malformed::RepeatedKey(entry.key.clone()),
                    entry.key_span.clone(),
                    label,
                ));
            }
            found = Some(entry);
        }
        Ok(found.map(|entry| entry.value))
    }

    /// The value of the one key among synonyms, which must be there.
    pub(super) fn need_one(&self, names: &[&'static str]) -> Result<JsonNode<'a>, Fault> {
        self.get_one(names)?.ok_or_else(|| self.missing(names[0]))
    }

    /// The value of a key that must be there.
    pub(super) fn need(&self, key: &'static str) -> Result<JsonNode<'a>, Fault> {
        self.get(key).ok_or_else(|| self.missing(key))
    }

    /// The fault of an object without a key that it must have.
    pub(super) fn missing(&self, key: &'static str) -> Fault {
        let label = format!("expected `\"{key}\": …` before this");
        Fault::new(Malformed::MissingKey(key), self.owner.closing(), label)
    }
}

fn unknown(key: &str, span: Span, known: &[&'static str]) -> Fault {
    let label = match meant(key, known.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "not a key of this object".to_owned(),
    };
    Fault::new(Malformed::UnknownKey(key.to_owned()), span, label)
        .help(format!("known keys: {}", known.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_have_their_place_in_the_text() {
        let text = r#" {"a": [1, [2.0, "x"]]} "#;
        let root = JsonNode::parse(text).expect("an object");
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
        let fault = JsonNode::parse("{\"é\": 1,\n \"b\" 2}").expect_err("no colon");
        assert_eq!(fault.span, 15..16);
        assert_eq!(fault.what, Malformed::Json("expected `:`".to_owned()));
        let fault = JsonNode::parse("{\"a\": [1, ").expect_err("truncated");
        assert_eq!((fault.span, fault.what), (9..9, Malformed::Truncated("a value".to_owned())));
    }
}
