//! Kakuro as rows of tokens with blanks between; a black cell says `down,across`.
//!
//! ```text
//! 3 3
//! - 3, 4,
//! ,3 0 0
//! ,4 0 0
//! ```
//!
//! `-` is a black cell without a clue, `0` a white one, a digit in a white cell is given. The first line, the numbers of
//! rows and columns, may be missing. The digits are 1 to 9.

use super::super::Puzzle;
use super::crossing::{self, Cell, Clues, number};
use super::error::WriteError;
use super::fault::{Fault, Span};
use super::words::{Word, offset};
use super::{Format, Source};

pub(super) const FORMAT: Format = Format {
    name: "kakuro_tokens",
    about: "rows of cells with blanks between: `down,across` and `-` black, `0` white, a digit given",
    many: false,
    source: Some(Source { recognise, end: str::len, read }),
    write,
};

/// Every word up to the first clue is a number or a `-`; one of these, or a white cell later, there is.
fn recognise(text: &str) -> bool {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_clue = |word: &str| word.contains(',') && word.chars().all(|c| c.is_ascii_digit() || c == ',');
    let mut words = text.split_whitespace();
    let before = words.by_ref().take_while(|word| *word == "-" || is_number(word)).count();
    text.split_whitespace().nth(before).is_some_and(is_clue) && (before > 0 || words.any(|word| word == "0"))
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let lines: Vec<Word<'_>> = record
        .lines()
        .map(|line| Word { text: line, start: offset(record, line) })
        .filter(|line| !line.text.trim().is_empty())
        .collect();
    let (shape, lines) = crossing::shape(&lines, record)?;
    let rows: Vec<Vec<Word<'_>>> = lines.iter().map(Word::split).collect();
    crossing::read(&rows, shape, record, cell)
}

fn cell(word: &Word<'_>) -> Result<Cell, Fault> {
    match word.text {
        "-" => Ok(Cell::Black(Clues::default())),
        "0" => Ok(Cell::White),
        text => match text.find(',') {
            Some(comma) => {
                let (down, rest) = word.split_at(comma);
                let across = rest.split_at(1).1;
                Ok(Cell::Black(Clues { down: number(&down)?, across: number(&across)? }))
            }
            None => text
                .parse()
                .map(Cell::Given)
                .map_err(|_| word.unexpected("a cell: `down,across`, `-` black, `0` white, or a digit")),
        },
    }
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let rows = crossing::write(puzzle, FORMAT.name, " ", |cell| match cell {
        Cell::White => "0".to_owned(),
        Cell::Given(digit) => digit.to_string(),
        Cell::Black(Clues { down: None, across: None }) => "-".to_owned(),
        Cell::Black(Clues { down, across }) => {
            let text = |clue: Option<i64>| clue.map_or_else(String::new, |clue| clue.to_string());
            format!("{},{}", text(down), text(across))
        }
    })?;
    Ok(format!("{} {}\n{rows}", puzzle.rows(), puzzle.cols()))
}
