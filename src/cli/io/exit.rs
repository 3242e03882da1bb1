//! How a command ends: exit codes, and the printing of errors, without what could disturb a terminal: they quote ids,
//! names, paths and files of anybody's.

use std::error::Error;
use std::process::ExitCode;
use std::{fmt, io};

use miette::{Diagnostic, LabeledSpan, Report, Severity, SourceCode};

use super::progress::say;
use super::terminal;
use crate::report::columns;
use crate::text::{coloured, printable};

/// The answer of a command that ended without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Exit {
    /// Done; the answer, if there is one, is yes.
    Done,
    /// Done, and the answer is no.
    No,
    /// Something in the input was bad; the rest was done.
    BadInput,
    /// Limits ended the work before an answer.
    Undecided,
    /// A signal with this number ended the work in good order.
    Signal(usize),
}

impl Exit {
    /// The exit code: 0, 1, 2, 3, or 128 and the signal.
    pub(in crate::cli) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::No => 1,
            Self::BadInput => 2,
            Self::Undecided => 3,
            Self::Signal(number) => 128 + number as u8,
        }
    }

    /// The one that speaks for both: a signal, then bad input, then undecided, then no.
    pub(in crate::cli) fn and(self, other: Self) -> Self {
        let rank = |exit: Self| match exit {
            Self::Done => 0,
            Self::No => 1,
            Self::Undecided => 2,
            Self::BadInput => 3,
            Self::Signal(_) => 4,
        };
        if rank(other) > rank(self) { other } else { self }
    }
}

/// What every command returns; an error exits with 2.
pub(in crate::cli) type CommandResult = Result<Exit, Report>;

/// Turns a command's end into the process's; a closed pipe is no error.
pub(in crate::cli) fn finish(result: CommandResult) -> ExitCode {
    match result {
        Ok(exit) => ExitCode::from(exit.code()),
        Err(report) if is_closed_pipe(&report) => ExitCode::SUCCESS,
        Err(report) => {
            print_error(&report);
            ExitCode::from(Exit::BadInput.code())
        }
    }
}

/// Prints an error to standard error, with the line and a caret where it has a place.
pub(in crate::cli) fn print_error(report: &Report) {
    say(&format!("{:?}\n", Clean::new(report)));
}

/// Prints a line to standard error that is no error.
pub(in crate::cli) fn print_note(text: &str) {
    say(&format!("{}\n", coloured(text)));
}

fn is_closed_pipe(report: &Report) -> bool {
    let pipe = |error: &(dyn Error + 'static)| {
        error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    };
    report.chain().any(pipe)
}

/// An error whose own words and causes are [`printable`]; excerpts are so where they are made.
struct Clean<'a> {
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
    fn new(report: &'a Report) -> Self {
        let mut messages = report.chain().map(|error| printable(&error.to_string()).into_owned());
        let message = messages.next().unwrap_or_default();
        let causes: Vec<String> = messages.collect();
        let around = |cause: Option<Cause>, message| Some(Cause { message, cause: cause.map(Box::new) });
        Self { report, message, cause: causes.into_iter().rev().fold(None, around) }
    }

    fn labels_of_report(&self) -> impl Iterator<Item = LabeledSpan> {
        let clean = |label: LabeledSpan| {
            let words = label.label().map(|words| printable(words).into_owned());
            LabeledSpan::new_with_span(words, *label.inner())
        };
        self.report.labels().into_iter().flatten().map(clean)
    }

    /// The words of a label, which are never wrapped, end within the terminal.
    fn fits(&self, label: &LabeledSpan) -> bool {
        let shown = self.report.source_code().and_then(|code| code.read_span(label.inner(), 1, 1).ok());
        let (Some(words), Some(shown)) = (label.label(), shown) else { return true };
        let gutter = (shown.line() + 3).to_string().len() + 4;
        let before = String::from_utf8_lossy(&shown.data()[..label.offset() - shown.span().offset()]);
        let arrow = columns(before.rsplit('\n').next().unwrap_or_default()) + label.len() / 2 + 4;
        gutter + arrow + columns(words) <= terminal::columns()
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
        let help = self.report.help().map(|help| printable(&help.to_string()).into_owned());
        let wide = self.labels_of_report().filter(|label| !self.fits(label));
        let wide = wide.filter_map(|label| label.label().map(str::to_owned));
        let parts: Vec<String> = wide.chain(help).collect();
        (!parts.is_empty()).then(|| Box::new(parts.join("; ")) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.report.source_code()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let short = |label: LabeledSpan| match self.fits(&label) {
            true => label,
            false => LabeledSpan::new_with_span(Some("here".to_owned()), *label.inner()),
        };
        self.report.labels().map(|_| Box::new(self.labels_of_report().map(short)) as Box<_>)
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

    #[test]
    fn over_many_puzzles_two_beats_three_beats_one() {
        assert_eq!(Exit::No.and(Exit::Undecided).code(), 3);
        assert_eq!(Exit::BadInput.and(Exit::Undecided).code(), 2);
        assert_eq!(Exit::Done.and(Exit::No).code(), 1);
        assert_eq!(Exit::Done.and(Exit::Signal(2)).code(), 130);
    }

    #[test]
    fn a_label_wider_than_the_terminal_stands_in_the_help() {
        let words = "wide ".repeat(1000);
        let label = LabeledSpan::new(Some(words.clone()), 4, 3);
        let report = miette::miette!(labels = vec![label], help = "mend it", "bad");
        let report = report.with_source_code("one two".to_owned());
        let clean = Clean::new(&report);
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
        let said = format!("{:?}", Clean::new(&Missing { name, source }.into()));
        for words in ["no \u{FFFD}]0;x\u{FFFD}", "look for \u{FFFD}]0;x\u{FFFD}", "gone \u{FFFD}2J"] {
            assert!(said.contains(words), "{said:?}");
        }
        assert!(!said.contains(['\u{7}', '\u{9b}']) && !said.contains("\u{1b}]"), "{said:?}");
    }
}
