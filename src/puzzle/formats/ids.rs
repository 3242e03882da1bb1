//! What an id may be: it stands in lines of files, on terminals, in drawings, and in cells of spreadsheets.

use crate::text::is_printable;

/// What an id should be.
pub(super) const EXPECTED: &str = "expected printable characters on one line, no = + - or @ first";

/// What spreadsheets take for the beginning of a formula, also when the cell is in quotes (OWASP, CSV Injection).
const FORMULA: [char; 4] = ['=', '+', '-', '@'];

/// What is wrong with an id, if anything.
pub(super) fn flaw(id: &str) -> Option<&'static str> {
    if !id.chars().all(is_printable) {
        Some("has a control character, a line break or a change of direction")
    } else if id.starts_with(FORMULA) {
        Some("begins as a formula of a spreadsheet does")
    } else {
        None
    }
}

/// The name of a file as an id, with `_` for what an id may not have.
pub(super) fn sound(stem: &str) -> String {
    let kept = |(index, c): (usize, char)| {
        let is_sound = is_printable(c) && !(index == 0 && FORMULA.contains(&c));
        if is_sound { c } else { '_' }
    };
    stem.chars().enumerate().map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_one_line_that_is_no_formula() {
        for id in ["a\nb", "a\tb", "\u{1b}[31m", "\u{202E}1", "=1+1", "+1", "-1", "@x"] {
            assert!(flaw(id).is_some(), "{id:?}");
            assert_eq!(flaw(&sound(id)), None, "{id:?}");
        }
        for id in ["a", "keen-9dx-3", "4x4", "1=2", "é ✓", ""] {
            assert_eq!((flaw(id), sound(id).as_str()), (None, id));
        }
    }
}
