//! What may change in a puzzle that stays the same: its cells turned, rows and columns in another order, digits renamed; and
//! the least of all that becomes of it.
//!
//! Which changes a puzzle allows follows from its groups (`Freedom`, [`Names`]), so that a Killer without cages is a Sudoku:
//!
//! | puzzle | places | digits |
//! |---|---|---|
//! | Latin square, Sudoku: no cages and other groups | the eight of the square; rows within bands, bands, columns and stacks likewise | any |
//! | KenKen, Killer, Kakuro, Futoshiki, and all with other groups | the eight of the square | complement, where every clue has one; any without clues |
//! | magic square | the eight, and rows and columns alike where diagonals stay diagonals | complement |
//! | queens | the eight of the board | |
//! | graph | any order of the vertices | any |
//!
//! `canonical` finds a form that two puzzles share exactly when one of these changes makes one of the other.
//!
//! **Invariant**: forms are compared across versions and runs, and a run's random stream is keyed by them: what the canonical form of a
//! puzzle is, is part of the format. So is what `random` draws, and in which order.

mod canonical;
mod clue;
mod digits;
mod freedom;
mod image;
mod labelling;
mod random;
mod turn;

use thiserror::Error;

pub use canonical::{canonical, canonical_unless};
pub use digits::{Names, relabelled};
use freedom::Freedom;
pub use freedom::reordered;
use kenga_core::text::joined;
pub use random::random;
pub use turn::{Turn, turned};

/// Says whether a search is given up; once true it stays so.
type Stop<'a> = &'a dyn Fn() -> bool;

/// Why a change would make another puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The vertices of a graph lie in no rows and columns.
    #[error("a graph has no rows and columns")]
    Graph,
    /// Groups of n queens that no other board has.
    #[error("queens with further groups, or with a queen outside the board, cannot change rows and columns")]
    Board,
    /// Something other than lines and boxes holds rows and columns where they are.
    #[error("rows and columns cannot change places{}", held(group))]
    Held {
        /// The first group that does.
        group: Option<String>,
    },
    /// An order of rows or columns that is none.
    #[error("{lines} {} are no order: expected each of 1 to {count} once", joined(given, " "))]
    Order {
        /// `rows` or `columns`.
        lines: &'static str,
        /// What was given, from 1.
        given: Vec<usize>,
        /// How many there are.
        count: usize,
    },
    /// An order that parts the lines of a box.
    #[error("{lines} change places only within {set}s of {size}, and {set}s as a whole")]
    Boxes {
        /// `rows` or `columns`.
        lines: &'static str,
        /// `band` or `stack`.
        set: &'static str,
        /// How many lines one holds.
        size: usize,
    },
    /// An order under which a diagonal of a magic square is none.
    #[error("diagonals stay only when rows and columns get the same order, and opposite lines stay opposite")]
    Diagonals,
    /// Names that are not those of the digits.
    #[error(
        "{} are no names of the digits: expected each of {} once",
        joined(given, " "),
        joined(digits, " ")
    )]
    Names {
        /// What was given.
        given: Vec<u8>,
        /// The digits.
        digits: Vec<u8>,
    },
    /// Digits whose complements are other digits.
    #[error(
        "the digits {} have no complement: least and greatest together less a digit is not always a digit",
        joined(digits, " ")
    )]
    Lopsided {
        /// The digits.
        digits: Vec<u8>,
    },
    /// A clue that no clue stands for when digits change.
    #[error("{group} does not allow these digits: no clue asks the same of them")]
    Clue {
        /// Its group.
        group: String,
    },
}

fn held(group: &Option<String>) -> String {
    match group {
        Some(group) => format!(": {group} holds them"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests;
