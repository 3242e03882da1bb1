//! What is written into cells: digits, candidates, and the marks on both.

use super::super::graphic::{Anchor, Graphic};
use super::sheet::{Sheet, fitting};
use super::{Highlight, Marks};
use kenga_core::puzzle::Puzzle;

/// Fills the marked cells.
pub(super) fn fills(sheet: &Sheet<'_>, marks: &Marks, graphic: &mut Graphic) {
    for cell in 0..sheet.cells() {
        if let Some(highlight) = marks.highlight(cell) {
            graphic.rect(highlight.class(), sheet.corner(cell), (sheet.cell, sheet.cell));
        }
    }
}

/// Frames the marked cells, which distinguishes the marks without colour: solid, dashed, heavy, crossed.
pub(super) fn frames(sheet: &Sheet<'_>, marks: &Marks, graphic: &mut Graphic) {
    let inset = (sheet.cell * 0.04).clamp(1.2, 2.2);
    let side = sheet.cell - 2.0 * inset;
    for cell in 0..sheet.cells() {
        if let Some(highlight) = marks.highlight(cell) {
            let (x, y) = sheet.corner(cell);
            let (left, top) = (x + inset, y + inset);
            graphic.rect(&format!("{}-frame", highlight.class()), (left, top), (side, side));
            if highlight == Highlight::Wrong {
                graphic.line("wrong-frame", (left, top + side), (left + side, top));
            }
        }
    }
}

/// The digits, those that the puzzle prints in bold.
pub(super) fn digits(sheet: &Sheet<'_>, marks: &Marks, graphic: &mut Graphic) {
    // Clues leave less room; a given in a cage of its own has no clue.
    let (share, middle) = if sheet.has_clues() { (0.46, 0.6) } else { (0.54, 0.5) };
    for (cell, digit) in marks.all_digits(sheet.puzzle).into_iter().enumerate() {
        let Some((digit, is_given)) = digit else { continue };
        let class = match marks.highlight(cell) {
            Some(Highlight::Placed) => "digit-placed",
            Some(Highlight::Wrong) => "digit-wrong",
            _ if is_given => "given",
            _ => "value",
        };
        let (x, y) = sheet.corner(cell);
        let text = digit.to_string();
        let size = fitting(&text, sheet.cell - 2.0 * sheet.pad(), sheet.cell * share);
        let at = (x + sheet.cell / 2.0, y + sheet.cell * middle + size * 0.36);
        graphic.sized_text(class, at, Anchor::Middle, size, &text);
    }
}

/// The candidates of the cells without a digit, each at the place of its rank.
pub(super) fn candidates(sheet: &Sheet<'_>, marks: &Marks, graphic: &mut Graphic) {
    if !marks.has_candidates() {
        return;
    }
    let digits = marks.all_digits(sheet.puzzle);
    let raster = Raster::of(sheet);
    for cell in (0..sheet.cells()).filter(|cell| digits[*cell].is_none() && !sheet.puzzle.is_black(*cell)) {
        for (rank, digit) in marks.shown(sheet.puzzle, cell) {
            raster.candidate(sheet.corner(cell), rank, digit, marks.note(cell, digit), graphic);
        }
    }
}

/// Where the candidates stand in a cell.
struct Raster {
    /// How many stand side by side.
    cols: usize,
    /// The corner of the first place, and the size of each.
    at: (f64, f64),
    step: (f64, f64),
    /// The size of a digit.
    size: f64,
}

impl Raster {
    fn of(sheet: &Sheet<'_>) -> Self {
        let digits = sheet.puzzle.digits();
        let cols = digits.len().isqrt() + usize::from(digits.len().isqrt().pow(2) < digits.len());
        let rows = digits.len().div_ceil(cols);
        let (pad, side) = (sheet.pad(), sheet.cell);
        let top = if sheet.has_clues() { sheet.below_clues() } else { pad };
        let step = ((side - 2.0 * pad) / cols as f64, (side - pad - top) / rows as f64);
        let widest = digits.values().iter().map(u8::to_string).max_by_key(String::len).unwrap_or_default();
        let size = fitting(&widest, step.0 * 0.92, (step.1 * 0.92).min(side * 0.27).min(16.0));
        Self { cols, at: (pad, top), step, size }
    }

    fn candidate(
        &self,
        corner: (f64, f64),
        rank: usize,
        digit: u8,
        note: Option<Highlight>,
        graphic: &mut Graphic,
    ) {
        let (row, column) = (rank / self.cols, rank % self.cols);
        let x = corner.0 + self.at.0 + self.step.0 * (column as f64 + 0.5);
        let y = corner.1 + self.at.1 + self.step.1 * (row as f64 + 0.5);
        let (text, size) = (digit.to_string(), self.size);
        let radius = (size * 0.62).max(self.step.0.min(self.step.1) * 0.46);
        let class = match note {
            None => "pencil".to_owned(),
            Some(Highlight::Removed) => "pencil-removed".to_owned(),
            Some(other) => {
                graphic.circle(&format!("spot-{}", other.class()), (x, y), radius);
                format!("pencil-{}", other.class())
            }
        };
        graphic.sized_text(&class, (x, y + size * 0.36), Anchor::Middle, size, &text);
        if note == Some(Highlight::Removed) {
            let (dx, dy) = (size * 0.34 * text.len() as f64 + size * 0.1, size * 0.42);
            graphic.line("strike", (x - dx, y + dy), (x + dx, y - dy));
        }
    }
}

/// The candidates of each empty cell as lines of text, each digit at the place of its rank; no lines where none are shown.
pub(super) fn lines(puzzle: &Puzzle, marks: &Marks) -> Vec<Vec<String>> {
    if !marks.has_candidates() {
        return Vec::new();
    }
    let values = puzzle.digits().values();
    let cols = values.len().isqrt() + usize::from(values.len().isqrt().pow(2) < values.len());
    let width = values.iter().map(|digit| digit.to_string().len()).max().unwrap_or(1);
    let digits = marks.all_digits(puzzle);
    let gap = if width > 1 { " " } else { "" };
    let mut lines = vec![Vec::new(); digits.len()];
    for (cell, lines) in lines.iter_mut().enumerate() {
        if digits[cell].is_some() || puzzle.is_black(cell) {
            continue;
        }
        let mut words = vec![" ".repeat(width); values.len().div_ceil(cols) * cols];
        for (rank, digit) in marks.shown(puzzle, cell) {
            if marks.note(cell, digit) != Some(Highlight::Removed) {
                words[rank] = format!("{digit:>width$}");
            }
        }
        lines.extend(words.chunks(cols).map(|row| row.join(gap)));
    }
    lines
}
