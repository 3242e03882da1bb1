//! A puzzle as a picture: its cells, cages, boxes and clues, the digits of a grid, and heat where groups stay violated.
//!
//! Clues stand at the upper edge of a cell and digits below them. The share of violations of a group stands in the lower
//! right corner of its first cell; that of an entry, which may share its first cell with another, at the left edge.

use std::collections::BTreeMap;

use super::super::graphic::{Anchor, Graphic, Path, ink_over, text_width, trace};
use super::super::grid::owners;
use super::board::board;
use super::percent;
use crate::puzzle::{BlackClues, Clue, Grid, Kind, PrintedClues, Puzzle, Role, less_pair};

/// How often each group of a puzzle stays violated, a share from 0 to 1 by the index of the group.
pub(crate) type Heat = BTreeMap<usize, f64>;

/// Margin around a picture, and the room of the numbers beside rows and below columns.
const MARGIN: f64 = 6.0;
const STRIP: f64 = 42.0;

/// Cells below this size show no shares, which could not be read.
const LEGIBLE: f64 = 24.0;

/// What a picture shows besides the puzzle.
#[derive(Clone, Copy, Default)]
pub(crate) struct Overlay<'a> {
    /// The digits of a grid; given digits are drawn without it too.
    pub(crate) grid: Option<&'a Grid>,
    pub(crate) heat: Option<&'a Heat>,
}

/// Draws a puzzle within `room` pixels.
pub(crate) fn picture(puzzle: &Puzzle, room: f64, shown: Overlay<'_>) -> Graphic {
    let Overlay { grid, heat } = shown;
    if puzzle.kind == Kind::Queens {
        return board(puzzle, room, grid);
    }
    let strip = if heat.is_some() { STRIP } else { 0.0 };
    let longest = puzzle.rows().max(puzzle.cols()) as f64;
    let cell = ((room - 2.0 * MARGIN - strip) / longest).floor().clamp(4.0, 64.0);
    let size = |cells: usize| cell * cells as f64 + 2.0 * MARGIN;
    let mut graphic = Graphic::new(size(puzzle.cols()) + strip, size(puzzle.rows()) + strip * 0.55);
    let picture = Picture { puzzle, cell, grid, heat };
    if heat.is_some() {
        picture.heats(&mut graphic);
    }
    picture.black(&mut graphic);
    picture.edges(&mut graphic);
    picture.digits(&mut graphic);
    picture.clues(&mut graphic);
    picture.signs(&mut graphic);
    if heat.is_some() {
        picture.shares(&mut graphic);
        picture.strips(&mut graphic);
    }
    graphic
}

struct Picture<'a> {
    puzzle: &'a Puzzle,
    cell: f64,
    grid: Option<&'a Grid>,
    heat: Option<&'a Heat>,
}

impl Picture<'_> {
    /// The upper left corner of a cell.
    fn corner(&self, cell: usize) -> (f64, f64) {
        let (row, column) = (cell / self.puzzle.cols(), cell % self.puzzle.cols());
        (MARGIN + self.cell * column as f64, MARGIN + self.cell * row as f64)
    }

    fn cells(&self) -> usize {
        self.puzzle.rows() * self.puzzle.cols()
    }

    /// The highest heat of the groups with some roles that hold a cell.
    fn hottest(&self, cell: usize, roles: &[Role]) -> Option<f64> {
        let groups = self.puzzle.groups().iter().enumerate();
        let holds = groups.filter(|(_, group)| roles.contains(&group.role) && group.cells.contains(&cell));
        holds.filter_map(|(index, _)| self.heat?.get(&index).copied()).reduce(f64::max)
    }

    /// The roles whose heat fills cells.
    fn filled(&self) -> &'static [Role] {
        let has = |role| self.puzzle.groups_with(role).next().is_some();
        if has(Role::Cage) {
            &[Role::Cage]
        } else if has(Role::Entry) {
            &[Role::Entry]
        } else if has(Role::Region) {
            &[Role::Region]
        } else {
            &[Role::Group]
        }
    }

    fn heats(&self, graphic: &mut Graphic) {
        let roles = self.filled();
        let mut shares = vec![0.0_f64; self.cells()];
        let mut says: Vec<String> = vec![String::new(); self.cells()];
        for (index, group) in self.puzzle.groups().iter().enumerate() {
            if roles.contains(&group.role) {
                let share = self.share(index);
                for cell in &group.cells {
                    shares[*cell] = shares[*cell].max(share);
                    let more = if says[*cell].is_empty() { "" } else { "; " };
                    says[*cell] += &format!("{more}{}: {}", self.puzzle.group_name(group), percent(share));
                }
            }
        }
        for cell in (0..self.cells()).filter(|cell| !says[*cell].is_empty()) {
            graphic.heat("cost", self.corner(cell), (self.cell, self.cell), shares[cell], &says[cell]);
        }
    }

    fn share(&self, group: usize) -> f64 {
        self.heat.and_then(|heat| heat.get(&group)).copied().unwrap_or(0.0)
    }

    /// Black cells with their sums.
    fn black(&self, graphic: &mut Graphic) {
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

    /// Lines between cells: thin within an area, stronger between cages, strongest between boxes and around all.
    fn edges(&self, graphic: &mut Graphic) {
        let cages = owners(self.puzzle, Role::Cage);
        let boxes = if self.puzzle.kind == Kind::Kakuro { None } else { owners(self.puzzle, Role::Region) };
        let mut paths: [Path; 3] = Default::default();
        let weight = |one: usize, two: usize| {
            let differ =
                |owners: &Option<Vec<usize>>| owners.as_ref().is_some_and(|all| all[one] != all[two]);
            if differ(&boxes) { 2 } else { usize::from(differ(&cages)) }
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
        graphic.rect("box", (MARGIN, MARGIN), (self.cell * cols as f64, self.cell * rows as f64));
    }

    /// The digits, given ones in bold.
    fn digits(&self, graphic: &mut Graphic) {
        let given = self.puzzle.given_grid();
        // Clues and shares leave less room; a given in a cage of its own has no clue.
        let has_clues = self.puzzle.groups_with(Role::Cage).any(|cage| cage.cells.len() > 1);
        let (size, middle) = match (self.heat.is_some(), has_clues) {
            (true, _) => (self.cell * 0.44, 0.4),
            (false, true) => (self.cell * 0.44, 0.6),
            (false, false) => (self.cell * 0.5, 0.5),
        };
        for cell in 0..self.cells() {
            let (class, digit) = match (given.get(cell), self.grid.and_then(|grid| grid.get(cell))) {
                (Some(digit), _) => ("given ", digit),
                (None, Some(digit)) => ("", digit),
                (None, None) => continue,
            };
            let (x, y) = self.corner(cell);
            let at = (x + self.cell / 2.0, y + self.cell * middle + size * 0.36);
            let share = self.hottest(cell, self.filled()).unwrap_or(0.0);
            let class = format!("{class}{}", ink_over(share));
            graphic.sized_text(&class, at, Anchor::Middle, size, &digit.to_string());
        }
    }

    /// The clue of each cage in its first cell.
    fn clues(&self, graphic: &mut Graphic) {
        for (index, group) in self.puzzle.groups().iter().enumerate() {
            let Some(clue) = group.clue.filter(|_| group.role == Role::Cage && group.cells.len() > 1) else {
                continue;
            };
            let (text, side) = (clue_in_words(clue), self.cell);
            let (x, y) = self.corner(group.cells[0]);
            let size = fitting(&text, side * self.run(&group.cells) as f64 - 5.0, (side * 0.28).min(15.0));
            let class = ink_over(self.share(index));
            graphic.sized_text(class, (x + 3.0, y + 2.0 + size * 0.86), Anchor::Start, size, &text);
        }
    }

    /// The signs of a Futoshiki, on the lines between its cells; each points at the lesser digit.
    fn signs(&self, graphic: &mut Graphic) {
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

    /// How many cells of a group follow each other in the row of the first: the room of its clue.
    fn run(&self, cells: &[usize]) -> usize {
        let run = cells.iter().zip(cells[0]..).take_while(|(cell, next)| **cell == *next).count();
        run.min(self.puzzle.cols() - cells[0] % self.puzzle.cols())
    }

    /// The shares of violated cages, boxes and entries in their first cells, without zeros.
    fn shares(&self, graphic: &mut Graphic) {
        if self.cell < LEGIBLE {
            return;
        }
        let roles = self.filled();
        // Other groups may have their first cell in common.
        let shown = |role: Role| role != Role::Group && roles.contains(&role);
        for (index, group) in self.puzzle.groups().iter().enumerate().filter(|one| shown(one.1.role)) {
            let (share, (x, y), side) = (self.share(index), self.corner(group.cells[0]), self.cell);
            if share == 0.0 {
                continue;
            }
            let class = ink_over(self.hottest(group.cells[0], roles).unwrap_or(share));
            let text = percent(share).replace(' ', "");
            let size = fitting(&text, side - 6.0, (side * 0.26).clamp(7.0, 12.0));
            let (at, anchor) = match group.role {
                // An entry across may begin in the same cell.
                Role::Entry if !self.is_across(&group.cells) => ((x + 3.0, y + side - 4.0), Anchor::Start),
                Role::Entry => ((x + 3.0, y + 2.0 + size), Anchor::Start),
                _ => ((x + side - 3.0, y + side - 4.0), Anchor::End),
            };
            graphic.sized_text(class, at, anchor, size, &text);
        }
    }

    /// The cells of an entry follow each other in a row.
    fn is_across(&self, cells: &[usize]) -> bool {
        cells.get(1).is_none_or(|second| *second == cells[0] + 1)
    }

    /// The shares of violated rows and columns, beside and below them.
    fn strips(&self, graphic: &mut Graphic) {
        let (right, bottom) =
            (MARGIN + self.cell * self.puzzle.cols() as f64, MARGIN + self.cell * self.puzzle.rows() as f64);
        for (index, group) in self.puzzle.groups().iter().enumerate() {
            let (share, (x, y), side) = (self.share(index), self.corner(group.cells[0]), self.cell);
            let (at, size, most) = match group.role {
                Role::Row => ((right + 6.0, y + 1.0), (STRIP - 10.0, side - 2.0), (side * 0.7).min(12.0)),
                Role::Column => ((x + 1.0, bottom + 6.0), (side - 2.0, 17.0), 12.0),
                _ => continue,
            };
            let says = format!("{}: {}", self.puzzle.group_name(group), percent(share));
            graphic.heat("cost", at, size, share, &says);
            let text = number(share);
            let height = fitting(&text, size.0 - if group.role == Role::Row { 2.0 } else { 1.0 }, most);
            let middle = (at.0 + size.0 / 2.0, at.1 + size.1 / 2.0 + height * 0.36);
            graphic.sized_text(ink_over(share), middle, Anchor::Middle, height, &text);
        }
    }
}

/// A share in per cent without its sign, to save room.
fn number(share: f64) -> String {
    percent(share).replace([' ', '%'], "")
}

/// A clue with the signs that people write.
fn clue_in_words(clue: Clue) -> String {
    let text = clue.to_string();
    match clue.operator.symbol {
        "*" => text.replace('*', "×"),
        "/" => text.replace('/', "÷"),
        "-" => text.replace('-', "−"),
        _ => text,
    }
}

/// The size at which a text fits its room.
fn fitting(text: &str, room: f64, most: f64) -> f64 {
    (most * room.max(1.0) / text_width(text, most).max(0.1)).min(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::formats;

    #[test]
    fn the_signs_of_a_futoshiki_point_at_the_lesser_digits() {
        let text = r#"{"kind":"futoshiki","size":2,"less":[[[0,0],[0,1]],[[1,1],[0,1]]]}"#;
        let puzzle = formats::read("x", text.as_bytes()).remove(0).expect("a sound puzzle");
        let drawn = picture(&puzzle, 112.0, Overlay::default()).svg_file("two");
        // Cells of 50 pixels: the first sign opens to the right, the second upwards.
        assert!(drawn.contains("M60 24.6L52 31L60 37.4M87.4 52L81 60L74.6 52"), "{drawn}");
    }

    #[test]
    fn a_region_that_overlaps_the_boxes_leaves_them_whole() {
        let text = r#"{"kind":"sudoku","size":4,"groups":[{"distinct":true,"role":"region","cells":[[0,0],[1,1],[2,2],[3,3]]}]}"#;
        let puzzle = formats::read("x", text.as_bytes()).remove(0).expect("a sound puzzle");
        // The second region, in the order of first cells, is the diagonal.
        let boxes = [1, 1, 3, 3, 1, 1, 3, 3, 4, 4, 5, 5, 4, 4, 5, 5];
        assert_eq!(owners(&puzzle, Role::Region).as_deref(), Some(&boxes[..]));
    }
}
