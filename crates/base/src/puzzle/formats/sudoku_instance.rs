//! Sudoku as instances for metaheuristics are published, among others with H. Lloyd, M. Amos 2020,
//! doi:10.1109/TG.2019.2942773: the side of a box, a number, then rows of digits. One puzzle a text.
//!
//! ```text
//! 2
//! 1
//!  1 -1 -1 -1
//! -1 -1 -1 -1
//! -1 -1 -1  3
//! -1 -1  2 -1
//! ```
//!
//! -1 is an open cell. The second line numbers the instances of a set and says nothing of the puzzle.

use super::super::{Defect, MAX_DIGITS, Puzzle, Square, cell_name};
use super::Format;
use super::error::{Fault, Span};
use super::words::{Word, cells_of_rows, lines, truncated};

pub(super) const FORMAT: Format = Format::new(
    "sudoku_instance",
    "Sudoku instances: the side of a box, a number, then rows of digits, -1 an open cell",
    recognise,
    read,
);

/// Two lines of a number, then a row of numbers: as many as they say, or with an open cell.
fn recognise(text: &str) -> bool {
    let mut lines = lines(text);
    let (Some(side), Some(number), Some(row)) = (lines.next(), lines.next(), lines.next()) else {
        return false;
    };
    let Ok(side) = side.trimmed().text.parse::<usize>() else { return false };
    let (words, mut is_open) = (row.split(), false);
    for word in &words {
        is_open |= word.text == "-1";
        if word.text != "-1" && !word.is_digits() {
            return false;
        }
    }
    // A row of one cell that is not open may be the first of many other formats.
    number.trimmed().is_digits() && (is_open || side > 1 && side.checked_mul(side) == Some(words.len()))
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let mut lines = lines(record);
    let expected = "expected the side of a box";
    let head = lines.next().ok_or_else(|| truncated(record, "the text", expected))?.trimmed();
    let side = head.count()?;
    let size = side.saturating_mul(side);
    if !(1..=MAX_DIGITS).contains(&size) {
        return Err(Fault::new(Defect::Size(size), head.span(), "expected the side of a box, from 1 to 5"));
    }
    let rows: Vec<Vec<Word<'_>>> = lines.skip(1).map(|line| line.split()).collect();
    let mut givens = Vec::new();
    for (row, column, word) in cells_of_rows(&rows, size, record)? {
        match word.text.parse::<u8>() {
            Ok(digit) if (1..=size).contains(&usize::from(digit)) => givens.push((row, column, digit)),
            _ => {
                let cell = cell_name(row, column);
                let expected = format!("a digit from 1 to {size} in cell {cell}, or -1 for an open one");
                return Err(word.unexpected(expected));
            }
        }
    }
    let puzzle = Square { givens, ..Square::sudoku(size, (side, side)) }.build();
    Ok((puzzle.map_err(|defect| Fault::new(defect, head.span(), "in this puzzle"))?, 0..0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::formats;

    const FOUR: &str = "2\r\n1\r\n1\t-1\t-1\t-1\t\r\n-1 -1 -1 -1\n-1 -1 -1 3\n-1 -1 2 -1\n";

    #[test]
    fn an_instance_is_a_sudoku_with_its_boxes() {
        let puzzle = formats::read("four.txt", FOUR.as_bytes()).remove(0).expect("a sound instance");
        let line = formats::read("line.txt", b"1..........3..2.\n").remove(0).expect("a sound line");
        assert_eq!(puzzle.canonical_text().replace("four", "line"), line.canonical_text());
        let one =
            formats::read("one.txt", b"1\n1\n-1 -1\n").remove(0).expect_err("two cells in a row of one");
        assert!(one.to_string().contains('2'), "{one}");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let label = |text: &str| read(text).expect_err("a bad instance").label;
        assert_eq!(label("6\n1\n-1"), "expected the side of a box, from 1 to 5");
        assert_eq!(label("0\n1\n-1"), "expected the side of a box, from 1 to 5");
        assert_eq!(label("1\n1\n"), "row 1 should follow here");
        assert_eq!(label("1\n1\n-1\n-1"), "expected the end of the square after 1 rows");
        assert_eq!(label("1\n1\n2"), "expected a digit from 1 to 1 in cell A1, or -1 for an open one");
        assert_eq!(
            label(&FOUR.replace("3\n", "x\n")),
            "expected a digit from 1 to 4 in cell C4, or -1 for an open one"
        );
        assert_eq!(label(&FOUR.replace("3\n", "1 1\n")), "expected 4 cells in row 3");
    }
}
