//! Puzzles as text: one file per format, one line each in [`TABLE`].
//!
//! A format is recognised by content, never by a file's name: a text belongs to the first format of [`TABLE`] that
//! recognises it, so that no format knows another's texts; only where a format of single puzzles then fails may it be a
//! corpus whose first lines are bad (`reader::format_of`). Its text is cut into *records*, one per puzzle, so that a bad
//! record is one error and the others are still read.
//!
//! A new format is a file with a `const FORMAT: Format` and its line in [`TABLE`], after the formats whose texts it would
//! recognise too. It says which texts are its own, where a record ends, and what a record means; a fault has its place
//! in the record. `words` and `node` cut texts and JSON into pieces with places, `cages` builds puzzles from cages, and
//! `contents` says whether a puzzle has nothing but what a format holds.
//!
//! **Invariant:** what a format has read stays readable with the same meaning, and canonical JSON keeps its bytes: corpora
//! and results folders hold it.

mod cage_id_lines;
mod cage_ids;
mod cage_list;
mod cages;
mod clue_grid;
mod col;
mod contents;
mod counted_cages;
mod error;
mod fpuzzles;
mod futoshiki;
mod janko;
mod json;
mod kakuro;
mod keen;
mod named_regions;
mod node;
mod pls;
mod puzz_link;
mod reader;
mod recognition;
mod save_file;
mod solo;
mod sudoku;
mod sudoku_instance;
mod sumocue;
mod unequal;
mod words;

pub use error::{Fault, ReadError, Span, WriteError};
// The rooms of kenga use these; their names may change.
#[doc(hidden)]
pub use {
    error::{Excerpt, Malformed},
    reader::{Ids, Reader},
};

use super::Puzzle;
use crate::table::{Entry, Table, is_snake_case};

/// A way to read puzzles, and for most formats to write them.
#[derive(Debug)]
pub struct Format {
    /// The name on the command line.
    pub name: &'static str,
    /// What it looks like, in a sentence.
    pub about: &'static str,
    /// One text may hold many puzzles, one after the other.
    pub many: bool,
    /// Says whether a text (not blank at its start, no byte-order mark, [its beginning](recognition::head)) looks like this
    /// format.
    recognise: fn(&str) -> bool,
    /// The length in bytes, at least one, of the record that a text starts with.
    end: fn(&str) -> usize,
    /// Reads one record; also returns the place of its id, an empty span where it has none.
    read: fn(&str) -> Result<(Puzzle, Span), Fault>,
    /// Writes one puzzle; `None` where the format is only read.
    write: Option<Writer>,
}

/// Writes one puzzle.
type Writer = fn(&Puzzle) -> Result<String, WriteError>;

impl Format {
    /// A format that is read, one puzzle a text. `recognise` says whether a text (not blank at its start, up to 256 KiB of
    /// whole lines, or a JSON object of any length) looks like it, in one pass that stops at the first line that does not;
    /// `read` reads the text and also returns the place of the puzzle's id in bytes, `0..0` where it has none.
    ///
    /// kenga's own formats are tried first, so that a text which one of them recognises is never read as this.
    pub const fn new(
        name: &'static str,
        about: &'static str,
        recognise: fn(&str) -> bool,
        read: fn(&str) -> Result<(Puzzle, Span), Fault>,
    ) -> Self {
        Self { name, about, many: false, recognise, end: str::len, read, write: None }
    }

    /// Every line is a puzzle.
    #[must_use]
    pub const fn by_lines(self) -> Self {
        self.cut_by(line_end)
    }

    /// One text may hold many puzzles: `end` gives the length in bytes, at least one, of the record that it starts with.
    const fn cut_by(self, end: fn(&str) -> usize) -> Self {
        Self { many: true, end, ..self }
    }

    /// Sets how a puzzle is written.
    #[must_use]
    pub const fn written_by(self, write: fn(&Puzzle) -> Result<String, WriteError>) -> Self {
        Self { write: Some(write), ..self }
    }

    /// Says whether kenga writes the format too, and does not only read it.
    pub fn is_written(&self) -> bool {
        self.write.is_some()
    }

    /// Says whether a text looks like this format, and like none of those before it in the table.
    pub fn recognises(&self, text: &str) -> bool {
        match recognition::format_at(text, false) {
            Some(format) => format.name == self.name,
            None => (self.recognise)(recognition::head(text)),
        }
    }
}

impl Entry for Format {
    const EXPECTED: &'static str = "of lower-case letters, digits, `-` and `_`, a letter first";

    fn name(&self) -> &'static str {
        self.name
    }

    fn is_sound(name: &str) -> bool {
        is_snake_case(&name.replace('-', "_"))
    }
}

/// Every format, in the order in which [`Reader`] tries them.
pub static TABLE: Table<Format> = Table::new(
    "format",
    &[
        &fpuzzles::LINK,
        &fpuzzles::SUDOKUPAD_LINK,
        &fpuzzles::FORMAT,
        &fpuzzles::SUDOKUPAD,
        &json::FORMAT,
        &puzz_link::FORMAT,
        &puzz_link::FILE,
        &save_file::FORMAT,
        &sumocue::FORMAT,
        &janko::FORMAT,
        &unequal::FORMAT,
        &solo::FORMAT,
        &keen::FORMAT,
        &futoshiki::FORMAT,
        &pls::FORMAT,
        &sudoku_instance::FORMAT,
        &col::FORMAT,
        &sudoku::FORMAT,
        &cage_list::FORMAT,
        &named_regions::FORMAT,
        &clue_grid::FORMAT,
        &kakuro::GRID,
        &kakuro::TOKENS,
        &counted_cages::FORMAT,
        &cage_ids::KK_FILE,
        &cage_ids::FORMAT,
    ],
);

/// Finds a format by its name.
pub fn find(name: &str) -> Option<&'static Format> {
    TABLE.find(name)
}

/// Reads every puzzle of a text; `name` is the file's, for errors and for the ids of puzzles that have none.
///
/// All puzzles are in memory at once; [`Reader`] reads them one at a time.
///
/// # Errors
/// One [`ReadError`] for each bad record, in its place; a text without puzzles is one error.
pub fn read(name: &str, bytes: &[u8]) -> Vec<Result<Puzzle, ReadError>> {
    read_all(Reader::new(name, bytes.to_vec()))
}

/// As [`read`], problems of the user's own too: the file of a results folder.
///
/// # Errors
/// As [`read`].
#[doc(hidden)]
pub fn read_with_problems(name: &str, bytes: &[u8]) -> Vec<Result<Puzzle, ReadError>> {
    read_all(Reader::new(name, bytes.to_vec()).with_problems())
}

fn read_all(mut reader: Reader) -> Vec<Result<Puzzle, ReadError>> {
    let mut ids = Ids::default();
    let mut puzzles = Vec::new();
    while let Some(puzzle) = reader.next(&mut ids) {
        puzzles.push(puzzle);
    }
    puzzles
}

/// Writes one puzzle, with a line break at the end.
///
/// # Errors
/// [`WriteError`] when the format cannot hold the puzzle.
pub fn write(puzzle: &Puzzle, format: &Format) -> Result<String, WriteError> {
    let Some(write) = format.write else {
        return Err(WriteError::new(format.name, "any puzzle: it is only read"));
    };
    Ok(write(puzzle)?.trim_end().to_owned() + "\n")
}

/// The canonical JSON of a puzzle: a line, without its line break.
pub fn canonical(puzzle: &Puzzle) -> String {
    let text = write(puzzle, &json::FORMAT).expect("canonical JSON holds every puzzle");
    text.trim_end().to_owned()
}

/// Reads a text that says in another format what a record says; a fault is shown at `place`, a part of the record.
fn read_as(format: &Format, text: &str, place: Span) -> Result<(Puzzle, Span), Fault> {
    (format.read)(text).map_err(|fault| Fault { span: place, ..fault })
}

/// The end of a record that is one line.
fn line_end(text: &str) -> usize {
    text.find('\n').map_or(text.len(), |newline| newline + 1)
}
