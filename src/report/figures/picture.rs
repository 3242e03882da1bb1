//! A puzzle as a picture: its cells, cages, boxes and clues, and heat where groups stay violated.

use std::collections::BTreeMap;

use super::super::svg::{Anchor, Svg, ink_over, text_width};
use super::percent;
use crate::puzzle::{BlackClues, Clue, Kind, PrintedClues, Puzzle, Role};

/// How often each group of a puzzle stays violated, a share from 0 to 1 by the index of the group.
pub(in crate::report) type Heat = BTreeMap<usize, f64>;

/// Margin around a picture, and the room of the numbers beside rows and below columns.
const MARGIN: f64 = 6.0;
const STRIP: f64 = 42.0;

/// Draws a puzzle within `room` pixels, with heat or without.
pub(in crate::report) fn picture(puzzle: &Puzzle, room: f64, heat: Option<&Heat>) -> Svg {
    let strip = if heat.is_some() { STRIP } else { 0.0 };
    let longest = puzzle.rows().max(puzzle.cols()) as f64;
    let cell = ((room - 2.0 * MARGIN - strip) / longest).floor().clamp(4.0, 64.0);
    let size = |cells: usize| cell * cells as f64 + 2.0 * MARGIN;
    let mut svg = Svg::new(size(puzzle.cols()) + strip, size(puzzle.rows()) + strip * 0.55);
    let picture = Picture { puzzle, cell, heat };
    if heat.is_some() {
        picture.heats(&mut svg);
    }
    picture.black(&mut svg);
    picture.edges(&mut svg);
    picture.givens(&mut svg);
    picture.clues(&mut svg);
    if heat.is_some() {
        picture.strips(&mut svg);
    }
    svg
}

struct Picture<'a> {
    puzzle: &'a Puzzle,
    cell: f64,
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

    /// The heat of the groups with some role that hold a cell: the highest.
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
        } else {
            &[Role::Region]
        }
    }

    fn heats(&self, svg: &mut Svg) {
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
            svg.heat("cost", self.corner(cell), (self.cell, self.cell), shares[cell], &says[cell]);
        }
    }

    fn share(&self, group: usize) -> f64 {
        self.heat.and_then(|heat| heat.get(&group)).copied().unwrap_or(0.0)
    }

    /// Black cells with their sums, or with the shares of the entries that begin there.
    fn black(&self, svg: &mut Svg) {
        if !(0..self.cells()).any(|cell| self.puzzle.is_black(cell)) {
            return;
        }
        let printed = PrintedClues::of(self.puzzle);
        for cell in (0..self.cells()).filter(|cell| self.puzzle.is_black(*cell)) {
            let (x, y) = self.corner(cell);
            svg.rect("shade", (x, y), (self.cell, self.cell));
            let clues = printed.cells[cell];
            if clues == BlackClues::default() {
                continue;
            }
            svg.line("on-shade-line", (x, y), (x + self.cell, y + self.cell));
            let room = self.cell * 0.52;
            let sums = [
                (clues.across, (x + self.cell - 2.5, y + self.cell * 0.38), Anchor::End, 1),
                (clues.down, (x + 2.5, y + self.cell - 3.0), Anchor::Start, self.puzzle.cols()),
            ];
            for (sum, at, anchor, step) in sums {
                let Some(sum) = sum else { continue };
                let text = match self.heat {
                    None => sum.to_string(),
                    Some(_) => self.entry_share(cell + step, step),
                };
                svg.sized_text("on-shade", at, anchor, fitting(&text, room, self.cell * 0.32), &text);
            }
        }
    }

    /// The share of the entry that begins at a cell and goes on in steps.
    fn entry_share(&self, first: usize, step: usize) -> String {
        let groups = self.puzzle.groups().iter().enumerate();
        let mut entries = groups.filter(|(_, group)| {
            let goes_on = group.cells.get(1).is_none_or(|second| *second == first + step);
            group.role == Role::Entry && group.cells[0] == first && goes_on
        });
        entries.next().map_or(String::new(), |(index, _)| number(self.share(index)))
    }

    /// Lines between cells: thin within an area, stronger between cages, strongest between boxes and around all.
    fn edges(&self, svg: &mut Svg) {
        let cages = owners(self.puzzle, Role::Cage);
        let boxes = if self.puzzle.kind == Kind::Kakuro { None } else { owners(self.puzzle, Role::Region) };
        let mut paths: [String; 3] = Default::default();
        let weight = |one: usize, two: usize| {
            let differ =
                |owners: &Option<Vec<usize>>| owners.as_ref().is_some_and(|all| all[one] != all[two]);
            if differ(&boxes) { 2 } else { usize::from(differ(&cages)) }
        };
        let (rows, cols) = (self.puzzle.rows(), self.puzzle.cols());
        for cell in 0..self.cells() {
            let (x, y) = self.corner(cell);
            if (cell + 1) % cols != 0 {
                let line = super::super::svg::trace([(x + self.cell, y), (x + self.cell, y + self.cell)]);
                paths[weight(cell, cell + 1)] += &line;
            }
            if cell / cols + 1 < rows {
                let line = super::super::svg::trace([(x, y + self.cell), (x + self.cell, y + self.cell)]);
                paths[weight(cell, cell + cols)] += &line;
            }
        }
        for (class, path) in ["thin", "cage", "box"].into_iter().zip(&paths) {
            svg.path(class, path);
        }
        svg.rect("box", (MARGIN, MARGIN), (self.cell * cols as f64, self.cell * rows as f64));
    }

    /// Digits that are printed.
    fn givens(&self, svg: &mut Svg) {
        let grid = self.puzzle.given_grid();
        // Beside a number in the corner there is less room.
        let (size, down) =
            if self.heat.is_some() { (self.cell * 0.42, 0.62) } else { (self.cell * 0.5, 0.5) };
        for (cell, digit) in grid.cells().iter().enumerate() {
            let Some(digit) = digit else { continue };
            let (x, y) = self.corner(cell);
            let at = (x + self.cell / 2.0, y + self.cell * down + size * 0.42);
            let share = self.hottest(cell, self.filled()).unwrap_or(0.0);
            let class = ink_over(share);
            svg.sized_text(class, at, Anchor::Middle, size, &digit.to_string());
        }
    }

    /// The clue of each cage in its first cell, or how often the cage stays violated.
    fn clues(&self, svg: &mut Svg) {
        let roles = if self.heat.is_some() { &[Role::Cage, Role::Region][..] } else { &[Role::Cage] };
        let filled = self.filled();
        for (index, group) in self.puzzle.groups().iter().enumerate() {
            if !roles.contains(&group.role) || (self.heat.is_none() && group.cells.len() < 2) {
                continue;
            }
            let share = self.share(index);
            if group.role == Role::Region && filled != [Role::Region] {
                continue;
            }
            let text = match (self.heat, group.clue) {
                (Some(_), _) => number(share),
                (None, Some(clue)) => clue_in_words(clue),
                (None, None) => continue,
            };
            let ((x, y), side) = (self.corner(group.cells[0]), self.cell);
            // A clue may run on into the cells of its cage.
            let wide =
                group.cells.iter().zip(group.cells[0]..).take_while(|(cell, next)| **cell == *next).count();
            let wide = wide.min(self.puzzle.cols() - group.cells[0] % self.puzzle.cols());
            let size = fitting(&text, side * wide as f64 - 5.0, (side * 0.28).min(15.0));
            let class = ink_over(share);
            svg.sized_text(class, (x + 3.0, y + 2.0 + size * 0.86), Anchor::Start, size, &text);
        }
    }

    /// How often rows and columns stay violated, beside them and below.
    fn strips(&self, svg: &mut Svg) {
        let (right, bottom) =
            (MARGIN + self.cell * self.puzzle.cols() as f64, MARGIN + self.cell * self.puzzle.rows() as f64);
        for (index, group) in self.puzzle.groups().iter().enumerate() {
            let (share, (x, y)) = (self.share(index), self.corner(group.cells[0]));
            let (text, side) = (number(share), self.cell);
            let says = format!("{}: {}", self.puzzle.group_name(group), percent(share));
            let class = ink_over(share);
            match group.role {
                Role::Row => {
                    svg.heat("cost", (right + 6.0, y + 1.0), (STRIP - 10.0, side - 2.0), share, &says);
                    let size = fitting(&text, STRIP - 12.0, (side * 0.7).min(12.0));
                    let at = (right + 6.0 + (STRIP - 10.0) / 2.0, y + side / 2.0 + size * 0.36);
                    svg.sized_text(class, at, Anchor::Middle, size, &text);
                }
                Role::Column => {
                    svg.heat("cost", (x + 1.0, bottom + 6.0), (side - 2.0, 17.0), share, &says);
                    let size = fitting(&text, side - 3.0, 12.0);
                    let at = (x + side / 2.0, bottom + 14.5 + size * 0.36);
                    svg.sized_text(class, at, Anchor::Middle, size, &text);
                }
                _ => {}
            }
        }
    }
}

/// A share in per cent without the sign: there is little room.
fn number(share: f64) -> String {
    percent(share).replace([' ', '%'], "")
}

/// A clue with the signs that people write.
fn clue_in_words(clue: Clue) -> String {
    let text = clue.to_string();
    match clue.operator.symbol() {
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

/// The group with a role that each cell lies in; `None` where there are none.
fn owners(puzzle: &Puzzle, role: Role) -> Option<Vec<usize>> {
    let mut owners = vec![usize::MAX; puzzle.rows() * puzzle.cols()];
    for (index, group) in puzzle.groups_with(role).enumerate() {
        group.cells.iter().for_each(|cell| owners[*cell] = index);
    }
    owners.iter().any(|owner| *owner != usize::MAX).then_some(owners)
}
