//! The configuration of an experiment as it is written, for errors that show its lines.

use std::fs;
use std::io;
use std::path::Path;

use miette::{Diagnostic, NamedSource, Report, SourceSpan, miette};
use thiserror::Error;

use crate::cli::io::input;
use kenga_core::sort::sort_by;
use kenga_core::text::quoted_path;
use kenga_lab::results::FolderKind;

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
        if file != "-" && Path::new(file).is_dir() {
            let help = inside(Path::new(file));
            return Err(miette!(help = help, "{file} is a folder, not a configuration"));
        }
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

/// What may be meant by a folder in the place of a configuration.
fn inside(folder: &Path) -> String {
    if FolderKind::of(folder) == FolderKind::Experiment {
        return format!("it holds results: `{}` continues them", input::resume(folder));
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
    sort_by(&mut files, Ord::cmp);
    match files.first() {
        Some(file) => format!("name a file in it, such as {}", quoted_path(file)),
        None => "name a TOML file; `kenga init` writes one".to_owned(),
    }
}
