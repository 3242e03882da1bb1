//! What can be wrong with a puzzle's structure, whatever text it came from.

use thiserror::Error;

use super::{MAX_DIGITS, cell_name};

/// A structural defect. Formats add the place in the text; cells are `(row, column)` from 0, shown as `A1`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Defect {
    /// The grid has no cells, or a side longer than supported.
    #[error("a size of {size} is outside 1 to {MAX_DIGITS}")]
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
    #[error("cage {} names the cell in row {} and column {} of a {size}x{size} grid", cage + 1, cell.0 + 1, cell.1 + 1)]
    Outside {
        /// Index of the cage, from 0.
        cage: usize,
        /// The cell.
        cell: (usize, usize),
        /// The side of the grid.
        size: usize,
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
    #[error("cage {} is in pieces: {} does not touch {}", cage + 1, cell_name(cell.0, cell.1), cell_name(from.0, from.1))]
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
            Self::Size { .. } | Self::Digits { .. } | Self::Uncovered { .. } => None,
        }
    }
}
