//! The puzzle itself: digits, groups of cells with their roles, and clues.

use std::fmt;

use super::operators::{GAP_CAP, GIVEN, Operator};
use super::{Defect, GenomeShape, Grid, Kind, MAX_CELLS, MAX_DIGITS, PuzzlePart, cell_name, position};
use crate::sort::sort_by;

/// Up to 32 different digit values, ascending. Solver and search know a digit by its *rank* here, 0 to `len - 1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DigitSet {
    values: Vec<u8>,
}

impl DigitSet {
    /// Builds the set from values in any order.
    ///
    /// # Errors
    /// [`Defect::Digits`] when there is no value, when there are more than 32, or when one occurs twice.
    pub fn new(mut values: Vec<u8>) -> Result<Self, Defect> {
        values.sort_unstable();
        let count = values.len();
        values.dedup();
        let twice = values.len() < count;
        if count == 0 || count > MAX_DIGITS || twice {
            return Err(Defect::Digits { count, twice });
        }
        Ok(Self { values })
    }

    /// The digits 1 to `n`.
    ///
    /// # Errors
    /// [`Defect::Digits`] when `n` is not in 1..=32.
    pub fn one_to(n: usize) -> Result<Self, Defect> {
        let last = u8::try_from(n).unwrap_or(u8::MAX);
        Self::new((1..=last).collect())
    }

    /// The values 0 to `most` of the genes of a problem, which has no puzzle's bound.
    pub(super) fn zero_to(most: u8) -> Self {
        Self { values: (0..=most).collect() }
    }

    /// How many digits there are, 1 to 32; of a problem of the user's own up to 256.
    #[expect(clippy::len_without_is_empty, reason = "a digit set is never empty")]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The values, ascending; the index is the rank.
    pub fn values(&self) -> &[u8] {
        &self.values
    }

    /// The rank of a value, if it is in the set.
    pub fn rank(&self, value: u8) -> Option<u8> {
        let rank = self.values.binary_search(&value).ok()?;
        Some(rank as u8)
    }

    /// Says whether these are the digits 1 to `n`.
    pub(super) fn is_one_to(&self, n: usize) -> bool {
        self.values.len() == n && self.values[0] == 1 && usize::from(self.values[n - 1]) == n
    }
}

/// What a group is in the puzzle. It names groups in reports and terms of the fitness; no rule depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A row of the grid.
    Row,
    /// A column of the grid.
    Column,
    /// A box, or any other area in which digits differ.
    Region,
    /// A Kakuro entry: white cells in line.
    Entry,
    /// Any other group.
    Group,
    /// A cage: cells with a clue.
    Cage,
    /// A single cell with a printed digit.
    Given,
}

impl Role {
    /// Every role, in the order of the groups of a puzzle.
    pub const ALL: [Self; 7] =
        [Self::Row, Self::Column, Self::Region, Self::Entry, Self::Group, Self::Cage, Self::Given];

    /// The lower-case word for the role.
    pub fn name(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Column => "column",
            Self::Region => "region",
            Self::Entry => "entry",
            Self::Group => "group",
            Self::Cage => "cage",
            Self::Given => "given",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Cells with a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its role in the puzzle.
    pub role: Role,
    /// Its cells as row-major indices into the whole rectangle, ascending, none twice.
    pub cells: Vec<usize>,
    /// No digit may occur twice in it.
    pub distinct: bool,
    /// The clue that its digits must satisfy, if it has one.
    pub clue: Option<Clue>,
}

impl Group {
    /// Cells in which no digit occurs twice.
    pub(super) fn all_different(role: Role, cells: Vec<usize>) -> Self {
        Self { role, cells, distinct: true, clue: None }
    }

    /// A digit printed in a cell.
    pub(super) fn given(cell: usize, digit: u8) -> Self {
        let clue = Some(Clue { operator: GIVEN, target: i64::from(digit) });
        Self { role: Role::Given, cells: vec![cell], distinct: false, clue }
    }
}

/// An operator and its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clue {
    /// How the digits are combined.
    pub operator: Operator,
    /// The number that they must make, 0 to `i64::MAX`.
    pub target: i64,
}

impl Clue {
    /// Says whether `digits` (values, in the order of the group's cells) make the target.
    pub fn holds(&self, digits: &[u8]) -> bool {
        self.operator.holds(digits, self.target)
    }

    /// Measures how far `digits` are from the target: 0 exactly when the clue holds, at most [`GAP_CAP`].
    pub fn gap(&self, digits: &[u8]) -> u32 {
        if self.holds(digits) {
            return 0;
        }
        let gap = self.operator.gap(digits, self.target);
        gap.clamp(1, u64::from(GAP_CAP)) as u32
    }
}

impl fmt::Display for Clue {
    /// Writes the clue as files have it: `8*`, `3` for a given, `7?` for a hidden operator, `<` without a target.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.operator.is_given() {
            write!(f, "{}", self.target)
        } else if !self.operator.has_target() {
            f.write_str(self.operator.symbol)
        } else {
            write!(f, "{}{}", self.target, self.operator.symbol)
        }
    }
}

/// A puzzle: a rectangle of cells, a digit set, and groups with rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// The name in results; empty unless a reader or its caller sets it.
    pub id: String,
    /// The kind that the text declares.
    pub kind: Kind,
    /// A solution that came with the text, unchecked.
    pub solution: Option<Grid>,
    /// Known extra keys of the text (`source`, `nsol`, …), unchanged.
    pub meta: serde_json::Map<String, serde_json::Value>,
    rows: usize,
    cols: usize,
    digits: DigitSet,
    black: Vec<bool>,
    groups: Vec<Group>,
    pub(super) genome: Option<GenomeShape>,
}

impl Puzzle {
    /// Builds a puzzle from its groups. It sorts the cells of each group, and the groups by role and cells, so that
    /// equal puzzles compare equal.
    ///
    /// `black` has `rows * cols` entries, row-major; a black cell holds no digit and lies in no group.
    ///
    /// # Errors
    /// [`Defect::Empty`] for a group without cells; [`Defect::Outside`] for a group that names a black cell or one
    /// outside the rectangle; [`Defect::Groups`] for more than [`MAX_CELLS`] groups.
    ///
    /// # Panics
    /// When `black` has another length.
    pub fn new(
        kind: Kind,
        size: (usize, usize),
        digits: DigitSet,
        black: Vec<bool>,
        mut groups: Vec<Group>,
    ) -> Result<Self, Defect> {
        let (rows, cols) = size;
        assert_eq!(black.len(), rows * cols, "one flag a cell");
        if groups.len() > MAX_CELLS {
            return Err(Defect::Groups(groups.len()));
        }
        for (index, group) in groups.iter_mut().enumerate() {
            // Equal puzzles compare equal, whatever the order of their texts.
            group.cells.sort_unstable();
            if group.cells.is_empty() {
                return Err(Defect::Empty(PuzzlePart::Group(index)));
            }
            for &cell in &group.cells {
                if cell >= black.len() || black[cell] {
                    let part = PuzzlePart::Group(index);
                    return Err(Defect::Outside { part, cell: position(cell, cols), size });
                }
            }
        }
        // The rest of the key orders groups over the same cells, so that no order of a text is left.
        sort_by(&mut groups, |a, b| order_key(a).cmp(&order_key(b)));
        let (id, solution, meta) = (String::new(), None, serde_json::Map::new());
        Ok(Self { id, kind, solution, meta, rows, cols, digits, black, groups, genome: None })
    }

    /// The puzzle with further givens, each a row-major index and its digit. They are rules like any other and may
    /// contradict the rest; a given that the puzzle already has is not repeated. A known solution that contradicts them
    /// is dropped.
    ///
    /// # Panics
    /// When a cell is black or outside the rectangle.
    pub fn with_givens(mut self, givens: &[(usize, u8)]) -> Self {
        for &(cell, digit) in givens {
            assert!(!self.black[cell], "a given stands in a white cell");
            let given = Group::given(cell, digit);
            // A cage of one cell with the same clue says as much.
            if !self.groups.iter().any(|group| group.cells == given.cells && group.clue == given.clue) {
                self.groups.push(given);
            }
            if self.solution.as_ref().is_some_and(|solution| solution.get(cell) != Some(digit)) {
                self.solution = None;
            }
        }
        // Stable: contradicting givens of one cell stay in the order in which they came.
        sort_by(&mut self.groups, |a, b| (a.role, &a.cells).cmp(&(b.role, &b.cells)));
        self
    }

    /// The same cells and groups with other digits.
    pub(super) fn with_digits(&self, digits: DigitSet) -> Self {
        Self { digits, ..self.clone() }
    }

    /// Says whether it has as many rows as columns, and no black cell.
    pub(super) fn is_full_square(&self) -> bool {
        self.rows == self.cols && !self.black.contains(&true)
    }

    /// How many cells are not black.
    pub(super) fn white_cells(&self) -> usize {
        self.black.iter().filter(|black| !**black).count()
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The digits that a cell may hold.
    pub fn digits(&self) -> &DigitSet {
        &self.digits
    }

    /// The groups, by role and then by first cell.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The name of a cell, such as `A1`.
    pub fn cell_name(&self, cell: usize) -> String {
        cell_name(cell / self.cols, cell % self.cols)
    }

    /// The rules as text, without id, solution and extra keys: equal for puzzles with equal rules. It keys random
    /// streams.
    pub fn canonical_text(&self) -> String {
        let mut text = format!("{}x{} {:?}", self.rows, self.cols, self.digits.values());
        for group in &self.groups {
            // The symbol alone: what an operator consists of may change.
            let clue = group.clue.map(|clue| (clue.operator.symbol, clue.target));
            text += &format!("|{} {} {clue:?} {:?}", group.role, group.distinct, group.cells);
        }
        if let Some(shape) = &self.genome {
            // Of a problem the options of the instance are rules, too.
            text += &format!("|{shape:?} {}", serde_json::Value::Object(self.meta.clone()));
        }
        text
    }
}

// The rooms of kenga use these; their names may change.
#[doc(hidden)]
impl Puzzle {
    /// The digits of one-cell clues as a grid; where two differ, that of the later group.
    pub fn given_grid(&self) -> Grid {
        let mut grid = Grid::empty(self.rows, self.cols);
        for group in &self.groups {
            // A clue of one cell may have any operator: the rule itself finds the digit.
            let (&[cell], Some(clue)) = (&*group.cells, group.clue) else { continue };
            if let Some(digit) = self.digits.values().iter().find(|digit| clue.holds(&[**digit])) {
                grid.set(cell, Some(*digit));
            }
        }
        grid
    }

    /// The groups with one role.
    pub fn groups_with(&self, role: Role) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(move |group| group.role == role)
    }

    /// Says whether the cell with this row-major index is black: it holds no digit.
    pub fn is_black(&self, cell: usize) -> bool {
        self.black[cell]
    }
}

/// What the groups of a puzzle are sorted by.
fn order_key(group: &Group) -> (Role, &[usize], bool, Option<(&'static str, i64)>) {
    let clue = group.clue.map(|clue| (clue.operator.symbol, clue.target));
    (group.role, &group.cells, group.distinct, clue)
}

#[cfg(test)]
mod tests {
    use super::super::{Cage, Square, operators};
    use super::*;

    fn puzzle() -> Puzzle {
        let plus = operators::find("+").expect("a known operator");
        let cages = vec![Cage::new(GIVEN, 2, vec![(0, 0)]), Cage::new(plus, 4, vec![(0, 1), (1, 1), (1, 0)])];
        Square::kenken(2, cages).build().expect("a sound puzzle")
    }

    #[test]
    fn givens_are_groups_and_none_is_repeated() {
        assert_eq!(puzzle().with_givens(&[(0, 2)]), puzzle());
        let laid = puzzle().with_givens(&[(3, 2), (1, 1)]);
        let cells: Vec<usize> = laid.groups_with(Role::Given).map(|group| group.cells[0]).collect();
        assert_eq!(cells, [1, 3]);
        assert_eq!(laid.given_grid().to_string(), "2 1/. 2");
    }

    #[test]
    fn a_known_solution_stays_only_when_the_givens_agree() {
        let solved = Puzzle { solution: Some(Grid::parse("2 1/1 2", 2, 2).expect("a grid")), ..puzzle() };
        assert!(solved.clone().with_givens(&[(1, 1)]).solution.is_some());
        assert!(solved.with_givens(&[(1, 2)]).solution.is_none());
    }

    #[test]
    fn ranks_follow_ascending_values() {
        let digits = DigitSet::new(vec![7, 2, 5, 3]).expect("four different digits");
        assert_eq!(digits.values(), [2, 3, 5, 7]);
        assert_eq!(digits.rank(5), Some(2));
        assert_eq!(digits.rank(4), None);
    }

    #[test]
    fn empty_repeated_and_oversized_sets_are_refused() {
        assert!(DigitSet::new(vec![]).is_err());
        assert!(DigitSet::new(vec![3, 3]).is_err());
        assert!(DigitSet::one_to(0).is_err());
        assert!(DigitSet::one_to(33).is_err());
        assert!(DigitSet::one_to(32).is_ok());
    }
}
