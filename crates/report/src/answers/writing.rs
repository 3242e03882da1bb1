//! What puzzles are written as: formats, and models for other solvers.

use kenga_core::puzzle::Puzzle;
use kenga_core::puzzle::formats::{self, Format, WriteError};
use kenga_craft::models::{self, Model};

/// What puzzles are written as.
#[derive(Clone, Copy)]
pub enum OutputFormat {
    /// A puzzle format.
    Format(&'static Format),
    /// A model for another solver.
    Model(&'static Model),
}

impl OutputFormat {
    /// Every format that is written, and every model.
    pub fn all() -> impl Iterator<Item = Self> {
        let written = formats::TABLE.iter().filter(|format| format.is_written());
        written.map(Self::Format).chain(models::TABLE.iter().map(Self::Model))
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Format(format) => format.name,
            Self::Model(model) => model.name,
        }
    }

    /// What it looks like, in a sentence.
    pub fn about(self) -> &'static str {
        match self {
            Self::Format(format) => format.about,
            Self::Model(model) => model.about,
        }
    }

    /// One file may hold many puzzles.
    pub fn is_many(self) -> bool {
        matches!(self, Self::Format(format) if format.many)
    }

    /// The text of a puzzle, with a line break at the end.
    ///
    /// # Errors
    /// [`WriteError`] when the format cannot hold the puzzle.
    pub fn write(self, puzzle: &Puzzle) -> Result<String, WriteError> {
        match self {
            Self::Format(format) => formats::write(puzzle, format),
            Self::Model(model) => model.write(puzzle),
        }
    }
}
