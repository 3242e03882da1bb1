//! What texts share that name the region of every cell: rows of names, and clues as people write them.

use super::super::operators::{self, GIVEN};
use super::super::{Cage, Defect, MAX_DIGITS, Puzzle, Square};
use super::cages::{self, CagePlaces, Places};
use super::error::{Fault, Span};
use super::words::{Word, truncated};

/// The cells that share a name, and where they stand.
#[derive(Debug)]
pub(super) struct Region<'a> {
    /// The name where it stands first.
    pub(super) name: Word<'a>,
    /// `(row, column)`, row by row.
    pub(super) cells: Vec<(usize, usize)>,
    pub(super) spans: Vec<Span>,
}

/// A clue as it stands: `8+`, `8 +`, `+8`, `+ 8`, or a bare `8`.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClueWords<'a> {
    pub(super) target: Word<'a>,
    pub(super) operator: Option<Word<'a>>,
}

/// What a bare number over several cells is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bare {
    /// A clue whose operator is hidden.
    Hidden,
    /// A clue without the operator that it needs.
    Incomplete,
}

impl<'a> ClueWords<'a> {
    /// Takes a clue from the front of some words; also returns the words behind it. Nothing where the words do not start
    /// with a number, or with one behind an operator.
    pub(super) fn take<'b>(words: &'b [Word<'a>]) -> Option<(Self, &'b [Word<'a>])> {
        let (first, rest) = words.split_first()?;
        let is_operator = |word: &&Word<'_>| !word.starts_number() && word.cell().is_none();
        let next = rest.first().filter(is_operator).copied();
        let negative = first.text.starts_with('-') && next.is_some_and(|word| word.is_operator());
        if first.starts_number() || negative && first.split_at(1).1.starts_number() {
            let (target, glued) = first.split_at(first.number_end());
            return Some(match (glued.text.is_empty(), next) {
                (false, _) => (Self { target, operator: Some(glued) }, rest),
                (true, Some(operator)) => (Self { target, operator: Some(operator) }, &rest[1..]),
                (true, None) => (Self { target, operator: None }, rest),
            });
        }
        let digit = first.text.find(|c: char| c.is_ascii_digit()).unwrap_or(first.text.len());
        let (operator, target) = first.split_at(digit);
        if !target.text.is_empty() {
            let whole = target.number_end() == target.text.len();
            return whole.then_some((Self { target, operator: Some(operator) }, rest));
        }
        let (target, rest) = rest.split_first().filter(|(word, _)| word.starts_number())?;
        Some((Self { target: *target, operator: Some(operator) }, rest))
    }

    /// From its first character to its last.
    pub(super) fn span(&self) -> Span {
        let (target, operator) =
            (self.target.span(), self.operator.map_or(self.target.span(), |word| word.span()));
        target.start.min(operator.start)..target.end.max(operator.end)
    }
}

/// The cells of every name, in the order in which the names stand first.
pub(super) fn regions<'a>(rows: &[Vec<Word<'a>>]) -> Vec<Region<'a>> {
    let mut regions: Vec<Region<'a>> = Vec::new();
    for (row, words) in rows.iter().enumerate() {
        for (column, word) in words.iter().enumerate() {
            let index =
                regions.iter().position(|region| region.name.text == word.text).unwrap_or_else(|| {
                    regions.push(Region { name: *word, cells: Vec::new(), spans: Vec::new() });
                    regions.len() - 1
                });
            regions[index].cells.push((row, column));
            regions[index].spans.push(word.span());
        }
    }
    regions
}

/// Checks that there are as many rows as cells in the first, and as many cells in every row.
pub(super) fn check_square(
    rows: &[Vec<Word<'_>>],
    size: usize,
    what: &str,
    record: &str,
) -> Result<(), Fault> {
    let span = |row: &[Word<'_>]| {
        row.first().map_or(0, |word| word.start)..row.last().map_or(0, |word| word.span().end)
    };
    if size > MAX_DIGITS {
        let row = rows.first().map_or(0..0, |row| span(row));
        return Err(Fault::new(Defect::Size { size }, row, format!("the first row has as many {what}")));
    }
    if let Some((index, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != size) {
        let expected = format!("{size} {what} in row {}, as in the first", index + 1);
        return Err(Fault::unexpected(expected, row.len().to_string(), span(row)));
    }
    if rows.len() < size {
        let within = format!("the {what}, with row {} of {size}", rows.len());
        return Err(truncated(record, within, format!("row {} should follow here", rows.len() + 1)));
    }
    Ok(())
}

/// A region with its clue.
pub(super) fn cage(region: Region<'_>, clue: ClueWords<'_>, bare: Bare) -> Result<(Cage, CagePlaces), Fault> {
    let operator = match clue.operator {
        Some(word) => word.operator()?,
        None if region.cells.len() == 1 => GIVEN,
        None if bare == Bare::Hidden => operators::find("?").expect("the table has the hidden operator"),
        None => {
            let end = clue.target.span().end;
            return Err(Fault::unexpected("an operator", "the end of the clue", end..end));
        }
    };
    let places = CagePlaces {
        whole: clue.span(),
        operator: clue.operator.unwrap_or(clue.target).span(),
        target: clue.target.span(),
        cells: region.spans,
    };
    Ok((Cage::new(operator, clue.target.whole()?, region.cells), places))
}

/// The puzzle of cages that hold every cell of a grid; `first` is the place of its first row.
pub(super) fn build(
    size: usize,
    cages: impl IntoIterator<Item = Result<(Cage, CagePlaces), Fault>>,
    first: Span,
) -> Result<Puzzle, Fault> {
    let both: Vec<(Cage, CagePlaces)> = cages.into_iter().collect::<Result<_, Fault>>()?;
    let (list, cages): (Vec<Cage>, Vec<CagePlaces>) = both.into_iter().unzip();
    let places = Places { size: first.clone(), digits: first.clone(), end: first, cages, naming: "" };
    cages::build(Square::kenken(size, list), &places)
}
