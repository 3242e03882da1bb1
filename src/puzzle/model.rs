//! The puzzle itself.

use super::{Defect, DigitSet, Grid, Group, Role, cell_name};

/// The most cells of a puzzle, and the most groups: indices are 16-bit.
pub const MAX_CELLS: usize = 1 << 16;

/// Which puzzle of the family a text called itself. Only formats and drawings look at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Distinct rows and columns, cages with clues.
    KenKen,
    /// Distinct entries with sums among black cells.
    Kakuro,
    /// Distinct rows, columns and boxes.
    Sudoku,
    /// A Sudoku with cages.
    Killer,
    /// Distinct rows and columns.
    Latin,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::KenKen, Self::Kakuro, Self::Sudoku, Self::Killer, Self::Latin];

    /// The word for it in canonical JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::KenKen => "kenken",
            Self::Kakuro => "kakuro",
            Self::Sudoku => "sudoku",
            Self::Killer => "killer",
            Self::Latin => "latin",
        }
    }
}

/// A puzzle: a rectangle of cells, a digit set, and groups with rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// The name under which results report it; may be empty until a reader gives one.
    pub id: String,
    /// What the text called itself.
    pub kind: Kind,
    /// A solution that came with the text, unchecked.
    pub solution: Option<Grid>,
    /// Known extra keys of the text (`source`, `nsol`, …), kept as they were.
    pub meta: serde_json::Map<String, serde_json::Value>,
    rows: usize,
    cols: usize,
    digits: DigitSet,
    black: Vec<bool>,
    groups: Vec<Group>,
}

impl Puzzle {
    /// Builds a puzzle from its groups. Cells of groups are sorted, groups ordered by role and first cell, so that
    /// puzzles that mean the same compare equal.
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
        (rows, cols): (usize, usize),
        digits: DigitSet,
        black: Vec<bool>,
        mut groups: Vec<Group>,
    ) -> Result<Self, Defect> {
        assert_eq!(black.len(), rows * cols, "one flag a cell");
        if groups.len() > MAX_CELLS {
            return Err(Defect::Groups { count: groups.len() });
        }
        for (index, group) in groups.iter_mut().enumerate() {
            group.cells.sort_unstable();
            if group.cells.is_empty() {
                return Err(Defect::Empty { cage: index });
            }
            if let Some(&cell) = group.cells.iter().find(|cell| black.get(**cell).copied().unwrap_or(true)) {
                return Err(Defect::Outside {
                    cage: index,
                    cell: (cell / cols, cell % cols),
                    size: (rows, cols),
                });
            }
        }
        groups.sort_by(|a, b| (a.role, &a.cells).cmp(&(b.role, &b.cells)));
        let (id, meta) = (String::new(), serde_json::Map::new());
        Ok(Self { id, kind, solution: None, meta, rows, cols, digits, black, groups })
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

    /// The groups with one role.
    pub fn groups_with(&self, role: Role) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(move |group| group.role == role)
    }

    /// Says whether the cell with this row-major index holds no digit.
    pub fn is_black(&self, cell: usize) -> bool {
        self.black[cell]
    }

    /// The name of a cell, such as `A1`.
    pub fn cell_name(&self, cell: usize) -> String {
        cell_name(cell / self.cols, cell % self.cols)
    }

    /// A group in words: `row 2`, `column 3`, `cage 8* at A1`.
    pub fn group_name(&self, group: &Group) -> String {
        let first = group.cells[0];
        match (group.role, &group.clue) {
            (Role::Row, None) => format!("row {}", first / self.cols + 1),
            (Role::Column, None) => format!("column {}", first % self.cols + 1),
            (role, None) => format!("{role} at {}", self.cell_name(first)),
            (role, Some(clue)) => format!("{role} {clue} at {}", self.cell_name(first)),
        }
    }

    /// The rules alone as text, the same for every puzzle that means the same: no id, no solution, no extra keys.
    /// Random streams are keyed by it.
    pub fn canonical_text(&self) -> String {
        let mut text = format!("{}x{} {:?}", self.rows, self.cols, self.digits.values());
        for group in &self.groups {
            let clue = group.clue.map(|clue| (clue.operator.symbol(), clue.target));
            text += &format!("|{} {} {clue:?} {:?}", group.role, group.distinct, group.cells);
        }
        text
    }
}
