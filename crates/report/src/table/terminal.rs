//! A table as aligned text, within the width of a terminal.
//!
//! A table that is too wide is narrowed in this order: headings are wrapped, words are wrapped down to [`READABLE`] columns,
//! columns are dropped by priority, cells are wrapped between any two words, and finally within words.

use super::{Align, Cell, Column, Table, View, visible};
use crate::{columns as size, wrap};

/// The most rows that are shown, unless the table is whole.
const ROWS: usize = 60;

/// The gap between two columns.
const GAP: &str = "  ";

/// The width to which columns of words are wrapped before other columns are dropped.
const READABLE: usize = 24;

/// The most lines of a heading.
const HEADING: usize = 2;

/// The least width of a column.
const LEAST: usize = 3;

/// The indent of the continuation lines of words.
const INDENT: &str = "  ";

const BOLD: (&str, &str) = ("\u{1b}[1m", "\u{1b}[0m");

/// The widths of a column in several layouts.
#[derive(Clone, Copy)]
struct Widths {
    /// Every cell and the heading on one line.
    heading: usize,
    /// Every cell on one line.
    cells: usize,
    /// Words are wrapped at [`READABLE`] columns or more.
    readable: usize,
    /// Words and numbers stay whole.
    least: usize,
}

pub(super) fn text(table: &Table, view: &View) -> String {
    let rows = &table.rows[..shown_rows(table)];
    let of = |index: usize| Widths::of(&table.columns[index], rows.iter().map(|row| &row[index]));
    let all: Vec<Widths> = (0..table.columns.len()).map(of).collect();
    let shown = chosen(&table.columns, &all, view.width);
    let widths = fitted(&shown.iter().map(|index| all[*index]).collect::<Vec<_>>(), view.width);

    let mut text = String::new();
    if !table.title.is_empty() {
        text += &format!("{}\n", wrap(&visible(&table.title), view.width));
    }
    let heading = |column: &Column| Cell { is_strong: true, ..Cell::words(column.heading.clone()) };
    let headings: Vec<Cell> = shown.iter().map(|index| heading(&table.columns[*index])).collect();
    let columns = || shown.iter().zip(&widths).map(|(index, width)| (table.columns[*index].align, *width));
    text += &row(&headings.iter().collect::<Vec<_>>(), columns(), Edge::Bottom, view.colour);
    text += &format!("{}\n", "─".repeat(total(&widths)));
    for cells in rows {
        let cells: Vec<&Cell> = shown.iter().map(|index| &cells[*index]).collect();
        text += &row(&cells, columns(), Edge::Top, view.colour);
    }
    for note in table.notes.iter().cloned().chain(left_out(table, &shown, &all)) {
        text += &format!("{}\n", wrap(&visible(&note), view.width));
    }
    text
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
            let widest = pieces(&text, Breaks::of(column.align)).map(size).max().unwrap_or(0);
            piece = piece.max(widest + INDENT.len());
        }
        let word = width_of_heading(&column.heading);
        let least = piece.min(cells_width).max(word).max(LEAST);
        let cells = cells_width.max(word).max(LEAST);
        let readable = match column.align {
            Align::Left => least.max(READABLE).min(cells),
            Align::Right => cells,
        };
        Self { heading: cells.max(size(&column.heading)), cells, readable, least }
    }
}

/// The least width in which a heading takes no more than [`HEADING`] lines.
fn width_of_heading(heading: &str) -> usize {
    let heading = visible(heading);
    let whole = pieces(&heading, Breaks::Phrases).map(size).max().unwrap_or(0);
    let fits = |width: &usize| lines(&heading, Align::Right, *width, Edge::Bottom).len() <= HEADING;
    (whole..=size(&heading)).find(fits).unwrap_or(whole)
}

/// The columns that are shown, by index.
fn chosen(columns: &[Column], widths: &[Widths], width: usize) -> Vec<usize> {
    let mut shown: Vec<usize> = (0..columns.len()).collect();
    while total(&shown.iter().map(|index| widths[*index].readable).collect::<Vec<_>>()) > width {
        let last = shown.iter().copied().filter(|index| columns[*index].priority > 0);
        let Some(last) = last.max_by_key(|index| (columns[*index].priority, *index)) else { break };
        shown.retain(|index| *index != last);
    }
    shown
}

/// Widths of at most `width` together.
fn fitted(columns: &[Widths], width: usize) -> Vec<usize> {
    let steps: [fn(&Widths) -> usize; 4] =
        [|widths| widths.least, |widths| widths.readable, |widths| widths.cells, |widths| widths.heading];
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
enum Edge {
    Top,
    Bottom,
}

fn row(cells: &[&Cell], columns: impl Iterator<Item = (Align, usize)>, side: Edge, colour: bool) -> String {
    let columns: Vec<(Align, usize)> = columns.collect();
    let lines: Vec<Vec<String>> = cells
        .iter()
        .zip(&columns)
        .map(|(cell, (align, width))| lines(&visible(&cell.text), *align, *width, side))
        .collect();
    let height = lines.iter().map(Vec::len).max().unwrap_or(0);
    let mut text = String::new();
    for line in 0..height {
        let mut whole = String::new();
        for (index, (cell, (align, width))) in cells.iter().zip(&columns).enumerate() {
            let above = if side == Edge::Bottom { height - lines[index].len() } else { 0 };
            let part =
                line.checked_sub(above).and_then(|line| lines[index].get(line)).map_or("", String::as_str);
            let fill = " ".repeat(width.saturating_sub(size(part)));
            let part = if cell.is_strong && colour && !part.is_empty() {
                format!("{}{part}{}", BOLD.0, BOLD.1)
            } else {
                part.to_owned()
            };
            whole += if index > 0 { GAP } else { "" };
            whole += &if *align == Align::Right { fill + &part } else { part + &fill };
        }
        text += &format!("{}\n", whole.trim_end());
    }
    text
}

/// A cell in lines of at most `width` columns.
fn lines(text: &str, align: Align, width: usize, side: Edge) -> Vec<String> {
    let indent = if align == Align::Left && side == Edge::Top && width > READABLE / 2 { INDENT } else { "" };
    let breaks = if side == Edge::Bottom { Breaks::Phrases } else { Breaks::of(align) };
    let mut lines = vec![String::new()];
    let narrower = |piece| {
        let breaks = if size(piece) > width { Breaks::Words } else { Breaks::Whole };
        pieces(piece, breaks).collect::<Vec<_>>()
    };
    for (index, piece) in pieces(text, breaks).flat_map(narrower).enumerate() {
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
}

/// The pieces of a cell that stay whole.
fn pieces(text: &str, breaks: Breaks) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let digit = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_digit);
    let is_open = |place: usize| text[..place].matches('(').count() > text[..place].matches(')').count();
    let is_end = |place: &usize| match breaks {
        Breaks::Words => {
            let joins = |place: usize| bytes.get(place).is_some_and(|byte| matches!(byte, b'=' | b'%'));
            let joined = |place: usize| bytes.get(place) == Some(&b'=');
            let parts_a_number = |place: usize| digit(place - 1) && digit(place + 1);
            *place > 0 && !parts_a_number(*place) && !joins(place + 1) && !joined(place - 1)
        }
        Breaks::Phrases => !is_open(*place),
        Breaks::Brackets => bytes.get(place + 1) == Some(&b'('),
        Breaks::Whole => false,
    };
    let ends: Vec<usize> =
        text.match_indices(' ').map(|(place, _)| place).filter(is_end).chain([text.len()]).collect();
    let mut start = 0;
    ends.into_iter().map(move |end| {
        let piece = &text[start.min(end)..end];
        start = end + 1;
        piece
    })
}

/// The note on rows and columns that are not shown.
fn left_out(table: &Table, shown: &[usize], all: &[Widths]) -> Vec<String> {
    let rows = table.rows.len() - shown_rows(table);
    let hidden: Vec<&str> = (0..all.len())
        .filter(|index| !shown.contains(index))
        .map(|index| table.columns[index].heading.as_str())
        .collect();
    let enough = total(&all.iter().map(|widths| widths.readable).collect::<Vec<_>>());
    let wider = if rows == 0 { format!(" COLUMNS={enough} or") } else { String::new() };
    let rows = (rows > 0).then(|| format!("{rows} more rows"));
    let parts: Vec<&str> = rows.as_deref().into_iter().chain(hidden).collect();
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
    fn a_cell_is_broken_between_words_before_it_is_within_one() {
        let cell = |width| lines("33 (84 260 to never)", Align::Right, width, Edge::Top);
        assert_eq!(cell(20), ["33 (84 260 to never)"]);
        assert_eq!(cell(17), ["33", "(84 260 to never)"]);
        assert_eq!(cell(12), ["33 (84 260", "to never)"]);
    }
}
