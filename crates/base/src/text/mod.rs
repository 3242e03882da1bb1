//! Text that kenga did not choose, each use with one rule: what a terminal is shown, what a cell of a spreadsheet holds, what
//! an id may be, how a shell reads it as one word; and names that resemble each other.
//!
//! **Invariant:** what `cell` writes, `from_cell` reads back: results folders hold ids and names so.

mod cell;
mod id;
mod misspelling;
mod shell;
mod terminal;

pub use cell::{cell, from_cell};
pub use id::id_flaw;
pub(crate) use id::sound_id;
pub use misspelling::{enumeration, joined, meant, nearest};
pub use shell::{quoted, quoted_path};
pub use terminal::{BOLD, PLAIN, SERIES_COLOURS, painted, printable, printable_at};
