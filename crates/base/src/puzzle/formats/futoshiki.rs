//! Futoshiki as a grid: rows of digits with signs between them, and lines of signs between the rows.
//!
//! ```text
//! . < .   3   .
//!     ∨       ^
//! .   . > .   .
//!
//! 2   .   .   .
//! v
//! .   .   .   .
//! ```
//!
//! `.`, `_` and `0` are open cells, and blanks where every second line is a row and cells stand 4 columns apart, or 2. A sign points at the lesser digit: `<` and `>` in a row, `^` and `v` (or `∧` and `∨`)
//! between two rows, below a character of the upper cell; or as many signs as there are columns, `.`, `-` and `_` for none.

use std::ops::Range;

use super::super::{Defect, Futoshiki, Kind, LessPair, MAX_DIGITS, Puzzle, less_pair};
use super::Format;
use super::contents::{check_kind, square_givens};
use super::error::{Fault, Span, WriteError};
use super::words::{Word, lines, truncated};

pub(super) const FORMAT: Format = Format::new(
    "futoshiki",
    "a Futoshiki: rows such as `. < . 3`, `.` open, and lines of `^` and `v` between them",
    recognise,
    read,
)
.written_by(write);

const OPEN: &str = "._0";

const UP: &str = "^∧";

const DOWN: &str = "vV∨";

/// Nothing but cells and signs in the lines that a grid may have, at least one sign, and a row first.
fn recognise(text: &str) -> bool {
    let mut has_sign = false;
    for (index, line) in lines(text).take(2 * MAX_DIGITS).enumerate() {
        if index == 0 && is_between(&line) {
            return false;
        }
        for c in line.text.chars() {
            let is_sign = matches!(c, '<' | '>') || is_upright(c);
            if !is_sign && !c.is_ascii_digit() && !c.is_whitespace() && !"._-".contains(c) {
                return false;
            }
            has_sign |= is_sign;
        }
    }
    has_sign
}

/// A sign between two rows.
fn is_upright(c: char) -> bool {
    UP.contains(c) || DOWN.contains(c)
}

/// A line of signs between two rows.
fn is_between(line: &Word<'_>) -> bool {
    line.text.contains(is_upright) && !line.text.contains(|c: char| c.is_ascii_digit() || "<>".contains(c))
}

/// A row of the grid.
#[derive(Default)]
struct FutoshikiRow<'a> {
    cells: Vec<RowCell<'a>>,
    /// The signs, each with the number of cells before it.
    signs: Vec<(Word<'a>, usize)>,
}

/// A cell of a row, and the columns of its characters in the text.
struct RowCell<'a> {
    word: Word<'a>,
    columns: Range<usize>,
}

impl<'a> FutoshikiRow<'a> {
    fn read(line: &Word<'a>) -> Result<Self, Fault> {
        let mut row = Self::default();
        let mut in_number = false;
        for (column, word) in line.characters().into_iter().enumerate() {
            let c = word.text.chars().next().unwrap_or(' ');
            let is_digit = c.is_ascii_digit();
            // Numbers of two digits take two columns, and a sign may stand below either.
            if is_digit && in_number {
                let cell = row.cells.last_mut().expect("a number has begun");
                let start = cell.word.start - line.start;
                cell.word.text = &line.text[start..word.span().end - line.start];
                cell.columns.end = column + 1;
                continue;
            }
            in_number = is_digit;
            if is_digit || OPEN.contains(c) {
                row.cells.push(RowCell { word, columns: column..column + 1 });
            } else if matches!(c, '<' | '>') {
                row.signs.push((word, row.cells.len()));
            } else if !c.is_whitespace() {
                return Err(word.unexpected("a digit, `.`, `<` or `>`"));
            }
        }
        Ok(row)
    }
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let filled = || read_rows(&with_open_cells(record)?).ok();
    read_rows(record).or_else(|fault| filled().ok_or(fault))
}

/// The text with `.` for open cells that are blanks; `None` where something else stands between their columns.
fn with_open_cells(record: &str) -> Option<String> {
    let lines: Vec<&str> = record.trim_end().lines().collect();
    let size = lines.len().div_ceil(2);
    [4, 2].into_iter().filter(|_| size <= MAX_DIGITS).find_map(|pitch| {
        let mut filled = String::new();
        for (index, line) in lines.iter().enumerate() {
            let is_row = index % 2 == 0;
            let mut line: Vec<char> = line.chars().collect();
            line.resize(line.len().max(pitch * (size - 1) + 1), ' ');
            for (column, c) in line.into_iter().enumerate() {
                let is_cell = column % pitch == 0;
                let is_level = is_row && column % pitch == pitch / 2 && matches!(c, '<' | '>');
                let is_known = is_cell && if is_row { c.is_ascii_digit() } else { is_upright(c) };
                if !(c == ' ' || is_level || is_known) {
                    return None;
                }
                filled.push(if is_row && is_cell && c == ' ' { '.' } else { c });
            }
            filled.push('\n');
        }
        Some(filled)
    })
}

fn read_rows(record: &str) -> Result<(Puzzle, Span), Fault> {
    let mut rows: Vec<FutoshikiRow<'_>> = Vec::new();
    let mut less: Vec<LessPair> = Vec::new();
    let mut between: Vec<Word<'_>> = Vec::new();
    for line in lines(record) {
        if is_between(&line) {
            between.push(line);
            continue;
        }
        let row = FutoshikiRow::read(&line)?;
        if row.cells.is_empty() {
            return Err(line.unexpected("a row with its cells, `.` for an open one"));
        }
        let size = rows.first().map_or(row.cells.len(), |first| first.cells.len());
        if row.cells.len() != size || rows.len() == size {
            let found = format!("{} cells in row {}", row.cells.len(), rows.len() + 1);
            return Err(Fault::unexpected(format!("{size} rows of {size} cells"), found, line.span()));
        }
        // The row below must be known to exist before signs above it have a meaning.
        for line in between.drain(..) {
            let Some(upper) = rows.last() else {
                return Err(line.unexpected("a row before these signs"));
            };
            less.extend(upright_pairs(&line, upper, rows.len() - 1)?);
        }
        less.extend(level_pairs(&row, rows.len())?);
        rows.push(row);
    }
    if let Some(line) = between.first() {
        return Err(line.unexpected("a row below these signs"));
    }
    let size = rows.first().map_or(0, |row| row.cells.len());
    if size > MAX_DIGITS {
        return Err(Fault::new(Defect::Size(size), 0..0, "expected up to 32 cells in a row"));
    }
    if rows.len() < size {
        return Err(truncated(record, "the rows", format!("row {} should follow here", rows.len() + 1)));
    }
    let futoshiki = Futoshiki { givens: givens(&rows, size)?, ..Futoshiki::new(size, less) };
    let puzzle = futoshiki.build().map_err(|defect| Fault::new(defect, 0..0, "in this puzzle"))?;
    Ok((puzzle, 0..0))
}

/// The pairs of a row: a sign stands between two cells.
fn level_pairs(row: &FutoshikiRow<'_>, number: usize) -> Result<Vec<LessPair>, Fault> {
    for pair in row.signs.windows(2) {
        if pair[0].1 == pair[1].1 {
            return Err(pair[1].0.unexpected("a single sign between two cells"));
        }
    }
    let mut pairs = Vec::with_capacity(row.signs.len());
    for &(sign, before) in &row.signs {
        if before == 0 || before == row.cells.len() {
            return Err(sign.unexpected("a sign between two cells"));
        }
        let (left, right) = ((number, before - 1), (number, before));
        pairs.push(if sign.text == "<" { [left, right] } else { [right, left] });
    }
    Ok(pairs)
}

/// The pairs between a row and the next.
fn upright_pairs(line: &Word<'_>, upper: &FutoshikiRow<'_>, number: usize) -> Result<Vec<LessPair>, Fault> {
    // As many marks as cells are one for each, whatever the spaces.
    let is_in_turn = line.text.chars().filter(|c| !c.is_whitespace()).count() == upper.cells.len();
    let mut pairs = Vec::new();
    let mut marks = 0;
    for (column, mark) in line.characters().into_iter().enumerate() {
        if mark.text.trim().is_empty() {
            continue;
        }
        marks += 1;
        if !mark.text.contains(is_upright) {
            continue;
        }
        let cell = if is_in_turn {
            Some(marks - 1)
        } else {
            upper.cells.iter().position(|cell| cell.columns.contains(&column))
        };
        let Some(cell) = cell else { return Err(mark.unexpected("a sign below a cell")) };
        let (high, low) = ((number, cell), (number + 1, cell));
        pairs.push(if UP.contains(mark.text) { [high, low] } else { [low, high] });
    }
    Ok(pairs)
}

fn givens(rows: &[FutoshikiRow<'_>], size: usize) -> Result<Vec<(usize, usize, u8)>, Fault> {
    let mut givens = Vec::new();
    for (row, of) in rows.iter().enumerate() {
        for (column, RowCell { word, .. }) in of.cells.iter().enumerate() {
            if OPEN.contains(word.text) {
                continue;
            }
            match word.text.parse() {
                Ok(digit) if (1..=size).contains(&usize::from(digit)) => givens.push((row, column, digit)),
                _ => return Err(word.unexpected(format!("a digit from 1 to {size}"))),
            }
        }
    }
    Ok(givens)
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let Contents { givens, pairs } =
        Contents::of(puzzle).map_err(|what| WriteError::new(FORMAT.name, what))?;
    if pairs.is_empty() {
        return Err(WriteError::new(FORMAT.name, "a Futoshiki without signs"));
    }
    let size = puzzle.rows();
    let width = size.to_string().len();
    let mut text = String::new();
    for (row, givens) in givens.chunks(size).enumerate() {
        let mut cells = String::new();
        let mut signs = String::new();
        for (column, given) in givens.iter().enumerate() {
            let cell = row * size + column;
            let digit = given.map_or_else(|| ".".to_owned(), |digit| digit.to_string());
            let right = if column + 1 < size { sign(&pairs, cell, cell + 1, ["<", ">"]) } else { "" };
            // Three characters of room for a sign between two cells.
            cells += &format!("{digit:>width$} {right:<2}");
            // Readers look for the cell above a sign.
            let below = sign(&pairs, cell, cell + size, ["^", "v"]);
            signs += &format!("{below:>width$}   ");
        }
        text += cells.trim_end();
        text.push('\n');
        if !signs.trim().is_empty() {
            text += signs.trim_end();
            text.push('\n');
        }
    }
    Ok(text)
}

/// The sign between two cells: the first where the first cell is less, the second where the other is, or none.
fn sign(pairs: &[[usize; 2]], first: usize, second: usize, signs: [&'static str; 2]) -> &'static str {
    if pairs.contains(&[first, second]) {
        signs[0]
    } else if pairs.contains(&[second, first]) {
        signs[1]
    } else {
        ""
    }
}

/// What a Futoshiki consists of besides its lines.
pub(super) struct Contents {
    /// The given of every cell, row-major.
    pub(super) givens: Vec<Option<usize>>,
    /// The pairs of cells, the lesser first.
    pub(super) pairs: Vec<[usize; 2]>,
}

impl Contents {
    /// The givens and the pairs of a Futoshiki, where they are the whole puzzle.
    pub(super) fn of(puzzle: &Puzzle) -> Result<Self, String> {
        check_kind(puzzle, Kind::Futoshiki)?;
        let mut pairs = Vec::new();
        for group in puzzle.groups() {
            pairs.extend(less_pair(puzzle, group));
        }
        for &[lesser, greater] in &pairs {
            if pairs.contains(&[greater, lesser]) {
                let names = [lesser, greater].map(|cell| puzzle.cell_name(cell));
                return Err(format!("two signs between {} and {}", names[0], names[1]));
            }
        }
        let givens = square_givens(puzzle, pairs.len(), &|group| less_pair(puzzle, group).is_some())?;
        Ok(Self { givens, pairs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::formats::Malformed;

    fn pairs(text: &str) -> Vec<[usize; 2]> {
        let (puzzle, _) = read(text).unwrap_or_else(|fault| panic!("{}", fault.what));
        Contents::of(&puzzle).expect("nothing but signs").pairs
    }

    #[test]
    fn signs_point_at_the_lesser_digit_however_the_text_is_spaced() {
        let expected = [[0, 1], [4, 1], [3, 6], [8, 7]];
        let aligned = ". < .   3\n    v\n.   .   .\n^\n.   . > .\n";
        assert_eq!(pairs(aligned), expected);
        for text in [
            ".<. 3\n  v\n. . .\n^\n. .>.",
            "0<_ 3\n. v .\n_ _ _\n∧ - -\n. .>.",
            ". < . 3\n\n- ∨ -\n\n. . .\n^ . .\n. . > .",
        ] {
            assert_eq!(pairs(text), expected, "{text}");
        }
        let (puzzle, _) = read(aligned).unwrap_or_else(|_| panic!("it was read"));
        assert_eq!(write(&puzzle).as_deref(), Ok(aligned));
    }

    #[test]
    fn numbers_of_two_digits_are_cells_and_signs_stand_below_either() {
        let open = " .".repeat(9);
        let text = format!("10 <  .{}\n {}\n", " .".repeat(8), "v") + &format!("{open} .\n").repeat(9);
        assert_eq!(pairs(&text), [[0, 1], [10, 0]]);
    }

    #[test]
    fn what_is_wrong_is_shown_in_place() {
        for (text, expected, found) in [
            (". < .\n. < . .\n", "2 rows of 2 cells", "3 cells in row 2"),
            ("< . .\n. .\n", "a sign between two cells", "`<`"),
            (". < < .\n. .\n", "a single sign between two cells", "`<`"),
            (". .\n ^ \n. <.\n", "a sign below a cell", "`^`"),
            (". <.\n. .\n^\n", "a row below these signs", "`^`"),
            (". < 3\n. .\n", "a digit from 1 to 2", "`3`"),
            (". -< .\n. .\n", "a digit, `.`, `<` or `>`", "`-`"),
        ] {
            let Err(fault) = read(text) else { panic!("{text} was read") };
            let told = Malformed::Unexpected { expected: expected.to_owned(), found: found.to_owned() };
            assert_eq!(fault.what.to_string(), told.to_string(), "{text}");
        }
        let Err(fault) = read(". < .\n") else { panic!("a row is missing") };
        assert!(matches!(fault.what, Malformed::Truncated(_)));
    }

    #[test]
    fn other_texts_are_not_recognised() {
        for text in ["{\"a\":\"<\"}", ". . .\n", "^ v\n. <.\n", "3 <\nx\n", "5:0,0L,0\n"] {
            assert!(!recognise(text), "{text}");
        }
        assert!(recognise(". .\n^\n. .\n") && recognise(".<.\n..\n"));
    }
}
