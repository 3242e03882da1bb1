//! Sudoku as grids: rows of cells, and the boxes that rules show.

use super::super::super::{BoxShape, Defect, MAX_DIGITS, Square, usual_boxes};
use super::super::error::Fault;
use super::super::words::{Word, truncated};
use super::line::{Context, GridRow, SudokuLine};
use super::symbols::with_givens;

/// A rule, and the number of rows or columns before it.
type Rule<'a> = (usize, Word<'a>);

/// A puzzle of rows and rules.
pub(super) fn grid(lines: &[Word<'_>], context: Context, record: &str) -> Result<Square, Fault> {
    let mut rows: Vec<(GridRow<'_>, Word<'_>)> = Vec::new();
    let mut rules: Vec<Rule<'_>> = Vec::new();
    for line in lines {
        match SudokuLine::of(line, context) {
            SudokuLine::Rule => rules.push((rows.len(), line.trimmed())),
            _ => rows.push((GridRow::of(line), line.trimmed())),
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
    let bars: Vec<Rule<'_>> = first.bars.iter().map(|bar| (*bar, *line)).collect();
    rules.retain(|(before, _)| (1..size).contains(before));
    // Two rules in a row are one.
    rules.dedup_by_key(|(before, _)| *before);
    let steps = (step(&rules, size, "rows")?, step(&bars, size, "columns")?);
    let boxes = boxes(size, steps, rules.first().map_or(line, |(_, rule)| rule))?;
    let mut cells = Vec::with_capacity(size * size);
    for (row, _) in &rows {
        cells.extend_from_slice(&row.cells);
    }
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
fn step(rules: &[Rule<'_>], size: usize, what: &str) -> Result<Option<usize>, Fault> {
    let Some(&(step, first)) = rules.first() else { return Ok(None) };
    let expected = format!("a rule after every {step} of the {size} {what}");
    for (index, (place, line)) in rules.iter().enumerate() {
        if *place != (index + 1) * step {
            return Err(Fault::unexpected(expected, format!("one after {place}"), line.span()));
        }
    }
    if (rules.len() + 1) * step != size {
        return Err(Fault::unexpected(expected, format!("{} of them", rules.len()), first.span()));
    }
    Ok(Some(step))
}

/// The boxes that the rules show; rules in one direction may be missing, or in both.
fn boxes(size: usize, steps: (Option<usize>, Option<usize>), line: &Word<'_>) -> Result<BoxShape, Fault> {
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
