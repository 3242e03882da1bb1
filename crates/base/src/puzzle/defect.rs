//! The structural defects of puzzles, whatever the format of the text.

use std::fmt;

use thiserror::Error;

use super::{MAX_CELLS, MAX_DIGITS, Position, cell_name};

/// A part of a puzzle, by its index among the parts of its kind, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzlePart {
    /// A cage.
    Cage(usize),
    /// An entry of a Kakuro.
    Entry(usize),
    /// A digit printed in a cell.
    Given(usize),
    /// A group of cells.
    Group(usize),
    /// A pair of cells of a Futoshiki.
    Pair(usize),
}

impl fmt::Display for PuzzlePart {
    /// Counts from 1: `cage 3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, index) = match self {
            Self::Cage(index) => ("cage", index),
            Self::Entry(index) => ("entry", index),
            Self::Given(index) => ("given", index),
            Self::Group(index) => ("group", index),
            Self::Pair(index) => ("pair", index),
        };
        write!(f, "{word} {}", index + 1)
    }
}

/// A structural defect. Formats add the place in the text; cells are `(row, column)` from 0, shown as `A1`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Defect {
    /// The grid has no cells, or a side longer than supported.
    #[error("the size must be 1 to {MAX_DIGITS}, not {0}")]
    Size(usize),
    /// The digit set is empty, too large, or names a digit twice.
    #[error("{}", digits_message(*count, *twice))]
    Digits {
        /// The number of digits.
        count: usize,
        /// One of them occurs twice.
        twice: bool,
    },
    /// A part names a cell that the grid does not have, or a black one.
    #[error("{part} names row {}, column {}, outside the {}x{} grid", cell.0 + 1, cell.1 + 1, size.0, size.1)]
    Outside {
        /// The part.
        part: PuzzlePart,
        /// The cell.
        cell: Position,
        /// The rows and columns of the grid.
        size: (usize, usize),
    },
    /// A part has no cells.
    #[error("{0} has no cells")]
    Empty(PuzzlePart),
    /// A cell lies in no cage.
    #[error("the cell {} lies in no cage", name(*_0))]
    Uncovered(Position),
    /// A cell lies in two cages, or twice in one.
    #[error("the cell {} lies in cage {} and again in cage {}", name(*cell), first + 1, cage + 1)]
    CageOverlap {
        /// The cell.
        cell: Position,
        /// The index of the cage that has it already.
        first: usize,
        /// The index of the cage that names it again.
        cage: usize,
    },
    /// No path of cells that share edges joins all cells of a cage.
    #[error("cage {} is not connected: {} cannot be reached from {}", cage + 1, name(*cell), name(*from))]
    Disconnected {
        /// The index of the cage.
        cage: usize,
        /// A cell that no path reaches from the first.
        cell: Position,
        /// The first cell of the cage.
        from: Position,
    },
    /// A target below zero.
    #[error("{part} has the negative target {target}")]
    Negative {
        /// The part.
        part: PuzzlePart,
        /// The target.
        target: i64,
    },
    /// An operator that is not for cages of this many cells.
    #[error("cage {} has {cells} cells, but `{symbol}` is for {allowed}", cage + 1)]
    Arity {
        /// The index of the cage.
        cage: usize,
        /// The number of its cells.
        cells: usize,
        /// The operator's symbol.
        symbol: &'static str,
        /// The numbers of cells that the operator allows, in words.
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
    #[error("{0} groups are more than {MAX_CELLS}")]
    Groups(usize),
    /// Boxes that do not tile the grid, or do not hold as many cells as a row.
    #[error("boxes of {} rows and {} columns do not make {size} cells", shape.0, shape.1)]
    Box {
        /// Their rows and columns.
        shape: (usize, usize),
        /// The size of the grid.
        size: usize,
    },
    /// The cells of an entry are not side by side in one row or one column.
    #[error("entry {} is not a straight line: {} does not follow {}", entry + 1, name(*cell), name(*from))]
    NotStraight {
        /// The index of the entry.
        entry: usize,
        /// A cell out of line.
        cell: Position,
        /// The cell before it.
        from: Position,
    },
    /// Two entries run through a cell in the same direction.
    #[error("entries {} and {} run through {} in the same direction", first + 1, entry + 1, name(*cell))]
    EntryOverlap {
        /// The index of the entry.
        entry: usize,
        /// The cell.
        cell: Position,
        /// The index of the entry that has it already.
        first: usize,
    },
    /// Colours for a puzzle of a kind that has none.
    #[error("{0} has no colours: only graphs do")]
    NoColors(&'static str),
    /// A graph without vertices, or with too many.
    #[error("a graph must have 1 to {MAX_CELLS} vertices, not {0}")]
    Vertices(usize),
    /// An edge from a vertex to itself, or with a vertex that the graph does not have.
    #[error("edge {} {}", edge + 1, edge_message(*from, *to, *vertices))]
    Edge {
        /// The index of the edge.
        edge: usize,
        /// One vertex, from 0.
        from: usize,
        /// The other vertex.
        to: usize,
        /// The number of vertices.
        vertices: usize,
    },
    /// The cells of a pair share no edge.
    #[error("pair {}: {} and {} are no neighbours", pair + 1, name(cells[0]), name(cells[1]))]
    NotNeighbours {
        /// The index of the pair.
        pair: usize,
        /// The cells.
        cells: [Position; 2],
    },
    /// A sum below zero.
    #[error("the sum {0} is negative")]
    NegativeSum(i64),
    /// A white cell that lies in no entry.
    #[error("the white cell {} lies in no entry", name(*_0))]
    NoEntry(Position),
}

fn name(cell: Position) -> String {
    cell_name(cell.0, cell.1)
}

fn digits_message(count: usize, twice: bool) -> String {
    if twice {
        "a digit is named twice".to_owned()
    } else {
        format!("the number of digits must be 1 to {MAX_DIGITS}, not {count}")
    }
}

fn edge_message(from: usize, to: usize, vertices: usize) -> String {
    if from == to {
        "joins a vertex to itself".to_owned()
    } else {
        format!("names a vertex beyond the {vertices} of the graph")
    }
}

impl Defect {
    /// The index of the cage, entry or pair with the defect, if there is one.
    pub(super) fn part(&self) -> Option<usize> {
        match *self {
            Self::Outside { part, .. } | Self::Empty(part) | Self::Negative { part, .. } => match part {
                PuzzlePart::Cage(index) | PuzzlePart::Entry(index) | PuzzlePart::Pair(index) => Some(index),
                PuzzlePart::Given(_) | PuzzlePart::Group(_) => None,
            },
            Self::CageOverlap { cage: index, .. }
            | Self::Disconnected { cage: index, .. }
            | Self::Arity { cage: index, .. }
            | Self::NotStraight { entry: index, .. }
            | Self::EntryOverlap { entry: index, .. }
            | Self::NotNeighbours { pair: index, .. } => Some(index),
            _ => None,
        }
    }
}
