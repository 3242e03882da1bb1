//! What the builders of square puzzles share: lines, boxes, cages, givens.

use super::operators::GIVEN;
use super::{Cage, Clue, Defect, DigitSet, Group, Kind, MAX_DIGITS, Puzzle, Role};

/// Rows and columns of a box.
pub(super) type BoxShape = (usize, usize);

/// The digit set of a puzzle of this size, 1 to the size unless it says otherwise.
///
/// # Errors
/// [`Defect::Size`] and [`Defect::Digits`].
pub(super) fn digits(n: usize, values: Option<Vec<u8>>) -> Result<DigitSet, Defect> {
    if n == 0 || n > MAX_DIGITS {
        return Err(Defect::Size { size: n });
    }
    values.map_or_else(|| DigitSet::one_to(n), DigitSet::new)
}

/// The boxes that a Sudoku of this size has when it says nothing, as (rows, columns): the most square ones, wider than
/// high. `None` for 1, 2, 3 and the primes, where they would be rows.
pub fn usual_boxes(size: usize) -> Option<(usize, usize)> {
    let rows = (2..=size.isqrt()).rev().find(|rows| size.is_multiple_of(*rows))?;
    Some((rows, size / rows))
}

/// Distinct boxes of `shape` (rows, columns), row by row.
///
/// # Errors
/// [`Defect::Box`] when a box has not `n` cells.
pub(super) fn boxes(n: usize, shape: (usize, usize)) -> Result<Vec<Group>, Defect> {
    let (rows, cols) = shape;
    if rows.checked_mul(cols) != Some(n) {
        return Err(Defect::Box { shape, size: n });
    }
    let cells = |index: usize| {
        let (top, left) = (index / rows * rows, index % rows * cols);
        (0..n).map(|step| (top + step / cols) * n + left + step % cols).collect()
    };
    let region = |index| Group { role: Role::Region, cells: cells(index), distinct: true, clue: None };
    Ok((0..n).map(region).collect())
}

/// The shape of the boxes of a Sudoku or Killer, and the boxes: those of the first shape all of which it has as regions.
pub(super) fn boxes_of(puzzle: &Puzzle) -> Option<(BoxShape, Vec<Group>)> {
    let n = puzzle.rows();
    if !matches!(puzzle.kind, Kind::Sudoku | Kind::Killer) || n != puzzle.cols() {
        return None;
    }
    let regions: Vec<&Group> = puzzle.groups_with(Role::Region).collect();
    (1..=n).find_map(|rows| {
        let groups = boxes(n, (rows, n / rows)).ok()?;
        groups.iter().all(|group| regions.contains(&group)).then_some(((rows, n / rows), groups))
    })
}

/// The groups of digits printed in cells, `(row, column, digit)`, of a grid of `size` (rows, columns).
///
/// # Errors
/// [`Defect::Outside`] for a cell outside the grid.
pub(super) fn givens(givens: &[(usize, usize, u8)], size: (usize, usize)) -> Result<Vec<Group>, Defect> {
    let group = |(index, &(row, column, digit)): (usize, &(usize, usize, u8))| {
        if row >= size.0 || column >= size.1 {
            return Err(Defect::Outside { cage: index, cell: (row, column), size });
        }
        let clue = Some(Clue { operator: GIVEN, target: i64::from(digit) });
        Ok(Group { role: Role::Given, cells: vec![row * size.1 + column], distinct: false, clue })
    };
    givens.iter().enumerate().map(group).collect()
}

/// Checks cages one by one.
pub(super) fn check_cages(cages: &[Cage], n: usize) -> Result<(), Defect> {
    cages.iter().enumerate().try_for_each(|(index, cage)| check_cage(index, cage, n))
}

/// Checks that no two cages, already checked one by one, share a cell, and that each hangs together.
pub(super) fn check_apart(cages: &[Cage], n: usize) -> Result<(), Defect> {
    owners(cages, n).map(drop)
}

/// Distinct rows and columns.
pub(super) fn lines(n: usize) -> Vec<Group> {
    let line = |role, cells| Group { role, cells, distinct: true, clue: None };
    let rows = (0..n).map(|row| line(Role::Row, (0..n).map(|column| row * n + column).collect()));
    let columns = (0..n).map(|column| line(Role::Column, (0..n).map(|row| row * n + column).collect()));
    rows.chain(columns).collect()
}

/// The group of a cage; one cell is a given whatever its operator.
pub(super) fn cage_group(cage: &Cage, n: usize) -> Group {
    let cells: Vec<usize> = cage.cells.iter().map(|(row, column)| row * n + column).collect();
    let operator = if cells.len() == 1 { GIVEN } else { cage.operator };
    let clue = Some(Clue { operator, target: cage.target });
    Group { role: Role::Cage, cells, distinct: !cage.repeats, clue }
}

fn check_cage(index: usize, cage: &Cage, n: usize) -> Result<(), Defect> {
    if cage.cells.is_empty() {
        return Err(Defect::Empty { cage: index });
    }
    if let Some(&cell) = cage.cells.iter().find(|(row, column)| *row >= n || *column >= n) {
        return Err(Defect::Outside { cage: index, cell, size: (n, n) });
    }
    if cage.target < 0 {
        return Err(Defect::Negative { cage: index, target: cage.target });
    }
    let cells = cage.cells.len();
    if cells > 1 && !cage.operator.cells.contains(&cells) {
        let (symbol, allowed) = (cage.operator.symbol, cage.operator.cells_in_words());
        return Err(Defect::Arity { cage: index, cells, symbol, allowed });
    }
    Ok(())
}

/// Checks that the cages, already checked one by one, hold every cell.
pub(super) fn check_cover(cages: &[Cage], n: usize) -> Result<(), Defect> {
    match owners(cages, n)?.iter().position(Option::is_none) {
        Some(cell) => Err(Defect::Uncovered { cell: (cell / n, cell % n) }),
        None => Ok(()),
    }
}

/// The cage of every cell; no two share one and each hangs together.
fn owners(cages: &[Cage], n: usize) -> Result<Vec<Option<usize>>, Defect> {
    let mut owner = vec![None; n * n];
    for (index, cage) in cages.iter().enumerate() {
        for &(row, column) in &cage.cells {
            if let Some(first) = owner[row * n + column].replace(index) {
                return Err(Defect::Twice { cell: (row, column), first, cage: index });
            }
        }
    }
    for (index, cage) in cages.iter().enumerate() {
        if let Some(cell) = detached(cage) {
            return Err(Defect::Pieces { cage: index, cell, from: cage.cells[0] });
        }
    }
    Ok(owner)
}

/// The first cell of a cage that no path of neighbours joins to its first one.
fn detached(cage: &Cage) -> Option<(usize, usize)> {
    let touches = |a: (usize, usize), b: (usize, usize)| a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1;
    let mut reached = vec![cage.cells[0]];
    let mut next = 0;
    while next < reached.len() {
        let from = reached[next];
        let fresh: Vec<_> = cage
            .cells
            .iter()
            .copied()
            .filter(|&cell| touches(from, cell) && !reached.contains(&cell))
            .collect();
        reached.extend(fresh);
        next += 1;
    }
    cage.cells.iter().copied().find(|cell| !reached.contains(cell))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_tile_the_grid_row_by_row() {
        let boxes = boxes(6, (2, 3)).expect("2 x 3 = 6");
        let cells: Vec<&[usize]> = boxes.iter().map(|group| &*group.cells).collect();
        assert_eq!(cells[..3], [&[0, 1, 2, 6, 7, 8][..], &[3, 4, 5, 9, 10, 11], &[12, 13, 14, 18, 19, 20]]);
        let mut all = cells.concat();
        all.sort_unstable();
        assert_eq!(all, (0..36).collect::<Vec<_>>());
    }

    #[test]
    fn boxes_of_another_area_than_a_row_are_refused() {
        for shape in [(2, 2), (0, 6), (4, 2), (usize::MAX, 2)] {
            assert_eq!(boxes(6, shape), Err(Defect::Box { shape, size: 6 }));
        }
    }

    #[test]
    fn usual_boxes_are_the_most_square() {
        let usual = [4, 6, 9, 12, 16, 25, 32].map(usual_boxes);
        assert_eq!(usual, [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (5, 5), (4, 8)].map(Some));
        assert_eq!([1, 2, 3, 5, 7].map(usual_boxes), [None; 5]);
    }
}
