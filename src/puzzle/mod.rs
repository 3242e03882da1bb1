//! What a human sees: cells, digits, groups with their rules, grids.
//!
//! One model serves every puzzle of the family. A [`Puzzle`] is a rectangle of cells (some may be black), a
//! [`DigitSet`], and [`Group`]s of cells. A group may be *distinct* (no digit twice) and may carry a [`Clue`]
//! (an operator and a target). A KenKen is distinct rows and columns plus cages with clues; its relatives differ
//! only in who builds the groups. Formats and drawings know kinds; everything behind this module knows groups.

mod check;
mod defect;
mod digits;
pub mod formats;
mod grid;
mod group;
mod kakuro;
mod kenken;
mod killer;
mod latin;
mod model;
pub mod operators;
mod printed;
#[cfg(test)]
pub(crate) mod samples;
mod square;
mod sudoku;

pub use check::{Failure, Verdict, check};
pub use defect::{Defect, EntryFlaw};
pub use digits::{DigitSet, MAX_DIGITS};
pub use grid::{Grid, GridError, cell_name, parse_cell_name};
pub use group::{Clue, Group, Role};
pub use kakuro::{Entry, Kakuro};
pub use kenken::{Cage, KenKen};
pub use killer::Killer;
pub use latin::Latin;
pub use model::{Kind, MAX_CELLS, Puzzle};
pub use printed::{BlackClues, PrintedClues};
pub use square::usual_boxes;
use square::{BoxShape, boxes_of};
pub use sudoku::Sudoku;
