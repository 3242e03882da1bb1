//! The errors of readers and writers: what is wrong with a text, and where.

use std::fmt;
use std::ops::Range;

use miette::{Diagnostic, LabeledSpan, SourceCode, SourceSpan};
use thiserror::Error;

use super::super::{Defect, GridError};
use super::excerpt::Excerpt;

/// Why a text is no puzzle: printed by `miette`, it shows the line, a caret, and what was expected.
#[derive(Debug, Error)]
#[error("{}", fault.what)]
pub struct ReadError {
    fault: Box<Fault>,
    excerpt: Box<Excerpt>,
    span: SourceSpan,
}

impl ReadError {
    /// Joins a fault to the part of the file that it is about; `first_line` is the number of the record's first line,
    /// from 0.
    pub(super) fn new(name: &str, record: &str, first_line: usize, fault: Fault) -> Self {
        let (excerpt, span) = Excerpt::cut(name, record, first_line, fault.span.clone());
        Self { fault: Box::new(fault), excerpt: Box::new(excerpt), span }
    }

    /// What is wrong.
    pub fn what(&self) -> &Malformed {
        &self.fault.what
    }
}

impl Diagnostic for ReadError {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.fault.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&*self.excerpt)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(Some(self.fault.label.clone()), self.span))))
    }
}

/// Why a puzzle cannot be written in a format.
#[derive(Debug, PartialEq, Eq, Error, Diagnostic)]
#[error("the format {format} cannot hold {what}")]
#[diagnostic(help("json holds every puzzle"))]
pub struct WriteError {
    /// The format.
    pub format: &'static str,
    /// What it has no place for, naming the cell or the cage.
    pub what: String,
}

/// Bytes of a record, from its start.
pub(super) type Span = Range<usize>;

/// What is wrong with the text of a puzzle.
#[derive(Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Malformed {
    /// Nothing but blanks.
    #[error("there is no puzzle here: the text is empty")]
    Empty,
    /// No reader knows the text.
    #[error("the text is in no known puzzle format")]
    NoFormat,
    /// The bytes are no UTF-8.
    #[error("the text is not UTF-8")]
    Encoding,
    /// The text breaks the grammar of JSON.
    #[error("this is not JSON: {0}")]
    Json(String),
    /// The text stops in the middle of something.
    #[error("the text ends in the middle of {0}")]
    Truncated(String),
    /// Something else stands where one thing is expected.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What should stand there.
        expected: String,
        /// What does.
        found: String,
    },
    /// A key that no puzzle has.
    #[error("unknown key `{0}`")]
    UnknownKey(String),
    /// A key that stands twice in one object.
    #[error("duplicate key `{0}`")]
    RepeatedKey(String),
    /// A key that must be there is not.
    #[error("the key `{0}` is missing")]
    MissingKey(&'static str),
    /// A kind of puzzle that no reader knows.
    #[error("unknown kind of puzzle `{0}`")]
    UnknownKind(String),
    /// An operator that is not in the table.
    #[error("unknown operator `{0}`")]
    UnknownOperator(String),
    /// A number with a fraction where a whole one is meant.
    #[error("{0} is not a whole number")]
    Fraction(String),
    /// A number that no 64-bit integer holds.
    #[error("{0} does not fit into 64 bits: numbers go up to {max}", max = i64::MAX)]
    Overflow(String),
    /// An id that would be read as something else where ids stand.
    #[error("the id {id:?} {flaw}")]
    Id {
        /// The id.
        id: String,
        /// What is wrong with it.
        flaw: &'static str,
    },
    /// An id that an earlier puzzle has.
    #[error("the id `{id}` is already used by {first}")]
    RepeatedId {
        /// The id.
        id: String,
        /// Where it was met first.
        first: String,
    },
    /// The puzzle is read, but its structure is unsound.
    #[error(transparent)]
    Defect(#[from] Defect),
    /// The solution has another shape than the puzzle.
    #[error("in the solution, {0}")]
    Solution(GridError),
}

/// One flaw of a record: what, where, what was expected, and what to do.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) what: Malformed,
    pub(super) span: Span,
    pub(super) label: String,
    pub(super) help: Option<String>,
}

impl Fault {
    /// A flaw with a label that says what was expected at the place.
    pub(super) fn new(what: impl Into<Malformed>, span: Span, label: impl Into<String>) -> Self {
        Self { what: what.into(), span, label: label.into(), help: None }
    }

    /// Something else stands at `span` than what is expected there.
    pub(super) fn unexpected(expected: impl Into<String>, found: impl Into<String>, span: Span) -> Self {
        let (expected, found) = (expected.into(), found.into());
        let label = format!("expected {expected}");
        Self::new(Malformed::Unexpected { expected, found }, span, label)
    }

    /// Adds what to do about it.
    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
