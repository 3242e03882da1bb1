//! `sudoku`: the givens cell by cell, in boxes as square as possible.

use super::super::super::{Kind, Puzzle, Square, cell_name, usual_boxes};
use super::super::error::{Fault, Span};
use super::super::sudoku::contents;
use super::super::words::{Word, whole_span};
use super::file::cells_of;
use super::{GridSize, Variety, numbers, show_numbers};

pub(super) const VARIETY: Variety = Variety { name: "sudoku", kind: Kind::Sudoku, read, write, read_file };

/// The sizes whose boxes are the same there and here.
const SIZES: [usize; 5] = [4, 6, 9, 16, 25];

fn read(size: GridSize, body: Word<'_>) -> Result<Puzzle, Fault> {
    let n = known_size(&size)?;
    let digits = numbers(body, n * n)?;
    puzzle(n, &digits, body.span())
}

/// The size, one of those with known boxes.
fn known_size(size: &GridSize) -> Result<usize, Fault> {
    let n = size.square()?;
    if SIZES.contains(&n) {
        return Ok(n);
    }
    Err(Fault::unexpected("a size of 4, 6, 9, 16 or 25", n.to_string(), size.span.clone()))
}

fn puzzle(n: usize, digits: &[Option<i64>], span: Span) -> Result<Puzzle, Fault> {
    let boxes = usual_boxes(n).expect("the known sizes have boxes");
    let mut square = Square::sudoku(n, boxes);
    for (cell, digit) in digits.iter().enumerate() {
        let Some(digit) = *digit else { continue };
        let (row, column) = (cell / n, cell % n);
        match u8::try_from(digit) {
            Ok(known) if (1..=n).contains(&usize::from(known)) => square.givens.push((row, column, known)),
            _ => {
                let expected = format!("a digit from 1 to {n} in {}", cell_name(row, column));
                return Err(Fault::unexpected(expected, digit.to_string(), span));
            }
        }
    }
    square.build().map_err(|defect| Fault::new(defect, span, "in this puzzle"))
}

fn write(puzzle: &Puzzle) -> Result<(GridSize, String), String> {
    let (givens, shape) = contents(puzzle)?;
    let n = puzzle.rows();
    if !SIZES.contains(&n) || usual_boxes(n) != Some(shape) {
        return Err(format!("a size of {n} with boxes of {} x {}", shape.0, shape.1));
    }
    let mut digits = Vec::with_capacity(givens.len());
    for given in givens {
        digits.push(given.map(|digit| digit as i64));
    }
    Ok((GridSize { rows: n, cols: n, span: 0..0 }, show_numbers(&digits)))
}

/// Lines of digits, `.` for open cells.
fn read_file(size: GridSize, lines: &[Vec<Word<'_>>], record: &str) -> Result<Puzzle, Fault> {
    let n = known_size(&size)?;
    let (words, _) = cells_of(lines, (n, n), "cells", record)?;
    let mut digits = Vec::with_capacity(words.len());
    for word in words {
        digits.push(if matches!(word.text, "." | "-") { None } else { Some(word.whole()?) });
    }
    puzzle(n, &digits, whole_span(record))
}
