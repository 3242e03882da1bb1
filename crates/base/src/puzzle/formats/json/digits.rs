//! Grids of digits in JSON: a Sudoku `[[1,0,0,0],…]`, `{"puzzle":["1...",…],"solution":…}`, `{"board":"1.....",…}`; a Latin
//! square with `"kind":"latin"`; a Futoshiki whose rows of cells and signs alternate, `[[0,"<",2],["v","",""],[0,"",0]]`.
//!
//! `0`, `.`, `_`, `null` and an empty text are open cells; so is -1, where the kind is given: some programs count from 0 then.

use super::super::super::{Grid, Kind, Puzzle, Square, usual_boxes};
use super::super::cages::check_square;
use super::super::error::Fault;
use super::super::node::{JsonNode, Keys};
use super::super::sudoku::with_givens;
use super::super::words::Word;
use super::super::{futoshiki, read_as};
use super::kinds::{SIZE_KEYS, boxes, check_size};

/// The names of the grid in various programs.
const GRID: [&str; 6] = ["puzzle", "board", "grid", "clues", "quiz", "sudoku"];

/// The keys of such an object.
pub(super) const KEYS: [&str; 11] =
    ["puzzle", "board", "grid", "clues", "quiz", "sudoku", "size", "n", "width", "height", "box"];

/// Says whether an object has a grid of digits, and no cages.
pub(super) fn are_in(keys: &Keys<'_>, kind: Kind) -> bool {
    let has_any = |names: &[&str]| names.iter().any(|name| keys.get(name).is_some());
    matches!(kind, Kind::KenKen | Kind::Sudoku | Kind::Latin)
        && has_any(&GRID)
        && !has_any(&["cages", "rules"])
}

/// Reads the grid of an object.
pub(super) fn read_keys(keys: &Keys<'_>, kind: Kind) -> Result<Puzzle, Fault> {
    let node = keys.need_one(&GRID)?;
    read_grid(node, keys.get("kind").is_some(), |size| {
        if let Some(place) = keys.get_one(&SIZE_KEYS)?
            && place.number("the number of rows")? != size
        {
            return Err(place.unexpected(&format!("{size}, the number of rows")));
        }
        Ok(if kind == Kind::Latin { Square::latin(size) } else { Square::sudoku(size, boxes(keys, size)?) })
    })
}

/// Reads a list of rows.
pub(super) fn read(node: JsonNode<'_>) -> Result<Puzzle, Fault> {
    read_grid(node, false, |size| match usual_boxes(size) {
        Some(boxes) => Ok(Square::sudoku(size, boxes)),
        None => Err(node
            .unexpected("a Sudoku of a size that has usual boxes")
            .help("write {\"kind\": \"latin\", \"grid\": …} for a Latin square")),
    })
}

/// Reads the givens of a grid into the square of its size, or a Futoshiki where signs stand in it.
fn read_grid(
    node: JsonNode<'_>,
    has_kind: bool,
    square: impl FnOnce(usize) -> Result<Square, Fault>,
) -> Result<Puzzle, Fault> {
    let rows = rows(node)?;
    if rows.iter().flatten().any(|word| ["<", ">", "^", "v", "∧", "∨"].contains(&word.text)) {
        return futoshiki(node, &rows);
    }
    let square = square(check_size(rows.len(), node)?)?;
    check_square(&rows, square.size, "cells", node.as_word().text)?;
    let mut cells = rows.concat();
    let has_zero = cells.iter().any(|cell| cell.text == "0");
    for cell in &mut cells {
        match cell.text {
            "-1" if has_zero || !has_kind => {
                let help = "-1 is an open cell where `kind` is given (sudoku, latin) and no digit is 0";
                return Err(cell.unexpected("a digit, or 0 for an open cell").help(help));
            }
            "" | "null" | "-1" => cell.text = ".",
            _ => {}
        }
    }
    let square = with_givens(square, &cells)?;
    square.build().map_err(|defect| Fault::new(defect, node.span(), "in this grid"))
}

/// The solution as a text of all digits.
pub(super) fn solution(node: JsonNode<'_>, rows: usize, cols: usize) -> Result<Grid, Fault> {
    let mut digits = Vec::new();
    for cell in self::rows(node)?.concat() {
        digits.push(cell.text.parse().ok());
    }
    if digits.len() != rows * cols {
        return Err(node.unexpected(&format!("{} digits", rows * cols)));
    }
    Ok(Grid::from_cells(rows, cols, digits))
}

/// The cells of rows that are lists or texts, or of a text of all rows.
fn rows<'a>(node: JsonNode<'a>) -> Result<Vec<Vec<Word<'a>>>, Fault> {
    const ROWS: &str = "rows of digits: lists, or texts of a character a cell";
    if node.is_text() {
        let cells = node.word(ROWS)?.characters();
        let size = cells.len().isqrt().max(1);
        return Ok(cells.chunks(size).map(<[Word<'a>]>::to_vec).collect());
    }
    let mut rows = Vec::new();
    for row in node.list(ROWS)? {
        if row.is_text() {
            rows.push(row.word(ROWS)?.characters());
        } else {
            let cells = row.list(ROWS)?.into_iter().map(|cell| Ok(cell.unquoted("a digit")?.trimmed()));
            rows.push(cells.collect::<Result<_, Fault>>()?);
        }
    }
    Ok(rows)
}

/// The Futoshiki of rows of cells and signs, between which rows of signs stand: with one for each cell, or as many as above.
fn futoshiki(node: JsonNode<'_>, rows: &[Vec<Word<'_>>]) -> Result<Puzzle, Fault> {
    let size = rows.len().div_ceil(2);
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        let is_between = index % 2 == 1;
        if row.len() != 2 * size - 1 && (!is_between || row.len() != size) {
            return Err(node.unexpected(&format!("{0} rows of {0} cells and signs", 2 * size - 1)));
        }
        let mut line = String::new();
        for (place, word) in row.iter().enumerate() {
            let is_beside = place % 2 == 1 && row.len() != size;
            line += match word.text {
                // Above the sign between two cells of the next row nothing stands.
                "" | "0" | "null" | "." | "_" | "-" if is_beside => "",
                "" | "null" | "0" if !is_between => ".",
                "" | "null" | "0" => "-",
                "<" if is_between => "^",
                ">" if is_between => "v",
                other => other,
            };
            line.push(' ');
        }
        if !is_between || line.contains(['^', 'v', '∧', '∨']) {
            text += &(line + "\n");
        }
    }
    let (puzzle, _) = read_as(&futoshiki::FORMAT, &text, node.span())?;
    Ok(puzzle)
}
