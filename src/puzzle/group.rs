//! Groups of cells, the roles they play, and their clues.

use std::fmt;

use super::operators::{GAP_CAP, Operator};

/// What a group is to the one who built it. Rules never depend on it; reports and fitness terms are named by it.
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
    /// A cage: cells with a clue.
    Cage,
    /// A digit printed in a cell that also lies in a cage or has none.
    Given,
}

impl Role {
    /// Every role, in the order in which groups are kept.
    pub const ALL: [Self; 6] = [Self::Row, Self::Column, Self::Region, Self::Entry, Self::Cage, Self::Given];

    /// The lower-case word for the role.
    pub fn name(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Column => "column",
            Self::Region => "region",
            Self::Entry => "entry",
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

/// Cells under one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Who built it.
    pub role: Role,
    /// Its cells as row-major indices into the whole rectangle, ascending, none twice.
    pub cells: Vec<usize>,
    /// No digit may occur twice in it.
    pub distinct: bool,
    /// What its digits must make, if anything.
    pub clue: Option<Clue>,
}

/// An operator and its target. One cell with any operator is a given: it must hold the target itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clue {
    /// How the digits are combined.
    pub operator: Operator,
    /// What they must make, 0 to `i64::MAX`.
    pub target: i64,
}

impl Clue {
    /// Says whether `digits` (values, in any order) make the target.
    pub fn holds(&self, digits: &[u8]) -> bool {
        self.operator.holds(digits, self.target)
    }

    /// Measures how far `digits` are from the target: 0 exactly when the clue holds, at most
    /// [`GAP_CAP`].
    pub fn gap(&self, digits: &[u8]) -> u32 {
        if self.holds(digits) {
            return 0;
        }
        let gap = self.operator.gap(digits, self.target);
        gap.clamp(1, u64::from(GAP_CAP)) as u32
    }
}

impl fmt::Display for Clue {
    /// Writes the clue as puzzles print it: `8*`, `1-`, `3` for a given, `7?` for a hidden operator.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.operator.is_given() {
            write!(f, "{}", self.target)
        } else {
            write!(f, "{}{}", self.target, self.operator.symbol)
        }
    }
}
