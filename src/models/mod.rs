//! Models of a puzzle for other programs to solve: written, never read; one file and one line in [`TABLE`] each.
//!
//! Every model holds puzzles of every kind. They share an instance: the compiled problem with the
//! names of its cells and groups, and formulas: clues in words that any modelling language has.

mod dimacs;
mod formula;
mod instance;
mod lp;
mod minizinc;
mod smtlib;

use crate::puzzle::Puzzle;
use crate::puzzle::formats::WriteError;

use instance::Instance;

/// A modelling language.
#[derive(Debug)]
pub struct Model {
    /// The name by which commands choose it.
    pub name: &'static str,
    /// What reads it, in a sentence.
    pub about: &'static str,
    write: fn(&Instance<'_>) -> Result<String, WriteError>,
}

/// Every modelling language, by name.
pub static TABLE: &[Model] = &[dimacs::MODEL, lp::MODEL, minizinc::MODEL, smtlib::MODEL];

/// Finds a modelling language by its name.
pub fn find(name: &str) -> Option<&'static Model> {
    TABLE.iter().find(|model| model.name == name)
}

impl Model {
    /// Writes a puzzle, with a line break at the end.
    ///
    /// # Errors
    /// [`WriteError`] when the text would be too long; it names the cage where one is to blame.
    pub fn write(&self, puzzle: &Puzzle) -> Result<String, WriteError> {
        (self.write)(&Instance::new(puzzle)).map(|text| text.trim_end().to_owned() + "\n")
    }
}
