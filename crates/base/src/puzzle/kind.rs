//! The kinds of puzzles, for formats and drawings.

/// The kind of a puzzle. Only formats and drawings depend on it.
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
    /// The vertices of a graph, a distinct pair for every edge.
    Coloring,
    /// A Latin square in which digits are less than their neighbours.
    Futoshiki,
    /// Different digits with one sum in every row, column and diagonal.
    Magic,
    /// Queens on a board that do not attack each other.
    Queens,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 9] = [
        Self::KenKen,
        Self::Kakuro,
        Self::Sudoku,
        Self::Killer,
        Self::Latin,
        Self::Coloring,
        Self::Futoshiki,
        Self::Magic,
        Self::Queens,
    ];

    /// A puzzle of the kind, in words: `a KenKen`.
    pub(crate) fn phrase(self) -> &'static str {
        match self {
            Self::KenKen => "a KenKen",
            Self::Kakuro => "a Kakuro",
            Self::Sudoku => "a Sudoku",
            Self::Killer => "a Killer",
            Self::Latin => "a Latin square",
            Self::Coloring => "a graph",
            Self::Futoshiki => "a Futoshiki",
            Self::Magic => "a magic square",
            Self::Queens => "a board of queens",
        }
    }

    /// The value of `kind` in canonical JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::KenKen => "kenken",
            Self::Kakuro => "kakuro",
            Self::Sudoku => "sudoku",
            Self::Killer => "killer",
            Self::Latin => "latin",
            Self::Coloring => "coloring",
            Self::Futoshiki => "futoshiki",
            Self::Magic => "magic",
            Self::Queens => "queens",
        }
    }
}
