//! The groups of the square puzzles: KenKen, Sudoku, Killer, Latin squares.

use super::operators::{GIVEN, Operator};
use super::{
    Clue, Defect, DigitSet, Group, Kind, MAX_DIGITS, Position, Puzzle, PuzzlePart, Role, are_neighbours,
    indices, position,
};

/// Rows and columns of a box.
pub(super) type BoxShape = (usize, usize);

/// A cage, not checked yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cage {
    /// The operator; a cage of one cell is a given whatever its operator.
    pub operator: Operator,
    /// The target.
    pub target: i64,
    /// Its cells, `(row, column)` from 0.
    pub cells: Vec<(usize, usize)>,
    /// Whether a digit may occur twice where no line forbids it, as in a KenKen.
    pub repeats: bool,
}

impl Cage {
    /// A cage in which digits may repeat.
    pub fn new(operator: Operator, target: i64, cells: Vec<(usize, usize)>) -> Self {
        Self { operator, target, cells, repeats: true }
    }
}

/// The parts of a square puzzle; [`build`](Self::build) checks them and makes the groups.
#[derive(Clone, Debug)]
pub struct Square {
    /// A kind of square.
    pub kind: Kind,
    /// The side, 1 to 32.
    pub size: usize,
    /// The rows and columns of a box, where the kind has boxes; a box has as many cells as a row.
    pub boxes: Option<(usize, usize)>,
    /// The digits; 1 to `size` when absent.
    pub digits: Option<Vec<u8>>,
    /// The cages; those of a KenKen cover every cell once.
    pub cages: Vec<Cage>,
    /// Digits printed in cells besides the cages: `(row, column, digit)`.
    pub givens: Vec<(usize, usize, u8)>,
    /// Further groups as they are (a diagonal, say).
    pub groups: Vec<Group>,
}

impl Square {
    /// A Latin square: distinct rows and columns, with the digits 1 to `size`.
    pub fn latin(size: usize) -> Self {
        let (cages, givens, groups) = (Vec::new(), Vec::new(), Vec::new());
        Self { kind: Kind::Latin, size, boxes: None, digits: None, cages, givens, groups }
    }

    /// A KenKen: a Latin square with cages that cover every cell.
    pub fn kenken(size: usize, cages: Vec<Cage>) -> Self {
        Self { kind: Kind::KenKen, cages, ..Self::latin(size) }
    }

    /// A Sudoku: a Latin square with distinct boxes, each of so many rows and columns.
    pub fn sudoku(size: usize, boxes: (usize, usize)) -> Self {
        Self { kind: Kind::Sudoku, boxes: Some(boxes), ..Self::latin(size) }
    }

    /// A Killer: a Sudoku with cages, usually sums, which need not cover every cell.
    pub fn killer(size: usize, boxes: (usize, usize), cages: Vec<Cage>) -> Self {
        Self { kind: Kind::Killer, cages, ..Self::sudoku(size, boxes) }
    }

    /// Checks the structure and builds the puzzle: distinct rows, columns and boxes, cages, givens.
    ///
    /// # Errors
    /// The first [`Defect`] found: a size or digit set out of range; a cage without cells, outside the grid, not
    /// connected, with a negative target or an operator for other numbers of cells; a cell in two cages or, of a KenKen,
    /// in none; boxes that do not fit; a given outside the grid.
    pub fn build(self) -> Result<Puzzle, Defect> {
        let n = self.size;
        if n == 0 || n > MAX_DIGITS {
            return Err(Defect::Size(n));
        }
        let digits = self.digits.map_or_else(|| DigitSet::one_to(n), DigitSet::new)?;
        for (index, cage) in self.cages.iter().enumerate() {
            check_cage(index, cage, n)?;
        }
        // Also of kinds whose cages leave cells out: no cell has two. Groups of a grid may overlap.
        let owners = if self.kind == Kind::Grid { Vec::new() } else { owners(&self.cages, n)? };
        if self.kind == Kind::KenKen
            && let Some(cell) = owners.iter().position(Option::is_none)
        {
            return Err(Defect::Uncovered(position(cell, n)));
        }
        let mut groups = Vec::with_capacity(3 * n + self.cages.len() + self.givens.len());
        for (role, cells) in line_cells(n) {
            groups.push(Group::all_different(role, cells));
        }
        if let Some(shape) = self.boxes {
            groups.extend(boxes(n, shape)?);
        }
        for cage in &self.cages {
            groups.push(cage_group(cage, n));
        }
        groups.extend(givens(&self.givens, (n, n))?);
        groups.extend(self.groups);
        Puzzle::new(self.kind, (n, n), digits, vec![false; n * n], groups)
    }
}

/// The default boxes of a Sudoku of this size, as (rows, columns): as square as possible, wider than high. `None` for 1
/// and the primes, where they would be rows.
pub fn usual_boxes(size: usize) -> Option<(usize, usize)> {
    // The divisor next to the square root gives the most square boxes.
    let rows = (2..=size.isqrt()).rfind(|rows| size.is_multiple_of(*rows))?;
    Some((rows, size / rows))
}

/// Distinct boxes of `shape` (rows, columns), row by row.
///
/// # Errors
/// [`Defect::Box`] when a box does not have `n` cells.
fn boxes(n: usize, shape: (usize, usize)) -> Result<Vec<Group>, Defect> {
    if shape.0.checked_mul(shape.1) != Some(n) {
        return Err(Defect::Box { shape, size: n });
    }
    Ok(box_cells(n, shape).map(|cells| Group::all_different(Role::Region, cells)).collect())
}

/// The cells of every box of `shape` (rows, columns) in a square of size `n`, row by row.
pub fn box_cells(n: usize, shape: (usize, usize)) -> impl Iterator<Item = Vec<usize>> {
    let (rows, cols) = shape;
    (0..n).map(move |index| {
        let (top, left) = (index / rows * rows, index % rows * cols);
        (0..n).map(|step| (top + step / cols) * n + left + step % cols).collect()
    })
}

/// The place of a cell's box among [`box_cells`].
pub fn box_of(n: usize, shape: (usize, usize), cell: usize) -> usize {
    let (rows, cols) = shape;
    cell / n / rows * rows + cell % n / cols
}

/// The shape of the boxes of a Sudoku or Killer, and the boxes: the first shape whose boxes are all among its regions.
pub(super) fn boxes_of(puzzle: &Puzzle) -> Option<(BoxShape, Vec<Group>)> {
    let n = puzzle.rows();
    if !matches!(puzzle.kind, Kind::Sudoku | Kind::Killer) || n != puzzle.cols() {
        return None;
    }
    let mut areas = Vec::new();
    for region in puzzle.groups_with(Role::Region) {
        if region.distinct && region.clue.is_none() {
            areas.push(region.cells.clone());
        }
    }
    let shape = shape_among(n, 1, &areas)?;
    Some((shape, boxes(n, shape).ok()?))
}

/// The first shape, of so many rows or more, whose boxes are all among these areas: where several fit, the flattest.
pub(super) fn shape_among(n: usize, least: usize, areas: &[Vec<usize>]) -> Option<BoxShape> {
    for rows in least..=n {
        let shape = (rows, n / rows);
        if n.is_multiple_of(rows) && box_cells(n, shape).all(|cells| areas.contains(&cells)) {
            return Some(shape);
        }
    }
    None
}

/// The groups of givens, each `(row, column, digit)`, of a grid of `size` (rows, columns).
///
/// # Errors
/// [`Defect::Outside`] for a cell outside the grid.
pub(super) fn givens(givens: &[(usize, usize, u8)], size: (usize, usize)) -> Result<Vec<Group>, Defect> {
    let mut groups = Vec::with_capacity(givens.len());
    for (index, &(row, column, digit)) in givens.iter().enumerate() {
        if row >= size.0 || column >= size.1 {
            return Err(Defect::Outside { part: PuzzlePart::Given(index), cell: (row, column), size });
        }
        groups.push(Group::given(row * size.1 + column, digit));
    }
    Ok(groups)
}

/// The cells of every row of a square, then those of every column.
pub(super) fn line_cells(n: usize) -> Vec<(Role, Vec<usize>)> {
    let mut lines = Vec::with_capacity(2 * n);
    for row in 0..n {
        lines.push((Role::Row, (row * n..(row + 1) * n).collect()));
    }
    for column in 0..n {
        lines.push((Role::Column, (0..n).map(|row| row * n + column).collect()));
    }
    lines
}

/// The cells of the diagonal that falls to the right, and of the one that rises.
pub(super) fn diagonals(n: usize) -> [Vec<usize>; 2] {
    [(0..n).map(|step| step * (n + 1)).collect(), (1..=n).map(|step| step * (n - 1)).collect()]
}

/// The group of a cage; one cell is a given whatever its operator.
fn cage_group(cage: &Cage, n: usize) -> Group {
    let operator = if cage.cells.len() == 1 { GIVEN } else { cage.operator };
    let clue = Some(Clue { operator, target: cage.target });
    Group { role: Role::Cage, cells: indices(&cage.cells, n), distinct: !cage.repeats, clue }
}

fn check_cage(index: usize, cage: &Cage, n: usize) -> Result<(), Defect> {
    check_part(PuzzlePart::Cage(index), &cage.cells, cage.target, (n, n))?;
    let cells = cage.cells.len();
    if cells > 1 && !cage.operator.cells.contains(&cells) {
        let (symbol, allowed) = (cage.operator.symbol, cage.operator.cells_in_words());
        return Err(Defect::Arity { cage: index, cells, symbol, allowed });
    }
    Ok(())
}

/// Checks what cages and entries have in common: cells in a grid of `size` (rows, columns), and the target.
pub(super) fn check_part(
    part: PuzzlePart,
    cells: &[Position],
    target: i64,
    size: (usize, usize),
) -> Result<(), Defect> {
    if cells.is_empty() {
        return Err(Defect::Empty(part));
    }
    for &cell in cells {
        if cell.0 >= size.0 || cell.1 >= size.1 {
            return Err(Defect::Outside { part, cell, size });
        }
    }
    if target < 0 { Err(Defect::Negative { part, target }) } else { Ok(()) }
}

/// The cage of every cell, if it has one.
///
/// # Errors
/// [`Defect::CageOverlap`] for a cell in two cages, [`Defect::Disconnected`] for a cage that is not connected.
pub(super) fn owners(cages: &[Cage], n: usize) -> Result<Vec<Option<usize>>, Defect> {
    let mut owner = vec![None; n * n];
    for (index, cage) in cages.iter().enumerate() {
        for &(row, column) in &cage.cells {
            if let Some(first) = owner[row * n + column].replace(index) {
                return Err(Defect::CageOverlap { cell: (row, column), first, cage: index });
            }
        }
    }
    for (index, cage) in cages.iter().enumerate() {
        if let Some(cell) = detached(cage) {
            return Err(Defect::Disconnected { cage: index, cell, from: cage.cells[0] });
        }
    }
    Ok(owner)
}

/// The first cell of a cage that no path of neighbours joins to the cage's first cell.
fn detached(cage: &Cage) -> Option<Position> {
    // Cages are small: a list is searched as fast as a grid is filled.
    let mut reached = vec![cage.cells[0]];
    let mut next = 0;
    while next < reached.len() {
        let from = reached[next];
        for &cell in &cage.cells {
            if are_neighbours(from, cell) && !reached.contains(&cell) {
                reached.push(cell);
            }
        }
        next += 1;
    }
    cage.cells.iter().copied().find(|cell| !reached.contains(cell))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::operators;

    fn op(symbol: &str) -> Operator {
        operators::find(symbol).expect("a known operator")
    }

    fn sum(target: i64, cells: &[(usize, usize)]) -> Cage {
        Cage::new(op("+"), target, cells.to_vec())
    }

    #[test]
    fn rows_columns_boxes_cages_and_givens_become_groups() {
        let cages = vec![sum(5, &[(0, 1), (0, 0)]), Cage { repeats: false, ..sum(7, &[(1, 1), (1, 2)]) }];
        let killer = Square { givens: vec![(0, 5, 3)], ..Square::killer(6, (2, 3), cages) };
        let puzzle = killer.build().expect("a sound puzzle");
        let count = |role| puzzle.groups_with(role).count();
        let roles = [Role::Row, Role::Column, Role::Region, Role::Cage, Role::Given];
        assert_eq!(roles.map(count), [6, 6, 6, 2, 1]);
        assert!(puzzle.groups_with(Role::Region).all(|region| region.distinct && region.cells.len() == 6));
        let cages: Vec<_> =
            puzzle.groups_with(Role::Cage).map(|cage| (&*cage.cells, cage.distinct)).collect();
        assert_eq!(cages, [(&[0, 1][..], false), (&[7, 8], true)]);
    }

    #[test]
    fn digits_need_not_be_one_to_the_size() {
        let square = Square { digits: Some(vec![2, 3, 5, 7]), givens: vec![(1, 2, 5)], ..Square::latin(4) };
        let puzzle = square.build().expect("a sound puzzle");
        assert_eq!((puzzle.groups().len(), puzzle.digits().values()), (9, &[2, 3, 5, 7][..]));
        assert_eq!(puzzle.groups_with(Role::Given).next().expect("a given").cells, [6]);
    }

    #[test]
    fn one_cell_is_a_given_whatever_its_operator() {
        let puzzle = Square::kenken(1, vec![Cage::new(op("/"), 1, vec![(0, 0)])]).build().expect("n = 1");
        assert!(puzzle.groups_with(Role::Cage).all(|cage| cage.clue.expect("a clue").operator == GIVEN));
    }

    #[test]
    fn every_defect_is_named() {
        let kenken = |cages| Square::kenken(2, cages).build();
        let whole = [(0, 0), (0, 1), (1, 0), (1, 1)];
        for size in [0, 33, 40] {
            assert_eq!(Square::kenken(size, vec![]).build(), Err(Defect::Size(size)));
            assert_eq!(Square::killer(size, (1, size), vec![]).build(), Err(Defect::Size(size)));
        }
        let digits = Square { digits: Some(vec![]), ..Square::latin(2) };
        assert_eq!(digits.build(), Err(Defect::Digits { count: 0, twice: false }));
        assert_eq!(kenken(vec![sum(6, &[])]), Err(Defect::Empty(PuzzlePart::Cage(0))));
        assert_eq!(
            kenken(vec![sum(-6, &whole)]),
            Err(Defect::Negative { part: PuzzlePart::Cage(0), target: -6 })
        );
        let outside = Defect::Outside { part: PuzzlePart::Cage(0), cell: (2, 0), size: (2, 2) };
        assert_eq!(kenken(vec![sum(6, &[(2, 0)])]), Err(outside));
        let twice = Defect::CageOverlap { cell: (0, 0), first: 0, cage: 1 };
        assert_eq!(kenken(vec![sum(6, &whole), sum(1, &[(0, 0)])]), Err(twice));
        assert_eq!(kenken(vec![sum(3, &[(0, 0), (0, 1)])]), Err(Defect::Uncovered((1, 0))));
        let pieces = Defect::Disconnected { cage: 0, cell: (1, 1), from: (0, 0) };
        assert_eq!(kenken(vec![sum(2, &[(0, 0), (1, 1)]), sum(4, &[(0, 1), (1, 0)])]), Err(pieces));
        let given = kenken(vec![Cage::new(GIVEN, 6, whole.to_vec())]);
        assert!(matches!(given, Err(Defect::Arity { cage: 0, cells: 4, .. })));
        let outside = Square { givens: vec![(0, 4, 1)], ..Square::sudoku(4, (2, 2)) };
        assert_eq!(
            outside.build(),
            Err(Defect::Outside { part: PuzzlePart::Given(0), cell: (0, 4), size: (4, 4) })
        );
    }

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
    fn every_cell_is_in_the_box_that_its_place_says() {
        for (size, shape) in [(4, (2, 2)), (6, (2, 3)), (12, (3, 4)), (6, (3, 2))] {
            for (index, cells) in box_cells(size, shape).enumerate() {
                assert!(cells.iter().all(|cell| box_of(size, shape, *cell) == index), "{size} {shape:?}");
            }
        }
    }

    #[test]
    fn usual_boxes_are_the_most_square() {
        let usual = [4, 6, 9, 12, 16, 25, 32].map(usual_boxes);
        assert_eq!(usual, [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (5, 5), (4, 8)].map(Some));
        assert_eq!([1, 2, 3, 5, 7].map(usual_boxes), [None; 5]);
    }
}
