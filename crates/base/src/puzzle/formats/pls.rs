//! Partial Latin squares as the generator `lsencode` of C. Gomes and others writes them; one text may hold many.
//!
//! ```text
//! order 4
//!  0 -1  2 -1
//! -1  3 -1  0
//! -1 -1 -1  2
//!  3 -1 -1 -1
//! ```
//!
//! -1 is a hole. Digits count from 0 in the text and from 1 in the puzzle; a text with the digit `order` and without 0
//! counts from 1.

use super::super::{Defect, Kind, MAX_DIGITS, Puzzle, Square, cell_name};
use super::contents::{check_kind, square_givens};
use super::error::{Fault, Span, WriteError};
use super::words::{Word, cells_of_rows, lines, rows_text, truncated};
use super::{Format, line_end};

pub(super) const FORMAT: Format = Format::new(
    "pls",
    "partial Latin squares: `order 4`, then rows of digits from 0, -1 a hole",
    recognise,
    read,
)
.cut_by(end)
.written_by(write);

/// The word that a square begins with.
const ORDER: &str = "order";

/// The number in `order 4`.
fn order<'a>(line: &Word<'a>) -> Option<Word<'a>> {
    match line.split()[..] {
        [word, number] if word.text == ORDER && number.is_digits() => Some(number),
        _ => None,
    }
}

/// Numbers alone follow the order.
fn recognise(text: &str) -> bool {
    let mut lines = lines(text);
    if lines.next().is_none_or(|line| order(&line).is_none()) {
        return false;
    }
    let second = lines.next();
    second.is_none_or(|line| line.split().iter().all(|word| word.text.parse::<i64>().is_ok()))
}

/// The end of a square: the next begins with its order.
fn end(text: &str) -> usize {
    let mut end = line_end(text);
    while let Some(next) = text[end..].find(ORDER) {
        end += next;
        // In the middle of a line the word belongs to a comment or to rubbish.
        if text[..end].ends_with('\n') {
            return end;
        }
        end += ORDER.len();
    }
    text.len()
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let mut lines = lines(record);
    let head = lines.next().ok_or_else(|| truncated(record, "the text", "expected `order` and a number"))?;
    let number = order(&head).ok_or_else(|| head.unexpected("`order` and a number, as in `order 30`"))?;
    let size = number.count()?;
    if !(1..=MAX_DIGITS).contains(&size) {
        return Err(Fault::new(Defect::Size(size), number.span(), "expected an order from 1 to 32"));
    }
    let rows: Vec<Vec<Word<'_>>> = lines.map(|line| line.split()).collect();
    let givens = givens(&rows, size, record)?;
    let puzzle = Square { givens, ..Square::latin(size) }.build();
    Ok((puzzle.map_err(|defect| Fault::new(defect, number.span(), "in this square"))?, 0..0))
}

/// The givens, row-major.
fn givens(rows: &[Vec<Word<'_>>], size: usize, record: &str) -> Result<Vec<(usize, usize, u8)>, Fault> {
    let mut givens = Vec::new();
    let mut zero = false;
    let mut last: Option<Word<'_>> = None;
    for (row, column, word) in cells_of_rows(rows, size, record)? {
        match word.text.parse::<u8>() {
            Ok(digit) if usize::from(digit) <= size => {
                zero |= digit == 0;
                if usize::from(digit) == size {
                    last = last.or(Some(word));
                }
                givens.push((row, column, digit));
            }
            _ => {
                let (cell, most) = (cell_name(row, column), size - 1);
                let expected = format!("a digit from 0 to {most} in cell {cell}, or -1 for a hole");
                return Err(word.unexpected(expected));
            }
        }
    }
    match last {
        Some(word) if zero => Err(word.unexpected(format!("a digit up to {}, for one is 0", size - 1))),
        // The digit `order` without a 0: the text counts from 1, as the puzzle does.
        Some(_) => Ok(givens),
        None => {
            for given in &mut givens {
                given.2 += 1;
            }
            Ok(givens)
        }
    }
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    text(puzzle).map_err(|what| WriteError::new(FORMAT.name, what))
}

fn text(puzzle: &Puzzle) -> Result<String, String> {
    check_kind(puzzle, Kind::Latin)?;
    let givens = square_givens(puzzle, 0, &|_| false)?;
    let size = puzzle.rows();
    let width = (size - 1).to_string().len().max(2);
    let mut cells = Vec::with_capacity(givens.len());
    for given in givens {
        cells.push(format!("{:>width$}", given.map_or(-1, |digit| digit as i64 - 1)));
    }
    Ok(format!("{ORDER} {size}\n{}", rows_text(&cells, size, " ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::formats;

    const SQUARE: &str = "order 4\n 0 -1  2 -1\n-1  3 -1  0\n-1 -1 -1  2\n 3 -1 -1 -1\n";

    #[test]
    fn a_square_is_written_as_it_was_read() {
        let (puzzle, _) = read(SQUARE).expect("a sound square");
        assert_eq!(puzzle.given_grid().to_string(), "1 . 3 ./. 4 . 1/. . . 3/4 . . .");
        assert_eq!(write(&puzzle), Ok(SQUARE.to_owned()));
    }

    #[test]
    fn digits_may_count_from_1() {
        let text = "order 3\n3 -1 -1\n-1 -1 -1\n-1 1 -1\n";
        assert_eq!(read(text).expect("a sound square").0.given_grid().to_string(), "3 . ./. . ./. 1 .");
        let zero = text.replace("-1 1", "0 1");
        assert!(read(&zero).expect_err("two ways to count").label.contains("up to 2"), "{zero}");
    }

    #[test]
    fn many_squares_are_cut_at_their_orders() {
        assert_eq!(end(&SQUARE.repeat(2)), SQUARE.len());
        let read = formats::read("many.pls", SQUARE.repeat(3).replace("\n-1 -1 -1  2", "").as_bytes());
        assert_eq!(read.iter().filter(|puzzle| puzzle.is_err()).count(), 3);
        let text = format!("{SQUARE}order 2\n0 1\n\norder 1\n-1\n");
        let good: Vec<bool> = formats::read("many.pls", text.as_bytes()).iter().map(Result::is_ok).collect();
        assert_eq!(good, [true, false, true]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let label = |text: &str| read(text).expect_err("a bad square").label;
        assert_eq!(label("order 0\n"), "expected an order from 1 to 32");
        assert_eq!(label("order 33\n"), "expected an order from 1 to 32");
        assert_eq!(label("order 2\n0 1\n"), "row 2 should follow here");
        assert_eq!(label("order 2\n0 1 1\n1 0"), "expected 2 cells in row 1");
        assert_eq!(label("order 2\n0 1\n1 0\n0 1"), "expected the end of the square after 2 rows");
        assert_eq!(label("order 2\n0 3\n1 0"), "expected a digit from 0 to 1 in cell A2, or -1 for a hole");
        assert_eq!(label("order 2\n0 1\nx 0"), "expected a digit from 0 to 1 in cell B1, or -1 for a hole");
    }

    #[test]
    fn another_number_below_zero_is_named_and_no_other_format() {
        let error = formats::read("two.pls", b"order 2\n0 -2\n1 0\n").remove(0).expect_err("no hole");
        assert!(error.to_string().contains("-2"), "{error}");
    }
}
