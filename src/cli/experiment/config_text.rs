//! The configuration of an experiment as it is written, for errors that show its lines.

use std::fs;
use std::io;

use miette::{Diagnostic, NamedSource, Report, SourceSpan};
use thiserror::Error;

use crate::cli::io::input;

/// A configuration as it is written.
#[derive(Default)]
pub(in crate::cli) struct ConfigText {
    /// The name that errors show.
    pub(in crate::cli) name: String,
    pub(in crate::cli) text: String,
}

/// A puzzle that a configuration names and that cannot be read.
#[derive(Debug, Error, Diagnostic)]
#[error("cannot read {path}")]
#[diagnostic(help("files are relative to the configuration; --puzzle FILE runs others"))]
struct MissingPuzzle {
    path: String,
    #[source_code]
    text: NamedSource<String>,
    #[label("this file")]
    place: Option<SourceSpan>,
    #[source]
    source: io::Error,
}

impl ConfigText {
    /// Reads a file, or standard input for `-`; `help` says what is expected.
    ///
    /// # Errors
    /// A report when it cannot be read, or is no text.
    pub(in crate::cli) fn read(file: &str, help: &str) -> Result<Self, Report> {
        let (name, text) = input::read_text(file, help)?;
        Ok(Self { name, text })
    }

    /// Why the file of a puzzle, at `path`, cannot be opened, with the line that names it; none where it can.
    pub(super) fn missing(&self, file: &str, path: &str) -> Option<Report> {
        if path == "-" {
            return None;
        }
        let source = fs::metadata(path).err()?;
        let mut place = None;
        for quote in ['"', '\''] {
            if let Some(start) = self.text.find(&format!("{quote}{file}{quote}")) {
                place = Some((start, file.len() + 2).into());
            }
        }
        let text = NamedSource::new(&self.name, self.text.clone());
        Some(MissingPuzzle { path: path.to_owned(), text, place, source }.into())
    }
}
