//! Groups of cells and the roles they play.

use std::fmt;

use super::Clue;

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
