//! Texts as cells of CSV files that no spreadsheet takes for a formula.
//!
//! Source: OWASP, CSV Injection. Quotes of CSV do not help: a program takes them off before it looks at the cell.

use std::borrow::Cow;

use super::terminal::is_invisible;

/// The characters that start a formula, and their full-width forms, which some programs read as these.
pub(super) const SIGNS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// The mark before a text that would be a formula: what spreadsheets themselves use.
const MARK: char = '\'';

/// The cell that holds a text: the text itself, or with an apostrophe before it where it would be a formula. Numbers stay.
pub fn cell(text: &str) -> Cow<'_, str> {
    if needs_mark(text) { Cow::Owned(format!("{MARK}{text}")) } else { Cow::Borrowed(text) }
}

/// The text that a [`cell`] holds.
pub fn from_cell(cell: &str) -> &str {
    match cell.strip_prefix(MARK) {
        Some(text) if needs_mark(text) => text,
        _ => cell,
    }
}

/// Says whether a text is a formula, or one behind apostrophes: without a further one it would be read as that formula.
fn needs_mark(text: &str) -> bool {
    let text = text.trim_start_matches(MARK);
    if text.starts_with(['\t', '\r', '\n']) {
        return true;
    }
    let text = text.trim_matches(|c: char| c.is_whitespace() || is_invisible(c));
    // A sign alone is a word, such as the operator of a cage.
    let is_sign = text.chars().nth(1).is_none();
    text.starts_with(SIGNS) && !is_sign && !is_number(text)
}

/// Says whether a text is a finite number in decimals.
fn is_number(text: &str) -> bool {
    // Words such as `-inf` parse too.
    !text.contains(|c: char| !c.is_ascii_digit() && !"+-.eE".contains(c))
        && text.parse::<f64>().is_ok_and(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_have_an_apostrophe_and_numbers_and_words_do_not() {
        let formulas = [
            "=1+1",
            "+a",
            "-a",
            "@SUM(A1)",
            "\tx",
            "\r=1",
            "\n",
            " =x",
            "\u{FEFF}=x",
            "＝x",
            "－1+1",
            "-inf",
            "-1+1",
        ];
        for text in formulas {
            assert_eq!(cell(text), format!("'{text}"), "{text:?}");
        }
        for text in ["-3", "+1.5", "-1e-3", "a=b", "", "-", "+", "'x", "it's", "0x", " a", "é"] {
            assert_eq!(cell(text), text, "{text:?}");
        }
    }

    #[test]
    fn every_text_is_read_back() {
        let parts = ["", "'", "''", "=", "-", "1", "x", " ", "\t", "＝", "\u{200B}", "\n"];
        for first in parts {
            for second in parts {
                for third in parts {
                    let text = format!("{first}{second}{third}");
                    assert_eq!(from_cell(&cell(&text)), text, "{text:?}");
                }
            }
        }
    }
}
