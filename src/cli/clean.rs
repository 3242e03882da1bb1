//! Errors without what could disturb a terminal: they quote ids, names, paths and files of anybody's.

use std::error::Error;
use std::fmt;

use miette::{Diagnostic, LabeledSpan, Report, Severity, SourceCode};

use crate::text::printable;

/// An error whose own words and causes are [`printable`]; excerpts are so where they are made.
pub(super) struct Clean<'a> {
    report: &'a Report,
    message: String,
    cause: Option<Cause>,
}

/// A cause in words.
#[derive(Debug)]
struct Cause {
    message: String,
    cause: Option<Box<Self>>,
}

impl<'a> Clean<'a> {
    /// The error of a report.
    pub(super) fn new(report: &'a Report) -> Self {
        let mut messages = report.chain().map(|error| printable(&error.to_string()).into_owned());
        let message = messages.next().unwrap_or_default();
        let causes: Vec<String> = messages.collect();
        let around = |cause: Option<Cause>, message| Some(Cause { message, cause: cause.map(Box::new) });
        Self { report, message, cause: causes.into_iter().rev().fold(None, around) }
    }
}

/// As `{:?}` of the report, which its handler draws.
impl fmt::Debug for Clean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.report.handler().debug(self, f)
    }
}

impl fmt::Display for Clean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Clean<'_> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_ref().map(|cause| cause as &dyn Error)
    }
}

impl Diagnostic for Clean<'_> {
    fn severity(&self) -> Option<Severity> {
        self.report.severity()
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let help = printable(&self.report.help()?.to_string()).into_owned();
        Some(Box::new(help))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.report.source_code()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let clean = |label: LabeledSpan| {
            let words = label.label().map(|words| printable(words).into_owned());
            LabeledSpan::new_with_span(words, *label.inner())
        };
        Some(Box::new(self.report.labels()?.map(clean)))
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Cause {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as &dyn Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error, Diagnostic)]
    #[error("no {name}")]
    #[diagnostic(help("look for {name}"))]
    struct Missing {
        name: String,
        #[source]
        source: std::io::Error,
    }

    #[test]
    fn no_escape_of_a_name_gets_through_message_help_or_cause() {
        let name = "\u{1b}]0;x\u{7}".to_owned();
        let source = std::io::Error::other("gone \u{9b}2J");
        let said = format!("{:?}", Clean::new(&Missing { name, source }.into()));
        for words in ["no \u{FFFD}]0;x\u{FFFD}", "look for \u{FFFD}]0;x\u{FFFD}", "gone \u{FFFD}2J"] {
            assert!(said.contains(words), "{said:?}");
        }
        assert!(!said.contains(['\u{7}', '\u{9b}']) && !said.contains("\u{1b}]"), "{said:?}");
    }
}
