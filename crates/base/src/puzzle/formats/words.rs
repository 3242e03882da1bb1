//! Words of a text with their places, and the numbers, operators and names among them.

use super::super::operators::{self, Operator};
use super::super::{Position, parse_cell_name};
use super::error::{Fault, Malformed, Span};

/// A piece of a record and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
}

/// The lines of a text that are not blank, lazily.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Word<'_>> {
    text.lines()
        .filter(|line| is_content(line))
        .map(move |line| Word { text: line, start: offset(text, line) })
}

fn is_content(line: &str) -> bool {
    #[cfg(test)]
    LOOKED.set(LOOKED.get() + line.len() + 1);
    !line.trim().is_empty()
}

#[cfg(test)]
thread_local! {
    /// The bytes of all lines that `lines` went through: the work of recognising a text, counted.
    pub(super) static LOOKED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The words of every line that is not blank.
pub(super) fn rows(text: &str) -> Vec<Vec<Word<'_>>> {
    lines(text).map(|line| line.split()).collect()
}

/// The cells of a square that hold something, by row and column; -1 is a hole.
///
/// # Errors
/// The square has another number of rows, or one of them of cells.
pub(super) fn cells_of_rows<'a>(
    rows: &[Vec<Word<'a>>],
    size: usize,
    record: &str,
) -> Result<Vec<(usize, usize, Word<'a>)>, Fault> {
    if let Some(row) = rows.get(size) {
        return Err(row[0].unexpected(format!("the end of the square after {size} rows")));
    }
    let mut cells = Vec::new();
    for (row, words) in rows.iter().enumerate() {
        if words.len() != size {
            let expected = format!("{size} cells in row {}", row + 1);
            return Err(Fault::unexpected(expected, words.len().to_string(), span(words)));
        }
        for (column, word) in words.iter().enumerate() {
            if word.text != "-1" {
                cells.push((row, column, *word));
            }
        }
    }
    if rows.len() < size {
        let within = format!("the square, with row {} of {size}", rows.len());
        return Err(truncated(record, within, format!("row {} should follow here", rows.len() + 1)));
    }
    Ok(cells)
}

/// The text of rows of cells, with a separator between two.
pub(super) fn rows_text(cells: &[String], cols: usize, between: &str) -> String {
    let mut text = String::new();
    for row in cells.chunks(cols) {
        text += &row.join(between);
        text.push('\n');
    }
    text
}

/// The text with spaces for brackets, bars, commas, semicolons, arrows and the lines that begin with `#`, every other
/// character in its place; up to so many lines.
pub(super) fn tidied(text: &str, most: usize) -> String {
    let mut tidy = String::with_capacity(text.len().min(1 << 16));
    for line in text.split_inclusive('\n').take(most) {
        let is_comment = line.trim_start().starts_with('#');
        let mut last = ' ';
        for c in line.chars() {
            // `->` is an arrow of two characters.
            let is_head = c == '>' && last == '-';
            if is_head {
                tidy.pop();
                tidy.push(' ');
            }
            last = c;
            if matches!(c, '\n' | '\r') {
                tidy.push(c);
            } else if is_head || is_comment || "()[]|,;→".contains(c) {
                // As many bytes as before, so that places stay.
                tidy.push_str(&"    "[..c.len_utf8()]);
            } else {
                tidy.push(c);
            }
        }
    }
    tidy
}

/// Says whether a text is `rows cols`, then as many `-`: a Kakuro without a white cell, which could be an empty Sudoku.
pub(super) fn is_black_grid(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let (Some(rows), Some(cols)) = (words.next(), words.next()) else { return false };
    let (Ok(rows), Ok(cols)) = (rows.parse::<usize>(), cols.parse::<usize>()) else { return false };
    let mut cells = 0;
    for word in words {
        if word != "-" {
            return false;
        }
        cells += 1;
    }
    cells > 0 && rows.checked_mul(cols) == Some(cells)
}

/// The place from the first of these words to the end of the last.
pub(super) fn span(words: &[Word<'_>]) -> Span {
    match words {
        [] => 0..0,
        [first, ..] => first.start..words[words.len() - 1].span().end,
    }
}

/// The place of all that a record holds.
pub(super) fn whole_span(record: &str) -> Span {
    0..record.trim_end().len()
}

/// The fault of a record that ends too early.
pub(super) fn truncated(record: &str, within: impl Into<String>, label: impl Into<String>) -> Fault {
    let end = record.trim_end().len();
    Fault::new(Malformed::Truncated(within.into()), end..end, label)
}

impl<'a> Word<'a> {
    /// The text of a record without the white space around it.
    pub(super) fn of(record: &'a str) -> Self {
        Word { text: record, start: 0 }.trimmed()
    }

    /// The word without the white space around it.
    pub(super) fn trimmed(&self) -> Self {
        self.part(self.text.trim())
    }

    /// A slice of the word's text, as a word.
    pub(super) fn part(&self, text: &'a str) -> Self {
        Self { text, start: self.start + offset(self.text, text) }
    }

    /// The words in it, split at white space.
    pub(super) fn split(&self) -> Vec<Self> {
        self.text.split_whitespace().map(|text| self.part(text)).collect()
    }

    /// The words in it, split at white space and at these characters.
    pub(super) fn split_with(&self, marks: &[char]) -> Vec<Self> {
        let mut words = Vec::new();
        for text in self.text.split(|c: char| c.is_whitespace() || marks.contains(&c)) {
            if !text.is_empty() {
                words.push(self.part(text));
            }
        }
        words
    }

    /// The words in it, split at these characters alone.
    pub(super) fn split_at_marks(&self, marks: &[char]) -> Vec<Self> {
        let mut words = Vec::new();
        for text in self.text.split(marks) {
            if !text.is_empty() {
                words.push(self.part(text));
            }
        }
        words
    }

    /// Its characters.
    pub(super) fn characters(&self) -> Vec<Self> {
        let mut characters = Vec::with_capacity(self.text.len());
        for (index, c) in self.text.char_indices() {
            let text = &self.text[index..index + c.len_utf8()];
            characters.push(Self { text, start: self.start + index });
        }
        characters
    }

    /// Its first character; empty if the word is.
    pub(super) fn first(&self) -> Self {
        let end = self.text.chars().next().map_or(0, char::len_utf8);
        self.split_at(end).0
    }

    /// The word without the character that it ends with; `None` where it ends with another.
    pub(super) fn before(&self, end: char) -> Option<Self> {
        let text = self.text.strip_suffix(end)?;
        Some(self.part(text))
    }

    /// The word cut in two after so many bytes.
    pub(super) fn split_at(&self, index: usize) -> (Self, Self) {
        let (head, tail) = self.text.split_at(index);
        (Self { text: head, start: self.start }, Self { text: tail, start: self.start + index })
    }

    /// The word without so many bytes at its start.
    pub(super) fn after(&self, index: usize) -> Self {
        self.split_at(index).1
    }
}

impl Word<'_> {
    /// The fault of a word where something else is expected.
    pub(super) fn unexpected(&self, expected: impl Into<String>) -> Fault {
        let found = if self.text.is_empty() { "nothing".to_owned() } else { format!("`{}`", self.text) };
        Fault::unexpected(expected, found, self.span())
    }

    /// Its place in the record.
    pub(super) fn span(&self) -> Span {
        self.start..self.start + self.text.len()
    }

    /// The cell that it names, from 0: `A1` by row letter and column number, or `R1C1` by both numbers.
    pub(super) fn cell(&self) -> Option<Position> {
        if let Some(cell) = parse_cell_name(self.text) {
            return Some(cell);
        }
        let (row, column) = self.text.strip_prefix(['r', 'R'])?.split_once(['c', 'C'])?;
        if !is_digits(row) || !is_digits(column) {
            return None;
        }
        let (row, column): (usize, usize) = (row.parse().ok()?, column.parse().ok()?);
        Some((row.checked_sub(1)?, column.checked_sub(1)?))
    }

    /// Says whether it is nothing but digits.
    pub(super) fn is_digits(&self) -> bool {
        is_digits(self.text)
    }

    /// Says whether it starts with a digit.
    pub(super) fn starts_number(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_digit())
    }

    /// Says whether it is the symbol or an alias of an operator.
    pub(super) fn is_operator(&self) -> bool {
        operators::find(self.text).is_some()
    }

    /// The number of bytes at its start that look like a number.
    pub(super) fn number_end(&self) -> usize {
        for (index, c) in self.text.char_indices() {
            // A point belongs to the number, so that `2.5+` is refused as a fraction and not as an operator.
            if !c.is_ascii_digit() && c != '.' && (index > 0 || c != '-') {
                return index;
            }
        }
        self.text.len()
    }

    /// Its value as a whole number; `3.0` and `1e3` are whole.
    pub(super) fn whole(&self) -> Result<i64, Fault> {
        whole(self.text).map_err(|what| Fault::new(what, self.span(), "expected a whole number"))
    }

    /// Its value as a side of a grid or another small count; `usize::MAX` where it is out of range.
    pub(super) fn count(&self) -> Result<usize, Fault> {
        Ok(usize::try_from(self.whole()?).unwrap_or(usize::MAX))
    }

    /// The operator that it names.
    pub(super) fn operator(&self) -> Result<Operator, Fault> {
        if let Some(operator) = operators::find(self.text) {
            return Ok(operator);
        }
        let mut known = "known operators:".to_owned();
        for operator in operators::TABLE.iter() {
            known += &format!("\n`{}` {}", operator.symbol, operator.about);
        }
        let what = Malformed::UnknownOperator(self.text.to_owned());
        Err(Fault::new(what, self.span(), "expected an operator").help(known))
    }
}

/// The number of digits at the start of a text.
pub(super) fn digits_at_start(text: &str) -> usize {
    text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len()
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The offset of a part of `text` in it.
pub(super) fn offset(text: &str, part: &str) -> usize {
    // A part is a slice of the text, so that its address tells where it stands.
    part.as_ptr().addr() - text.as_ptr().addr()
}

/// Reads a whole number in any notation.
fn whole(text: &str) -> Result<i64, Malformed> {
    let (digits, fraction) = text.split_once('.').unwrap_or((text, ""));
    let unsigned = digits.strip_prefix(['-', '+']).unwrap_or(digits);
    if !unsigned.is_empty() && is_digits(unsigned) && is_digits(fraction) {
        // `3.0` is how programs with floating-point numbers write 3.
        if !fraction.trim_end_matches('0').is_empty() {
            return Err(Malformed::Fraction(text.to_owned()));
        }
        return digits.parse().map_err(|_| Malformed::Overflow(text.to_owned()));
    }
    // `1e3` is how some programs write a thousand.
    match text.parse::<f64>() {
        Ok(number) if text.contains(['e', 'E']) && number.is_finite() => whole_float(number, text),
        _ => Err(Malformed::Unexpected { expected: "a whole number".to_owned(), found: format!("`{text}`") }),
    }
}

/// The integer value of a number in scientific notation, where floats are exact.
fn whole_float(number: f64, text: &str) -> Result<i64, Malformed> {
    const EXACT: f64 = (1_u64 << 53) as f64;
    if number.abs() > EXACT {
        Err(Malformed::Overflow(text.to_owned()))
    } else if number.fract() != 0.0 {
        Err(Malformed::Fraction(text.to_owned()))
    } else {
        Ok(number as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_read_however_written() {
        for (text, number) in [("7", 7), ("+7", 7), ("7.", 7), ("7.000", 7), ("7e1", 70), ("-3", -3)] {
            assert_eq!(whole(text), Ok(number), "{text}");
        }
        assert_eq!(whole("9223372036854775807"), Ok(i64::MAX));
    }

    #[test]
    fn tidying_keeps_every_place() {
        let text = "# a,b\n|A|B|\r\n(A) → [8*], B -> 1-\n";
        let tidy = tidied(text, 9);
        let words: Vec<&str> = tidy.split(' ').filter(|word| !word.is_empty()).collect();
        assert_eq!(words, ["\n", "A", "B", "\r\n", "A", "8*", "B", "1-\n"]);
        assert_eq!(tidy.find("8*"), text.find("8*"));
        assert_eq!(tidy.len(), text.len());
        assert_eq!(tidied("a,\nb,\n", 1), "a \n");
    }

    #[test]
    fn fractions_overflows_and_words_are_told_apart() {
        let text = |text: &str| text.to_owned();
        assert_eq!(whole("7.5"), Err(Malformed::Fraction(text("7.5"))));
        assert_eq!(whole("75e-1"), Err(Malformed::Fraction(text("75e-1"))));
        assert_eq!(whole("9223372036854775808"), Err(Malformed::Overflow(text("9223372036854775808"))));
        assert_eq!(whole("1e300"), Err(Malformed::Overflow(text("1e300"))));
        for word in ["", "-", ".", "x", "1x", "1e", "inf", "NaN", "--1"] {
            assert!(matches!(whole(word), Err(Malformed::Unexpected { .. })), "{word}");
        }
    }
}
