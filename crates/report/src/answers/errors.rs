//! Errors without what could disturb a terminal: they quote ids, names, paths and files of anybody's.

use std::error::Error;
use std::fmt;

use miette::{
    Diagnostic, LabeledSpan, MietteHandler, MietteHandlerOpts, Report, ReportHandler, Severity, SourceCode,
};

use crate::columns;
use kenga_core::text::printable;

/// An error whose own words and causes are [`printable`]; excerpts are so where they are made.
pub struct Clean<'a> {
    report: &'a Report,
    /// Columns of what it is shown on.
    width: usize,
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
    pub fn new(report: &'a Report, width: usize) -> Self {
        let mut messages: Vec<String> = Vec::new();
        for error in report.chain() {
            messages.push(printable(&error.to_string()).into_owned());
        }
        let mut cause = None;
        // From the last cause to the first: each owns the one that led to it.
        for message in messages.drain(1..).rev() {
            cause = Some(Cause { message, cause: cause.map(Box::new) });
        }
        Self { report, width, message: messages.remove(0), cause }
    }

    fn labels_of_report(&self) -> Option<Vec<LabeledSpan>> {
        let mut labels = Vec::new();
        for label in self.report.labels()? {
            let words = label.label().map(|words| printable(words).into_owned());
            labels.push(LabeledSpan::new_with_span(words, *label.inner()));
        }
        Some(labels)
    }

    /// The words of a label, which are never wrapped, end within the width.
    fn fits(&self, label: &LabeledSpan) -> bool {
        let shown = self.report.source_code().and_then(|code| code.read_span(label.inner(), 1, 1).ok());
        let (Some(words), Some(shown)) = (label.label(), shown) else { return true };
        // miette draws a gutter of line numbers, then the line, and an arrow from the middle of the label.
        let gutter = (shown.line() + 3).to_string().len() + 4;
        let before = String::from_utf8_lossy(&shown.data()[..label.offset() - shown.span().offset()]);
        let arrow = columns(before.rsplit('\n').next().unwrap_or_default()) + label.len() / 2 + 4;
        gutter + arrow + columns(words) <= self.width
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
        let mut parts = Vec::new();
        for label in self.labels_of_report().into_iter().flatten() {
            if !self.fits(&label) {
                parts.extend(label.label().map(str::to_owned));
            }
        }
        parts.extend(self.report.help().map(|help| printable(&help.to_string()).into_owned()));
        if parts.is_empty() {
            return None;
        }
        Some(Box::new(parts.join("; ")))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.report.source_code()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let mut labels = self.labels_of_report()?;
        for label in &mut labels {
            if !self.fits(label) {
                // Words that do not fit stand in the help; the arrow keeps a word.
                *label = LabeledSpan::new_with_span(Some("here".to_owned()), *label.inner());
            }
        }
        Some(Box::new(labels.into_iter()))
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

/// An error as it is shown, and in parts for programs.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// The line and the column at fault, both from 1.
    pub place: Option<(usize, usize)>,
    /// All of it with the line and a caret, as the command line shows it at 80 columns without colours.
    pub text: Option<String>,
}

/// Draws an error.
pub fn drawn(report: &Report) -> Shown {
    let clean = Clean::new(report, WIDTH);
    let label = report.labels().and_then(|mut labels| labels.next());
    let shown = label.zip(report.source_code());
    let shown = shown.and_then(|(label, code)| code.read_span(label.inner(), 0, 0).ok());
    let place = shown.map(|span| (span.line() + 1, span.column() + 1));
    let options = MietteHandlerOpts::new().width(WIDTH).break_words(false).color(false).unicode(true);
    let handler = options.terminal_links(false).force_graphical(true).build();
    let help = clean.help().map(|help| help.to_string());
    let text = ErrorDrawing { handler, clean: &clean }.to_string();
    Shown { message: clean.message.clone(), help, place, text: Some(text) }
}

/// Columns of a drawn error.
const WIDTH: usize = 80;

/// An error drawn by a handler.
struct ErrorDrawing<'a> {
    handler: MietteHandler,
    clean: &'a Clean<'a>,
}

impl fmt::Display for ErrorDrawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.handler.debug(self.clean, f)
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn a_label_wider_than_the_terminal_stands_in_the_help() {
        let words = "wide ".repeat(1000);
        let label = LabeledSpan::new(Some(words.clone()), 4, 3);
        let report = miette::miette!(labels = vec![label], help = "mend it", "bad");
        let report = report.with_source_code("one two".to_owned());
        let clean = Clean::new(&report, 80);
        let shown: Vec<LabeledSpan> = clean.labels().expect("it has one").collect();
        assert_eq!(shown[0].label(), Some("here"));
        assert_eq!(clean.help().expect("it has some").to_string(), format!("{words}; mend it"));
    }

    #[derive(Debug, thiserror::Error, Diagnostic)]
    #[error("no {name}")]
    #[diagnostic(help("look for {name}"))]
    struct Missing {
        name: String,
        #[source]
        source: io::Error,
    }

    #[test]
    fn no_escape_of_a_name_gets_through_message_help_or_cause() {
        let name = "\u{1b}]0;x\u{7}".to_owned();
        let source = io::Error::other("gone \u{9b}2J");
        let said = format!("{:?}", Clean::new(&Missing { name, source }.into(), 80));
        for words in ["no \u{FFFD}]0;x\u{FFFD}", "look for \u{FFFD}]0;x\u{FFFD}", "gone \u{FFFD}2J"] {
            assert!(said.contains(words), "{said:?}");
        }
        assert!(!said.contains(['\u{7}', '\u{9b}']) && !said.contains("\u{1b}]"), "{said:?}");
    }
}
