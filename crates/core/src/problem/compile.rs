//! The compilation of a puzzle's groups into flat arrays.

use std::sync::{Arc, OnceLock};

use crate::puzzle::{Clue, GenomeShape, Grid, MAX_DIGITS, Puzzle, Role, cell_name};

use super::{Blocks, Domains, Tuples, full_mask};

/// The rule of one group; its cells are in [`Problem::cells_of`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What the group is in the puzzle; it names the term of the fitness that the group belongs to.
    pub role: Role,
    /// No digit may occur twice in it.
    pub distinct: bool,
    /// The clue that its digits must satisfy, if it has one.
    pub clue: Option<Clue>,
}

/// See [`Problem::tables`].
type SharedTables = OnceLock<Arc<[Option<Tuples>]>>;

/// A puzzle in flat arrays.
///
/// Groups keep the order of [`Puzzle::groups`]. Adjacency is stored both ways.
#[derive(Clone, Debug)]
pub struct Problem {
    rows: usize,
    cols: usize,
    places: Vec<u32>,
    values: Vec<u8>,
    candidates: Vec<u32>,
    givens: Vec<Option<u8>>,
    rules: Vec<Rule>,
    group_cells: Blocks,
    cell_groups: Blocks,
    expected: Option<u32>,
    genome: Option<GenomeShape>,
    pub(super) tables: SharedTables,
}

impl Problem {
    /// Compiles a puzzle. Every cell starts with all digits as candidates, even a given.
    ///
    /// # Panics
    /// When the puzzle has more than 65,536 cells or groups, which readers refuse.
    pub fn compile(puzzle: &Puzzle) -> Self {
        let total = puzzle.rows() * puzzle.cols();
        let (mut places, mut dense) = (Vec::new(), vec![u16::MAX; total]);
        for (place, dense) in dense.iter_mut().enumerate() {
            if !puzzle.is_black(place) {
                *dense = places.len() as u16;
                places.push(place as u32);
            }
        }
        let limit = usize::from(u16::MAX) + 1;
        assert!(places.len() <= limit && puzzle.groups().len() <= limit, "cells and groups fit 16 bits");
        let digits = puzzle.digits().len();
        let mut problem = Self {
            rows: puzzle.rows(),
            cols: puzzle.cols(),
            values: puzzle.digits().values().to_vec(),
            // No mask holds all values of a problem of the user's own, and nothing asks for them.
            candidates: vec![full_mask(digits.min(MAX_DIGITS)); places.len()],
            givens: vec![None; places.len()],
            rules: Vec::with_capacity(puzzle.groups().len()),
            group_cells: Blocks::with_capacity(puzzle.groups().len(), 4 * places.len()),
            cell_groups: Blocks::default(),
            expected: None,
            genome: puzzle.genome().cloned(),
            tables: SharedTables::default(),
            places,
        };
        for group in puzzle.groups() {
            problem.rules.push(Rule { role: group.role, distinct: group.distinct, clue: group.clue });
            problem.group_cells.push(group.cells.iter().map(|cell| dense[*cell]));
        }
        problem.cell_groups = problem.group_cells.inverse(problem.cells());
        problem.find_givens();
        // In a solution each line has every digit once: as many of a digit as there are lines.
        problem.expected = problem.lines().map(|lines| lines.len() as u32);
        problem
    }

    /// The number of white cells.
    pub fn cells(&self) -> usize {
        self.places.len()
    }

    /// The genomes of a problem of the user's own; `None` of a puzzle.
    pub fn genome(&self) -> Option<&GenomeShape> {
        self.genome.as_ref()
    }

    /// The number of digits, 1 to 32; of a problem of the user's own up to 256.
    pub fn digits(&self) -> usize {
        self.values.len()
    }

    /// The mask of all digits.
    pub fn all_digits(&self) -> u32 {
        full_mask(self.values.len())
    }

    /// The values of the digits by rank, ascending.
    pub fn values(&self) -> &[u8] {
        &self.values
    }

    /// The candidates of every cell, masks of ranks.
    pub fn candidates(&self) -> &[u32] {
        &self.candidates
    }

    /// The rank of a given cell: the first that a one-cell clue demands, or the only candidate of a restricted problem.
    pub fn given(&self, cell: usize) -> Option<u8> {
        self.givens[cell]
    }

    /// The number of groups.
    pub fn groups(&self) -> usize {
        self.rules.len()
    }

    /// The rule of a group.
    pub fn rule(&self, group: usize) -> &Rule {
        &self.rules[group]
    }

    /// The cells of a group, ascending.
    #[inline]
    pub fn cells_of(&self, group: usize) -> &[u16] {
        self.group_cells.get(group)
    }

    /// The groups that a cell lies in, ascending.
    #[inline]
    pub fn groups_of(&self, cell: usize) -> &[u16] {
        self.cell_groups.get(cell)
    }

    /// The cages, ascending.
    pub fn cages(&self) -> impl Iterator<Item = usize> {
        self.groups_with(Role::Cage)
    }

    /// The grid that an assignment of ranks to all cells stands for.
    ///
    /// # Panics
    /// When the assignment has another length.
    pub fn grid(&self, ranks: &[u8]) -> Grid {
        assert_eq!(ranks.len(), self.cells(), "one rank a cell");
        let mut grid = Grid::empty(self.rows, self.cols);
        for (place, rank) in self.places.iter().zip(ranks) {
            grid.set(*place as usize, Some(self.values[usize::from(*rank)]));
        }
        grid
    }

    /// The ranks of a grid's digits; `None` when the grid has another shape, or a cell is empty or has a digit that the
    /// puzzle does not have.
    pub fn ranks(&self, grid: &Grid) -> Option<Vec<u8>> {
        if (grid.rows(), grid.cols()) != (self.rows, self.cols) {
            return None;
        }
        let mut ranks = Vec::with_capacity(self.cells());
        for place in &self.places {
            let value = grid.get(*place as usize)?;
            ranks.push(self.values.binary_search(&value).ok()? as u8);
        }
        Some(ranks)
    }

    /// The row-major index of a dense cell in the whole rectangle.
    pub fn place(&self, cell: usize) -> usize {
        self.places[cell] as usize
    }

    fn find_givens(&mut self) {
        for group in 0..self.groups() {
            let (Some(clue), &[cell]) = (self.rules[group].clue, self.cells_of(group)) else { continue };
            // Of several clues on a cell the first counts: they may contradict each other.
            let given = &mut self.givens[usize::from(cell)];
            if given.is_none() {
                let rank = self.values.iter().position(|value| clue.holds(&[*value]));
                *given = rank.map(|rank| rank as u8);
            }
        }
    }

    /// The lines: the distinct groups of one role that have as many cells as there are digits and cover every cell
    /// once. In a solution every line is a permutation of the digits. The first role with such groups counts; `None`
    /// when no role has them.
    pub fn lines(&self) -> Option<Vec<usize>> {
        Role::ALL.into_iter().find_map(|role| self.partition(role))
    }

    fn partition(&self, role: Role) -> Option<Vec<usize>> {
        let (mut lines, mut covered) = (Vec::new(), vec![false; self.cells()]);
        for group in self.groups_with(role) {
            let cells = self.cells_of(group);
            if !self.rules[group].distinct || cells.len() != self.digits() {
                continue;
            }
            for cell in cells {
                if std::mem::replace(&mut covered[usize::from(*cell)], true) {
                    return None;
                }
            }
            lines.push(group);
        }
        if covered.contains(&false) { None } else { Some(lines) }
    }
}

// The rooms of kenga use these; their names may change.
#[doc(hidden)]
impl Problem {
    /// The same problem with its candidates restricted to `domains`, one mask per cell. A cell with a single candidate
    /// is then a given.
    ///
    /// # Panics
    /// When `domains` has another number of cells.
    pub fn restrict(&self, domains: &Domains) -> Self {
        assert_eq!(domains.0.len(), self.cells(), "one mask a cell");
        let mut restricted = Self { tables: SharedTables::default(), ..self.clone() };
        for (mask, allowed) in restricted.candidates.iter_mut().zip(&domains.0) {
            // Candidates only shrink: domains may come from a less restricted problem.
            *mask &= allowed;
        }
        for (given, mask) in restricted.givens.iter_mut().zip(&restricted.candidates) {
            // What propagation has decided the search need not look for.
            if given.is_none() && mask.is_power_of_two() {
                *given = Some(mask.trailing_zeros() as u8);
            }
        }
        restricted
    }

    /// The same problem with the clues of these groups alone; distinct groups and candidates stay.
    ///
    /// # Panics
    /// When there is no such group.
    pub fn with_only_clues(&self, groups: &[usize]) -> Self {
        let mut reduced = Self { tables: SharedTables::default(), ..self.clone() };
        for rule in &mut reduced.rules {
            rule.clue = None;
        }
        for group in groups {
            reduced.rules[*group].clue = self.rules[*group].clue;
        }
        // Givens come from one-cell clues, some of which are gone.
        reduced.givens.fill(None);
        reduced.find_givens();
        reduced
    }

    /// The same problem with these groups alone; candidates stay.
    ///
    /// # Panics
    /// When there is no such group.
    pub fn with_only_groups(&self, groups: &[usize]) -> Self {
        let mut reduced = Self { tables: SharedTables::default(), ..self.clone() };
        reduced.rules = groups.iter().map(|group| self.rules[*group]).collect();
        reduced.group_cells = Blocks::of(groups.iter().map(|group| self.cells_of(*group)));
        reduced.cell_groups = reduced.group_cells.inverse(self.cells());
        reduced.givens.fill(None);
        reduced.find_givens();
        reduced.expected = reduced.lines().map(|lines| lines.len() as u32);
        reduced
    }

    /// Says whether two different cells must hold different digits: they share a distinct group.
    pub fn must_differ(&self, a: u16, b: u16) -> bool {
        let (a, b) = (self.groups_of(usize::from(a)), self.groups_of(usize::from(b)));
        a.iter().any(|group| self.rule(usize::from(*group)).distinct && b.contains(group))
    }

    /// The groups with a role, ascending.
    pub fn groups_with(&self, role: Role) -> impl Iterator<Item = usize> {
        (0..self.groups()).filter(move |group| self.rules[*group].role == role)
    }

    /// The number of occurrences of each digit in every solution, where the [`lines`](Self::lines) imply it.
    pub fn expected(&self) -> Option<u32> {
        self.expected
    }

    /// The row of the rectangle that a dense cell lies in, from 0.
    pub fn row_of(&self, cell: usize) -> usize {
        self.place(cell) / self.cols
    }

    /// The row and the column of the rectangle that a dense cell lies in, from 0.
    pub fn row_and_column(&self, cell: usize) -> [usize; 2] {
        [self.place(cell) / self.cols, self.place(cell) % self.cols]
    }

    /// The name of a dense cell in the puzzle, such as `A1`.
    pub fn cell_name(&self, cell: usize) -> String {
        let [row, column] = self.row_and_column(cell);
        cell_name(row, column)
    }

    /// The dense cell at a row-major index of the whole rectangle, if it is not black.
    pub fn cell_at(&self, place: usize) -> Option<usize> {
        self.places.binary_search(&(place as u32)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::operators::GIVEN;
    use crate::puzzle::{Cage, DigitSet, Group, Kind, Square, operators};

    fn sum() -> operators::Operator {
        operators::find("+").expect("a known operator")
    }

    fn two_by_two() -> Problem {
        let cages =
            vec![Cage::new(GIVEN, 2, vec![(0, 0)]), Cage::new(sum(), 4, vec![(0, 1), (1, 1), (1, 0)])];
        Problem::compile(&Square::kenken(2, cages).build().expect("a sound puzzle"))
    }

    #[test]
    fn adjacency_is_the_same_both_ways() {
        let problem = two_by_two();
        for group in 0..problem.groups() {
            for &cell in problem.cells_of(group) {
                assert!(problem.groups_of(usize::from(cell)).contains(&(group as u16)));
            }
        }
        assert_eq!(problem.groups(), 6);
        assert_eq!(problem.expected(), Some(2));
        assert_eq!((problem.given(0), problem.given(1)), (Some(1), None));
    }

    #[test]
    fn grids_and_ranks_round_trip() {
        let problem = two_by_two();
        let grid = problem.grid(&[1, 0, 0, 1]);
        assert_eq!(grid.to_string(), "2 1/1 2");
        assert_eq!(problem.ranks(&grid), Some(vec![1, 0, 0, 1]));
        assert_eq!(problem.ranks(&Grid::empty(2, 2)), None);
    }

    #[test]
    fn black_cells_are_left_out_and_any_digit_set_is_ranked() {
        let entry = |cells, target| {
            let clue = Some(Clue { operator: sum(), target });
            Group { role: Role::Entry, cells, distinct: true, clue }
        };
        let black = vec![false, false, true, false];
        let digits = DigitSet::new(vec![2, 3, 5, 7]).expect("four digits");
        let groups = vec![entry(vec![0, 1], 5), entry(vec![1, 3], 8)];
        let puzzle = Puzzle::new(Kind::KenKen, (2, 2), digits, black, groups).expect("a sound puzzle");
        let problem = Problem::compile(&puzzle);
        assert_eq!((problem.cells(), problem.digits(), problem.expected()), (3, 4, None));
        assert_eq!(problem.grid(&[0, 1, 2]).to_string(), "2 3/. 5");
        assert_eq!((problem.place(2), problem.cell_at(3), problem.cell_at(2)), (3, Some(2), None));
    }

    #[test]
    fn dropped_clues_take_their_givens_with_them() {
        let problem = two_by_two();
        let clues: Vec<usize> = problem.cages().collect();
        let (given, sum) = (problem.with_only_clues(&clues[..1]), problem.with_only_clues(&clues[1..]));
        assert_eq!((given.given(0), sum.given(0)), (Some(1), None));
        assert_eq!((given.rule(clues[1]).clue, sum.rule(clues[1])), (None, problem.rule(clues[1])));
        assert_eq!((sum.groups(), sum.expected()), (6, Some(2)));
    }

    #[test]
    fn candidates_only_shrink() {
        let problem = two_by_two().restrict(&Domains(vec![1, 3, 2, 3]));
        let again = problem.restrict(&Domains(vec![3, 1, 3, 3]));
        assert_eq!(again.candidates(), [1, 1, 2, 3]);
    }
}
