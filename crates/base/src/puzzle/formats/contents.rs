//! What a puzzle consists of, for formats that hold a few kinds of groups and nothing else. A refusal is in words.

use super::super::{Clue, Group, Kind, Puzzle, Role};
use super::error::WriteError;

/// Refuses a puzzle of another kind.
///
/// # Errors
/// What the puzzle is.
pub(super) fn check_kind(puzzle: &Puzzle, only: Kind) -> Result<(), String> {
    if puzzle.kind == only {
        return Ok(());
    }
    Err(format!("{}, only {}", puzzle.kind.phrase(), only.phrase()))
}

/// Refuses digits other than 1 to `last`.
///
/// # Errors
/// The digits.
pub(super) fn check_digits(puzzle: &Puzzle, last: usize) -> Result<(), String> {
    if puzzle.digits().is_one_to(last) {
        return Ok(());
    }
    Err(format!("the digits {:?}, only 1 to {last}", puzzle.digits().values()))
}

/// Refuses a grid that is no full square of the digits from 1 to its size.
///
/// # Errors
/// What is missing.
pub(super) fn check_square_of_digits(puzzle: &Puzzle) -> Result<(), String> {
    if !puzzle.is_full_square() {
        return Err("a grid that is not a full square".to_owned());
    }
    check_digits(puzzle, puzzle.rows())
}

/// Says whether a group is a row or column of a square, with distinct digits.
pub(super) fn is_line(group: &Group, size: usize) -> bool {
    matches!(group.role, Role::Row | Role::Column)
        && group.distinct
        && group.clue.is_none()
        && group.cells.len() == size
}

/// The cages of a puzzle with their clues, by first cell, where they and the size are the whole puzzle.
///
/// # Errors
/// [`WriteError`] when the puzzle is no KenKen, or has other digits than 1 to the size, givens besides the cages,
/// further groups, or cages in which no digit repeats.
pub(super) fn plain_cages<'a>(
    puzzle: &'a Puzzle,
    format: &'static str,
) -> Result<Vec<(&'a Group, Clue)>, WriteError> {
    cages_of(puzzle).map_err(|what| WriteError { format, what })
}

fn cages_of(puzzle: &Puzzle) -> Result<Vec<(&Group, Clue)>, String> {
    check_kind(puzzle, Kind::KenKen)?;
    check_square_of_digits(puzzle)?;
    let size = puzzle.rows();
    let mut cages = Vec::new();
    let mut lines = 0;
    for group in puzzle.groups() {
        match (group.role, group.clue) {
            _ if is_line(group, size) => lines += 1,
            (Role::Cage, Some(clue)) if !group.distinct => cages.push((group, clue)),
            (Role::Cage, Some(_)) => {
                return Err(format!("`repeats: false`, as {} has", puzzle.group_name(group)));
            }
            _ => return Err(format!("a {} besides the cages", puzzle.group_name(group))),
        }
    }
    // A line that is there twice, or not at all, would not be read back so.
    if lines != 2 * size {
        return Err("other lines than each row and column once".to_owned());
    }
    Ok(cages)
}

/// The digit given in every cell, where the puzzle is a square of the digits 1 to its size with every row and column, the
/// groups that `is_implied`, `implied` of them, and nothing else.
///
/// # Errors
/// What the format cannot hold, in words.
pub(super) fn square_givens(
    puzzle: &Puzzle,
    implied: usize,
    is_implied: &dyn Fn(&Group) -> bool,
) -> Result<Vec<Option<usize>>, String> {
    check_square_of_digits(puzzle)?;
    let size = puzzle.rows();
    let mut givens = vec![None; size * size];
    let mut parts = 0;
    for group in puzzle.groups() {
        match (group.role, group.clue) {
            _ if is_line(group, size) || is_implied(group) => parts += 1,
            (Role::Given, Some(clue)) => {
                let cell = group.cells[0];
                // A second given of a cell, equal or not, would be lost.
                let is_free = group.cells.len() == 1 && givens[cell].is_none();
                match usize::try_from(clue.target) {
                    Ok(digit) if is_free && (1..=size).contains(&digit) => givens[cell] = Some(digit),
                    _ => return Err(format!("the {}", puzzle.group_name(group))),
                }
            }
            _ => return Err(format!("the {} besides those that it implies", puzzle.group_name(group))),
        }
    }
    if parts != 2 * size + implied {
        return Err("a repeated or missing group".to_owned());
    }
    Ok(givens)
}
