//! The lines of a text that an error shows.
//!
//! An error outlives the text it came from, and a line of a corpus may have thousands of characters; so an error
//! keeps the line at fault, its neighbours when they are short, and a window of it when it is long.

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use super::fault::Span;

/// Lines up to this many characters are shown whole.
const SHORT: usize = 160;

/// Characters shown before the place of an error in a longer line.
const BEFORE: usize = 60;

/// Characters shown from the place of an error on.
const AFTER: usize = 80;

/// A piece of a named text that remembers its line and column there.
#[derive(Debug)]
pub(super) struct Excerpt {
    name: String,
    text: String,
    line: usize,
    column: usize,
}

impl Excerpt {
    /// Cuts the lines about `span` out of `text`, whose first line has the number `first_line` (from 0) in the file
    /// `name`; also returns where the span lies in the excerpt. A span over several lines is cut at the first line's end.
    pub(super) fn cut(name: &str, text: &str, first_line: usize, span: Span) -> (Self, SourceSpan) {
        let start = floor(text, span.start);
        let end = floor(text, span.end).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
        let line = first_line + text[..line_start].matches('\n').count();
        let parts =
            [&text[line_start..start], &text[start..end.min(line_end)], &text[end.min(line_end)..line_end]];
        if text[line_start..line_end].chars().nth(SHORT).is_some() {
            return Self::window(name, line, parts);
        }
        let (before, after) = (short_line_before(text, line_start), short_line_after(text, line_end));
        let line = if before.is_some() { line - 1 } else { line };
        let mut shown = before.map(|line| printable(line) + "\n").unwrap_or_default() + &printable(parts[0]);
        let offset = shown.len();
        let marked = printable(parts[1]);
        let length = marked.len();
        shown += &marked;
        shown += printable(parts[2]).trim_end();
        if let Some(line) = after {
            shown = shown + "\n" + &printable(line);
        }
        (Self { name: name.to_owned(), text: shown, line, column: 0 }, (offset, length).into())
    }

    /// A window of a long line about the marked part.
    fn window(name: &str, line: usize, [before, marked, after]: [&str; 3]) -> (Self, SourceSpan) {
        let from = before.char_indices().rev().nth(BEFORE - 1).map_or(0, |(index, _)| index);
        let kept = |text: &str, most: usize| text.chars().take(most).collect::<String>();
        let marked = kept(marked, AFTER);
        let room = AFTER.saturating_sub(marked.chars().count());
        let (tail, rest) = (kept(after, room), after.chars().count() > room);
        let mut shown = if from > 0 { "…" } else { "" }.to_owned();
        let column = from.saturating_sub(shown.len());
        shown += &printable(&before[from..]);
        let (offset, length) = (shown.len(), printable(&marked).len());
        shown += &printable(&marked);
        shown += &printable(&tail);
        if rest {
            shown.push('…');
        }
        (Self { name: name.to_owned(), text: shown, line, column }, (offset, length).into())
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
        let (name, count) = (self.name.clone(), inner.line_count());
        Ok(Box::new(MietteSpanContents::new_named(name, inner.data(), *inner.span(), line, column, count)))
    }
}

/// The largest character boundary up to `index`.
fn floor(text: &str, index: usize) -> usize {
    text.floor_char_boundary(index.min(text.len()))
}

/// The text without characters that would disturb a terminal.
fn printable(text: &str) -> String {
    text.trim_end_matches('\r')
        .chars()
        .map(|c| if c.is_control() && c != '\t' { '\u{FFFD}' } else { c })
        .collect()
}

fn short_line_before(text: &str, line_start: usize) -> Option<&str> {
    let line = text[..line_start].strip_suffix('\n')?.rsplit('\n').next()?;
    line.chars().nth(SHORT).is_none().then_some(line)
}

fn short_line_after(text: &str, line_end: usize) -> Option<&str> {
    let line = text[line_end..].strip_prefix('\n')?.split('\n').next()?;
    (!line.trim().is_empty() && line.chars().nth(SHORT).is_none()).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The excerpt's text with the marked part in brackets, its line and column.
    fn cut(text: &str, span: Span) -> (String, usize, usize) {
        let (excerpt, span) = Excerpt::cut("x", text, 10, span);
        let mut shown = excerpt.text.clone();
        shown.insert(span.offset() + span.len(), ']');
        shown.insert(span.offset(), '[');
        (shown, excerpt.line, excerpt.column)
    }

    #[test]
    fn short_lines_come_with_their_neighbours() {
        assert_eq!(cut("a\r\nbcd\r\ne\nf", 4..5), ("a\nb[c]d\ne".to_owned(), 10, 0));
        assert_eq!(cut("abc", 3..3), ("abc[]".to_owned(), 10, 0));
    }

    #[test]
    fn long_lines_are_cut_to_a_window() {
        let text = format!("first\n{}X{}", "é".repeat(200), "b".repeat(200));
        let (shown, line, column) = cut(&text, 406..407);
        assert!(shown.starts_with("…é") && shown.contains("é[X]b") && shown.ends_with("b…"));
        assert_eq!((line, column), (11, 280 - "…".len()));
        assert!(shown.chars().count() < 150);
    }

    #[test]
    fn odd_spans_and_control_characters_do_no_harm() {
        assert_eq!(cut("é\u{1}\u{2}z", 1..99), ("[é\u{FFFD}\u{FFFD}z]".to_owned(), 10, 0));
        assert_eq!(cut("ab\ncd", 1..5), ("a[b]\ncd".to_owned(), 10, 0));
    }
}
