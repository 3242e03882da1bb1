//! Sudoku as lines of characters or as grids; one text may hold many.
//!
//! ```text
//! 1..........3..2.
//!
//! +-----+-----+
//! | 1 . | . . |
//! | . . | . . |
//! +-----+-----+
//! | . . | . 3 |
//! | . . | 2 . |
//! +-----+-----+
//! ```
//!
//! A line holds sizes 4, 6, 8 and 9, and 10, 12, 15, 16, 20 and 25, with their usual boxes. A grid has one row per line, its
//! cells separated by spaces or side by side, with letters for the digits from 10; the first line may be the size, `9 9`,
//! and `-` is an open cell then. Rules of `|`, `-`, `+`, `*` show the boxes, which are the usual ones without rules. `.`,
//! `_` and `0` are open cells. Lines that start with `#` are comments, as in `.sdk` files; so are the line `[Puzzle]`
//! and all of other sections, such as `[State]`. Blank lines may separate bands of boxes.
//!
//! 81 cells may stand among other words: in a table with commas or spaces, whose head is a comment, in a link or a tag of
//! XML, whose other lines are comments. A run without an open cell behind it is its solution, a hash before it its id.
//!
//! `line` says what a line is, and recognising, cutting and reading all go by it: change it there alone.

mod grid;
mod line;
mod symbols;

use super::super::{BoxShape, Grid, Kind, Puzzle, Square, boxes_of, usual_boxes};
use super::Format;
use super::cage_id_lines::has_clues;
use super::contents::{check_kind, square_givens};
use super::error::{Fault, Span, WriteError};
use super::words::{Word, is_black_grid, lines, truncated, whole_span};
use grid::grid;
use line::{Context, GridRow, SudokuLine, is_written_whole, whole_size};
use symbols::is_open;
pub(super) use symbols::with_givens;

pub(super) const FORMAT: Format = Format::new(
    "sudoku",
    "81 cells on a line (16, 36, 64 too), `.` open; or a grid, its boxes shown by `|` and `-`",
    recognise,
    read,
)
.cut_by(end)
.written_by(write);

/// The first line that is no comment decides. A grid of numbers alone, or with letters, must have an open cell, and no
/// clues may follow the rows: other formats begin like that.
fn recognise(text: &str) -> bool {
    if is_black_grid(text) {
        return false;
    }
    let context = Context::of(text);
    // Two numbers and other rows are the first row of something else.
    if let Some(size) = context.header()
        && content(text, context).take(size + 1).count() != size
    {
        return false;
    }
    let Some(line) = content(text, context).next() else { return false };
    match SudokuLine::of(&line, context) {
        SudokuLine::Rule | SudokuLine::Embedded(_) => true,
        SudokuLine::Whole => {
            let is_open = !line.text.contains(char::is_alphabetic) || line.text.contains(['.', '_', '0']);
            whole_size(line.text.trim().len()).is_some() && is_open && !has_clues(text)
        }
        SudokuLine::Row(row) => is_grid(text, &line, &row, context) && !has_clues(text),
        _ => false,
    }
}

/// Says whether a line tells nothing of a puzzle, so that a text that begins with it is what follows.
pub(super) fn is_aside(line: &Word<'_>) -> bool {
    content(line.text, Context::default()).next().is_none()
}

/// Says whether a text whose first row this is may be a grid.
fn is_grid(text: &str, line: &Word<'_>, row: &GridRow<'_>, context: Context) -> bool {
    let size = row.cells.len();
    let has_boxes = !row.bars.is_empty()
        || usual_boxes(size).is_some()
        || lines(text)
            .take(2 * size + 2)
            .any(|line| matches!(SudokuLine::of(&line, context), SudokuLine::Rule));
    if size <= 1 || !has_boxes {
        return false;
    }
    let is_numbers_alone =
        line.text.split_whitespace().nth(1).is_some() && !line.text.contains(['|', '.', '_']);
    let is_ambiguous =
        is_numbers_alone || line.text.contains(char::is_alphabetic) || context.header().is_some();
    !is_ambiguous || is_open_grid(text, size, context)
}

/// Says whether a text has as many rows as cells in the first, and an open cell among them, as no cage id is.
fn is_open_grid(text: &str, size: usize, context: Context) -> bool {
    let (mut rows, mut has_open) = (0, false);
    for line in lines(text) {
        match SudokuLine::of(&line, context) {
            SudokuLine::Blank | SudokuLine::Comment | SudokuLine::Puzzle | SudokuLine::Rule => {}
            SudokuLine::Row(row) if row.cells.len() == size => {
                has_open |= row.cells.iter().any(|cell| is_open(cell.text));
                rows += 1;
                if rows == size {
                    return has_open;
                }
            }
            _ => return false,
        }
    }
    false
}

/// The end of a line with a whole puzzle, or of the lines of a grid with the rule below it. Comments and blank lines
/// belong to the puzzle before them, and sections of other contents too.
fn end(text: &str) -> usize {
    let context = Context::of(text);
    let (mut size, mut rows, mut framed, mut at, mut skipped) = (0, 0, false, 0, false);
    for text in text.split_inclusive('\n') {
        let line = Word { text, start: 0 };
        // Rules belong to the grid above them where it began with one, else to the next.
        let (is_begun, is_whole) = (rows > 0, rows >= size);
        match SudokuLine::of(&line, context) {
            SudokuLine::Puzzle if is_begun => return at,
            SudokuLine::Puzzle => skipped = false,
            SudokuLine::Section => skipped = true,
            _ if skipped => {}
            SudokuLine::Blank if !is_whole && !ends_a_band(rows, size) => return at,
            SudokuLine::Blank | SudokuLine::Comment => {}
            SudokuLine::Rule if !is_begun => framed = true,
            SudokuLine::Rule if !is_whole => {}
            SudokuLine::Rule if framed => framed = false,
            SudokuLine::Whole if !is_whole && whole_size(text.trim().len()).is_some() => return at,
            SudokuLine::Embedded(_) if is_begun => return at,
            SudokuLine::Embedded(runs) => {
                if let Some(end) = end_of_first(&runs) {
                    return at + end;
                }
                (size, rows) = (1, 1);
            }
            _ if !is_whole => rows += 1,
            _ if is_begun => return at,
            SudokuLine::Row(row) => (size, rows) = (row.cells.len(), 1),
            _ if framed => (size, rows) = (GridRow::of(&line).cells.len(), 1),
            _ => (size, rows) = (1, 1),
        }
        at += text.len();
    }
    at
}

/// The end of the first of several puzzles of a line.
fn end_of_first(runs: &[Word<'_>]) -> Option<usize> {
    let mut open = (0..runs.len()).filter(|index| is_unsolved(&runs[*index]));
    let (_, second) = (open.next()?, open.next()?);
    Some(runs[second - 1].span().end)
}

fn is_unsolved(run: &Word<'_>) -> bool {
    run.characters().iter().any(|cell| is_open(cell.text))
}

fn ends_a_band(rows: usize, size: usize) -> bool {
    usual_boxes(size).is_some_and(|boxes| rows.is_multiple_of(boxes.0))
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let context = Context::of(record);
    let lines: Vec<Word<'_>> = content(record, context).collect();
    let Some(first) = lines.first() else {
        return Err(truncated(record, "the comments", "expected a Sudoku"));
    };
    let square = match SudokuLine::of(first, context) {
        SudokuLine::Embedded(runs) => return embedded(first, &runs),
        SudokuLine::Whole | SudokuLine::Other => whole(&first.trimmed())?,
        _ => grid(&lines, context, record)?,
    };
    let built = square.build();
    Ok((built.map_err(|defect| Fault::new(defect, whole_span(record), "in this puzzle"))?, 0..0))
}

/// The puzzle among the words of a line, and the place of its id.
fn embedded(line: &Word<'_>, runs: &[Word<'_>]) -> Result<(Puzzle, Span), Fault> {
    let run = runs.iter().find(|run| is_unsolved(run)).unwrap_or(&runs[0]);
    let built = whole(run)?.build();
    let mut puzzle = built.map_err(|defect| Fault::new(defect, run.span(), "in this puzzle"))?;
    if let Some(solution) = runs.iter().find(|other| other.start != run.start && !is_unsolved(other)) {
        let cells = solution.text.bytes().map(|digit| Some(digit - b'0')).collect();
        puzzle.solution = Some(Grid::from_cells(puzzle.rows(), puzzle.cols(), cells));
    }
    match line.split()[..] {
        [hash, second, ..]
            if second.start == run.start && hash.text.bytes().all(|byte| byte.is_ascii_hexdigit()) =>
        {
            puzzle.id = hash.text.to_owned();
            Ok((puzzle, hash.span()))
        }
        _ => Ok((puzzle, 0..0)),
    }
}

/// The lines that are neither comments nor in another section.
fn content(text: &str, context: Context) -> impl Iterator<Item = Word<'_>> {
    let mut is_elsewhere = false;
    lines(text).filter(move |line| {
        match SudokuLine::of(line, context) {
            SudokuLine::Puzzle => is_elsewhere = false,
            SudokuLine::Section => is_elsewhere = true,
            SudokuLine::Blank | SudokuLine::Comment => {}
            _ => return !is_elsewhere,
        }
        false
    })
}

/// A puzzle on one line.
fn whole(line: &Word<'_>) -> Result<Square, Fault> {
    let count = line.text.chars().count();
    let Some(size) = whole_size(count) else {
        let found = format!("{count} characters");
        let help =
            "a line holds 100, 144, 225, 256, 400 or 625 cells too, with letters for the digits from 10";
        return Err(Fault::unexpected("a line of 16, 36, 64 or 81 cells", found, line.span()).help(help));
    };
    let boxes = usual_boxes(size).expect("every size of a line has boxes");
    with_givens(Square::sudoku(size, boxes), &line.characters())
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let (givens, boxes) = contents(puzzle).map_err(|what| WriteError::new(FORMAT.name, what))?;
    let size = puzzle.rows();
    let mut text = String::new();
    if is_written_whole(size) && usual_boxes(size) == Some(boxes) {
        for given in givens {
            text += &show(given);
        }
        return Ok(text);
    }
    let width = size.to_string().len();
    let rule = format!("+{}\n", ("-".repeat(boxes.1 * (width + 1) + 1) + "+").repeat(size / boxes.1));
    for (row, cells) in givens.chunks(size).enumerate() {
        if row.is_multiple_of(boxes.0) {
            text += &rule;
        }
        for (column, given) in cells.iter().enumerate() {
            if column.is_multiple_of(boxes.1) {
                text += if column == 0 { "|" } else { " |" };
            }
            text += &format!(" {:>width$}", show(*given));
        }
        text += " |\n";
    }
    Ok(text + &rule)
}

fn show(given: Option<usize>) -> String {
    given.map_or_else(|| ".".to_owned(), |digit| digit.to_string())
}

/// The given of every cell and the shape of the boxes, where they are the whole puzzle.
pub(super) fn contents(puzzle: &Puzzle) -> Result<(Vec<Option<usize>>, BoxShape), String> {
    check_kind(puzzle, Kind::Sudoku)?;
    let (shape, boxes) = boxes_of(puzzle).ok_or("a Sudoku without all its boxes")?;
    let givens = square_givens(puzzle, boxes.len(), &|group| boxes.contains(group))?;
    Ok((givens, shape))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_a_line_or_a_grid() {
        let whole = "1..........3..2.";
        assert_eq!(end(&format!("# one\n{whole}\n# two\n\n{whole}\n")), 30);
        let open = "....\n".repeat(4);
        assert_eq!(end(&format!("{open}{open}")), 20);
        let framed = "+--+\n|..|\n+--+\n|..|\n+--+\n";
        assert_eq!(end(&framed.repeat(2)), framed.len());
        assert_eq!(end("rubbish\n....\n"), 8);
    }

    #[test]
    fn a_blank_line_ends_a_grid_unless_a_band_ends_there() {
        let row = "....\n";
        assert_eq!(end(&[row, row, "\n", row, row].concat()), 21);
        assert_eq!(end(&[row, row, row, "\n", row].concat()), 15);
    }

    #[test]
    fn sections_of_other_contents_belong_to_the_puzzle_before_them() {
        let row = "1...\n";
        let text = format!("[Puzzle]\n{}[State]\n{}", row.repeat(4), "1234\n".repeat(4));
        assert_eq!(end(&text), text.len());
        assert_eq!(end(&(text.clone() + &text)), text.len());
        assert_eq!(content(&text, Context::default()).count(), 4);
    }

    #[test]
    fn other_texts_are_not_recognised() {
        for text in [
            "1 1\n2 2\n3 +\n3 +\n",
            "# 2\n+\t3\tA1\tA2\n",
            "3 3\n- 3, 4,\n,3 0 0\n",
            "100 100\n- 3,\n0 0\n",
            "1 1 2 2\n1 1 2 2\n3 3 3 3\n4 4 4 4\n",
            "- - -\n- 3, 4,\n",
            "4 4\n- - - -\n- - - -\n- - - -\n- - - -\n",
            "1",
            "12\n",
        ] {
            assert!(!recognise(text), "{text}");
        }
        for text in
            ["+---+\n| 1 |\n+---+\n", "# a\n\n....\n", "1 2 3 4\n0 0 0 0\n0 0 0 0\n0 0 0 0\n", "12\n--\n21\n"]
        {
            assert!(recognise(text), "{text}");
        }
    }
}
