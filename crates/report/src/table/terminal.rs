//! A table as aligned text, within the width of a terminal.
//!
//! A table that is too wide is narrowed in this order: headings are wrapped, words are wrapped down to [`READABLE`] columns, or
//! to [`TIGHT`] where that saves a column; columns are dropped by priority, cells are wrapped between any two words, and finally
//! headings are shortened and cells are wrapped within words.

use super::{Align, Cell, Column, Table, View, visible};
use crate::{columns as size, wrap};
use kenga_core::text::{BOLD, PLAIN};

/// The most rows that are shown, unless the table is whole.
const ROWS: usize = 60;

/// The gap between two columns.
const GAP: &str = "  ";

/// The width to which columns of words are wrapped before other columns are dropped.
const READABLE: usize = 24;

/// The width to which they are wrapped where that saves a column from being dropped.
const TIGHT: usize = 14;

/// The most lines of a heading.
const HEADING: usize = 2;

/// The least width of a column.
const LEAST: usize = 3;

/// The indent of the continuation lines of words.
const INDENT: &str = "  ";

/// The widths of a column in several layouts.
#[derive(Clone, Copy)]
struct Widths {
    /// Every cell and the heading on one line.
    heading: usize,
    /// Every cell on one line.
    cells: usize,
    /// Words are wrapped at [`READABLE`] columns or more.
    readable: usize,
    /// The same at [`TIGHT`] columns: below it another column is dropped.
    tight: usize,
    /// Words and numbers stay whole.
    least: usize,
}

pub(super) fn text(table: &Table, view: &View) -> String {
    let rows = &table.rows[..shown_rows(table)];
    let mut all = Vec::new();
    for (index, column) in table.columns.iter().enumerate() {
        all.push(Widths::of(column, rows.iter().map(|row| &row[index])));
    }
    let shown = chosen(&table.columns, &all, view.width);
    let widths = fitted(&shown.iter().map(|index| all[*index]).collect::<Vec<_>>(), view.width);
    let (mut columns, mut headings) = (Vec::new(), Vec::new());
    for (index, width) in shown.iter().zip(&widths) {
        let column = &table.columns[*index];
        columns.push(ShownColumn { align: column.align, width: *width });
        headings.push(Cell::words(column.heading.clone()).strong());
    }

    let mut text = String::new();
    if !table.title.is_empty() {
        text += &format!("{}\n", wrap(&visible(&table.title), view.width));
    }
    text += &row(&headings.iter().collect::<Vec<_>>(), &columns, RowEdge::Bottom, view.colour);
    text += &format!("{}\n", "─".repeat(total(&widths)));
    for cells in rows {
        let cells: Vec<&Cell> = shown.iter().map(|index| &cells[*index]).collect();
        text += &row(&cells, &columns, RowEdge::Top, view.colour);
    }
    let is_shown =
        |name: &str| shown.iter().any(|index| table.columns[*index].names.iter().any(|one| one == name));
    let mut notes: Vec<String> = table.notes.iter().map(|note| note.text(is_shown)).collect();
    notes.extend(left_out(table, &shown, &all));
    for note in notes.iter().filter(|note| !note.is_empty()) {
        text += &format!("{}\n", wrap(&visible(note), view.width));
    }
    text
}

/// A column of the layout.
struct ShownColumn {
    align: Align,
    width: usize,
}

/// How many rows are shown.
fn shown_rows(table: &Table) -> usize {
    let all = table.rows.len();
    if table.is_whole { all } else { all.min(ROWS) }
}

impl Widths {
    fn of<'a>(column: &Column, cells: impl Iterator<Item = &'a Cell>) -> Self {
        let (mut cells_width, mut piece) = (0, 0);
        for cell in cells {
            let text = visible(&cell.text);
            cells_width = cells_width.max(size(&text));
            let widest = pieces(&text, Breaks::of(column.align)).into_iter().map(size).max().unwrap_or(0);
            piece = piece.max(widest + INDENT.len());
        }
        let word = width_of_heading(&column.heading);
        let least = piece.min(cells_width).max(word).max(LEAST);
        let cells = cells_width.max(word).max(LEAST);
        let (readable, tight) = match column.align {
            Align::Left => (least.max(READABLE).min(cells), least.max(TIGHT).min(cells)),
            Align::Right => (cells, cells),
        };
        Self { heading: cells.max(size(&column.heading)), cells, readable, tight, least }
    }
}

/// The least width in which a heading takes no more than [`HEADING`] lines.
fn width_of_heading(heading: &str) -> usize {
    let heading = visible(heading);
    let whole = pieces(&heading, Breaks::Phrases).into_iter().map(size).max().unwrap_or(0);
    let fits = |width: &usize| lines(&heading, Align::Right, *width, RowEdge::Bottom).len() <= HEADING;
    (whole..=size(&heading)).find(fits).unwrap_or(whole)
}

/// The columns that are shown, by index.
fn chosen(columns: &[Column], widths: &[Widths], width: usize) -> Vec<usize> {
    let mut shown: Vec<usize> = (0..columns.len()).collect();
    loop {
        let tight: Vec<usize> = shown.iter().map(|index| widths[*index].tight).collect();
        if total(&tight) <= width {
            break;
        }
        let last = shown.iter().copied().max_by_key(|index| (columns[*index].priority, *index));
        let Some(last) = last.filter(|index| columns[*index].priority > 0) else { break };
        shown.retain(|index| *index != last);
    }
    shown
}

/// Widths of at most `width` together.
fn fitted(columns: &[Widths], width: usize) -> Vec<usize> {
    let steps: [fn(&Widths) -> usize; 5] = [
        |widths| widths.least,
        |widths| widths.tight,
        |widths| widths.readable,
        |widths| widths.cells,
        |widths| widths.heading,
    ];
    let mut widths: Vec<usize> = columns.iter().map(steps[0]).collect();
    for step in steps {
        for index in 0..columns.len() {
            let spare = width.saturating_sub(total(&widths));
            widths[index] += step(&columns[index]).saturating_sub(widths[index]).min(spare);
        }
    }
    while total(&widths) > width {
        let Some(widest) = widths.iter_mut().max().filter(|widest| **widest > LEAST) else { break };
        *widest -= 1;
    }
    widths
}

fn total(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1)
}

/// The edge at which cells with fewer lines than their row are aligned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowEdge {
    Top,
    Bottom,
}

fn row(cells: &[&Cell], columns: &[ShownColumn], side: RowEdge, colour: bool) -> String {
    let (mut lines_of, mut height) = (Vec::new(), 0);
    for (cell, column) in cells.iter().zip(columns) {
        let lines = lines(&visible(&cell.text), column.align, column.width, side);
        height = height.max(lines.len());
        lines_of.push(lines);
    }
    let mut text = String::new();
    for line in 0..height {
        let mut whole = String::new();
        for (index, column) in columns.iter().enumerate() {
            let lines = &lines_of[index];
            let above = if side == RowEdge::Bottom { height - lines.len() } else { 0 };
            let part = if line < above { "" } else { lines.get(line - above).map_or("", String::as_str) };
            let fill = " ".repeat(column.width.saturating_sub(size(part)));
            let part = if cells[index].is_strong && colour && !part.is_empty() {
                format!("{BOLD}{part}{PLAIN}")
            } else {
                part.to_owned()
            };
            whole += if index > 0 { GAP } else { "" };
            whole += &if column.align == Align::Right { fill + &part } else { part + &fill };
        }
        text += &format!("{}\n", whole.trim_end());
    }
    text
}

/// A cell in lines of at most `width` columns.
fn lines(text: &str, align: Align, width: usize, side: RowEdge) -> Vec<String> {
    let indent =
        if align == Align::Left && side == RowEdge::Top && width > READABLE / 2 { INDENT } else { "" };
    let breaks = if side == RowEdge::Bottom { Breaks::Phrases } else { Breaks::of(align) };
    let mut lines = vec![String::new()];
    let mut parts = Vec::new();
    for piece in pieces(text, breaks) {
        for part in pieces(piece, if size(piece) > width { Breaks::Words } else { Breaks::Whole }) {
            // The value of a key that is too long has a line of its own: `rate = 0` and `.1` would be two numbers.
            match part.split_once("= ").filter(|_| size(part) > width) {
                Some((key, value)) => parts.extend([&part[..=key.len()], value]),
                None => parts.push(part),
            }
        }
    }
    if side == RowEdge::Bottom {
        return heading_lines(&parts, width);
    }
    for (index, piece) in parts.into_iter().enumerate() {
        let line = lines.last_mut().expect("there is always a line");
        if index > 0 && size(line) + 1 + size(piece) <= width {
            *line += &format!(" {piece}");
            continue;
        }
        if index > 0 {
            lines.push(indent.to_owned());
        }
        for character in piece.chars() {
            let line = lines.last_mut().expect("there is always a line");
            if size(line) + size(character.encode_utf8(&mut [0; 4])) > width {
                lines.push(indent.to_owned());
            }
            lines.last_mut().expect("there is always a line").push(character);
        }
    }
    lines
}

/// The words of a heading in lines; of a word that is too long a part of a dotted key has a line of its own, and what is still too
/// long ends with an ellipsis: half a word on the next line would read like another heading.
fn heading_lines(words: &[&str], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        let parts: Vec<&str> =
            if size(word) > width { word.split_inclusive('.').collect() } else { vec![word] };
        for (place, part) in parts.into_iter().enumerate() {
            match lines.last_mut() {
                Some(line) if place == 0 && size(line) + 1 + size(part) <= width => {
                    *line += &format!(" {part}")
                }
                _ => lines.push(cut(part, width)),
            }
        }
    }
    if lines.is_empty() { vec![String::new()] } else { lines }
}

/// A text, cut with an ellipsis where it is wider than `width`.
fn cut(text: &str, width: usize) -> String {
    if size(text) <= width {
        return text.to_owned();
    }
    let mut cut = String::new();
    for character in text.chars() {
        if size(&cut) + size(character.encode_utf8(&mut [0; 4])) >= width {
            break;
        }
        cut.push(character);
    }
    cut + "…"
}

/// The spaces at which a line may end.
#[derive(Clone, Copy)]
enum Breaks {
    /// Between words, not within a number and not around `=`.
    Words,
    /// Between words, not within brackets.
    Phrases,
    /// Only before brackets.
    Brackets,
    /// Nowhere.
    Whole,
}

impl Breaks {
    fn of(align: Align) -> Self {
        if align == Align::Left { Self::Words } else { Self::Brackets }
    }

    /// Whether a line may end at the space at `place`.
    fn allow(self, text: &str, place: usize) -> bool {
        let (before, after) = (&text[..place], text.as_bytes().get(place + 1));
        match self {
            Self::Words => {
                let Some(last) = before.as_bytes().last() else { return false };
                // Digits are grouped by spaces: `84 260` is one number.
                let parts_a_number = last.is_ascii_digit() && after.is_some_and(u8::is_ascii_digit);
                !parts_a_number && *last != b'=' && !matches!(after, Some(b'=' | b'%'))
            }
            Self::Phrases => before.matches('(').count() <= before.matches(')').count(),
            Self::Brackets => after == Some(&b'('),
            Self::Whole => false,
        }
    }
}

/// The pieces of a cell that stay whole.
fn pieces(text: &str, breaks: Breaks) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (place, _) in text.match_indices(' ') {
        if breaks.allow(text, place) {
            pieces.push(&text[start..place]);
            start = place + 1;
        }
    }
    pieces.push(&text[start..]);
    pieces
}

/// The note on rows and columns that are not shown.
fn left_out(table: &Table, shown: &[usize], all: &[Widths]) -> Vec<String> {
    let rows = table.rows.len() - shown_rows(table);
    let mut parts = Vec::new();
    if rows > 0 {
        parts.push(format!("{rows} more rows"));
    }
    for (index, column) in table.columns.iter().enumerate() {
        if !shown.contains(&index) {
            parts.push(column.heading.clone());
        }
    }
    let enough = total(&all.iter().map(|widths| widths.tight).collect::<Vec<_>>());
    let wider = if rows == 0 { format!(" COLUMNS={enough} or") } else { String::new() };
    if parts.is_empty() {
        return Vec::new();
    }
    let parts = parts.join("; ");
    match &table.in_full {
        None => vec![format!("Not shown: {parts}.{wider} --csv shows all.")],
        // The command can be copied from a line of its own.
        Some(command) => vec![format!("Not shown: {parts}. All is shown by{wider}"), format!("  {command}")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_is_broken_at_dots_and_else_shortened() {
        let heading = |text, width| lines(text, Align::Right, width, RowEdge::Bottom);
        assert_eq!(heading("mutation.rate", 13), ["mutation.rate"]);
        assert_eq!(heading("mutation.rate", 9), ["mutation.", "rate"]);
        assert_eq!(heading("population", 9), ["populati…"]);
        assert_eq!(heading("best population", 12), ["best", "population"]);
    }

    #[test]
    fn words_are_wrapped_before_a_column_is_dropped() {
        let mut table = Table::new([
            Column::words("setting", "setting"),
            Column::numbers("solved", &["solved"]).priority(1),
        ]);
        table.push([Cell::words("genetic with twenty genomes"), Cell::words("12 of 60")]);
        let at = |width| text(&table, &View { width, colour: false });
        assert!(at(25).contains("solved") && at(25).lines().all(|line| size(line) <= 25), "{}", at(25));
        assert!(at(22).contains("Not shown: solved"), "{}", at(22));
    }

    #[test]
    fn a_cell_is_broken_between_words_before_it_is_within_one() {
        let cell = |width| lines("33 (84 260 to never)", Align::Right, width, RowEdge::Top);
        assert_eq!(cell(20), ["33 (84 260 to never)"]);
        assert_eq!(cell(17), ["33", "(84 260 to never)"]);
        assert_eq!(cell(12), ["33 (84 260", "to never)"]);
        let name = lines("mutation.rate = 0.05, size = 4", Align::Left, 17, RowEdge::Top);
        assert_eq!(name, ["mutation.rate =", "  0.05, size = 4"]);
    }
}
