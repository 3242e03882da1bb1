//! Text of unknown origin, made safe for a terminal, a line of a file, a drawing or a shell; similar names; lists of words.
//!
//! Ids, names, paths and excerpts of files come from the user or from strangers. A control character in them could move
//! the cursor, change the title of a window or end a line; a direction mark could show digits in another order.

use std::borrow::Cow;
use std::ops::Range;

use crate::sort::sort_by_key;

/// Replaces a character that is not printable.
const HIDDEN: char = char::REPLACEMENT_CHARACTER;

/// Says whether a character is neither a control character nor a line separator nor a direction mark.
pub fn is_printable(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// The text with U+FFFD for every character that is not printable, except line breaks and tabs.
pub fn printable(text: &str) -> Cow<'_, str> {
    let stays = |c: char| is_printable(c) || matches!(c, '\n' | '\t');
    if text.chars().all(stays) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if stays(c) { c } else { HIDDEN }).collect())
}

/// The [`printable`] text, and the range in it of a part of the text.
///
/// # Panics
/// When the part does not begin and end between characters of the text.
pub fn printable_at(text: &str, part: Range<usize>) -> (String, Range<usize>) {
    let length = |range: Range<usize>| printable(&text[range]).len();
    let start = length(0..part.start);
    (printable(text).into_owned(), start..start + length(part))
}

/// [`printable`] for text that kenga has coloured: the sequences that select colours, `ESC [ digits ; … m`, stay too.
pub fn coloured(text: &str) -> Cow<'_, str> {
    let mut parts = text.split('\u{1b}');
    let mut shown = printable(parts.next().unwrap_or_default());
    for part in parts {
        let shown = shown.to_mut();
        shown.push(if selects_colours(part) { '\u{1b}' } else { HIDDEN });
        shown.push_str(&printable(part));
    }
    shown
}

fn selects_colours(after_escape: &str) -> bool {
    let parameters = |c: char| c.is_ascii_digit() || c == ';';
    after_escape.strip_prefix('[').is_some_and(|rest| rest.trim_start_matches(parameters).starts_with('m'))
}

/// A text quoted as one word of a POSIX shell or of an `#SBATCH` line.
pub fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=@%".contains(c);
    if text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// Words with commas and `and` between them: `A1, A2 and B1`.
pub fn enumeration(mut words: Vec<String>) -> String {
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} and {last}", words.join(", ")) }
}

/// Orders names by similarity to `wanted`, the most similar first, equals in their order.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    // A name may be as long as a file: it is compared once with each.
    let mut known: Vec<(i64, &str)> = Vec::new();
    for name in names {
        known.push(((strsim::jaro_winkler(wanted, name) * 1e6) as i64, name));
    }
    sort_by_key(&mut known, |(similarity, _)| -similarity);
    known.into_iter().map(|(_, name)| name.to_owned()).collect()
}

/// Says whether one name may be a misspelling of the other.
pub fn resembles(name: &str, other: &str) -> bool {
    strsim::jaro_winkler(name, other) > 0.7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_are_not_printable_are_hidden() {
        assert_eq!(printable("a\u{1b}[2J\u{7}\r\u{9b}b"), "a\u{FFFD}[2J\u{FFFD}\u{FFFD}\u{FFFD}b");
        assert_eq!(printable("1\u{202E}23\u{2066}\u{2028}"), "1\u{FFFD}23\u{FFFD}\u{FFFD}");
        assert!(matches!(printable("é\t\n9x9 ✓ ÷ שלום"), Cow::Borrowed(_)));
    }

    #[test]
    fn the_range_of_a_part_follows_the_hidden_characters() {
        let (text, part) = printable_at("\u{1b}é\u{7}x\u{8}y", 4..6);
        assert_eq!((text.as_str(), &text[part]), ("\u{FFFD}é\u{FFFD}x\u{FFFD}y", "x\u{FFFD}"));
    }

    #[test]
    fn colours_stay_and_other_sequences_do_not() {
        assert_eq!(coloured("\u{1b}[1;31mred\u{1b}[0m"), "\u{1b}[1;31mred\u{1b}[0m");
        assert_eq!(
            coloured("\u{1b}[2J\u{1b}]0;title\u{7}\u{1b}"),
            "\u{FFFD}[2J\u{FFFD}]0;title\u{FFFD}\u{FFFD}"
        );
        assert!(matches!(coloured("plain"), Cow::Borrowed(_)));
    }

    #[test]
    fn paths_are_one_word_each() {
        assert_eq!(quoted("/a/b-c.json"), "/a/b-c.json");
        assert_eq!(quoted("/my plans/it's"), "'/my plans/it'\\''s'");
    }

    #[test]
    fn the_nearest_name_comes_first() {
        assert_eq!(nearest("tornament", ["rank", "tournament", "roulette"])[0], "tournament");
        assert_eq!(nearest("elitsm", ["rate", "elitism"])[0], "elitism");
        assert_eq!(nearest("cage", ["cells", "cages", "id"])[0], "cages");
    }
}
