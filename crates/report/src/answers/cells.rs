//! Cells and digits of a puzzle that options and requests name: one cell, or a whole grid.

use miette::{LabeledSpan, NamedSource, Report, miette};

use kenga_core::puzzle::{Grid, GridError, Puzzle, cell_name};
use kenga_core::text::{joined, printable, printable_at};

/// The row-major index of a cell that an option names, `row` and `column` from 0.
///
/// # Errors
/// A report when the puzzle has no such cell, or a black one.
pub fn cell_of(option: &str, puzzle: &Puzzle, (row, column): (usize, usize)) -> Result<usize, Report> {
    let (rows, columns, id) = (puzzle.rows(), puzzle.cols(), &puzzle.id);
    let name = cell_name(row, column);
    if row >= rows || column >= columns {
        let help = format!("its cells are A1 to {}", cell_name(rows - 1, columns - 1));
        return Err(miette!(help = help, "{option}: puzzle `{id}` has no cell {name}"));
    }
    let cell = row * columns + column;
    if puzzle.is_black(cell) {
        return Err(miette!("{option}: cell {name} of puzzle `{id}` is black and holds no digit"));
    }
    Ok(cell)
}

/// The row-major index of a cell, and the digit, that an option names.
///
/// # Errors
/// A report when the puzzle has no such cell, a black one, or no such digit.
pub fn digit_of(
    option: &str,
    puzzle: &Puzzle,
    place: (usize, usize),
    digit: u64,
) -> Result<(usize, u8), Report> {
    let cell = cell_of(option, puzzle, place)?;
    let known = u8::try_from(digit).ok().filter(|digit| puzzle.digits().rank(*digit).is_some());
    known.map(|digit| (cell, digit)).ok_or_else(|| {
        let (id, name) = (&puzzle.id, puzzle.cell_name(cell));
        let help = format!("its digits are {}", joined(puzzle.digits().values(), " "));
        miette!(help = help, "{option}: {digit} (for {name}) is not a digit of puzzle `{id}`")
    })
}

/// How many cells are named before the rest is only counted.
const NAMED: usize = 12;

/// The names of cells, the first dozen of many.
pub fn cell_names(puzzle: &Puzzle, cells: &[usize]) -> String {
    let names: Vec<String> = cells.iter().take(NAMED).map(|cell| puzzle.cell_name(*cell)).collect();
    match cells.len().saturating_sub(NAMED) {
        0 => names.join(" "),
        1 => format!("{} and 1 more cell", names.join(" ")),
        more => format!("{} and {more} more cells", names.join(" ")),
    }
}

/// Reads a grid in the puzzle's shape from text, or from a JSON list of rows; errors show `name`.
///
/// # Errors
/// A report that shows the row at fault.
pub fn parse_grid(name: &str, text: &str, puzzle: &Puzzle) -> Result<Grid, Report> {
    let text = text.trim_start_matches('\u{FEFF}');
    let rows = json_rows(text).unwrap_or_else(|| text.to_owned());
    Grid::parse(&rows, puzzle.rows(), puzzle.cols()).map_err(|flaw| bad_grid(flaw, name, text, puzzle))
}

/// A JSON list of rows as plain text.
fn json_rows(text: &str) -> Option<String> {
    let rows: Vec<Vec<Option<u8>>> = serde_json::from_str(text).ok()?;
    let cell = |cell: &Option<u8>| cell.map_or_else(|| ".".to_owned(), |digit| digit.to_string());
    let row = |row: &Vec<Option<u8>>| joined(row.iter().map(cell), " ");
    Some(joined(rows.iter().map(row), "/"))
}

fn bad_grid(flaw: GridError, name: &str, text: &str, puzzle: &Puzzle) -> Report {
    let (rows, cols) = (puzzle.rows(), puzzle.cols());
    let lines = Grid::lines(text);
    let (line, expected) = match &flaw {
        GridError::Word { row, .. } => {
            (lines.get(row - 1), "expected digits, or `.` for empty cells".to_owned())
        }
        GridError::Ragged { row, .. } => (lines.get(row - 1), format!("expected {cols} cells")),
        GridError::Rows { .. } => (lines.last(), format!("expected {rows} rows up to here")),
    };
    let place = line.map(|line| (line.as_ptr().addr() - text.as_ptr().addr(), line.len()));
    let (text, place) = match place {
        Some((start, length)) => {
            let (text, place) = printable_at(text, start..start + length);
            (text, Some(place))
        }
        None => (printable(text).into_owned(), None),
    };
    let label = place.map(|place| LabeledSpan::new(Some(expected), place.start, place.len()));
    let labels: Vec<LabeledSpan> = label.into_iter().collect();
    let help = format!(
        "puzzle `{}` has {rows} rows of {cols} cells; separate rows by `/`, cells by spaces: `1 2/2 1`",
        puzzle.id
    );
    miette!(labels = labels, help = help, "{flaw}").with_source_code(NamedSource::new(printable(name), text))
}
