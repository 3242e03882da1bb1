//! Kakuro as rows of cells with commas between; a black cell says `down\across`.
//!
//! ```text
//! \,3\,4\
//! \3,_,_
//! \4,_,_
//! ```
//!
//! `\`, `x` and nothing are black cells without a clue; `_`, `.`, `?` and `0` are white; a digit in a white cell is given.
//! A line `rows cols` may stand first. The digits are 1 to 9.

use super::Format;
use super::crossing::{self, Signs};
use super::words::{Word, offset};

pub(super) const FORMAT: Format = Format {
    name: SIGNS.name,
    about: "rows of cells with commas between: `down\\across` and `\\` black, `_` white, a digit given",
    many: false,
    recognise: |text| {
        let known = |c: char| c.is_ascii_digit() || "\\,_.?xX \t\r".contains(c);
        text.contains('\\') && text.trim_start().lines().next().is_some_and(|line| line.chars().all(known))
    },
    end: str::len,
    read: |record| crossing::read(record, &SIGNS),
    write: Some(|puzzle| crossing::write(puzzle, &SIGNS)),
};

const SIGNS: Signs = Signs {
    name: "kakuro_grid",
    between: ",",
    divider: '\\',
    black: &["\\", "", "x", "X"],
    white: &["_", "0", ".", "?"],
    split,
    expected: "a cell: `down\\across`, `\\` black, `_` white, or a digit",
};

/// The cells of a line, without the blanks around them.
fn split<'a>(line: &Word<'a>) -> Vec<Word<'a>> {
    let trimmed =
        |cell: &'a str| Word { text: cell.trim(), start: line.start + offset(line.text, cell.trim()) };
    line.text.split(',').map(trimmed).collect()
}
