//! Writing a Sudoku.

use super::super::super::{BoxShape, Group, Kind, Puzzle, Role, boxes_of, usual_boxes};
use super::super::error::WriteError;
use super::{FORMAT, ONE_LINE};

pub(super) fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
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

/// The given of every cell, and the shape of the boxes, which are all there is to say.
fn contents(puzzle: &Puzzle) -> Result<(Vec<Option<usize>>, BoxShape), String> {
    if puzzle.kind != Kind::Sudoku {
        return Err(format!("a {}, only a {}", puzzle.kind.name(), Kind::Sudoku.name()));
    }
    let size = puzzle.rows();
    if !puzzle.digits().is_one_to(size) {
        return Err(format!("the digits {:?}, only 1 to {size}", puzzle.digits().values()));
    }
    let (shape, boxes) = boxes_of(puzzle).ok_or("a Sudoku without all its boxes")?;
    let (mut givens, mut parts) = (vec![None; size * size], 0);
    for group in puzzle.groups() {
        match (group.role, group.clue) {
            (Role::Row | Role::Column, None) if group.distinct && group.cells.len() == size => parts += 1,
            (Role::Region, None) if boxes.contains(group) => parts += 1,
            (Role::Given, Some(clue)) => {
                let digit = usize::try_from(clue.target).ok().filter(|digit| (1..=size).contains(digit));
                let free = |group: &Group| group.cells.len() == 1 && givens[group.cells[0]].is_none();
                let digit = digit.filter(|_| free(group));
                givens[group.cells[0]] =
                    Some(digit.ok_or_else(|| format!("the {}", puzzle.group_name(group)))?);
            }
            _ => return Err(format!("a {} besides rows, columns and boxes", puzzle.group_name(group))),
        }
    }
    if parts == 3 * size { Ok((givens, shape)) } else { Err("other groups than each once".to_owned()) }
}
