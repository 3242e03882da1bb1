//! The groups of a Kakuro, and the black cells that print its clues.

use std::collections::BTreeSet;

use super::operators::{ADD, GIVEN};
use super::{
    Clue, Defect, DigitSet, Group, Kind, MAX_CELLS, Position, Puzzle, PuzzlePart, Role, indices, positions,
    square,
};
use crate::sort::sort_by;

/// White cells in a line, and the sum of their digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The sum.
    pub target: i64,
    /// Its cells, `(row, column)` from 0, side by side in one row or one column, in any order.
    pub cells: Vec<(usize, usize)>,
}

/// The parts of a Kakuro; [`build`](Self::build) checks them and makes the groups.
#[derive(Clone, Debug)]
pub struct Kakuro {
    /// The rows, black cells included; with `cols` up to 65,536 cells.
    pub rows: usize,
    /// The columns.
    pub cols: usize,
    /// The digits; 1 to 9 when absent.
    pub digits: Option<Vec<u8>>,
    /// The entries across and down. A cell in no entry is black.
    pub entries: Vec<Entry>,
    /// Digits printed in white cells: `(row, column, digit)`.
    pub givens: Vec<(usize, usize, u8)>,
    /// Further groups as they are; those in the role of an entry are entries, too: without a sum, of a puzzle that is being made.
    pub groups: Vec<Group>,
}

impl Kakuro {
    /// A Kakuro of entries alone, with the digits 1 to 9, over so many rows and columns.
    pub fn new(size: (usize, usize), entries: Vec<Entry>) -> Self {
        let (rows, cols) = size;
        Self { rows, cols, digits: None, entries, givens: Vec::new(), groups: Vec::new() }
    }

    /// Checks the structure and builds the puzzle: distinct entries with sums. An entry with more cells than there are
    /// digits is valid; the puzzle then has no solution.
    ///
    /// # Errors
    /// The first [`Defect`] found: a grid or digit set out of range; an entry without cells, outside the grid, not
    /// straight, with a negative target, or over a cell of another in its direction; a given or group outside the grid
    /// or in a black cell.
    pub fn build(self) -> Result<Puzzle, Defect> {
        let size = (self.rows, self.cols);
        let area = checked_area(size)?;
        let digits = self.digits.map_or_else(|| DigitSet::one_to(9), DigitSet::new)?;
        for (index, Entry { target, cells }) in self.entries.iter().enumerate() {
            square::check_part(PuzzlePart::Entry(index), cells, *target, size)?;
            check_line(index, cells)?;
        }
        check_apart(&self.entries, size)?;
        let mut groups = Vec::with_capacity(self.entries.len());
        for entry in &self.entries {
            groups.push(entry.group(self.cols));
        }
        let mut black = vec![true; area];
        // A cell in no entry is black, so that the entries alone tell the shape.
        for entry in groups.iter().chain(&self.groups) {
            if entry.role == Role::Entry {
                for &cell in &entry.cells {
                    black[cell] = false;
                }
            }
        }
        groups.extend(square::givens(&self.givens, size)?);
        groups.extend(self.groups);
        Puzzle::new(Kind::Kakuro, size, digits, black, groups)
    }
}

/// The number of cells of a grid of so many rows and columns.
///
/// # Errors
/// [`Defect::Area`] for a grid without cells, or with too many.
pub(super) fn checked_area(size: (usize, usize)) -> Result<usize, Defect> {
    let (rows, cols) = size;
    match rows.checked_mul(cols) {
        Some(area) if (1..=MAX_CELLS).contains(&area) => Ok(area),
        _ => Err(Defect::Area { rows, cols }),
    }
}

impl Entry {
    fn group(&self, cols: usize) -> Group {
        let operator = if self.cells.len() == 1 { GIVEN } else { ADD };
        let clue = Some(Clue { operator, target: self.target });
        Group { clue, ..Group::all_different(Role::Entry, indices(&self.cells, cols)) }
    }
}

/// Checks that the cells are side by side in one row or one column.
fn check_line(entry: usize, cells: &[Position]) -> Result<(), Defect> {
    let mut sorted = cells.to_vec();
    sort_by(&mut sorted, Ord::cmp);
    // The first two cells in order tell the direction.
    let is_across = sorted.len() > 1 && sorted[0].0 == sorted[1].0;
    for pair in sorted.windows(2) {
        let (row, column) = pair[0];
        let next = if is_across { (row, column + 1) } else { (row + 1, column) };
        if pair[1] != next {
            return Err(Defect::NotStraight { entry, cell: pair[1], from: pair[0] });
        }
    }
    Ok(())
}

/// Checks that no cell has two entries across, or two down. An entry of a single cell has no direction.
fn check_apart(entries: &[Entry], size: (usize, usize)) -> Result<(), Defect> {
    let mut owner = vec![[None; 2]; size.0 * size.1];
    for (index, entry) in entries.iter().enumerate() {
        if entry.cells.len() == 1 {
            continue;
        }
        // Cells are side by side by now, in any order: two of them tell the direction.
        let across = usize::from(entry.cells[0].0 == entry.cells[1].0);
        for &cell in &entry.cells {
            if let Some(first) = owner[cell.0 * size.1 + cell.1][across].replace(index) {
                return Err(Defect::EntryOverlap { entry: index, cell, first });
            }
        }
    }
    Ok(())
}

/// The sums that one black cell prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlackClues {
    /// The sum of the entry below.
    pub down: Option<i64>,
    /// The sum of the entry to the right.
    pub across: Option<i64>,
}

/// A grid of black cells with the clues that they print.
pub(super) struct ClueGrid {
    pub(super) rows: usize,
    pub(super) cols: usize,
    /// Row-major; `None` of white cells.
    pub(super) cells: Vec<Option<BlackClues>>,
}

/// Why the clues of black cells make no Kakuro.
pub(super) enum ClueFlaw {
    /// The clue of a black cell, with the direction of its entry, stands before no white cell.
    NoCells { black: usize, is_down: bool },
    /// A white cell lies in no entry.
    NoEntry(usize),
}

impl ClueGrid {
    /// The white cells from the one after a black cell on, in steps of 1 or of a row.
    pub(super) fn run(&self, black: usize, step: usize) -> Vec<usize> {
        let end = if step == 1 { (black / self.cols + 1) * self.cols } else { self.cells.len() };
        let mut cells = Vec::new();
        let mut cell = black + step;
        while cell < end && self.cells[cell].is_none() {
            cells.push(cell);
            cell += step;
        }
        cells
    }

    /// The runs of two white cells or more, those of rows first.
    pub(super) fn runs(&self) -> Vec<Vec<usize>> {
        let (rows, cols) = (self.rows, self.cols);
        let mut lines: Vec<Vec<usize>> = Vec::with_capacity(rows + cols);
        for row in 0..rows {
            lines.push((row * cols..(row + 1) * cols).collect());
        }
        for column in 0..cols {
            lines.push((0..rows).map(|row| row * cols + column).collect());
        }
        let mut runs = Vec::new();
        for line in lines {
            for run in line.split(|cell| self.cells[*cell].is_some()) {
                if run.len() > 1 {
                    runs.push(run.to_vec());
                }
            }
        }
        runs
    }

    /// The Kakuro with an entry for every clue, and an entry without a sum for every other run: its digits differ too.
    pub(super) fn kakuro(&self) -> Result<Kakuro, ClueFlaw> {
        let mut kakuro = Kakuro::new((self.rows, self.cols), Vec::new());
        let mut entered = BTreeSet::new();
        for (black, clues) in self.cells.iter().enumerate() {
            let Some(clues) = clues else { continue };
            for (clue, step, is_down) in [(clues.down, self.cols, true), (clues.across, 1, false)] {
                let Some(target) = clue else { continue };
                let cells = self.run(black, step);
                if cells.is_empty() {
                    return Err(ClueFlaw::NoCells { black, is_down });
                }
                kakuro.entries.push(Entry { target, cells: positions(&cells, self.cols) });
                entered.insert(cells);
            }
        }
        for run in self.runs() {
            if entered.insert(run.clone()) {
                kakuro.groups.push(Group::all_different(Role::Entry, run));
            }
        }
        let mut is_entered = vec![false; self.cells.len()];
        for &cell in entered.iter().flatten() {
            is_entered[cell] = true;
        }
        // Nothing would be asked of such a cell: any digit in it would solve the puzzle.
        for (cell, is_entered) in is_entered.into_iter().enumerate() {
            if !is_entered && self.cells[cell].is_none() {
                return Err(ClueFlaw::NoEntry(cell));
            }
        }
        Ok(kakuro)
    }
}

/// The clues that the black cells of a puzzle print.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrintedClues {
    /// The clues of every cell, row-major; white cells have none.
    pub cells: Vec<BlackClues>,
    /// Entries with a clue, as indices of [`Puzzle::groups`], without a free black cell before them or with another white
    /// cell behind.
    pub unplaced: Vec<usize>,
}

impl PrintedClues {
    /// Finds the black cell of every entry with a clue. That of a single cell may be above or to the left; the one
    /// above is preferred.
    pub fn of(puzzle: &Puzzle) -> Self {
        let cells = vec![BlackClues::default(); puzzle.rows() * puzzle.cols()];
        let mut printed = Self { cells, unplaced: Vec::new() };
        for (index, group) in puzzle.groups().iter().enumerate() {
            if group.role != Role::Entry {
                continue;
            }
            if group.clue.is_some_and(|clue| !printed.place(puzzle, &group.cells, clue.target)) {
                printed.unplaced.push(index);
            }
        }
        printed
    }

    /// Prints the clue of an entry, its cells ascending; says whether there is a free black cell for it.
    fn place(&mut self, puzzle: &Puzzle, entry: &[usize], target: i64) -> bool {
        let (cols, first, last) = (puzzle.cols(), entry[0], entry[entry.len() - 1]);
        // A printed sum ends at the next black cell: an entry that stops before it would be read as longer.
        let is_closed_below = last + cols >= self.cells.len() || puzzle.is_black(last + cols);
        if first >= cols
            && is_in_step(entry, cols)
            && is_closed_below
            && puzzle.is_black(first - cols)
            && self.cells[first - cols].down.is_none()
        {
            self.cells[first - cols].down = Some(target);
            return true;
        }
        let is_closed_right = (last + 1).is_multiple_of(cols) || puzzle.is_black(last + 1);
        if !first.is_multiple_of(cols)
            && is_in_step(entry, 1)
            && is_closed_right
            && puzzle.is_black(first - 1)
            && self.cells[first - 1].across.is_none()
        {
            self.cells[first - 1].across = Some(target);
            return true;
        }
        false
    }
}

/// Says whether each cell lies so far behind the one before it.
pub(super) fn is_in_step(cells: &[usize], step: usize) -> bool {
    cells.windows(2).all(|pair| pair[1] - pair[0] == step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(target: i64, cells: &[(usize, usize)]) -> Entry {
        Entry { target, cells: cells.to_vec() }
    }

    fn defect(target: i64, cells: &[(usize, usize)]) -> Defect {
        Kakuro::new((3, 3), vec![entry(target, cells)]).build().expect_err("one entry at fault")
    }

    #[test]
    fn entries_are_distinct_sums_and_all_other_cells_black() {
        let entries = vec![entry(4, &[(1, 2), (1, 1)]), entry(5, &[(1, 1), (2, 1)]), entry(3, &[(1, 2)])];
        let puzzle = Kakuro::new((3, 3), entries).build().expect("a sound puzzle");
        let white: Vec<usize> = (0..9).filter(|cell| !puzzle.is_black(*cell)).collect();
        assert_eq!(white, [4, 5, 7]);
        assert_eq!(puzzle.group_name(&puzzle.groups()[0]), "entry 4+ at B2");
        assert!(puzzle.groups().iter().all(|group| group.distinct && group.role == Role::Entry));
    }

    #[test]
    fn every_defect_is_named() {
        let part = PuzzlePart::Entry(0);
        let bent = |cell, from| Defect::NotStraight { entry: 0, cell, from };
        assert_eq!(defect(4, &[]), Defect::Empty(part));
        assert_eq!(defect(4, &[(1, 3)]), Defect::Outside { part, cell: (1, 3), size: (3, 3) });
        assert_eq!(defect(-4, &[(1, 2)]), Defect::Negative { part, target: -4 });
        assert_eq!(defect(4, &[(1, 0), (1, 2)]), bent((1, 2), (1, 0)));
        assert_eq!(defect(4, &[(1, 0), (1, 0)]), bent((1, 0), (1, 0)));
        assert_eq!(defect(4, &[(0, 0), (0, 1), (1, 1)]), bent((1, 1), (0, 1)));
        let both = vec![entry(4, &[(0, 0), (0, 1)]), entry(4, &[(0, 1), (0, 2)])];
        let twice = Defect::EntryOverlap { entry: 1, cell: (0, 1), first: 0 };
        assert_eq!(Kakuro::new((3, 3), both).build(), Err(twice));
        let area = Defect::Area { rows: 300, cols: 300 };
        assert_eq!(Kakuro::new((300, 300), vec![]).build(), Err(area));
        let black = Kakuro { givens: vec![(2, 2, 1)], ..Kakuro::new((3, 3), vec![entry(1, &[(0, 0)])]) };
        assert!(matches!(black.build(), Err(Defect::Outside { cell: (2, 2), .. })));
    }

    #[test]
    fn large_grids_and_long_entries_are_sound() {
        let cells: Vec<(usize, usize)> = (0..150).map(|column| (149, column)).collect();
        let puzzle = Kakuro::new((150, 150), vec![entry(i64::MAX, &cells)]).build();
        assert_eq!(puzzle.expect("a sound puzzle").groups().len(), 1);
    }

    fn printed(shape: (usize, usize), entries: &[(i64, &[(usize, usize)])]) -> PrintedClues {
        let entry =
            |(target, cells): &(i64, &[(usize, usize)])| Entry { target: *target, cells: cells.to_vec() };
        PrintedClues::of(
            &Kakuro::new(shape, entries.iter().map(entry).collect()).build().expect("sound entries"),
        )
    }

    #[test]
    fn clues_stand_before_their_entries() {
        let clues = printed((2, 3), &[(3, &[(1, 1), (1, 2)]), (1, &[(1, 1)])]);
        assert_eq!(clues.cells[1], BlackClues { down: Some(1), across: None });
        assert_eq!(clues.cells[3], BlackClues { down: None, across: Some(3) });
        assert!(clues.unplaced.is_empty());
    }

    #[test]
    fn an_entry_at_the_edge_or_cut_short_has_no_place() {
        let clues = printed((1, 4), &[(3, &[(0, 0), (0, 1)]), (4, &[(0, 3)])]);
        assert_eq!((clues.unplaced, clues.cells[2].across), (vec![0], Some(4)));
        assert_eq!(printed((1, 4), &[(3, &[(0, 1), (0, 2)]), (4, &[(0, 3)])]).unplaced, [0, 1]);
    }
}
