//! Puzzles as a human sees them: cells, digits, groups with their rules, grids.
//!
//! One model serves every puzzle of the family. A [`Puzzle`] is a rectangle of cells (some may be black), a
//! [`DigitSet`], and [`Group`]s of cells. A group may be *distinct* (no digit twice) and may carry a [`Clue`]
//! (an operator and a target). A KenKen is distinct rows and columns plus cages with clues; its relatives have other
//! groups. Only formats and drawings depend on the kind of a puzzle; all other modules know groups alone.
//!
//! A kind is a file with a builder that checks its parts and makes their groups. **Invariant:** the order in which
//! [`Puzzle::new`] sorts groups and the text of [`Puzzle::canonical_text`] key the random streams: golden runs and results
//! folders depend on both. [`check`](check()) shares no code with what it judges.

mod check;
mod coloring;
mod defect;
pub mod formats;
mod futoshiki;
mod genome;
mod grid;
mod kakuro;
mod kind;
mod magic;
mod model;
mod names;
pub mod operators;
mod own_problem;
mod queens;
#[doc(hidden)]
pub mod samples;
mod square;

pub use check::{Failure, Verdict, check};
pub use genome::GenomeShape;
pub use grid::Grid;
use grid::{Position, are_neighbours, indices, position, positions};
pub use kakuro::{Entry, Kakuro};
pub use kind::Kind;
use magic::magic_parts;
pub use model::{Clue, DigitSet, Group, Puzzle, Role};
use queens::queens_groups;
use square::{BoxShape, boxes_of};
pub use square::{Cage, Square};
// The rooms of kenga use these too; their names may change.
#[doc(hidden)]
pub use {
    coloring::Coloring,
    defect::{Defect, PuzzlePart},
    futoshiki::{Futoshiki, LessPair, less_pair},
    grid::{GridError, cell_name, parse_cell_name},
    kakuro::{BlackClues, PrintedClues},
    magic::Magic,
    queens::Queens,
    square::{box_cells, box_of, usual_boxes},
};

/// The most cells of a puzzle, and the most groups: indices are 16-bit.
#[doc(hidden)]
pub const MAX_CELLS: usize = 1 << 16;

/// The most digits a puzzle may have: candidate sets are 32-bit masks.
#[doc(hidden)]
pub const MAX_DIGITS: usize = 32;
