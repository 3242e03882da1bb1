//! The errors of readers and writers: what is wrong with a text, and the lines that show where.
//!
//! An error outlives its text, and a line of a corpus may have thousands of characters. So an error keeps the line at
//! fault and its neighbours when they are short, and only a window of a long line.

use std::fmt;
use std::ops::Range;

use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents,
};
use thiserror::Error;

use super::super::{Defect, GridError};
use crate::text;

/// The most characters of a line that is shown whole: a terminal shows them without a break.
const SHORT: usize = 72;

/// The most characters of a longer line that are shown from the place of the error on.
const AFTER: usize = 40;

/// Why a text is not a puzzle: printed by `miette`, it shows the line, a caret, and what was expected.
#[derive(Debug, Error)]
#[error("{}", fault.what)]
pub struct ReadError {
    fault: Box<Fault>,
    excerpt: Box<Excerpt>,
    span: SourceSpan,
}

impl ReadError {
    /// The error of a fault in a record of the file `name`; `first_line` is the number of the record's first line, from
    /// 0.
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
        let help = self.fault.help.as_ref()?;
        Some(Box::new(help))
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
    /// What it cannot hold, naming the cell or group where there is one.
    pub what: String,
}

impl WriteError {
    /// The error of a format that cannot hold something.
    pub(super) fn new(format: &'static str, what: impl Into<String>) -> Self {
        Self { format, what: what.into() }
    }
}

/// Bytes of a record, from its start.
pub type Span = Range<usize>;

/// What is wrong with the text of a puzzle.
#[derive(Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Malformed {
    /// Nothing but white space.
    #[error("there is no puzzle here: the text is empty")]
    Empty,
    /// No format recognises the text.
    #[error("the text is in no known puzzle format")]
    NoFormat,
    /// The bytes are no UTF-8.
    #[error("the text is not UTF-8")]
    Encoding,
    /// The text breaks the grammar of JSON.
    #[error("this is not JSON: {0}")]
    Json(String),
    /// The packed text of a link cannot be unpacked.
    #[error("the link holds no puzzle that can be unpacked")]
    Packed,
    /// The text ends too early.
    #[error("the text ends in the middle of {0}")]
    Truncated(String),
    /// Something else was expected.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What was expected.
        expected: String,
        /// What was found.
        found: String,
    },
    /// A key that no puzzle has.
    #[error("unknown key `{0}`")]
    UnknownKey(String),
    /// A key that occurs twice in one object.
    #[error("duplicate key `{0}`")]
    RepeatedKey(String),
    /// A required key is missing.
    #[error("the key `{0}` is missing")]
    MissingKey(&'static str),
    /// A kind of puzzle that kenga does not know.
    #[error("unknown kind of puzzle `{0}`")]
    UnknownKind(String),
    /// A problem of the user's own, which only a results folder holds.
    #[error("this is a problem of your own, and no puzzle")]
    OwnProblem,
    /// An operator that is not in the table.
    #[error("unknown operator `{0}`")]
    UnknownOperator(String),
    /// A number with a fraction where a whole number is expected.
    #[error("{0} is not a whole number")]
    Fraction(String),
    /// A number that no 64-bit integer holds.
    #[error("{0} does not fit into 64 bits: numbers go up to {max}", max = i64::MAX)]
    Overflow(String),
    /// An id that terminals or other programs would misread.
    #[error("the id {id:?} {flaw}")]
    Id {
        /// The id.
        id: String,
        /// What is wrong with it.
        flaw: &'static str,
    },
    /// An id that an earlier puzzle uses.
    #[error("the id `{id}` is already used by {first}")]
    RepeatedId {
        /// The id.
        id: String,
        /// The place where it is first used.
        first: String,
    },
    /// The text is well formed, but the puzzle's structure has a defect.
    #[error(transparent)]
    Defect(#[from] Defect),
    /// The solution has another shape than the puzzle.
    #[error("in the solution, {0}")]
    Solution(GridError),
}

/// One flaw of a record: what is wrong, where, what was expected, and how to mend it.
#[derive(Debug)]
pub struct Fault {
    pub(super) what: Malformed,
    pub(super) span: Span,
    pub(super) label: String,
    pub(super) help: Option<String>,
}

impl Fault {
    /// A flaw with a label that says what was expected at the place, in bytes of the record.
    pub fn new(what: impl Into<Malformed>, span: Span, label: impl Into<String>) -> Self {
        Self { what: what.into(), span, label: label.into(), help: None }
    }

    /// The flaw of a text that has `found` at `span` in place of `expected`.
    pub fn unexpected(expected: impl Into<String>, found: impl Into<String>, span: Span) -> Self {
        let (expected, found) = (expected.into(), found.into());
        let label = format!("expected {expected}");
        Self::new(Malformed::Unexpected { expected, found }, span, label)
    }

    /// Adds how to mend it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// A piece of a named text, with its line and column there.
#[derive(Debug)]
pub struct Excerpt {
    name: String,
    text: String,
    line: usize,
    column: usize,
}

impl Excerpt {
    /// The lines around `span` of `text`, whose first line has the number `first_line` (from 0) in the file `name`, and
    /// the place of the span in the excerpt. A span over several lines ends at the end of the first.
    pub fn cut(name: &str, text: &str, first_line: usize, span: Range<usize>) -> (Self, SourceSpan) {
        let start = floor(text, span.start);
        let end = floor(text, span.end).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
        // The caret marks one line.
        let end = end.min(line_end);
        let parts =
            MarkedLine::new(&text[line_start..start], &text[start..end], text[end..line_end].trim_end());
        let line = first_line + text[..line_start].matches('\n').count();
        if parts.characters() <= SHORT {
            parts.excerpt(name, line, line_before(text, line_start), line_after(text, line_end))
        } else {
            parts.window().excerpt(name, line, None, None)
        }
    }
}

/// A line: up to the marked part, that part, and what follows.
struct MarkedLine {
    before: String,
    marked: String,
    after: String,
    /// The column in the file of the line's first byte here.
    column: usize,
}

impl MarkedLine {
    fn new(before: &str, marked: &str, after: &str) -> Self {
        let mut marked = printable(marked.trim_end());
        if marked.is_empty() && after.is_empty() {
            // A caret needs a character above it.
            marked.push(' ');
        }
        Self { before: printable(before), marked, after: printable(after), column: 0 }
    }

    fn characters(&self) -> usize {
        self.before.chars().count() + self.marked.chars().count() + self.after.chars().count()
    }

    /// A short window of the line around its marked part.
    fn window(mut self) -> Self {
        // A line of a corpus has thousands of characters.
        truncate(&mut self.marked, AFTER);
        let room = AFTER - self.marked.chars().count();
        if self.after.chars().count() > room {
            truncate(&mut self.after, room);
            self.after.push('…');
        }
        let room = SHORT - self.marked.chars().count() - self.after.chars().count();
        let cut = self.before.char_indices().rev().nth(room).map_or(0, |(index, c)| index + c.len_utf8());
        if cut > 0 {
            self.before.replace_range(..cut, "…");
            self.column = cut.saturating_sub("…".len());
        }
        self
    }

    /// The excerpt of this line, which has the number `line`, and its neighbours.
    fn excerpt(
        self,
        name: &str,
        line: usize,
        above: Option<&str>,
        below: Option<&str>,
    ) -> (Excerpt, SourceSpan) {
        let mut excerpt = Excerpt { name: name.to_owned(), text: String::new(), line, column: self.column };
        if let Some(above) = above {
            excerpt.text = printable(above) + "\n";
            excerpt.line -= 1;
        }
        excerpt.text += &self.before;
        let span = (excerpt.text.len(), self.marked.len()).into();
        excerpt.text += &self.marked;
        excerpt.text += &self.after;
        if let Some(below) = below {
            excerpt.text.push('\n');
            excerpt.text += &printable(below);
        }
        (excerpt, span)
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inner = self.text.as_str().read_span(span, before, after)?;
        let (line, column) = (inner.line() + self.line, inner.column() + self.column);
        let (name, count) = (printable(&self.name), inner.line_count());
        Ok(Box::new(MietteSpanContents::new_named(name, inner.data(), *inner.span(), line, column, count)))
    }
}

/// The largest character boundary up to `index`.
fn floor(text: &str, index: usize) -> usize {
    // Places count bytes, and a parser may stop within a character.
    text.floor_char_boundary(index.min(text.len()))
}

/// A line without its line break and without characters that would disturb a terminal.
fn printable(line: &str) -> String {
    text::printable(line.trim_end_matches('\r')).into_owned()
}

fn truncate(text: &mut String, most: usize) {
    let end = text.char_indices().nth(most).map_or(text.len(), |(index, _)| index);
    text.truncate(end);
}

/// The line above, when it is short.
fn line_before(text: &str, line_start: usize) -> Option<&str> {
    let line = text[..line_start].strip_suffix('\n')?.rsplit('\n').next()?.trim_end();
    line.chars().nth(SHORT).is_none().then_some(line)
}

/// The line below, when it is short and not blank.
fn line_after(text: &str, line_end: usize) -> Option<&str> {
    let line = text[line_end..].strip_prefix('\n')?.split('\n').next()?.trim_end();
    (!line.is_empty() && line.chars().nth(SHORT).is_none()).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The excerpt's text with the marked part in brackets, its line and column.
    fn cut(text: &str, span: Range<usize>) -> (String, usize, usize) {
        let (excerpt, span) = Excerpt::cut("x", text, 10, span);
        let mut shown = excerpt.text.clone();
        shown.insert(span.offset() + span.len(), ']');
        shown.insert(span.offset(), '[');
        (shown, excerpt.line, excerpt.column)
    }

    #[test]
    fn short_lines_come_with_their_neighbours() {
        assert_eq!(cut("a\r\nbcd\r\ne\nf", 4..5), ("a\nb[c]d\ne".to_owned(), 10, 0));
        assert_eq!(cut("abc", 3..3), ("abc[ ]".to_owned(), 10, 0));
        assert_eq!(cut("abc", 1..1), ("a[]bc".to_owned(), 10, 0));
    }

    #[test]
    fn long_lines_are_cut_to_a_window() {
        let text = format!("first\n{}X{}", "é".repeat(200), "b".repeat(200));
        let (shown, line, column) = cut(&text, 406..407);
        assert!(shown.starts_with("…é") && shown.contains("é[X]b") && shown.ends_with("b…"));
        assert_eq!((line, column), (11, 338 - "…".len()));
        assert!(shown.chars().count() <= SHORT + 4);
    }

    #[test]
    fn odd_spans_and_control_characters_do_no_harm() {
        assert_eq!(cut("é\u{1}\u{2}z", 1..99), ("[é\u{FFFD}\u{FFFD}z]".to_owned(), 10, 0));
        assert_eq!(cut("ab\ncd", 1..5), ("a[b]\ncd".to_owned(), 10, 0));
    }
}
