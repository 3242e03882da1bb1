//! Which lines run through a drawing: heavy ones between boxes, broken where a cage crosses them, light ones between cages
//! or cells.

use crate::puzzle::{Group, Kind, Puzzle, Role};

/// The characters of a corner by the weights of its arms: up + 3 right + 9 down + 27 left, each 0 none, 1 light, 2 heavy.
const CORNERS: &str = " ╵╹╶└┖╺┕┗╷│╿┌├┞┍┝┡╻╽┃┎┟┠┏┢┣╴┘┚─┴┸╼┶┺┐┤┦┬┼╀┮┾╄┒┧┨┰╁╂┲╆╊╸┙┛╾┵┹━┷┻┑┥┩┭┽╃┯┿╇┓┪┫┱╅╉┳╈╋";

/// A line: none, light, heavy, or heavy and broken, as an index.
pub(super) type Weight = usize;

/// Ruling across, by weight.
pub(super) const ACROSS: [&str; 4] = [" ", "─", "━", "╍"];

/// Ruling down, by weight.
pub(super) const DOWN: [char; 4] = [' ', '│', '┃', '╏'];

/// Which area and which box each cell belongs to.
pub(super) struct Ruling {
    rows: usize,
    cols: usize,
    /// Light lines run between areas.
    areas: Vec<usize>,
    /// Heavy lines run between boxes, where there are any.
    boxes: Option<Vec<usize>>,
    corners: Vec<char>,
}

impl Ruling {
    pub(super) fn of(puzzle: &Puzzle) -> Self {
        let cells = puzzle.rows() * puzzle.cols();
        let boxes = owners(cells, puzzle.groups_with(Role::Region));
        let areas = match owners(cells, puzzle.groups_with(Role::Cage)) {
            Some(cages) => cages,
            None if boxes.is_some() && puzzle.kind != Kind::Kakuro => vec![0; cells],
            None => (0..cells).collect(),
        };
        Self { rows: puzzle.rows(), cols: puzzle.cols(), areas, boxes, corners: CORNERS.chars().collect() }
    }

    /// The line above a cell, or below the last row; rows and columns count from 1, cells outside the grid have none.
    pub(super) fn above(&self, row: usize, column: usize) -> Weight {
        self.between((row - 1, column), (row, column))
    }

    /// The line before a cell, or behind the last column.
    pub(super) fn before(&self, row: usize, column: usize) -> Weight {
        self.between((row, column - 1), (row, column))
    }

    /// The corner above a cell and before it.
    pub(super) fn corner(&self, row: usize, column: usize) -> char {
        let up = self.between((row - 1, column - 1), (row - 1, column));
        let left = self.between((row - 1, column - 1), (row, column - 1));
        let arms = [up, self.above(row, column), self.before(row, column), left].map(|weight| weight.min(2));
        self.corners[arms[0] + 3 * arms[1] + 9 * arms[2] + 27 * arms[3]]
    }

    fn between(&self, one: (usize, usize), two: (usize, usize)) -> Weight {
        let differ = |owners: &[usize]| self.owner(owners, one) != self.owner(owners, two);
        let in_one_cage =
            || !differ(&self.areas) && self.owner(&self.areas, one).is_some_and(|cage| cage > 0);
        match self.boxes.as_deref().is_some_and(differ) {
            true => 2 + usize::from(in_one_cage()),
            false => usize::from(differ(&self.areas)),
        }
    }

    fn owner(&self, owners: &[usize], (row, column): (usize, usize)) -> Option<usize> {
        let inside = (1..=self.rows).contains(&row) && (1..=self.cols).contains(&column);
        inside.then(|| owners[(row - 1) * self.cols + column - 1])
    }
}

/// The group of every cell, by number from 1, and 0 where there is none; groups that run across earlier ones are passed
/// over. Nothing when there are no groups.
fn owners<'a>(cells: usize, groups: impl Iterator<Item = &'a Group>) -> Option<Vec<usize>> {
    let mut owners = vec![0; cells];
    let mut any = false;
    for (index, group) in groups.enumerate() {
        if group.cells.iter().all(|cell| owners[*cell] == 0) {
            group.cells.iter().for_each(|cell| owners[*cell] = index + 1);
            any = true;
        }
    }
    any.then_some(owners)
}
