//! What a drawing shows on a puzzle: digits, candidates, and which cells and candidates are marked.

use kenga_core::puzzle::{Grid, Puzzle};

/// Why a cell or a candidate is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Highlight {
    /// A step rests on it.
    Rests,
    /// A step removes it, or removes candidates from the cell.
    Removed,
    /// A step places a digit.
    Placed,
    /// It is wrong.
    Wrong,
}

impl Highlight {
    /// The class of the shapes that mark it.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Rests => "rests",
            Self::Removed => "removed",
            Self::Placed => "placed",
            Self::Wrong => "wrong",
        }
    }
}

/// What a drawing shows on a puzzle. Cells are row-major indices into the whole rectangle, black cells included.
///
/// ```text
/// let marks = Marks::new(&puzzle)
///     .with_grid(&partial)
///     .with_candidates(masks)
///     .cell(4, Highlight::Rests)
///     .candidate(7, 3, Highlight::Removed);
/// let svg = drawing::picture(&puzzle, &marks, &Style::default()).svg("step 12");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// The digit of each cell.
    pub digits: Vec<Option<u8>>,
    /// The candidates of each cell, bit `r` for the digit of rank `r`; empty where none are shown.
    pub candidates: Vec<u32>,
    /// The marked cells; the last mark of a cell counts.
    pub cells: Vec<(usize, Highlight)>,
    /// The marked candidates: cell, digit. One that is marked is shown even if the cell has lost it.
    pub notes: Vec<(usize, u8, Highlight)>,
}

impl Marks {
    /// The digits that the puzzle prints, and no mark.
    pub fn new(puzzle: &Puzzle) -> Self {
        Self { digits: vec![None; puzzle.rows() * puzzle.cols()], ..Self::default() }
    }

    /// Shows the digits of a grid.
    ///
    /// # Panics
    /// When the grid has another number of cells than the puzzle.
    pub fn with_grid(mut self, grid: &Grid) -> Self {
        assert_eq!(grid.cells().len(), self.digits.len(), "grid and puzzle have one shape");
        grid.cells().clone_into(&mut self.digits);
        self
    }

    /// Shows a digit in a cell.
    ///
    /// # Panics
    /// When the puzzle has no such cell.
    pub fn with_digit(mut self, cell: usize, digit: u8) -> Self {
        self.digits[cell] = Some(digit);
        self
    }

    /// Shows candidates in the cells without a digit: for each cell of the rectangle a mask, bit `r` for the digit of rank `r`
    /// (0 in black cells). A puzzle without candidates is drawn with larger digits.
    ///
    /// # Panics
    /// When there is not one mask for each cell.
    pub fn with_candidates(mut self, masks: Vec<u32>) -> Self {
        assert_eq!(masks.len(), self.digits.len(), "one mask a cell");
        self.candidates = masks;
        self
    }

    /// Marks a cell.
    pub fn cell(mut self, cell: usize, highlight: Highlight) -> Self {
        self.cells.push((cell, highlight));
        self
    }

    /// Marks a candidate by its digit, not its rank: [`Highlight::Removed`] strikes it out.
    pub fn candidate(mut self, cell: usize, digit: u8, highlight: Highlight) -> Self {
        self.notes.push((cell, digit, highlight));
        self
    }

    /// The mark of a cell.
    pub fn highlight(&self, cell: usize) -> Option<Highlight> {
        self.cells.iter().rev().find(|mark| mark.0 == cell).map(|mark| mark.1)
    }

    /// The mark of a candidate.
    pub fn note(&self, cell: usize, digit: u8) -> Option<Highlight> {
        self.notes.iter().rev().find(|note| (note.0, note.1) == (cell, digit)).map(|note| note.2)
    }

    /// Candidates are shown.
    pub(super) fn has_candidates(&self) -> bool {
        !self.candidates.is_empty() || !self.notes.is_empty()
    }

    /// The candidates of a cell without a digit that are shown, by rank, with their digits.
    pub fn shown(&self, puzzle: &Puzzle, cell: usize) -> Vec<(usize, u8)> {
        let mask = self.candidates.get(cell).copied().unwrap_or(0);
        let mut shown = Vec::new();
        for (rank, digit) in puzzle.digits().values().iter().enumerate() {
            if mask >> rank & 1 == 1 || self.note(cell, *digit).is_some() {
                shown.push((rank, *digit));
            }
        }
        shown
    }

    /// The digits, those that the puzzle prints included, and whether it prints them.
    pub fn all_digits(&self, puzzle: &Puzzle) -> Vec<Option<(u8, bool)>> {
        let given = puzzle.given_grid();
        let mut digits = Vec::new();
        for cell in 0..puzzle.rows() * puzzle.cols() {
            digits.push(match given.get(cell) {
                Some(digit) => Some((digit, true)),
                None => self.digits.get(cell).copied().flatten().map(|digit| (digit, false)),
            });
        }
        digits
    }
}
