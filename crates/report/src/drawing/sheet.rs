//! The cells of a puzzle in a picture: where they are, the lines between them, black cells with their sums, signs.

use std::collections::BTreeMap;

use super::super::graphic::{Anchor, Graphic, Path, Point, text_width, trace};
use super::super::grid::owners;
use super::cages::outline;
use super::nested::{self, OUTLINES};
use crate::span;
use kenga_core::puzzle::{BlackClues, Clue, Group, Kind, PrintedClues, Puzzle, Role, less_pair};

/// The most lines of a long clue.
const LINES: usize = 3;

/// A puzzle laid out in a picture.
pub(super) struct Sheet<'a> {
    pub(super) puzzle: &'a Puzzle,
    /// The side of a cell, in pixels.
    pub(super) cell: f64,
    /// The upper left corner of the first cell.
    pub(super) origin: Point,
}

impl Sheet<'_> {
    /// The upper left corner of a cell.
    pub(super) fn corner(&self, cell: usize) -> Point {
        let (row, column) = self.place(cell);
        (self.origin.0 + self.cell * column as f64, self.origin.1 + self.cell * row as f64)
    }

    /// The row and the column of a cell.
    fn place(&self, cell: usize) -> (usize, usize) {
        (cell / self.puzzle.cols(), cell % self.puzzle.cols())
    }

    pub(super) fn cells(&self) -> usize {
        self.puzzle.rows() * self.puzzle.cols()
    }

    /// The width and the height of all cells.
    pub(super) fn size(&self) -> Point {
        (self.cell * self.puzzle.cols() as f64, self.cell * self.puzzle.rows() as f64)
    }

    /// The cages with a clue over several cells.
    fn clued(&self) -> impl Iterator<Item = (&Group, Clue)> {
        let cages = self.puzzle.groups_with(Role::Cage).filter(|cage| cage.cells.len() > 1);
        cages.filter_map(|cage| Some((cage, cage.clue?)))
    }

    /// Some cells show the clue of a cage above their digits.
    pub(super) fn has_clues(&self) -> bool {
        self.clued().next().is_some()
    }

    /// The heavy lines: the boxes of each cell, where there are any.
    fn boxes(&self) -> Option<Vec<usize>> {
        if self.puzzle.kind == Kind::Kakuro { None } else { owners(self.puzzle, Role::Region) }
    }

    /// Cages are dashed within their cells, since the lines between cells are those of boxes, or since they overlap.
    fn is_dashed(&self) -> bool {
        self.has_clues() && (self.boxes().is_some() || nested::overlap(self.puzzle))
    }

    /// How far texts keep from the edges of a cell.
    pub(super) fn pad(&self) -> f64 {
        match self.puzzle.kind {
            _ if self.is_dashed() => self.cell * nested::innermost(self.puzzle) + 1.5,
            // A sign of a Futoshiki reaches so far into a cell.
            Kind::Futoshiki | Kind::Grid => self.cell * 0.12,
            _ => (self.cell * 0.06).clamp(1.0, 3.0),
        }
    }

    /// How far below the upper edge of a cell its clue ends.
    pub(super) fn below_clues(&self) -> f64 {
        self.clue_pad() + clue_size(self.cell) * 0.9
    }

    /// How far clues keep from the edges of a cell.
    fn clue_pad(&self) -> f64 {
        if self.is_dashed() { self.pad() } else { 3.0 }
    }

    /// Black cells with their sums.
    pub(super) fn black(&self, graphic: &mut Graphic) {
        if !(0..self.cells()).any(|cell| self.puzzle.is_black(cell)) {
            return;
        }
        let printed = PrintedClues::of(self.puzzle);
        for cell in (0..self.cells()).filter(|cell| self.puzzle.is_black(*cell)) {
            let (x, y) = self.corner(cell);
            graphic.rect("shade", (x, y), (self.cell, self.cell));
            let clues = printed.cells[cell];
            if clues == BlackClues::default() {
                continue;
            }
            graphic.line("on-shade-line", (x, y), (x + self.cell, y + self.cell));
            let room = self.cell * 0.52;
            let sums = [
                (clues.across, (x + self.cell - 2.5, y + self.cell * 0.38), Anchor::End),
                (clues.down, (x + 2.5, y + self.cell - 3.0), Anchor::Start),
            ];
            for (sum, at, anchor) in sums {
                if let Some(text) = sum.map(|sum| sum.to_string()) {
                    let size = fitting(&text, room, self.cell * 0.32);
                    graphic.sized_text("on-shade", at, anchor, size, &text);
                }
            }
        }
    }

    /// Lines between cells: thin within an area, stronger between cages, strongest between boxes and around all. Where there
    /// are boxes, cages are dashed.
    pub(super) fn edges(&self, graphic: &mut Graphic) {
        let boxes = self.boxes();
        let cages = if boxes.is_some() || self.is_dashed() { None } else { owners(self.puzzle, Role::Cage) };
        let mut paths: [Path; 3] = Default::default();
        let part = |owners: &Option<Vec<usize>>, one: usize, two: usize| {
            owners.as_ref().is_some_and(|owners| owners[one] != owners[two])
        };
        let weight = |one: usize, two: usize| {
            if part(&boxes, one, two) { 2 } else { usize::from(part(&cages, one, two)) }
        };
        let (rows, cols) = (self.puzzle.rows(), self.puzzle.cols());
        for cell in 0..self.cells() {
            let (x, y) = self.corner(cell);
            if (cell + 1) % cols != 0 {
                let line = trace([(x + self.cell, y), (x + self.cell, y + self.cell)]);
                paths[weight(cell, cell + 1)].add(line);
            }
            if cell / cols + 1 < rows {
                let line = trace([(x, y + self.cell), (x + self.cell, y + self.cell)]);
                paths[weight(cell, cell + cols)].add(line);
            }
        }
        for (class, path) in ["thin", "cage", "box"].into_iter().zip(paths) {
            graphic.path(class, path);
        }
        if self.is_dashed() {
            self.outlines(graphic);
        }
        graphic.rect("box", self.origin, self.size());
    }

    /// The cages as outlines within their cells.
    fn outlines(&self, graphic: &mut Graphic) {
        let place = |(x, y): Point| (self.origin.0 + x * self.cell, self.origin.1 + y * self.cell);
        let layers = nested::layers(self.puzzle);
        let mut paths: [Path; OUTLINES.len()] = Default::default();
        for (cage, layer) in nested::outlined(self.puzzle).zip(&layers) {
            let cells: Vec<(usize, usize)> = cage.cells.iter().map(|cell| self.place(*cell)).collect();
            paths[*layer].add(outline(&cells, nested::inset(*layer), &place));
        }
        for (layer, path) in paths.into_iter().enumerate() {
            if layer == 0 || layers.contains(&layer) {
                graphic.path(OUTLINES[layer], path);
            }
        }
    }

    /// The clue of each cage in its first cell.
    pub(super) fn clues(&self, graphic: &mut Graphic) {
        let pad = self.clue_pad();
        let mut used: BTreeMap<usize, f64> = BTreeMap::new();
        for (group, clue) in self.clued() {
            let text = self.clue_in_words(clue);
            let (x, y) = self.corner(group.cells[0]);
            let room = self.cell * self.run(&group.cells) as f64 - 2.0 * pad;
            let (lines, size) = broken(&text, room, self.cell);
            // Cages may overlap: a second clue in the same cell stands below the first.
            let below = used.entry(group.cells[0]).or_default();
            for line in lines {
                *below += size * 0.95;
                let at = (x + pad, y + pad - 1.0 + *below - size * 0.09);
                graphic.sized_text("value", at, Anchor::Start, size, &line);
            }
        }
    }

    /// A clue with the signs that people write; in a Killer every clue is a sum.
    fn clue_in_words(&self, clue: Clue) -> String {
        let text = clue.printed();
        if self.puzzle.kind == Kind::Killer && clue.operator.symbol == "+" {
            return text.replace('+', "");
        }
        text
    }

    /// How many cells of a group follow each other in the row of the first: the room of its clue.
    fn run(&self, cells: &[usize]) -> usize {
        let run = cells.iter().zip(cells[0]..).take_while(|(cell, next)| **cell == *next).count();
        run.min(self.puzzle.cols() - cells[0] % self.puzzle.cols())
    }

    /// The signs of a Futoshiki, on the lines between its cells; each points at the lesser digit.
    pub(super) fn signs(&self, graphic: &mut Graphic) {
        let mut path = Path::default();
        for pair in self.puzzle.groups().iter().filter_map(|group| less_pair(self.puzzle, group)) {
            let half = self.cell / 2.0;
            let [lesser, greater] = pair.map(|cell| self.corner(cell)).map(|(x, y)| (x + half, y + half));
            let (middle, to) = (
                ((lesser.0 + greater.0) / 2.0, (lesser.1 + greater.1) / 2.0),
                ((lesser.0 - greater.0) * 0.08, (lesser.1 - greater.1) * 0.08),
            );
            let tip = (middle.0 + to.0, middle.1 + to.1);
            let end = |side: f64| (middle.0 - to.0 + side * to.1 * 1.6, middle.1 - to.1 + side * to.0 * 1.6);
            path.add(trace([end(1.0), tip, end(-1.0)]));
        }
        graphic.path("cage", path);
    }
}

/// The size at which a text fits its room.
pub(super) fn fitting(text: &str, room: f64, most: f64) -> f64 {
    (most * room.max(1.0) / text_width(text, most).max(0.1)).min(most)
}

/// The size of a clue that has room in a cell of this side.
fn clue_size(side: f64) -> f64 {
    (side * 0.28).min(15.0)
}

/// A clue in as many lines as make it largest in the upper third of a cell, and its size.
fn broken(text: &str, room: f64, side: f64) -> (Vec<String>, f64) {
    let characters: Vec<char> = text.chars().collect();
    let mut best = (vec![text.to_owned()], fitting(text, room, clue_size(side)));
    for count in 2..=LINES {
        let pieces = characters.chunks(characters.len().div_ceil(count).max(1));
        let lines: Vec<String> = pieces.map(|piece| piece.iter().collect()).collect();
        let most = (side * 0.38 / count as f64).min(15.0);
        let (size, _) = span(lines.iter().map(|line| fitting(line, room, most)));
        // A line more has to be worth it.
        if size > best.1 * 1.05 {
            best = (lines, size);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_clue_is_broken_where_that_makes_it_larger() {
        assert_eq!(broken("12×", 45.0, 48.0).0, ["12×"]);
        assert_eq!(broken("123456789012345×", 45.0, 48.0).0, ["12345678", "9012345×"]);
        let (lines, size) = broken("123456789012345678×", 15.0, 16.0);
        assert!(lines.iter().all(|line| text_width(line, size) <= 15.01), "{lines:?} {size}");
    }
}
