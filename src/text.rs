//! Text from elsewhere, made fit for a terminal, a line of a file or a drawing.
//!
//! Ids, names, paths and excerpts of files are the user's, or a stranger's. A control character in them could move the
//! cursor, change the title of a window or end a line; a mark of direction could show digits in another order.

use std::borrow::Cow;
use std::ops::Range;

/// What stands for a character that is not shown.
const HIDDEN: char = char::REPLACEMENT_CHARACTER;

/// A character that only shows itself: no control character, no break of a line, no change of direction.
pub fn is_printable(c: char) -> bool {
    let turns = matches!(c, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    !c.is_control() && !turns
}

/// The text with U+FFFD for every character that does more than show itself; line breaks and tabs stay.
pub fn printable(text: &str) -> Cow<'_, str> {
    let stays = |c: char| is_printable(c) || matches!(c, '\n' | '\t');
    if text.chars().all(stays) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if stays(c) { c } else { HIDDEN }).collect())
}

/// [`printable`], and where a part of the text then lies.
///
/// # Panics
/// When the part does not lie between characters of the text.
pub fn printable_at(text: &str, part: Range<usize>) -> (String, Range<usize>) {
    let length = |range: Range<usize>| printable(&text[range]).len();
    let start = length(0..part.start);
    (printable(text).into_owned(), start..start + length(part))
}

/// [`printable`] for text that has colours of ours: a sequence that selects them, `ESC [ digits ; … m`, stays too.
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

/// A text as one word of a POSIX shell, and of a line of `#SBATCH`.
pub fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=@%".contains(c);
    if text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// Orders names by how near they are to `wanted`, nearest first, equals as they were.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut known: Vec<&str> = names.into_iter().collect();
    let near = |name: &str| (strsim::jaro_winkler(wanted, name) * 1e6) as i64;
    known.sort_by_key(|name| -near(name));
    known.into_iter().map(str::to_owned).collect()
}

/// One name may be the other, misspelt.
pub fn resembles(name: &str, other: &str) -> bool {
    strsim::jaro_winkler(name, other) > 0.7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_more_than_show_itself_is_hidden() {
        assert_eq!(printable("a\u{1b}[2J\u{7}\r\u{9b}b"), "a\u{FFFD}[2J\u{FFFD}\u{FFFD}\u{FFFD}b");
        assert_eq!(printable("1\u{202E}23\u{2066}\u{2028}"), "1\u{FFFD}23\u{FFFD}\u{FFFD}");
        assert!(matches!(printable("é\t\n9x9 ✓ ÷ שלום"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_part_is_found_again() {
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
