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
//! A line holds sizes 4, 6, 8 and 9 with their usual boxes. A grid has one row per line, its cells separated by spaces
//! or, up to size 9, side by side. Rules of `|`, `-`, `+` show the boxes, which are the usual ones without rules. `.`,
//! `_` and `0` are open cells. Lines that start with `#` are comments; blank lines may separate bands of boxes.

use super::super::{BoxShape, Defect, Kind, MAX_DIGITS, Puzzle, Square, boxes_of, cell_name, usual_boxes};
use super::error::{Fault, Span, WriteError};
use super::square_givens::square_givens;
use super::words::{Word, lines, offset, truncated};
use super::{Format, cage_ids, futoshiki};

pub(super) const FORMAT: Format = Format {
    name: "sudoku",
    about: "81 cells on a line (16, 36, 64 too), `.` open; or a grid, its boxes shown by `|` and `-`",
    many: true,
    recognise: |text| recognise(text) && !futoshiki::recognise(text),
    end,
    read,
    write: Some(write),
};

/// The sizes whose cells are one character each and stand on one line.
const ONE_LINE: [usize; 4] = [4, 6, 8, 9];

/// The kinds of lines.
enum Line<'a> {
    Blank,
    Comment,
    /// Edges of boxes.
    Rule,
    /// A whole puzzle, perhaps of a wrong length.
    Whole,
    Row(GridRow<'a>),
    /// Characters that no Sudoku has.
    Other,
}

/// A row of a grid.
struct GridRow<'a> {
    cells: Vec<Word<'a>>,
    /// The number of cells before each `|` between two cells.
    bars: Vec<usize>,
}

impl<'a> Line<'a> {
    fn of(line: &Word<'a>) -> Self {
        let text = line.text.trim();
        let only = |known: &str| text.chars().all(|c| known.contains(c) || c.is_whitespace());
        match text {
            "" => Self::Blank,
            _ if text.starts_with('#') => Self::Comment,
            _ if only("+-=|") && ["+", "--", "=="].iter().any(|part| text.contains(part)) => Self::Rule,
            _ if !only("0123456789._|") => Self::Other,
            _ if text.len() > 9 && !text.contains('|') && text.split_whitespace().count() == 1 => Self::Whole,
            _ => Self::Row(GridRow::of(line)),
        }
    }
}

impl<'a> GridRow<'a> {
    /// The cells of a line of any characters.
    fn of(line: &Word<'a>) -> Self {
        let words = line.split_by(|c| c == '|' || c.is_whitespace());
        let is_joined =
            |word: &Word<'_>| word.text.len() > 2 || word.text.len() > 1 && word.text.contains(['.', '_']);
        let dense = words.iter().any(is_joined) || line.text.split_whitespace().count() == 1;
        let mut row = Self { cells: Vec::new(), bars: Vec::new() };
        for (index, part) in line.text.split('|').enumerate() {
            let words = Word { text: part, start: line.start + offset(line.text, part) }.split();
            if index > 0 && !words.is_empty() && !row.cells.is_empty() {
                row.bars.push(row.cells.len());
            }
            for word in words {
                if dense { row.cells.extend(word.characters()) } else { row.cells.push(word) }
            }
        }
        row
    }
}

fn is_open(cell: &str) -> bool {
    matches!(cell, "." | "_" | "0")
}

/// The first line that is no comment decides. A grid of numbers alone must have an open cell, and no clues may follow
/// the rows: other formats begin like that.
fn recognise(text: &str) -> bool {
    let mut lines = lines(text)
        .map(|line| (line, Line::of(&line)))
        .filter(|(_, line)| !matches!(line, Line::Blank | Line::Comment));
    match lines.next() {
        Some((_, Line::Rule)) => true,
        Some((line, Line::Whole)) => one_line_size(line.text.trim()).is_some() && !cage_ids::has_clues(text),
        Some((line, Line::Row(row))) => {
            let is_rule = |line: Word<'_>| matches!(Line::of(&line), Line::Rule);
            let size = row.cells.len();
            let has_boxes =
                !row.bars.is_empty() || usual_boxes(size).is_some() || super::words::lines(text).any(is_rule);
            let words = line.text.split_whitespace().count();
            let plain = words > 1 && !line.text.contains(['|', '.', '_']);
            size > 1
                && has_boxes
                && (!plain || is_open_grid(row, lines.map(|(_, line)| line)))
                && !cage_ids::has_clues(text)
        }
        _ => false,
    }
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

/// The size of a puzzle on one line.
fn one_line_size(line: &str) -> Option<usize> {
    ONE_LINE.into_iter().find(|size| size * size == line.chars().count())
}

/// The end of a line with a whole puzzle, or of the lines of a grid with the rule below it. Comments and blank lines
/// belong to the puzzle before them.
fn end(text: &str) -> usize {
    let (mut size, mut rows, mut framed, mut at) = (0, 0, false, 0);
    for text in text.split_inclusive('\n') {
        let line = Word { text, start: 0 };
        let (is_begun, is_whole) = (rows > 0, rows >= size);
        match Line::of(&line) {
            Line::Blank if !is_whole && !ends_a_band(rows, size) => return at,
            Line::Blank | Line::Comment => {}
            Line::Rule if !is_begun => framed = true,
            Line::Rule if !is_whole => {}
            Line::Rule if framed => framed = false,
            Line::Whole if !is_whole && one_line_size(text.trim()).is_some() => return at,
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
    let lines: Vec<Word<'_>> =
        lines(record).filter(|line| !matches!(Line::of(line), Line::Blank | Line::Comment)).collect();
    let square = match lines.first().map(|line| (line, Line::of(line))) {
        None => return Err(truncated(record, "the comments", "expected a Sudoku")),
        Some((line, Line::Whole | Line::Other)) => whole(&trimmed(line))?,
        Some(_) => grid(&lines, record)?,
    };
    let end = record.trim_end().len();
    let built = square.build().map_err(|defect| Fault::new(defect, 0..end, "in this puzzle"))?;
    Ok((built, 0..0))
}

fn trimmed<'a>(line: &Word<'a>) -> Word<'a> {
    let start = line.text.len() - line.text.trim_start().len();
    Word { text: line.text.trim(), start: line.start + start }
}

/// A puzzle on one line.
fn whole(line: &Word<'_>) -> Result<Square, Fault> {
    let Some(size) = one_line_size(line.text) else {
        let found = format!("{} characters", line.text.chars().count());
        return Err(Fault::unexpected("a line of 16, 36, 64 or 81 cells", found, line.span()));
    };
    let cells = line.characters();
    let boxes = usual_boxes(size).expect("every size of a line has boxes");
    Ok(Square { givens: givens(&cells, size)?, ..Square::sudoku(size, boxes) })
}

/// A puzzle of rows and rules.
fn grid(lines: &[Word<'_>], record: &str) -> Result<Square, Fault> {
    let (mut rows, mut rules) = (Vec::new(), Vec::new());
    for line in lines {
        match Line::of(line) {
            Line::Rule => rules.push((rows.len(), trimmed(line))),
            _ => rows.push((GridRow::of(line), trimmed(line))),
        }
    }
    let Some((first, line)) = rows.first() else {
        return Err(truncated(record, "a grid", "the first row should follow here"));
    };
    let size = first.cells.len();
    if size > MAX_DIGITS {
        return Err(Fault::new(Defect::Size(size), line.span(), format!("the first row has {size} cells")));
    }
    for (index, (row, line)) in rows.iter().enumerate() {
        check_row(row, first, index, line)?;
    }
    if rows.len() < size {
        let within = format!("the grid, with row {} of {size}", rows.len());
        return Err(truncated(record, within, format!("row {} should follow here", rows.len() + 1)));
    }
    let bars: Vec<(usize, Word<'_>)> = first.bars.iter().map(|bar| (*bar, *line)).collect();
    rules.retain(|(before, _)| (1..size).contains(before));
    rules.dedup_by_key(|(before, _)| *before);
    let steps = (step(&rules, size, "rows")?, step(&bars, size, "columns")?);
    let boxes = boxes(size, steps, rules.first().map_or(line, |(_, rule)| rule))?;
    let cells: Vec<Word<'_>> = rows.iter().flat_map(|(row, _)| row.cells.iter().copied()).collect();
    Ok(Square { givens: givens(&cells, size)?, ..Square::sudoku(size, boxes) })
}

/// Checks that a row has as many cells as the first, and its bars in the same places.
fn check_row(row: &GridRow<'_>, first: &GridRow<'_>, index: usize, line: &Word<'_>) -> Result<(), Fault> {
    if row.cells.len() != first.cells.len() {
        let expected = format!("{} cells in row {}, as in the first", first.cells.len(), index + 1);
        return Err(Fault::unexpected(expected, row.cells.len().to_string(), line.span()));
    }
    if row.bars != first.bars {
        let expected = format!("each `|` of row {} where it stands in the first", index + 1);
        return Err(Fault::unexpected(expected, "others", line.span()));
    }
    Ok(())
}

/// The number of rows or columns between two rules, if there are any; each rule comes with its line.
fn step(rules: &[(usize, Word<'_>)], size: usize, what: &str) -> Result<Option<usize>, Fault> {
    let Some(&(step, first)) = rules.first() else { return Ok(None) };
    let expected = || format!("a rule after every {step} of the {size} {what}");
    if let Some((_, (place, line))) = (1..).zip(rules).find(|(index, (place, _))| *place != index * step) {
        return Err(Fault::unexpected(expected(), format!("one after {place}"), line.span()));
    }
    if (rules.len() + 1) * step != size {
        return Err(Fault::unexpected(expected(), format!("{} of them", rules.len()), first.span()));
    }
    Ok(Some(step))
}

/// The boxes that the rules show; rules in one direction may be missing, or in both.
fn boxes(
    size: usize,
    steps: (Option<usize>, Option<usize>),
    line: &Word<'_>,
) -> Result<(usize, usize), Fault> {
    let shape = match steps {
        (None, None) if size == 1 => (1, 1),
        (None, None) => usual_boxes(size).ok_or_else(|| {
            let found = format!("none in a grid of size {size}");
            Fault::unexpected("rules of `|` and `-` that show the boxes", found, line.span())
        })?,
        (Some(rows), None) => (rows, size / rows),
        (None, Some(cols)) => (size / cols, cols),
        (Some(rows), Some(cols)) => (rows, cols),
    };
    if shape.0 * shape.1 == size {
        return Ok(shape);
    }
    let label = format!("expected rules around boxes of {size} cells");
    Err(Fault::new(Defect::Box { shape, size }, line.span(), label))
}

/// The givens, row-major.
fn givens(cells: &[Word<'_>], size: usize) -> Result<Vec<(usize, usize, u8)>, Fault> {
    let mut givens = Vec::new();
    for (index, cell) in cells.iter().enumerate().filter(|(_, cell)| !is_open(cell.text)) {
        let (row, column) = (index / size, index % size);
        let digit = cell.text.parse().ok().filter(|digit| (1..=size).contains(&usize::from(*digit)));
        let digit = digit.ok_or_else(|| {
            cell.unexpected(format!("a digit from 1 to {size}, or `.`, in {}", cell_name(row, column)))
        })?;
        givens.push((row, column, digit));
    }
    Ok(givens)
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let (givens, boxes) = contents(puzzle).map_err(|what| WriteError { format: FORMAT.name, what })?;
    let size = puzzle.rows();
    if ONE_LINE.contains(&size) && usual_boxes(size) == Some(boxes) {
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
fn contents(puzzle: &Puzzle) -> Result<(Vec<Option<usize>>, BoxShape), String> {
    if puzzle.kind != Kind::Sudoku {
        return Err(format!("a {}, only a {}", puzzle.kind.name(), Kind::Sudoku.name()));
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
    fn rows_are_read_with_blanks_and_without() {
        let cells = |text: &str| match Line::of(&Word { text, start: 0 }) {
            Line::Row(row) => {
                (row.cells.iter().map(|cell| cell.text.to_owned()).collect::<Vec<_>>().join(" "), row.bars)
            }
            _ => panic!("no row: {text}"),
        };
        assert_eq!(cells("12|34"), ("1 2 3 4".to_owned(), vec![2]));
        assert_eq!(cells("| 12  3 | .  4 |"), ("12 3 . 4".to_owned(), vec![2]));
        assert_eq!(cells("53. .7. ..."), ("5 3 . . 7 . . . .".to_owned(), vec![]));
        assert_eq!(cells("1|2|3"), ("1 2 3".to_owned(), vec![1, 2]));
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
