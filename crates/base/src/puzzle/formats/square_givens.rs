//! The givens of a square puzzle, for formats that hold them and imply all other groups.

use super::super::{Group, Puzzle, Role};

/// The digit given in every cell, where the puzzle is a square of the digits 1 to its size with every row and column, the
/// groups that `is_implied`, `implied` of them, and nothing else.
///
/// # Errors
/// What the format cannot hold, in words.
pub(super) fn square_givens(
    puzzle: &Puzzle,
    implied: usize,
    is_implied: impl Fn(&Group) -> bool,
) -> Result<Vec<Option<usize>>, String> {
    let size = puzzle.rows();
    if puzzle.cols() != size || (0..size * size).any(|cell| puzzle.is_black(cell)) {
        return Err("a grid that is not a full square".to_owned());
    }
    if !puzzle.digits().is_one_to(size) {
        return Err(format!("the digits {:?}, only 1 to {size}", puzzle.digits().values()));
    }
    let (mut givens, mut parts) = (vec![None; size * size], 0);
    for group in puzzle.groups() {
        match (group.role, group.clue) {
            (Role::Row | Role::Column, None) if group.distinct && group.cells.len() == size => parts += 1,
            _ if is_implied(group) => parts += 1,
            (Role::Given, Some(clue)) => {
                let digit = usize::try_from(clue.target).ok().filter(|digit| (1..=size).contains(digit));
                let free = |group: &Group| group.cells.len() == 1 && givens[group.cells[0]].is_none();
                let digit = digit.filter(|_| free(group));
                givens[group.cells[0]] =
                    Some(digit.ok_or_else(|| format!("the {}", puzzle.group_name(group)))?);
            }
            _ => return Err(format!("the {} besides those that it implies", puzzle.group_name(group))),
        }
    }
    if parts == 2 * size + implied { Ok(givens) } else { Err("a repeated or missing group".to_owned()) }
}
