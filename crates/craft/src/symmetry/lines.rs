//! Rows and columns in another order.

use super::image::Motion;
use super::{Freedom, Refusal};
use kenga_core::puzzle::Puzzle;

/// The puzzle with its rows and columns in these orders, each a list of old indices from 0: the first row of the image is
/// `rows[0]`. Without a list they stay.
///
/// # Errors
/// [`Refusal`] for a list that is no order, and for an order that makes another puzzle.
pub fn reordered(
    puzzle: &Puzzle,
    rows: Option<&[usize]>,
    columns: Option<&[usize]>,
) -> Result<Puzzle, Refusal> {
    let freedom = Freedom::of(puzzle);
    let places = (place_of("rows", rows, puzzle.rows())?, place_of("columns", columns, puzzle.cols())?);
    freedom.check(&inverse(&places.0), &inverse(&places.1))?;
    Ok(moved(puzzle, &places.0, &places.1))
}

/// The puzzle with each row and column at its new place.
pub(super) fn moved(puzzle: &Puzzle, rows: &[usize], columns: &[usize]) -> Puzzle {
    let shape = (puzzle.rows(), puzzle.cols());
    Motion::new(puzzle, shape, false, |row, column| (rows[row], columns[column])).image(puzzle)
}

/// The place of every line in an order; its own without one.
fn place_of(lines: &'static str, order: Option<&[usize]>, count: usize) -> Result<Vec<usize>, Refusal> {
    let Some(order) = order else { return Ok((0..count).collect()) };
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    if !sorted.iter().copied().eq(0..count) {
        let given = order.iter().map(|line| line.saturating_add(1)).collect();
        return Err(Refusal::Order { lines, given, count });
    }
    Ok(inverse(order))
}

/// The permutation that undoes another.
pub(super) fn inverse(order: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, line)| inverse[*line] = place);
    inverse
}
