//! Text of unknown origin, made safe for a terminal, a line of a file or a drawing.
//!
//! Ids, names, paths and excerpts of files come from the user or from strangers. A control character in them could move
//! the cursor, change the title of a window or end a line; a direction mark could show digits in another order.

use std::borrow::Cow;
use std::ops::Range;

/// Says whether a character is neither a control character nor a line separator nor a direction mark, and takes room or belongs
/// to a letter beside it.
pub(super) fn is_printable(c: char) -> bool {
    !c.is_control()
        && !matches!(
            c,
            '\u{61C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}'
                | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}'
        )
}

/// Says whether a character shows nothing: of no width, a filler, or a mark for the programs that show it. Those that join
/// letters and choose among glyphs count too.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{2800}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}'
            | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// The text with U+FFFD for every character that is not printable, except line breaks and tabs.
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.contains(is_hidden) {
        Cow::Owned(text.replace(is_hidden, "\u{FFFD}"))
    } else {
        Cow::Borrowed(text)
    }
}

fn is_hidden(c: char) -> bool {
    !is_printable(c) && !matches!(c, '\n' | '\t')
}

/// The [`printable`] text, and the range in it of a part of the text.
///
/// # Panics
/// When the part does not begin and end between characters of the text.
pub fn printable_at(text: &str, part: Range<usize>) -> (String, Range<usize>) {
    let start = printable(&text[..part.start]).len();
    let length = printable(&text[part]).len();
    (printable(text).into_owned(), start..start + length)
}

/// Begins bold text.
pub const BOLD: &str = "\u{1b}[1m";

/// Each begins the text of a series: of the 256 colours of a terminal those nearest to the colours of figures.
pub const SERIES_COLOURS: [&str; 6] = [
    "\u{1b}[38;5;32m",
    "\u{1b}[38;5;166m",
    "\u{1b}[38;5;36m",
    "\u{1b}[38;5;175m",
    "\u{1b}[38;5;178m",
    "\u{1b}[38;5;74m",
];

/// Ends bold text, and that of a series.
pub const PLAIN: &str = "\u{1b}[0m";

/// [`printable`] for text that kenga has painted: its own sequences stay, and no others, which could hide a part of the text.
pub fn painted(text: &str) -> Cow<'_, str> {
    let mut parts = text.split('\u{1b}');
    let mut shown = printable(parts.next().unwrap_or_default());
    for part in parts {
        let shown = shown.to_mut();
        shown.push(if is_own(part) { '\u{1b}' } else { char::REPLACEMENT_CHARACTER });
        shown.push_str(&printable(part));
    }
    shown
}

/// Says whether what follows an escape makes it one of kenga's sequences.
fn is_own(after_escape: &str) -> bool {
    let begins = |sequence: &str| after_escape.starts_with(&sequence[1..]);
    begins(BOLD) || begins(PLAIN) || SERIES_COLOURS.iter().any(|sequence| begins(sequence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_are_not_printable_are_hidden() {
        assert_eq!(printable("a\u{1b}[2J\u{7}\r\u{9b}b"), "a\u{FFFD}[2J\u{FFFD}\u{FFFD}\u{FFFD}b");
        assert_eq!(printable("1\u{202E}23\u{2066}\u{2028}"), "1\u{FFFD}23\u{FFFD}\u{FFFD}");
        assert_eq!(printable("\u{FEFF}=1\u{200B}+1\u{2060}"), "\u{FFFD}=1\u{FFFD}+1\u{FFFD}");
        assert!(matches!(printable("é\t\n9x9 ✓ ÷ שלום"), Cow::Borrowed(_)));
    }

    #[test]
    fn the_range_of_a_part_follows_the_hidden_characters() {
        let (text, part) = printable_at("\u{1b}é\u{7}x\u{8}y", 4..6);
        assert_eq!((text.as_str(), &text[part]), ("\u{FFFD}é\u{FFFD}x\u{FFFD}y", "x\u{FFFD}"));
    }

    #[test]
    fn own_sequences_stay_and_others_do_not() {
        for sequence in SERIES_COLOURS.into_iter().chain([BOLD]) {
            let text = format!("{sequence}text{PLAIN}");
            assert_eq!(painted(&text), text);
        }
        for other in ["[31m", "[8m", "[38;5;0m", "[1;8m", "[2J", "[", ""] {
            assert_eq!(painted(&format!("\u{1b}{other}")), format!("\u{FFFD}{other}"));
        }
        assert_eq!(painted("\u{1b}]0;title\u{7}"), "\u{FFFD}]0;title\u{FFFD}");
        assert!(matches!(painted("plain"), Cow::Borrowed(_)));
    }
}
