//! Choosing a puzzle by its id.

use miette::{Diagnostic, Report};
use thiserror::Error;

use crate::puzzle::Puzzle;

/// No puzzle has the id that was asked for.
#[derive(Debug, Error, Diagnostic)]
#[error("no puzzle has the id `{id}`")]
struct UnknownId {
    id: String,
    #[help]
    help: Option<String>,
}

/// A choice that was not made.
#[derive(Debug, Error, Diagnostic)]
#[error("{file} holds several puzzles: `{first}`, `{second}`, …")]
#[diagnostic(help("choose one with --id"))]
struct Several {
    file: String,
    first: String,
    second: String,
}

/// The one puzzle of the file, or the one with this id; none when it could not be read.
///
/// # Errors
/// A report when there are several to choose from, or none with the id.
pub(super) fn one(
    file: &str,
    id: Option<&str>,
    puzzles: impl Iterator<Item = Puzzle>,
) -> Result<Option<Puzzle>, Report> {
    let mut wanted = Wanted::new(id);
    let mut puzzles = puzzles.filter(|puzzle| wanted.accepts(puzzle));
    let (first, second) = (puzzles.next(), puzzles.next());
    if let (Some(first), Some(second)) = (&first, &second) {
        let (first, second) = (first.id.clone(), second.id.clone());
        return Err(Several { file: file.to_owned(), first, second }.into());
    }
    wanted.found()?;
    Ok(first)
}

/// Looks for an id, and remembers the one most like it; without an id every puzzle is wanted.
pub(super) struct Wanted<'a> {
    id: Option<&'a str>,
    found: bool,
    nearest: Option<(f64, String)>,
}

impl<'a> Wanted<'a> {
    /// Looks for this id, or for none.
    pub(super) fn new(id: Option<&'a str>) -> Self {
        Self { id, found: id.is_none(), nearest: None }
    }

    /// Says whether this is a puzzle that is wanted.
    pub(super) fn accepts(&mut self, puzzle: &Puzzle) -> bool {
        let Some(id) = self.id else { return true };
        if puzzle.id == id {
            self.found = true;
            return true;
        }
        let likeness = strsim::jaro_winkler(id, &puzzle.id);
        if self.nearest.as_ref().is_none_or(|(most, _)| likeness > *most) {
            self.nearest = Some((likeness, puzzle.id.clone()));
        }
        false
    }

    /// The end of the search.
    ///
    /// # Errors
    /// A report that names the nearest id when the wanted one was not met.
    pub(super) fn found(self) -> Result<(), Report> {
        match self.id {
            Some(id) if !self.found => {
                let help = self.nearest.map(|(_, nearest)| format!("the nearest is `{nearest}`"));
                Err(UnknownId { id: id.to_owned(), help }.into())
            }
            _ => Ok(()),
        }
    }
}
