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

use super::super::Puzzle;
use super::crossing::{self, Cell, Clues, number};
use super::error::WriteError;
use super::fault::{Fault, Span};
use super::words::{Word, offset};
use super::{Format, Source};

pub(super) const FORMAT: Format = Format {
    name: "kakuro_grid",
    about: "rows of cells with commas between: `down\\across` and `\\` black, `_` white, a digit given",
    many: false,
    source: Some(Source {
        recognise: |text| {
            let known = |c: char| c.is_ascii_digit() || "\\,_.?xX \t\r".contains(c);
            text.contains('\\')
                && text.trim_start().lines().next().is_some_and(|line| line.chars().all(known))
        },
        end: str::len,
        read,
    }),
    write,
};

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let lines: Vec<Word<'_>> = record
        .lines()
        .map(|line| Word { text: line, start: offset(record, line) })
        .filter(|line| !line.text.trim().is_empty())
        .collect();
    let (shape, lines) = crossing::shape(&lines, record)?;
    let rows: Vec<Vec<Word<'_>>> = lines.iter().map(cells).collect();
    crossing::read(&rows, shape, record, cell)
}

/// The cells of a line, without the blanks around them.
fn cells<'a>(line: &Word<'a>) -> Vec<Word<'a>> {
    let trimmed =
        |cell: &'a str| Word { text: cell.trim(), start: line.start + offset(line.text, cell.trim()) };
    line.text.split(',').map(trimmed).collect()
}

fn cell(word: &Word<'_>) -> Result<Cell, Fault> {
    match word.text {
        "" | "\\" | "x" | "X" => Ok(Cell::Black(Clues::default())),
        "0" | "_" | "." | "?" => Ok(Cell::White),
        text => match text.find('\\') {
            Some(slash) => {
                let (down, rest) = word.split_at(slash);
                let across = rest.split_at(1).1;
                Ok(Cell::Black(Clues { down: number(&down)?, across: number(&across)? }))
            }
            None => text
                .parse()
                .map(Cell::Given)
                .map_err(|_| word.unexpected("a cell: `down\\across`, `\\` black, `_` white, or a digit")),
        },
    }
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    crossing::write(puzzle, FORMAT.name, ",", |cell| match cell {
        Cell::White => "_".to_owned(),
        Cell::Given(digit) => digit.to_string(),
        Cell::Black(Clues { down, across }) => {
            let text = |clue: Option<i64>| clue.map_or_else(String::new, |clue| clue.to_string());
            format!("{}\\{}", text(down), text(across))
        }
    })
}
