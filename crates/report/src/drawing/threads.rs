//! The groups of a grid that are no cages, as threads through the middles of their cells; and in words what no line shows.

use super::super::graphic::{Graphic, Path, Point, trace, wrapped};
use super::super::grid::{drawn, unshown};
use super::sheet::Sheet;
use super::{CAPTION, CELL, MARGIN, Style};
use kenga_core::puzzle::operators::Relation;
use kenga_core::puzzle::{Group, Kind, Puzzle, Role, less_pair};

/// The looks of threads.
const THREADS: [&str; 4] = ["series s2", "series s4", "series s5", "series s6"];

/// The most threads of a picture: more of them tell nothing.
const MOST: usize = 12;

/// The most lines of words below a picture.
const WORDS: usize = 8;

/// Draws the groups of a grid that are no cages, boxes or whole lines as threads; where a digit is less than one that is no
/// neighbour, the thread has a sign in its middle.
pub(super) fn threads(sheet: &Sheet<'_>, graphic: &mut Graphic) {
    let puzzle = sheet.puzzle;
    if puzzle.kind != Kind::Grid {
        return;
    }
    let mut count = 0;
    for (group, is_drawn) in puzzle.groups().iter().zip(drawn(puzzle)) {
        let is_cage = group.role == Role::Cage && group.clue.is_some();
        let is_whole = group.cells.len() == sheet.cells() || matches!(group.role, Role::Row | Role::Column);
        let is_sign = less_pair(puzzle, group).is_some();
        if is_drawn || is_cage || is_whole || is_sign || group.cells.len() == 1 || count == MOST {
            continue;
        }
        graphic
            .path(THREADS[count % THREADS.len()], trace(group.cells.iter().map(|cell| middle(sheet, *cell))));
        if let Some(sign) = sign(sheet, group) {
            graphic.path("cage", sign);
        }
        count += 1;
    }
}

fn middle(sheet: &Sheet<'_>, cell: usize) -> Point {
    let (x, y) = sheet.corner(cell);
    (x + sheet.cell / 2.0, y + sheet.cell / 2.0)
}

/// The sign of two cells that are no neighbours, half way between them; it points at the lesser digit.
fn sign(sheet: &Sheet<'_>, group: &Group) -> Option<Path> {
    let (from, to) = (middle(sheet, group.cells[0]), middle(sheet, group.cells[1]));
    let (lesser, greater) = match group.clue?.operator.relations(2) {
        [Relation::Less] => (from, to),
        [Relation::Greater] => (to, from),
        _ => return None,
    };
    let (x, y) = (lesser.0 - greater.0, lesser.1 - greater.1);
    let scale = sheet.cell * 0.12 / x.hypot(y);
    let (x, y) = (x * scale, y * scale);
    let at = ((lesser.0 + greater.0) / 2.0, (lesser.1 + greater.1) / 2.0);
    Some(trace([(at.0 - x - y, at.1 - y + x), (at.0 + x, at.1 + y), (at.0 - x + y, at.1 - y - x)]))
}

/// The rules that no line shows, in lines that fit below the picture.
pub(super) fn captions(puzzle: &Puzzle, style: &Style) -> Vec<String> {
    let natural = CELL * puzzle.cols() as f64;
    let (width, height) = style.room.map_or((natural, f64::MAX), |room| (room.0 - 2.0 * MARGIN, room.1));
    let mut lines = Vec::new();
    for rule in unshown(puzzle, true) {
        lines.extend(wrapped(&rule, 12.0, width.max(CELL)));
    }
    // Words take no more than a third of the room, and cells the rest.
    let most = WORDS.min((height / 3.0 / CAPTION) as usize);
    if lines.len() > most {
        lines.truncate(most.saturating_sub(1));
        lines.push("and further rules".to_owned());
    }
    lines
}
