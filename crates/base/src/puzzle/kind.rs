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
    /// Any groups, which may overlap, over any cells.
    Grid,
    /// A problem of the user's own: cells without groups. No file holds one but those of a results folder.
    Problem,
}

impl Kind {
    /// Every kind of puzzle.
    pub const ALL: [Self; 10] = [
        Self::KenKen,
        Self::Kakuro,
        Self::Sudoku,
        Self::Killer,
        Self::Latin,
        Self::Coloring,
        Self::Futoshiki,
        Self::Magic,
        Self::Queens,
        Self::Grid,
    ];

    /// The name, and a puzzle of the kind in words.
    const fn words(self) -> [&'static str; 2] {
        match self {
            Self::KenKen => ["kenken", "a KenKen"],
            Self::Kakuro => ["kakuro", "a Kakuro"],
            Self::Sudoku => ["sudoku", "a Sudoku"],
            Self::Killer => ["killer", "a Killer"],
            Self::Latin => ["latin", "a Latin square"],
            Self::Coloring => ["coloring", "a graph"],
            Self::Futoshiki => ["futoshiki", "a Futoshiki"],
            Self::Magic => ["magic", "a magic square"],
            Self::Queens => ["queens", "a board of queens"],
            Self::Grid => ["grid", "a grid of groups"],
            Self::Problem => ["problem", "a problem of your own"],
        }
    }

    /// A puzzle of the kind, in words: `a KenKen`.
    pub(crate) fn phrase(self) -> &'static str {
        self.words()[1]
    }

    /// The value of `kind` in canonical JSON.
    pub fn name(self) -> &'static str {
        self.words()[0]
    }
}
