//! A puzzle as a picture with heat where its groups stay violated. Without heat it is a drawing as any other.
//!
//! The share of violations of a group stands in the lower
//! right corner of its first cell; that of an entry, which may share its first cell with another, at the left edge.

use std::collections::BTreeMap;

use super::super::drawing::{Marks, Sheet, Style, fitting, picture as drawing};
use super::super::graphic::{Anchor, Graphic, ink_over};
use super::percent;
use kenga_core::puzzle::{Grid, Puzzle, Role};

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
    let Some(heat) = heat else {
        let marks = grid.map_or_else(|| Marks::new(puzzle), |grid| Marks::new(puzzle).with_grid(grid));
        return drawing(puzzle, &marks, &Style { room: Some((room, room)), ..Style::default() }).graphic;
    };
    let longest = puzzle.rows().max(puzzle.cols()) as f64;
    let cell = ((room - 2.0 * MARGIN - STRIP) / longest).floor().clamp(4.0, 64.0);
    let size = |cells: usize| cell * cells as f64 + 2.0 * MARGIN;
    let mut graphic = Graphic::new(size(puzzle.cols()) + STRIP, size(puzzle.rows()) + STRIP * 0.55);
    let sheet = Sheet { puzzle, cell, origin: (MARGIN, MARGIN) };
    let picture = Picture { puzzle, cell, sheet: &sheet, grid, heat };
    picture.heats(&mut graphic);
    sheet.black(&mut graphic);
    sheet.edges(&mut graphic);
    picture.digits(&mut graphic);
    sheet.clues(&mut graphic, &|group| ink_over(picture.share(group)));
    sheet.signs(&mut graphic);
    picture.shares(&mut graphic);
    picture.strips(&mut graphic);
    graphic
}

struct Picture<'a> {
    puzzle: &'a Puzzle,
    cell: f64,
    sheet: &'a Sheet<'a>,
    grid: Option<&'a Grid>,
    heat: &'a Heat,
}

impl Picture<'_> {
    /// The upper left corner of a cell.
    fn corner(&self, cell: usize) -> (f64, f64) {
        self.sheet.corner(cell)
    }

    fn cells(&self) -> usize {
        self.puzzle.rows() * self.puzzle.cols()
    }

    /// The highest heat of the groups with some roles that hold a cell.
    fn hottest(&self, cell: usize, roles: &[Role]) -> Option<f64> {
        let groups = self.puzzle.groups().iter().enumerate();
        let holds = groups.filter(|(_, group)| roles.contains(&group.role) && group.cells.contains(&cell));
        holds.filter_map(|(index, _)| self.heat.get(&index).copied()).reduce(f64::max)
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
        self.heat.get(&group).copied().unwrap_or(0.0)
    }

    /// The digits, given ones in bold.
    fn digits(&self, graphic: &mut Graphic) {
        let given = self.puzzle.given_grid();
        // Shares stand below the digits.
        let (size, middle) = (self.cell * 0.44, 0.4);
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

#[cfg(test)]
mod tests {
    use super::super::super::grid::owners;
    use super::*;
    use kenga_core::puzzle::formats;

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
