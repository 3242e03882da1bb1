//! What can be wrong with a puzzle's structure, whatever text it came from.

use thiserror::Error;

use super::{MAX_CELLS, MAX_DIGITS, cell_name};

/// A structural defect. Formats add the place in the text; cells are `(row, column)` from 0, shown as `A1`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Defect {
    /// The grid has no cells, or a side longer than supported.
    #[error("the size must be 1 to {MAX_DIGITS}, not {size}")]
    Size {
        /// The size that was asked for.
        size: usize,
    },
    /// The digit set is empty, too large, or names a digit twice.
    #[error("{}", digits_message(*count, *twice))]
    Digits {
        /// How many digits were named.
        count: usize,
        /// One of them was named twice.
        twice: bool,
    },
    /// A cage names a cell that the grid does not have.
    #[error("cage {} names row {}, column {}, outside the {}x{} grid", cage + 1, cell.0 + 1, cell.1 + 1, size.0, size.1)]
    Outside {
        /// Index of the cage, from 0.
        cage: usize,
        /// The cell.
        cell: (usize, usize),
        /// The rows and columns of the grid.
        size: (usize, usize),
    },
    /// A cage has no cells.
    #[error("cage {} has no cells", cage + 1)]
    Empty {
        /// Index of the cage, from 0.
        cage: usize,
    },
    /// A cell lies in no cage.
    #[error("the cell {} lies in no cage", cell_name(cell.0, cell.1))]
    Uncovered {
        /// The cell.
        cell: (usize, usize),
    },
    /// A cell lies in two cages, or twice in one.
    #[error("the cell {} lies in cage {} and again in cage {}", cell_name(cell.0, cell.1), first + 1, cage + 1)]
    Twice {
        /// The cell.
        cell: (usize, usize),
        /// The cage that has it already.
        first: usize,
        /// The cage that names it again.
        cage: usize,
    },
    /// The cells of a cage do not hang together by their edges.
    #[error("cage {} is not connected: {} does not touch {}", cage + 1, cell_name(cell.0, cell.1), cell_name(from.0, from.1))]
    Pieces {
        /// Index of the cage, from 0.
        cage: usize,
        /// A cell that cannot be reached.
        cell: (usize, usize),
        /// The first cell of the cage.
        from: (usize, usize),
    },
    /// A target below zero.
    #[error("cage {} has the negative target {target}", cage + 1)]
    Negative {
        /// Index of the cage, from 0.
        cage: usize,
        /// The target.
        target: i64,
    },
    /// An operator that a cage of this many cells cannot carry.
    #[error("cage {} has {cells} cells, but `{symbol}` is for {allowed}", cage + 1)]
    Arity {
        /// Index of the cage, from 0.
        cage: usize,
        /// How many cells it has.
        cells: usize,
        /// The operator's symbol.
        symbol: &'static str,
        /// How many cells the operator allows, in words.
        allowed: String,
    },
    /// A grid without cells, or with too many.
    #[error("a grid must have 1 to {MAX_CELLS} cells, not {rows}x{cols}")]
    Area {
        /// Its rows.
        rows: usize,
        /// Its columns.
        cols: usize,
    },
    /// More groups than are supported.
    #[error("{count} groups are more than {MAX_CELLS}")]
    Groups {
        /// How many there are.
        count: usize,
    },
    /// Boxes that do not tile the grid, or do not hold as many cells as a row.
    #[error("boxes of {} rows and {} columns do not make {size} cells", shape.0, shape.1)]
    Box {
        /// Their rows and columns.
        shape: (usize, usize),
        /// The size of the grid.
        size: usize,
    },
    /// A Kakuro's entry is at fault.
    #[error("entry {} {flaw}", entry + 1)]
    Entry {
        /// Index of the entry, from 0.
        entry: usize,
        /// What is wrong with it.
        flaw: EntryFlaw,
    },
    /// A white cell that no clue leads to.
    #[error("the white cell {} lies in no entry", cell_name(cell.0, cell.1))]
    NoEntry {
        /// The cell.
        cell: (usize, usize),
    },
}

/// What can be wrong with an entry of a Kakuro.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EntryFlaw {
    /// It has no cells.
    #[error("has no cells")]
    Empty,
    /// It names a cell that the grid does not have.
    #[error("names row {}, column {}, outside the {}x{} grid", cell.0 + 1, cell.1 + 1, size.0, size.1)]
    Outside {
        /// The cell.
        cell: (usize, usize),
        /// The rows and columns of the grid.
        size: (usize, usize),
    },
    /// Its target is below zero.
    #[error("has the negative target {target}")]
    Negative {
        /// The target.
        target: i64,
    },
    /// Its cells are not side by side in one row or one column.
    #[error("is not a straight line: {} does not follow {}", cell_name(cell.0, cell.1), cell_name(from.0, from.1))]
    Bent {
        /// A cell out of line.
        cell: (usize, usize),
        /// The cell before it.
        from: (usize, usize),
    },
    /// It runs through a cell in the same direction as another.
    #[error("runs through {}, as entry {} does", cell_name(cell.0, cell.1), first + 1)]
    Twice {
        /// The cell.
        cell: (usize, usize),
        /// The entry that has it already.
        first: usize,
    },
}

fn digits_message(count: usize, twice: bool) -> String {
    if twice {
        "a digit is named twice".to_owned()
    } else {
        format!("{count} digits are outside 1 to {MAX_DIGITS}")
    }
}

impl Defect {
    /// The cage that is at fault, if one is: index in the order in which cages were given.
    pub fn cage(&self) -> Option<usize> {
        match self {
            Self::Outside { cage, .. }
            | Self::Empty { cage }
            | Self::Twice { cage, .. }
            | Self::Pieces { cage, .. }
            | Self::Negative { cage, .. }
            | Self::Arity { cage, .. } => Some(*cage),
            _ => None,
        }
    }
}
