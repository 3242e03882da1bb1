//! Grids as lists of rows.

use serde_json::Value;

use super::super::super::{Grid, GridError};
use super::super::fault::{Fault, Malformed, Span};

/// The grid of `shape`, rows and columns; each row comes with its place.
pub(super) fn shaped(
    rows: Vec<(Vec<Option<u8>>, Span)>,
    shape: (usize, usize),
    whole: Span,
) -> Result<Grid, Fault> {
    let (expected, cols) = shape;
    if rows.len() != expected {
        let what = Malformed::Solution(GridError::Rows { found: rows.len(), expected });
        return Err(Fault::new(what, whole, format!("expected {expected} rows")));
    }
    for (index, (cells, span)) in rows.iter().enumerate() {
        if cells.len() != cols {
            let what = GridError::Ragged { row: index + 1, found: cells.len(), expected: cols };
            let label = format!("expected {cols} digits");
            return Err(Fault::new(Malformed::Solution(what), span.clone(), label));
        }
    }
    let cells = rows.into_iter().flat_map(|(cells, _)| cells).collect();
    Ok(Grid::from_cells(expected, cols, cells))
}

/// The grid as JSON; `null` where there is no digit.
pub(super) fn value(grid: &Grid) -> Value {
    grid.cells().chunks(grid.cols()).collect()
}
