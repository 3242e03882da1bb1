//! Reading a Sudoku.

use super::super::super::{Defect, MAX_DIGITS, Puzzle, Square, cell_name, usual_boxes};
use super::super::error::{Fault, Span};
use super::super::words::{Word, truncated};
use super::{Line, Row, is_open, lines, one_line_size};

pub(super) fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let lines: Vec<Word<'_>> =
        lines(record).filter(|line| !matches!(Line::of(line), Line::Blank | Line::Remark)).collect();
    let square = match lines.first().map(|line| (line, Line::of(line))) {
        None => return Err(truncated(record, "the remarks", "expected a Sudoku")),
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
            _ => rows.push((Row::of(line), trimmed(line))),
        }
    }
    let Some((first, line)) = rows.first() else {
        return Err(truncated(record, "a grid", "the first row should follow here"));
    };
    let size = first.cells.len();
    if size > MAX_DIGITS {
        return Err(Fault::new(Defect::Size(size), line.span(), "the first row has as many cells"));
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

/// Every row has as many cells as the first, and its bars in the same places.
fn check_row(row: &Row<'_>, first: &Row<'_>, index: usize, line: &Word<'_>) -> Result<(), Fault> {
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

/// How many rows or columns lie between two rules, if there are any; each comes with its line.
fn step(rules: &[(usize, Word<'_>)], size: usize, what: &str) -> Result<Option<usize>, Fault> {
    let Some(&(step, first)) = rules.first() else { return Ok(None) };
    let expected = || format!("a rule after every {step} of the {size} {what}");
    if let Some((place, line)) = rules
        .iter()
        .enumerate()
        .find(|(index, (place, _))| *place != (index + 1) * step)
        .map(|(_, rule)| rule)
    {
        return Err(Fault::unexpected(expected(), format!("one after {place}"), line.span()));
    }
    if (rules.len() + 1) * step != size {
        return Err(Fault::unexpected(expected(), format!("{} of them", rules.len()), first.span()));
    }
    Ok(Some(step))
}

/// The boxes that the rules show; one of the two directions may be left out, or both.
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
    let label = format!("expected rules about boxes of {size} cells");
    Err(Fault::new(Defect::Box { shape, size }, line.span(), label))
}

/// The digits printed in cells, row-major.
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
