//! The format of a text, and those that a text in none resembles.
//!
//! Recognisers see the beginning of a text, and stop at the first line that is not theirs: a text costs microseconds a
//! kilobyte, whatever is in it.

use super::sudoku::is_aside;
use super::words::lines;
use super::{Format, TABLE, find};
use crate::text::joined;

/// The most bytes that recognisers see: the largest Kakuro without a white cell has half as many.
const HEAD: usize = 1 << 18;

/// The most bad lines at the start of a corpus.
const MOST_BAD_LINES: usize = 1000;

/// The most bad records among them, which take longer than lines of no format.
const MOST_BAD_RECORDS: usize = 25;

/// The text from the line of its first character that is not blank, without a byte order mark of Windows.
fn content(text: &str) -> &str {
    let text = text.trim_start_matches('\u{FEFF}');
    // The indentation of a first row says which columns its cells have.
    let blank = text.len() - text.trim_start().len();
    &text[text[..blank].rfind('\n').map_or(0, |newline| newline + 1)..]
}

/// The beginning of a text, as recognisers see it: whole lines, or an object of any length.
pub(super) fn head(text: &str) -> &str {
    let text = content(text);
    if text.len() <= HEAD || text.trim_start().starts_with('{') {
        return text;
    }
    let head = &text[..text.floor_char_boundary(HEAD)];
    &head[..head.rfind('\n').map_or(head.len(), |newline| newline + 1)]
}

/// The first format that recognises a text, of all or of those that hold many puzzles.
pub(super) fn format_at(text: &str, only_many: bool) -> Option<&'static Format> {
    let head = head(text);
    TABLE.iter().find(|format| (format.many || !only_many) && (format.recognise)(head))
}

/// The format of a text. Where no format recognises it, or a format of single puzzles fails to read it, a later line
/// may show that the text is a corpus whose first lines are bad.
pub(super) fn format_of(text: &str) -> Option<&'static Format> {
    if text.trim().is_empty() {
        return None;
    }
    let format = format_at(text, false);
    // A format of many puzzles answers for each record; one of a single puzzle may have been a bad first line.
    if format.is_some_and(|format| format.many || (format.read)(text).is_ok()) {
        return format;
    }
    let text = content(text);
    let near = &text[..text.floor_char_boundary(HEAD)];
    let mut bad_records = 0;
    for line in lines(near).skip(1).take(MOST_BAD_LINES) {
        if is_aside(&line) {
            continue;
        }
        let rest = &text[line.start..];
        let Some(corpus) = format_at(rest, true) else { continue };
        if (corpus.read)(&rest[..(corpus.end)(rest)]).is_ok() {
            return Some(corpus);
        }
        bad_records += 1;
        if bad_records == MOST_BAD_RECORDS {
            break;
        }
    }
    format
}

/// The two forms that a text in no known format resembles.
pub(super) fn resemblance(text: &str) -> String {
    let line = content(text).lines().next().unwrap_or_default().to_lowercase();
    let mut forms = "the nearest forms that kenga reads:".to_owned();
    for name in nearest(&line) {
        forms += &format!("\n{name}: {}", find(name).map_or("", |format| format.about));
    }
    forms
}

/// The two formats whose texts have the characters of a line.
fn nearest(line: &str) -> [&'static str; 2] {
    let has = |marks: &str| line.contains(|c| marks.contains(c));
    if line.contains("://") {
        ["puzz_link", "fpuzzles_link"]
    } else if has("<>^∧∨") {
        ["futoshiki", "unequal"]
    } else if has("\\,") {
        ["kakuro_grid", "kakuro_tokens"]
    } else if has("{}[]\":") {
        ["json", "keen"]
    } else if has("+*/×÷=abcdefghijklmnopqrstuvwxyz") {
        ["cage_list", "cage_ids"]
    } else {
        ["sudoku", "clue_grid"]
    }
}

pub(super) fn known_formats() -> String {
    let names = joined(TABLE.iter().map(|format| format.name), ", ");
    format!("`kenga guide formats` shows the known formats: {names}")
}

#[cfg(test)]
mod tests {
    use super::super::words::LOOKED;
    use super::*;

    #[test]
    fn recognising_looks_at_each_byte_of_any_text_a_few_times() {
        for piece in [
            "\n",
            " ",
            "1 ",
            "1\n",
            "12345\n",
            "9.......9.......\n",
            "- ",
            "-\n",
            "ab cd ef\n",
            "#\n",
            "<a>\n",
            "[x]\n",
            "a,puzzle\n",
            "{bad\n",
            "{\"a\":\n",
            "[1,\n",
            "4:x\n",
            "1 2\n--\n",
            "a ",
            ",\n",
            "c x\n",
            "order 3\n",
            "4 4\n1 1 1 1\n",
            ".KK\n",
            "8* Z9 Z9;",
            "A: 3+\n",
            "<",
            ". < .\n",
            "4 16 1 0 0 + 1 ",
            "SumoCueV1=\n",
        ] {
            for start in ["", "hello\n", "4 4\n"] {
                let text = start.to_owned() + &piece.repeat(60_000 / piece.len());
                LOOKED.set(0);
                format_of(&text);
                assert!(LOOKED.get() < 40 * text.len(), "{}: {start:?} {piece:?}", LOOKED.get() / text.len());
            }
        }
    }
}
