//! Errors in a configuration, shown in the text they came from.

use miette::{Diagnostic, NamedSource, SourceSpan};
use thiserror::Error;

use crate::spec::{Place, SpecError};
use crate::text::{printable, printable_at};

/// The texts that a configuration is put together from, in the order of [`Place::source`].
#[derive(Clone, Debug, Default)]
pub struct Sources {
    texts: Vec<(String, String)>,
}

/// A configuration that cannot be used; shown with the line and a caret.
#[derive(Debug, Error, Diagnostic)]
#[error(transparent)]
#[diagnostic(transparent)]
pub struct ConfigError(Box<Shown>);

#[derive(Debug, Error, Diagnostic)]
#[error("{message}")]
struct Shown {
    message: String,
    label: String,
    #[source_code]
    text: NamedSource<String>,
    #[label("{label}")]
    span: SourceSpan,
    #[help]
    help: Option<String>,
}

impl Sources {
    /// Adds a text under the name that errors show; its index is returned.
    pub fn add(&mut self, name: &str, text: &str) -> usize {
        self.texts.push((name.to_owned(), text.to_owned()));
        self.texts.len() - 1
    }

    /// What stands at a place.
    pub(super) fn text(&self, place: Place) -> &str {
        self.texts
            .get(place.source)
            .and_then(|(_, text)| text.get(place.start..place.end))
            .unwrap_or_default()
    }

    /// The line of a place, from 1.
    pub(super) fn line(&self, place: Place) -> usize {
        let text = self.texts.get(place.source).map_or("", |(_, text)| text);
        text.bytes().take(place.start).filter(|byte| *byte == b'\n').count() + 1
    }

    /// Shows an error in its text.
    pub fn show(&self, error: &SpecError) -> ConfigError {
        self.error(error.to_string(), error.label(), Some(error.help()), error.place())
    }

    /// An error with words of its own at a place.
    pub(super) fn error(
        &self,
        message: String,
        label: String,
        help: Option<String>,
        place: Place,
    ) -> ConfigError {
        let (name, text) = self.texts.get(place.source).cloned().unwrap_or_default();
        let (start, end) = (place.start.min(text.len()), place.end.min(text.len()));
        // A caret needs a character: at the end of the text it takes the last one.
        let start =
            if start == text.len() { text.floor_char_boundary(start.saturating_sub(1)) } else { start };
        let (text, span) = printable_at(&text, start..end.max(start));
        let (name, span) = (printable(&name), SourceSpan::from((span.start, span.len())));
        ConfigError(Box::new(Shown { message, label, text: NamedSource::new(name, text), span, help }))
    }
}
