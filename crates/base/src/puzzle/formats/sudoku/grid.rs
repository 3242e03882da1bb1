//! Sudoku as grids: rows of cells, and the boxes that rules show.

use super::super::super::{Defect, MAX_DIGITS, Square, usual_boxes};
use super::super::error::Fault;
use super::super::words::{Word, truncated};
use super::line::{Context, GridRow, Line, trimmed};
use super::symbols::with_givens;

/// A puzzle of rows and rules.
pub(super) fn grid(lines: &[Word<'_>], context: Context, record: &str) -> Result<Square, Fault> {
    let (mut rows, mut rules) = (Vec::new(), Vec::new());
    for line in lines {
        match Line::of(line, context) {
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
    with_givens(Square::sudoku(size, boxes), &cells)
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
