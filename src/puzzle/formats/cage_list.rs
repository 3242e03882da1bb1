//! One cage per line: operator and target in either order, then cells by row letter and column number.
//!
//! ```text
//! # 6
//! + 13 A1 A2 B1 B2
//! ! 2 B3
//! 11+ C1 C2; 4 C3
//! …
//! ```
//!
//! `!` is a given, as is a bare number over one cell. Spaces or commas separate words, line ends or `;` cages. The
//! first line is the size, `# 6` or `6`; without it the last row or column with a cell determines the size. Other lines
//! with a `#` are comments. kenga writes tabs between words.

use super::super::operators::GIVEN;
use super::super::{Cage, Puzzle, Square};
use super::Format;
use super::cages::{CagePlaces, ClueWords, Places, build, plain_cages};
use super::error::{Fault, Span, WriteError};
use super::words::{Word, lines, span, truncated};

pub(super) const FORMAT: Format = Format {
    name: "cage_list",
    about: "`# 6`, the size, then one cage per line: `+ 13 A1 A2 B1 B2` or `13+ A1 A2`, `! 2 B3` for a given",
    many: false,
    recognise,
    end: str::len,
    read,
    write: Some(write),
};

/// Rows that one letter can name.
const MOST_ROWS: usize = 26;

/// The first line is the size after a `#`; or the first line besides comments and the size is a clue and cells.
fn recognise(text: &str) -> bool {
    let mut lines = lines(text).peekable();
    if lines.peek().is_some_and(|line| is_marked(line) && size_of(line).is_some()) {
        return true;
    }
    let mut lines = lines.skip_while(is_marked).peekable();
    lines.next_if(|line| size_of(line).is_some());
    let cage = lines.next().and_then(|line| cages_of(&line).into_iter().next());
    cage.as_ref().and_then(|cage| ClueWords::take(cage)).is_some_and(|(clue, cells)| {
        let known = clue.operator.is_none_or(|operator| operator.is_operator());
        known && cells.first().is_some_and(|word| word.cell().is_some())
    })
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let mut lines = lines(record).peekable();
    let size = size(lines.peek())?;
    if size.is_some() {
        lines.next();
    }
    let cages = lines.filter(|line| !is_marked(line)).flat_map(|line| cages_of(&line));
    let cages: Vec<(Cage, CagePlaces)> =
        cages.map(|words| cage(&words, record)).collect::<Result<_, Fault>>()?;
    let end = record.trim_end().len();
    let (size, span) = size.unwrap_or_else(|| inferred(&cages, end));
    let naming = "rows are letters from A, columns numbers from 1";
    let places = Places { size: span.clone(), digits: span, end: end..end, naming };
    Ok((build(Square::kenken(size, Vec::new()), cages, &places)?, 0..0))
}

/// Says whether the line is the size after a `#`, or a comment.
fn is_marked(line: &Word<'_>) -> bool {
    line.text.trim_start().starts_with('#')
}

/// The words of a first line that is the size and no comment: `# 6`, `#6`, `6`.
fn size_of<'a>(line: &Word<'a>) -> Option<Vec<Word<'a>>> {
    let words = line.split_by(|c| c.is_whitespace() || c == '#');
    let is_size = is_marked(line) && !words.is_empty() || words.len() == 1;
    (is_size && words.iter().all(Word::is_digits)).then_some(words)
}

/// The size and its place, where the first line is the size.
fn size(line: Option<&Word<'_>>) -> Result<Option<(usize, Span)>, Fault> {
    let Some(words) = line.and_then(size_of) else { return Ok(None) };
    if let Some(extra) = words.get(1) {
        return Err(extra.unexpected("the end of the line, after the size"));
    }
    let size = words[0].whole()?;
    let size = usize::try_from(size).map_err(|_| words[0].unexpected("`# 6` with the size of the grid"))?;
    Ok(Some((size, words[0].span())))
}

/// The size by the last row or column with a cell, and the place of that cell.
fn inferred(cages: &[(Cage, CagePlaces)], end: usize) -> (usize, Span) {
    let cells = cages.iter().flat_map(|(cage, places)| cage.cells.iter().zip(&places.cells));
    let last = cells.max_by_key(|((row, column), _)| *row.max(column));
    last.map_or((0, end..end), |((row, column), span)| (row.max(column) + 1, span.clone()))
}

/// The words of each cage of a line.
fn cages_of<'a>(line: &Word<'a>) -> Vec<Vec<Word<'a>>> {
    let cages = line.split_by(|c| c == ';').into_iter();
    let words = |cage: Word<'a>| cage.split_by(|c| c.is_whitespace() || c == ',');
    cages.map(words).filter(|words| !words.is_empty()).collect()
}

/// The cage that some words, one or more, are.
pub(super) fn cage(words: &[Word<'_>], record: &str) -> Result<(Cage, CagePlaces), Fault> {
    let Some((clue, cells)) = ClueWords::take(words) else {
        words[0].operator()?;
        return Err(match words.get(1) {
            Some(word) => word.unexpected("a target, a whole number"),
            None => after(words, record, "a target"),
        });
    };
    let operator = clue.operator.map(|word| word.operator()).transpose()?;
    let mut cage = Cage::new(operator.unwrap_or(GIVEN), clue.target.whole()?, Vec::new());
    if cells.is_empty() {
        return Err(after(words, record, "the cells, such as `A1 A2`,"));
    }
    for word in cells {
        let cell = word.cell();
        cage.cells
            .push(cell.ok_or_else(|| word.unexpected("a cell, row letter and column number as in `A1`"))?);
    }
    let places = CagePlaces {
        whole: span(words),
        operator: clue.operator.unwrap_or(clue.target).span(),
        target: clue.target.span(),
        cells: cells.iter().map(Word::span).collect(),
    };
    Ok((cage, places))
}

/// The fault of a cage that ends before `expected`.
fn after(words: &[Word<'_>], record: &str, expected: &str) -> Fault {
    let label = format!("{expected} should follow here");
    let end = span(words).end;
    if end == record.trim_end().len() {
        return truncated(record, "a cage", label);
    }
    Fault::unexpected(expected, "the end of the line", end..end)
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let cages = plain_cages(puzzle, FORMAT.name)?;
    if puzzle.rows() > MOST_ROWS {
        let what = format!("{} rows: it names at most {MOST_ROWS}, by letters", puzzle.rows());
        return Err(WriteError { format: FORMAT.name, what });
    }
    let mut text = format!("# {}\n", puzzle.rows());
    for (cage, clue) in cages {
        let symbol = if clue.operator.is_given() { "!" } else { clue.operator.symbol };
        text += &format!("{symbol}\t{}", clue.target);
        for &cell in &cage.cells {
            text += "\t";
            text += &puzzle.cell_name(cell);
        }
        text.push('\n');
    }
    Ok(text)
}
