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
