//! What formats can hold that know nothing but cages.

use super::super::{Clue, Group, Kind, Puzzle, Role};
use super::error::WriteError;

/// The cages of a puzzle with their clues, by first cell; they and the size say all there is to say.
///
/// # Errors
/// [`WriteError`] when the puzzle is no KenKen, or has rules besides: other digits than 1 to the size, givens besides the cages,
/// further groups, cages in which no digit repeats.
pub(super) fn cages<'a>(
    puzzle: &'a Puzzle,
    format: &'static str,
) -> Result<Vec<(&'a Group, Clue)>, WriteError> {
    let refused = |what| Err(WriteError { format, what });
    if puzzle.kind != Kind::KenKen {
        return refused(format!("a {}, only a {}", puzzle.kind.name(), Kind::KenKen.name()));
    }
    let size = puzzle.rows();
    if puzzle.cols() != size || (0..size * size).any(|cell| puzzle.is_black(cell)) {
        return refused("a grid that is not a full square".to_owned());
    }
    if !puzzle.digits().is_one_to(size) {
        return refused(format!("the digits {:?}, only 1 to {size}", puzzle.digits().values()));
    }
    let mut cages = Vec::new();
    let mut lines = 0;
    for group in puzzle.groups() {
        match (group.role, group.clue) {
            (Role::Row | Role::Column, None) if group.distinct && group.cells.len() == size => lines += 1,
            (Role::Cage, Some(clue)) if !group.distinct => cages.push((group, clue)),
            (Role::Cage, Some(_)) => {
                return refused(format!("`repeats: false`, as {} has", puzzle.group_name(group)));
            }
            _ => return refused(format!("a {} besides the cages", puzzle.group_name(group))),
        }
    }
    if lines == 2 * size {
        Ok(cages)
    } else {
        refused("other lines than each row and column once".to_owned())
    }
}
