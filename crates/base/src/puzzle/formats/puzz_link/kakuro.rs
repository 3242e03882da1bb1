//! `kakuro`: its grid is without the first row and column, which are black and hold clues.
//!
//! Cell by cell: `.` black without a clue, two characters black with the clues down and across, `k` to `z` 1 to 16 white
//! cells. Then come the clues above the columns whose first cell is white, and those beside such rows. A clue is `-` for
//! none, `1` to `9`, `a` to `j` for 10 to 19, `A` to `Z` for 20 to 45. A `0`, which asks for nothing, is read as none too.

use super::super::super::kakuro::{ClueFlaw, ClueGrid};
use super::super::super::{BlackClues, Defect, Kind, Puzzle, Role, cell_name, position};
use super::super::error::{Fault, Span};
use super::super::kakuro::clue_grid;
use super::super::words::{Word, whole_span};
use super::file::cells_of;
use super::{GridSize, Variety, show_open};

pub(super) const VARIETY: Variety = Variety { name: "kakuro", kind: Kind::Kakuro, read, write, read_file };

/// The clues from 1.
const CLUES: &str = "123456789abcdefghijABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The largest clue: the sum of all digits.
const MOST: i64 = 45;

/// A black cell before the first cell of a column or row.
struct BlackCell {
    black: usize,
    is_down: bool,
}

/// A grid whose first row and column are black, and all other cells white.
fn framed(size: &GridSize) -> ClueGrid {
    let (rows, cols) = (size.rows + 1, size.cols + 1);
    let mut cells = vec![None; rows * cols];
    for (cell, clues) in cells.iter_mut().enumerate() {
        if is_at_edge(cell, cols) {
            *clues = Some(BlackClues::default());
        }
    }
    ClueGrid { rows, cols, cells }
}

/// The cells of a grid without the first row and column, row by row.
fn inner(grid: &ClueGrid) -> Vec<usize> {
    (0..grid.cells.len()).filter(|cell| !is_at_edge(*cell, grid.cols)).collect()
}

/// The heads of columns, then of rows, whose first cells are white.
fn heads(grid: &ClueGrid) -> Vec<BlackCell> {
    let mut heads = Vec::new();
    for column in 1..grid.cols {
        if grid.cells[grid.cols + column].is_none() {
            heads.push(BlackCell { black: column, is_down: true });
        }
    }
    for row in 1..grid.rows {
        if grid.cells[row * grid.cols + 1].is_none() {
            heads.push(BlackCell { black: row * grid.cols, is_down: false });
        }
    }
    heads
}

/// The puzzle of a grid.
fn puzzle(grid: &ClueGrid, whole: Span) -> Result<Puzzle, Fault> {
    let kakuro = match grid.kakuro() {
        Ok(kakuro) => kakuro,
        Err(ClueFlaw::NoCells { black, .. }) => {
            let at = cell_name(black / grid.cols, black % grid.cols);
            let expected = "a clue only where a white cell follows it";
            return Err(Fault::unexpected(expected, format!("one at {at}"), whole));
        }
        Err(ClueFlaw::NoEntry(cell)) => {
            let defect = Defect::NoEntry(position(cell, grid.cols));
            return Err(Fault::new(defect, whole, "expected a clue before this cell, across or down"));
        }
    };
    kakuro.build().map_err(|defect| Fault::new(defect, whole, "in this puzzle"))
}

/// Says whether a cell lies in the first row or column.
fn is_at_edge(cell: usize, cols: usize) -> bool {
    cell < cols || cell.is_multiple_of(cols)
}

fn read(size: GridSize, body: Word<'_>) -> Result<Puzzle, Fault> {
    let mut grid = framed(&size);
    let inner = inner(&grid);
    let (mut rest, mut at) = (body, 0);
    while at < inner.len() && !rest.text.is_empty() {
        let word = rest.first();
        rest = rest.after(word.text.len());
        if let c @ b'k'..=b'z' = word.text.as_bytes()[0] {
            at += usize::from(c - b'k') + 1;
            continue;
        }
        let mut clues = BlackClues::default();
        // Two characters are one black cell.
        if word.text != "." {
            clues.down = clue(&word)?;
            let second = rest.first();
            clues.across = clue(&second)?;
            rest = rest.after(second.text.len());
        }
        grid.cells[inner[at]] = Some(clues);
        at += 1;
    }
    if at != inner.len() {
        let found = if at < inner.len() { "fewer" } else { "more" };
        return Err(Fault::unexpected(format!("{} cells", inner.len()), found, body.span()));
    }
    for BlackCell { black, is_down } in heads(&grid) {
        let word = rest.first();
        let clue = clue(&word)?;
        let clues = grid.cells[black].get_or_insert_default();
        if is_down {
            clues.down = clue;
        } else {
            clues.across = clue;
        }
        rest = rest.after(word.text.len());
    }
    if !rest.text.is_empty() {
        return Err(rest.unexpected("the end of the address"));
    }
    puzzle(&grid, body.span())
}

/// The clue that a character is; `None` for 0.
fn clue(word: &Word<'_>) -> Result<Option<i64>, Fault> {
    if matches!(word.text, "-" | "0") {
        return Ok(None);
    }
    match CLUES.find(word.text) {
        Some(index) if !word.text.is_empty() => Ok(Some(index as i64 + 1)),
        _ => Err(word.unexpected("a clue: `-` for none, 1-9, a-j for 10 to 19, A-Z for 20 to 45")),
    }
}

/// The character of a clue.
fn show(clue: Option<i64>) -> char {
    clue.map_or('-', |clue| char::from(CLUES.as_bytes()[clue as usize - 1]))
}

fn write(puzzle: &Puzzle) -> Result<(GridSize, String), String> {
    let grid = layout(puzzle)?;
    let mut text = String::new();
    let mut white = 0;
    for cell in inner(&grid) {
        let Some(BlackClues { down, across }) = grid.cells[cell] else {
            white += 1;
            continue;
        };
        show_open(&mut text, white, 'k');
        white = 0;
        if down.is_none() && across.is_none() {
            text.push('.');
        } else {
            text.extend([show(down), show(across)]);
        }
    }
    show_open(&mut text, white, 'k');
    for BlackCell { black, is_down } in heads(&grid) {
        let clues = grid.cells[black].unwrap_or_default();
        text.push(show(if is_down { clues.down } else { clues.across }));
    }
    Ok((GridSize { rows: grid.rows - 1, cols: grid.cols - 1, span: 0..0 }, text))
}

/// The clues of a puzzle in its black cells, where they are all of it.
fn layout(puzzle: &Puzzle) -> Result<ClueGrid, String> {
    let (rows, cols) = (puzzle.rows(), puzzle.cols());
    // An address tells sides up to 255, without the first row and column.
    if !(2..=256).contains(&rows) || !(2..=256).contains(&cols) {
        return Err(format!("a grid of {rows} x {cols}, only 2 x 2 to 256 x 256"));
    }
    for group in puzzle.groups() {
        if group.role == Role::Given || group.clue.is_some_and(|clue| clue.target > MOST) {
            return Err(format!("the {}", puzzle.group_name(group)));
        }
    }
    let grid = clue_grid(puzzle)?;
    for (cell, clues) in grid.cells.iter().enumerate() {
        if clues.is_none() && is_at_edge(cell, cols) {
            return Err("a white cell in the first row or column".to_owned());
        }
    }
    Ok(grid)
}

/// Lines of one cell more than there are columns: numbers in the first line and column; inside them `.` for white cells and
/// `across,down` for black ones.
fn read_file(size: GridSize, lines: &[Vec<Word<'_>>], record: &str) -> Result<Puzzle, Fault> {
    let mut grid = framed(&size);
    let (words, _) = cells_of(lines, (grid.rows, grid.cols), "cells", record)?;
    for (cell, word) in words.iter().enumerate() {
        let mut clues = BlackClues::default();
        if let Some(comma) = word.text.find(',') {
            clues.down = sum(&word.after(comma + 1))?;
            clues.across = sum(&word.split_at(comma).0)?;
        } else if word.text == "." {
            continue;
        } else if cell < grid.cols {
            clues.down = sum(word)?;
        } else if cell.is_multiple_of(grid.cols) {
            clues.across = sum(word)?;
        } else {
            return Err(word.unexpected("a cell: `.` white, `across,down` black"));
        }
        grid.cells[cell] = Some(clues);
    }
    puzzle(&grid, whole_span(record))
}

/// The sum in a file; 0 asks for nothing.
fn sum(word: &Word<'_>) -> Result<Option<i64>, Fault> {
    let sum = word.whole()?;
    Ok((sum > 0).then_some(sum))
}
