//! Puzzles as text: one file per format, one line each in [`TABLE`].
//!
//! A format is recognised by content, never by a file's name. Its text is cut into *records*, one a puzzle, so that a
//! bad record costs one error and the rest is still read.

mod cage_ids;
mod cage_list;
mod cages;
mod clue_grid;
mod error;
mod fpuzzles;
mod json;
mod kakuro;
mod keen;
mod named_regions;
mod node;
mod reader;
mod sudoku;
mod words;

pub use error::{Malformed, ReadError, WriteError};
pub use reader::{Ids, Reader};

use super::Puzzle;
use error::{Fault, Span};

/// A way to read puzzles, and mostly to write them.
#[derive(Debug)]
pub struct Format {
    /// The name by which commands choose it.
    pub name: &'static str,
    /// What it looks like, in a sentence.
    pub about: &'static str,
    /// One text may hold many puzzles, one after the other.
    pub many: bool,
    /// Says whether a text (not blank at its start, no byte-order mark) looks like this format.
    recognise: fn(&str) -> bool,
    /// How many bytes of a text that starts with a record belong to that record: at least one.
    end: fn(&str) -> usize,
    /// Reads one record; also says where its id stands (nowhere: an empty span).
    read: fn(&str) -> Result<(Puzzle, Span), Fault>,
    /// Writes one puzzle, without a line break at the end when [`many`](Self::many) fit into one text.
    ///
    /// `None` where it is only read.
    write: Option<Writer>,
}

/// Writes one puzzle.
type Writer = fn(&Puzzle) -> Result<String, WriteError>;

impl Format {
    /// Puzzles can be written in it too; the others are those of other programs.
    pub fn is_written(&self) -> bool {
        self.write.is_some()
    }

    /// Says whether a text looks like this format.
    pub fn recognises(&self, text: &str) -> bool {
        (self.recognise)(text.trim_start_matches('\u{FEFF}'))
    }
}

/// Every format, in the order in which they are tried.
#[rustfmt::skip]
pub static TABLE: &[Format] = &[
    fpuzzles::FORMAT,
    json::FORMAT,
    keen::FORMAT,
    sudoku::FORMAT,
    cage_list::FORMAT,
    named_regions::FORMAT,
    clue_grid::FORMAT,
    kakuro::GRID,
    kakuro::TOKENS,
    cage_ids::FORMAT,
];

/// Finds a format by its name.
pub fn find(name: &str) -> Option<&'static Format> {
    TABLE.iter().find(|format| format.name == name)
}

/// Reads every puzzle of a text; `name` is the file's, for errors and for the ids of puzzles that have none.
///
/// Of a large corpus this holds every puzzle at once; [`Reader`] gives them one at a time.
///
/// # Errors
/// One [`ReadError`] per bad record, in its place; a text without puzzles is one error.
pub fn read(name: &str, bytes: &[u8]) -> Vec<Result<Puzzle, ReadError>> {
    let (mut reader, mut ids) = (Reader::new(name, bytes.to_vec()), Ids::default());
    std::iter::from_fn(|| reader.next(&mut ids)).collect()
}

/// Writes one puzzle, with a line break at the end.
///
/// # Errors
/// [`WriteError`] when the format cannot hold the puzzle; it names the cell or the cage.
pub fn write(puzzle: &Puzzle, format: &Format) -> Result<String, WriteError> {
    let Some(write) = format.write else {
        return Err(WriteError { format: format.name, what: "any puzzle: it is only read".to_owned() });
    };
    write(puzzle).map(|text| text.trim_end().to_owned() + "\n")
}

/// The end of a record that is one line.
fn line_end(text: &str) -> usize {
    text.find('\n').map_or(text.len(), |newline| newline + 1)
}
