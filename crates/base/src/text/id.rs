//! Ids of puzzles: names that look like what they are wherever they are shown.
//!
//! An id appears in lines of files, on terminals, in drawings, and in cells of spreadsheets.

use super::cell::SIGNS;
use super::terminal::{is_invisible, is_printable};

/// Says what is wrong with an id, if anything.
pub fn id_flaw(id: &str) -> Option<&'static str> {
    if !id.chars().all(is_printable) {
        Some("has a control character, a line break or a direction mark")
    } else if id.contains(is_invisible) {
        Some("has an invisible character")
    } else if id.trim() != id {
        Some("begins or ends with white space")
    } else if id.starts_with(SIGNS) {
        Some("begins like a spreadsheet formula")
    } else {
        None
    }
}

/// The name of a file as an id, with `_` for characters that an id may not have.
pub(crate) fn sound_id(stem: &str) -> String {
    // Characters are replaced and not left out: other files with like names keep other ids.
    let mut id: Vec<char> = stem.chars().collect();
    for c in &mut id {
        if !is_printable(*c) || is_invisible(*c) {
            *c = '_';
        }
    }
    if let Some(first) = id.first_mut()
        && (first.is_whitespace() || SIGNS.contains(first))
    {
        *first = '_';
    }
    if let Some(last) = id.last_mut()
        && last.is_whitespace()
    {
        *last = '_';
    }
    id.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_one_visible_line_that_is_no_formula() {
        for id in ["a\nb", "a\tb", "\u{1b}[31m", "\u{202E}1", "\u{200F}1", "=1+1", "+1", "-1", "@x"] {
            assert!(id_flaw(id).is_some(), "{id:?}");
            assert_eq!(id_flaw(&sound_id(id)), None, "{id:?}");
        }
        let hidden = ["a\u{200B}", "\u{FEFF}a", "a\u{2060}b", "\u{AD}", "a\u{E0041}", "\u{3164}"];
        for id in
            hidden.into_iter().chain([" =x", "x ", " ", "\u{A0}x", "x\u{3000}", "＝x", "＋1", "－1", "＠x"])
        {
            assert!(id_flaw(id).is_some(), "{id:?}");
            assert_eq!(id_flaw(&sound_id(id)), None, "{id:?}");
        }
        for id in ["a", "keen-9dx-3", "4x4", "1=2", "é ✓", "a b", "שלום", ""] {
            assert_eq!((id_flaw(id), sound_id(id).as_str()), (None, id));
        }
    }
}
