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
use super::Format;
use super::cages::{Bare, ClueWords, build_kenken, check_square, clued_cage, regions};
use super::error::{Fault, Span};
use super::words::{Word, lines, span};

pub(super) const FORMAT: Format = Format::new(
    "named_regions",
    "rows of region names, `r1.8*,r1,r2.3`, the clue after a dot in one cell of each",
    recognise,
    read,
);

/// Every cell of the first row is a name with a letter, and one has a dot and a clue.
fn recognise(text: &str) -> bool {
    let mut has_clue = false;
    for word in rows(text).next().unwrap_or_default() {
        let NamedCell { name, clue } = NamedCell::read(&word);
        let is_name = name.text.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !is_name || !name.text.contains(char::is_alphabetic) {
            return false;
        }
        if let Some(clue) = clue {
            if ClueWords::take(&[clue]).is_none() {
                return false;
            }
            has_clue = true;
        }
    }
    has_clue
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let rows: Vec<Vec<Word<'_>>> = rows(record).collect();
    let size = rows[0].len();
    if let Some(row) = rows.get(size) {
        return Err(row[0].unexpected(format!("the end of the text after {size} rows of {size} cells")));
    }
    check_square(&rows, size, "cells", record)?;
    let mut names = Vec::with_capacity(size);
    let mut clues = Vec::new();
    for row in &rows {
        let mut row_names = Vec::with_capacity(size);
        for word in row {
            let NamedCell { name, clue } = NamedCell::read(word);
            row_names.push(name);
            if let Some(clue) = clue {
                clues.push((name, clue));
            }
        }
        names.push(row_names);
    }
    let mut cages = Vec::new();
    for region in regions(&names) {
        let name = region.name.text;
        let mut own = clues.iter().filter(|(other, _)| other.text == name);
        let Some((_, clue)) = own.next() else {
            let expected = format!("a clue in one cell of `{name}`, as in `{name}.8+`");
            return Err(Fault::unexpected(expected, "none", region.name.span()));
        };
        if let Some((_, second)) = own.next() {
            return Err(second.unexpected(format!("one clue for `{name}`, not another")));
        }
        let Some((clue, _)) = ClueWords::take(&[*clue]) else {
            return Err(clue.unexpected("a clue such as `8+`"));
        };
        cages.push(clued_cage(region, clue, Bare::Incomplete)?);
    }
    Ok((build_kenken(size, cages, span(&rows[0]))?, 0..0))
}

/// The rows that have cells.
fn rows(text: &str) -> impl Iterator<Item = Vec<Word<'_>>> {
    lines(text).map(|line| line.split_with(&[',', ';', '|', '[', ']'])).filter(|cells| !cells.is_empty())
}

/// The name in a cell, and the text of the clue.
struct NamedCell<'a> {
    name: Word<'a>,
    clue: Option<Word<'a>>,
}

impl<'a> NamedCell<'a> {
    fn read(word: &Word<'a>) -> Self {
        match word.text.find('.') {
            Some(dot) => Self { name: word.split_at(dot).0, clue: Some(word.after(dot + 1)) },
            None => Self { name: *word, clue: None },
        }
    }
}
