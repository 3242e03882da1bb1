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
use super::error::{Fault, Span, WriteError};
use super::square_givens::square_givens;
use super::words::{Word, lines, truncated};
use super::{Format, line_end};

pub(super) const FORMAT: Format = Format {
    name: "pls",
    about: "partial Latin squares: `order 4`, then rows of digits from 0, -1 a hole",
    many: true,
    recognise,
    end,
    read,
    write: Some(write),
};

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
pub(super) fn recognise(text: &str) -> bool {
    let mut lines = lines(text);
    let is_number = |word: &Word<'_>| word.text.parse::<i64>().is_ok();
    lines.next().is_some_and(|line| order(&line).is_some())
        && lines.next().is_none_or(|line| line.split().iter().all(is_number))
}

/// The end of a square: the next begins with its order.
fn end(text: &str) -> usize {
    let first = line_end(text);
    let next = text[first..].match_indices(ORDER).map(|(index, _)| first + index);
    next.into_iter().find(|index| text[..*index].ends_with('\n')).unwrap_or(text.len())
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let mut lines = lines(record);
    let head = lines.next().ok_or_else(|| truncated(record, "the text", "expected `order` and a number"))?;
    let number = order(&head).ok_or_else(|| head.unexpected("`order` and a number, as in `order 30`"))?;
    let size = usize::try_from(number.whole()?).unwrap_or(usize::MAX);
    let refused = |size| Fault::new(Defect::Size(size), number.span(), "expected an order from 1 to 32");
    if !(1..=MAX_DIGITS).contains(&size) {
        return Err(refused(size));
    }
    let rows: Vec<Vec<Word<'_>>> = lines.map(|line| line.split()).collect();
    let givens = givens(&rows, size, record)?;
    let puzzle = Square { givens, ..Square::latin(size) }.build();
    Ok((puzzle.map_err(|defect| Fault::new(defect, number.span(), "in this square"))?, 0..0))
}

/// The givens, row-major.
fn givens(rows: &[Vec<Word<'_>>], size: usize, record: &str) -> Result<Vec<(usize, usize, u8)>, Fault> {
    if let Some(row) = rows.get(size) {
        return Err(row[0].unexpected(format!("the end of the square after {size} rows")));
    }
    let mut found = Vec::new();
    for (row, words) in rows.iter().enumerate() {
        if words.len() != size {
            let expected = format!("{size} cells in row {}", row + 1);
            let span = words[0].start..words[words.len() - 1].span().end;
            return Err(Fault::unexpected(expected, words.len().to_string(), span));
        }
        for (column, word) in words.iter().enumerate().filter(|(_, word)| word.text != "-1") {
            let digit = word.text.parse::<u8>().ok().filter(|digit| usize::from(*digit) <= size);
            let cell = cell_name(row, column);
            let expected = || format!("a digit from 0 to {} in cell {cell}, or -1 for a hole", size - 1);
            found.push((row, column, digit.ok_or_else(|| word.unexpected(expected()))?, *word));
        }
    }
    if rows.len() < size {
        let within = format!("the square, with row {} of {size}", rows.len());
        return Err(truncated(record, within, format!("row {} should follow here", rows.len() + 1)));
    }
    let zero = found.iter().any(|given| given.2 == 0);
    let last = found.iter().find(|given| usize::from(given.2) == size);
    if let (true, Some((.., word))) = (zero, last) {
        let expected = format!("a digit up to {}, for one is 0", size - 1);
        return Err(word.unexpected(expected));
    }
    let shift = u8::from(last.is_none());
    Ok(found.into_iter().map(|(row, column, digit, _)| (row, column, digit + shift)).collect())
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let refused = |what| WriteError { format: FORMAT.name, what };
    if puzzle.kind != Kind::Latin {
        return Err(refused(format!("{}, only {}", puzzle.kind.phrase(), Kind::Latin.phrase())));
    }
    let givens = square_givens(puzzle, 0, |_| false).map_err(refused)?;
    let size = puzzle.rows();
    let width = (size - 1).to_string().len().max(2);
    let cell = |given: &Option<usize>| match given {
        Some(digit) => format!("{:>width$}", digit - 1),
        None => format!("{:>width$}", -1),
    };
    let row = |row: &[Option<usize>]| row.iter().map(cell).collect::<Vec<_>>().join(" ") + "\n";
    Ok(format!("{ORDER} {size}\n{}", givens.chunks(size).map(row).collect::<String>()))
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
