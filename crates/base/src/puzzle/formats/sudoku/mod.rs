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

mod grid;
mod line;
mod symbols;

use super::super::{BoxShape, Kind, Puzzle, Square, boxes_of, usual_boxes};
use super::cage_id_lines::has_clues;
use super::error::{Fault, Span, WriteError};
use super::square_givens::square_givens;
use super::words::{Word, lines, truncated};
use super::{Format, futoshiki, kakuro};
use grid::grid;
use line::{Context, GridRow, Line, is_written_whole, trimmed, whole_size};
use symbols::{is_open, with_givens};

pub(super) const FORMAT: Format = Format {
    name: "sudoku",
    about: "81 cells on a line (16, 36, 64 too), `.` open; or a grid, its boxes shown by `|` and `-`",
    many: true,
    recognise: |text| recognise(text) && !futoshiki::recognise(text),
    end,
    read,
    write: Some(write),
};

/// The first line that is no comment decides. A grid of numbers alone, or with letters, must have an open cell, and no
/// clues may follow the rows: other formats begin like that.
pub(super) fn recognise(text: &str) -> bool {
    if kakuro::is_black(text) {
        return false;
    }
    let context = Context::of(text);
    let rows = || lines(text).filter(|line| !matches!(Line::of(line, context), Line::Comment)).count();
    if context.header().is_some_and(|size| size != rows()) {
        return false;
    }
    let mut lines = lines(text)
        .map(|line| (line, Line::of(&line, context)))
        .filter(|(_, line)| !matches!(line, Line::Blank | Line::Comment | Line::Puzzle))
        .take_while(|(_, line)| !matches!(line, Line::Section));
    match lines.next() {
        Some((_, Line::Rule)) => true,
        Some((line, Line::Whole)) => {
            whole_size(line.text.trim().len()).is_some() && is_open_or_small(&line) && !has_clues(text)
        }
        Some((line, Line::Row(row))) => {
            let is_rule = |line: Word<'_>| matches!(Line::of(&line, context), Line::Rule);
            let size = row.cells.len();
            let has_boxes =
                !row.bars.is_empty() || usual_boxes(size).is_some() || super::words::lines(text).any(is_rule);
            let words = line.text.split_whitespace().count();
            let plain = words > 1 && !line.text.contains(['|', '.', '_']);
            let ambiguous = plain || line.text.contains(char::is_alphabetic) || context.header().is_some();
            size > 1
                && has_boxes
                && (!ambiguous || is_open_grid(row, lines.map(|(_, line)| line)))
                && !has_clues(text)
        }
        _ => false,
    }
}

/// Says whether a line has no letters, or an open cell beside them.
fn is_open_or_small(line: &Word<'_>) -> bool {
    !line.text.contains(char::is_alphabetic) || line.text.contains(['.', '_', '0'])
}

/// Says whether there are as many rows as cells in the first, and an open cell among them, as no cage id is.
fn is_open_grid<'a>(first: GridRow<'a>, rest: impl Iterator<Item = Line<'a>>) -> bool {
    let size = first.cells.len();
    let row = |line| if let Line::Row(row) = line { Some(row) } else { None };
    let rest = rest.filter(|line| !matches!(line, Line::Rule)).map_while(row);
    let rows: Vec<GridRow<'_>> = std::iter::once(first).chain(rest).take(size).collect();
    rows.len() == size
        && rows.iter().all(|row| row.cells.len() == size)
        && rows.iter().any(|row| row.cells.iter().any(|cell| is_open(cell.text)))
}

/// The end of a line with a whole puzzle, or of the lines of a grid with the rule below it. Comments and blank lines
/// belong to the puzzle before them, and sections of other contents too.
fn end(text: &str) -> usize {
    let context = Context::of(text);
    let (mut size, mut rows, mut framed, mut at, mut skipped) = (0, 0, false, 0, false);
    for text in text.split_inclusive('\n') {
        let line = Word { text, start: 0 };
        let (is_begun, is_whole) = (rows > 0, rows >= size);
        match Line::of(&line, context) {
            Line::Puzzle if is_begun => return at,
            Line::Puzzle => skipped = false,
            Line::Section => skipped = true,
            _ if skipped => {}
            Line::Blank if !is_whole && !ends_a_band(rows, size) => return at,
            Line::Blank | Line::Comment => {}
            Line::Rule if !is_begun => framed = true,
            Line::Rule if !is_whole => {}
            Line::Rule if framed => framed = false,
            Line::Whole if !is_whole && whole_size(text.trim().len()).is_some() => return at,
            _ if !is_whole => rows += 1,
            _ if is_begun => return at,
            Line::Row(row) => (size, rows) = (row.cells.len(), 1),
            _ if framed => (size, rows) = (GridRow::of(&line).cells.len(), 1),
            _ => (size, rows) = (1, 1),
        }
        at += text.len();
    }
    at
}

fn ends_a_band(rows: usize, size: usize) -> bool {
    usual_boxes(size).is_some_and(|boxes| rows.is_multiple_of(boxes.0))
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let context = Context::of(record);
    let lines = content(record, context);
    let square = match lines.first().map(|line| (line, Line::of(line, context))) {
        None => return Err(truncated(record, "the comments", "expected a Sudoku")),
        Some((line, Line::Whole | Line::Other)) => whole(&trimmed(line))?,
        Some(_) => grid(&lines, context, record)?,
    };
    let end = record.trim_end().len();
    let built = square.build().map_err(|defect| Fault::new(defect, 0..end, "in this puzzle"))?;
    Ok((built, 0..0))
}

/// The lines that are neither comments nor in another section.
fn content(record: &str, context: Context) -> Vec<Word<'_>> {
    let mut skipped = false;
    let is_content = |line: &Word<'_>| match Line::of(line, context) {
        Line::Puzzle | Line::Section => {
            skipped = matches!(Line::of(line, context), Line::Section);
            false
        }
        kind => !skipped && !matches!(kind, Line::Blank | Line::Comment),
    };
    lines(record).filter(is_content).collect()
}

/// A puzzle on one line.
fn whole(line: &Word<'_>) -> Result<Square, Fault> {
    let Some(size) = whole_size(line.text.chars().count()) else {
        let found = format!("{} characters", line.text.chars().count());
        let help =
            "a line holds 100, 144, 225, 256, 400 or 625 cells too, with letters for the digits from 10";
        return Err(Fault::unexpected("a line of 16, 36, 64 or 81 cells", found, line.span()).help(help));
    };
    let boxes = usual_boxes(size).expect("every size of a line has boxes");
    with_givens(Square::sudoku(size, boxes), &line.characters())
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let (givens, boxes) = contents(puzzle).map_err(|what| WriteError { format: FORMAT.name, what })?;
    let size = puzzle.rows();
    if is_written_whole(size) && usual_boxes(size) == Some(boxes) {
        return Ok(givens.iter().map(|given| show(*given)).collect());
    }
    let width = size.to_string().len();
    let cells = |cells: &[Option<usize>]| -> String {
        cells.iter().map(|given| format!(" {:>width$}", show(*given))).collect()
    };
    let row = |row: &[Option<usize>]| {
        format!("|{}\n", row.chunks(boxes.1).map(|part| cells(part) + " |").collect::<String>())
    };
    let rule = format!("+{}\n", ("-".repeat(boxes.1 * (width + 1) + 1) + "+").repeat(size / boxes.1));
    let band = |rows: &[Option<usize>]| rows.chunks(size).map(row).collect::<String>() + &rule;
    Ok(rule.clone() + &givens.chunks(size * boxes.0).map(band).collect::<String>())
}

fn show(given: Option<usize>) -> String {
    given.map_or_else(|| ".".to_owned(), |digit| digit.to_string())
}

/// The given of every cell and the shape of the boxes, where they are the whole puzzle.
pub(super) fn contents(puzzle: &Puzzle) -> Result<(Vec<Option<usize>>, BoxShape), String> {
    if puzzle.kind != Kind::Sudoku {
        return Err(format!("{}, only {}", puzzle.kind.phrase(), Kind::Sudoku.phrase()));
    }
    let (shape, boxes) = boxes_of(puzzle).ok_or("a Sudoku without all its boxes")?;
    let givens = square_givens(puzzle, boxes.len(), |group| boxes.contains(group))?;
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
        assert_eq!(content(&text, Context::default()).len(), 4);
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
