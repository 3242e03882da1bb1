//! Rows of region names; the clue follows a dot in one cell of each region.
//!
//! ```text
//! r1.8*,r1,r1,r2.1-
//! r3.6+,r4.1-,r4,r2
//! r3,r3,r5.4*,r5
//! r6.3,r7.2/,r7,r5
//! ```
//!
//! Commas, spaces, semicolons or bars separate cells. A region of one cell may omit the operator.

use super::super::Puzzle;
use super::cages::{Bare, ClueWords, build_regions, check_square, regions};
use super::error::{Fault, Span};
use super::words::{Word, lines, span};
use super::{Format, puzz_link};

pub(super) const FORMAT: Format = Format {
    name: "named_regions",
    about: "rows of region names, `r1.8*,r1,r2.3`, the clue after a dot in one cell of each",
    many: false,
    recognise,
    end: str::len,
    read,
    write: None,
};

/// Every cell of the first row is a name with a letter, and one has a dot and a clue.
fn recognise(text: &str) -> bool {
    let first = rows(text).into_iter().next().unwrap_or_default();
    let is_cell = |word: &Word<'_>| {
        let (name, clue) = named(word);
        let named = name.text.chars().all(|c| c.is_alphanumeric() || c == '_');
        named && name.text.contains(char::is_alphabetic) && clue.is_none_or(|clue| parsed(&clue).is_some())
    };
    // `pzprv3.1` begins a file of puzz.link.
    !puzz_link::FILE.recognises(text)
        && first.iter().all(is_cell)
        && first.iter().any(|word| named(word).1.is_some())
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let rows = rows(record);
    let size = rows[0].len();
    if let Some(row) = rows.get(size) {
        return Err(row[0].unexpected(format!("the end of the text after {size} rows of {size} cells")));
    }
    check_square(&rows, size, "cells", record)?;
    let cells = rows.iter().flatten().map(named);
    let clues: Vec<(Word<'_>, Word<'_>)> = cells.filter_map(|(name, clue)| Some((name, clue?))).collect();
    let names: Vec<Vec<Word<'_>>> =
        rows.iter().map(|row| row.iter().map(|word| named(word).0).collect()).collect();
    let cages = regions(&names).into_iter().map(|region| {
        let mut own = clues.iter().filter(|(name, _)| name.text == region.name.text);
        let Some((name, clue)) = own.next() else {
            let expected = format!("a clue in one cell of `{0}`, as in `{0}.8+`", region.name.text);
            return Err(Fault::unexpected(expected, "none", region.name.span()));
        };
        if let Some((_, second)) = own.next() {
            return Err(second.unexpected(format!("one clue for `{}`, not another", name.text)));
        }
        let clue = parsed(clue).ok_or_else(|| clue.unexpected("a clue such as `8+`"))?;
        Ok((region, clue))
    });
    Ok((build_regions(size, cages, Bare::Incomplete, span(&rows[0]))?, 0..0))
}

/// The rows that have cells.
fn rows(text: &str) -> Vec<Vec<Word<'_>>> {
    let cells = lines(text).map(|line| line.split_by(|c| c.is_whitespace() || ",;|[]".contains(c)));
    cells.filter(|cells| !cells.is_empty()).collect()
}

/// The name in a cell, and the text of the clue.
fn named<'a>(word: &Word<'a>) -> (Word<'a>, Option<Word<'a>>) {
    match word.text.find('.') {
        Some(dot) => (word.split_at(dot).0, Some(word.split_at(dot + 1).1)),
        None => (*word, None),
    }
}

fn parsed<'a>(word: &Word<'a>) -> Option<ClueWords<'a>> {
    ClueWords::take(&[*word]).map(|(clue, _)| clue)
}
