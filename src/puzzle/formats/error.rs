//! The errors of readers and writers.

use std::fmt;

use miette::{Diagnostic, LabeledSpan, SourceCode, SourceSpan};
use thiserror::Error;

use super::excerpt::Excerpt;
use super::fault::{Fault, Malformed};

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
