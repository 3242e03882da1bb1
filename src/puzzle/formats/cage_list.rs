//! A cage a line: operator, target, and cells by row letter and column number.
//!
//! ```text
//! # 6
//! + 13 A1 A2 B1 B2
//! ! 2 B3
//! …
//! ```
//!
//! `!` is a given. Writing parts words with tabs, reading takes any blanks. Later lines with a `#` are remarks.

use super::super::operators::Operator;
use super::super::{Cage, KenKen, Puzzle, parse_cell_name};
use super::cages::{self, CagePlaces, Places};
use super::error::WriteError;
use super::fault::{Fault, Span};
use super::words::{Line, Word, lines, truncated};
use super::{Format, Source, plain};

pub(super) const FORMAT: Format = Format {
    name: "cage_list",
    about: "`# 6`, the size, then a cage a line: `+ 13 A1 A2 B1 B2`, `! 2 B3` for a given",
    many: false,
    source: Some(Source { recognise: |text| text.trim_start().starts_with('#'), end: str::len, read }),
    write,
};

/// Rows that one letter can name.
const MOST_ROWS: usize = 26;

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let lines = lines(record);
    let (size, word) = size(&lines[0])?;
    let mut kenken = KenKen::new(size, Vec::new());
    let mut places = Vec::new();
    for line in lines[1..].iter().filter(|line| !line.words[0].text.starts_with('#')) {
        let (cage, place) = cage(line, record)?;
        kenken.cages.push(cage);
        places.push(place);
    }
    let end = record.trim_end().len();
    let naming = "rows are letters from A, columns numbers from 1";
    let places = Places { size: word.span(), digits: word.span(), end: end..end, cages: places, naming };
    Ok((cages::build(kenken, &places)?, 0..0))
}

/// The size and its place: `# 6`, or `#6`.
fn size<'a>(line: &Line<'a>) -> Result<(usize, Word<'a>), Fault> {
    const EXPECTED: &str = "`# 6` with the size of the grid";
    let (_, glued) = line.words[0].split_at(1);
    let (word, rest) = match &line.words[1..] {
        rest if !glued.text.is_empty() => (glued, rest),
        [] => return Err(Fault::unexpected(EXPECTED, "no number", line.end())),
        [word, rest @ ..] => (*word, rest),
    };
    if let Some(extra) = rest.first() {
        return Err(extra.unexpected("the end of the line, after the size"));
    }
    let size = word.whole().ok().and_then(|size| usize::try_from(size).ok());
    Ok((size.ok_or_else(|| word.unexpected(EXPECTED))?, word))
}

fn cage(line: &Line<'_>, record: &str) -> Result<(Cage, CagePlaces), Fault> {
    let operator = line.words[0];
    let kind: Operator = operator.operator()?;
    let Some((target, cells)) = line.words[1..].split_first() else {
        return Err(after(line, record, "a target"));
    };
    let mut cage = Cage::new(kind, target.whole()?, Vec::new());
    if cells.is_empty() {
        return Err(after(line, record, "the cells, such as `A1 A2`,"));
    }
    for word in cells {
        let cell = parse_cell_name(word.text);
        cage.cells
            .push(cell.ok_or_else(|| word.unexpected("a cell, row letter and column number as in `A1`"))?);
    }
    let spans = cells.iter().map(Word::span).collect();
    Ok((
        cage,
        CagePlaces { whole: line.span(), operator: operator.span(), target: target.span(), cells: spans },
    ))
}

/// The fault of a line that stops before `expected`.
fn after(line: &Line<'_>, record: &str, expected: &str) -> Fault {
    let label = format!("{expected} should follow here");
    if line.span().end == record.trim_end().len() {
        return truncated(record, "a cage", label);
    }
    Fault::unexpected(expected, "the end of the line", line.end())
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let cages = plain::cages(puzzle, FORMAT.name)?;
    if puzzle.rows() > MOST_ROWS {
        let what = format!("{} rows: it names at most {MOST_ROWS}, by letters", puzzle.rows());
        return Err(WriteError { format: FORMAT.name, what });
    }
    let mut text = format!("# {}\n", puzzle.rows());
    for (cage, clue) in cages {
        let symbol = if clue.operator.is_given() { "!" } else { clue.operator.symbol() };
        text += &format!("{symbol}\t{}", clue.target);
        for &cell in &cage.cells {
            text += "\t";
            text += &puzzle.cell_name(cell);
        }
        text.push('\n');
    }
    Ok(text)
}
