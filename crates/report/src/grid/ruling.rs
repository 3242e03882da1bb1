//! The lines of a drawing, and the signs that stand in them.

use kenga_core::puzzle::{Kind, Puzzle, Role, less_pair};

/// The characters of a corner by the weights of its arms: up + 3 right + 9 down + 27 left, each 0 none, 1 light, 2 heavy.
const CORNERS: &str = " ╵╹╶└┖╺┕┗╷│╿┌├┞┍┝┡╻╽┃┎┟┠┏┢┣╴┘┚─┴┸╼┶┺┐┤┦┬┼╀┮┾╄┒┧┨┰╁╂┲╆╊╸┙┛╾┵┹━┷┻┑┥┩┭┽╃┯┿╇┓┪┫┱╅╉┳╈╋";

/// A line: none, light, heavy, or heavy and broken, as an index.
type Weight = usize;

/// Ruling across, by weight.
const ACROSS: [&str; 4] = [" ", "─", "━", "╍"];

/// Ruling down, by weight.
const DOWN: [char; 4] = [' ', '│', '┃', '╏'];

/// Which area and which box each cell belongs to.
pub(super) struct Ruling {
    pub(super) rows: usize,
    pub(super) cols: usize,
    /// Light lines run between areas.
    areas: Vec<usize>,
    /// Heavy lines run between boxes, where there are any.
    boxes: Option<Vec<usize>>,
    corners: Vec<char>,
}

impl Ruling {
    pub(super) fn of(puzzle: &Puzzle) -> Self {
        let cells = puzzle.rows() * puzzle.cols();
        let boxes = owners(puzzle, Role::Region);
        let areas = match owners(puzzle, Role::Cage) {
            Some(cages) => cages,
            None if boxes.is_some() && puzzle.kind != Kind::Kakuro => vec![0; cells],
            None => (0..cells).collect(),
        };
        Self { rows: puzzle.rows(), cols: puzzle.cols(), areas, boxes, corners: CORNERS.chars().collect() }
    }

    /// Every cell outlined.
    pub(super) fn plain(rows: usize, cols: usize) -> Self {
        Self {
            rows,
            cols,
            areas: (0..rows * cols).collect(),
            boxes: None,
            corners: CORNERS.chars().collect(),
        }
    }

    /// A piece of a line across.
    pub(super) fn across(weight: Weight) -> &'static str {
        ACROSS[weight]
    }

    /// A piece of a line down.
    pub(super) fn down(weight: Weight) -> char {
        DOWN[weight]
    }

    /// The line above a cell, or below the last row; rows and columns count from 1, cells outside the grid have none.
    pub(super) fn above(&self, row: usize, column: usize) -> Weight {
        self.between((row - 1, column), (row, column))
    }

    /// The line left of a cell, or right of the last column.
    pub(super) fn before(&self, row: usize, column: usize) -> Weight {
        self.between((row, column - 1), (row, column))
    }

    /// The upper left corner of a cell.
    pub(super) fn corner(&self, row: usize, column: usize) -> char {
        let up = self.between((row - 1, column - 1), (row - 1, column));
        let left = self.between((row - 1, column - 1), (row, column - 1));
        let arms = [up, self.above(row, column), self.before(row, column), left].map(|weight| weight.min(2));
        self.corners[arms[0] + 3 * arms[1] + 9 * arms[2] + 27 * arms[3]]
    }

    fn between(&self, one: (usize, usize), two: (usize, usize)) -> Weight {
        let area = self.owner(&self.areas, one);
        let is_one_area = area == self.owner(&self.areas, two);
        if let Some(boxes) = &self.boxes
            && self.owner(boxes, one) != self.owner(boxes, two)
        {
            // Area 0 is that of the cells outside all cages: no cage crosses the line there.
            let is_one_cage = is_one_area && area.is_some_and(|cage| cage > 0);
            return 2 + usize::from(is_one_cage);
        }
        usize::from(!is_one_area)
    }

    fn owner(&self, owners: &[usize], (row, column): (usize, usize)) -> Option<usize> {
        let inside = (1..=self.rows).contains(&row) && (1..=self.cols).contains(&column);
        inside.then(|| owners[(row - 1) * self.cols + column - 1])
    }
}

/// The group with a role that each cell lies in, by number from 1, 0 for none; a group that overlaps an earlier one is
/// skipped. `None` without such groups.
pub(crate) fn owners(puzzle: &Puzzle, role: Role) -> Option<Vec<usize>> {
    let mut owners = vec![0; puzzle.rows() * puzzle.cols()];
    let mut any = false;
    for (index, group) in puzzle.groups_with(role).enumerate() {
        if group.cells.iter().all(|cell| owners[*cell] == 0) {
            for cell in &group.cells {
                owners[*cell] = index + 1;
            }
            any = true;
        }
    }
    any.then_some(owners)
}

/// The signs of a Futoshiki in the lines between cells: each opens towards the greater digit.
pub(super) struct Signs {
    /// The sign left of each cell.
    pub(super) before: Vec<Option<char>>,
    /// The sign above each cell.
    pub(super) above: Vec<Option<char>>,
}

impl Signs {
    /// No sign in so many cells.
    pub(super) fn none(cells: usize) -> Self {
        Self { before: vec![None; cells], above: vec![None; cells] }
    }

    /// The signs of a puzzle; of a pair that is less both ways the second.
    pub(super) fn of(puzzle: &Puzzle) -> Self {
        let mut signs = Self::none(puzzle.rows() * puzzle.cols());
        for [lesser, greater] in puzzle.groups().iter().filter_map(|group| less_pair(puzzle, group)) {
            let (first, second) = (lesser.min(greater), lesser.max(greater));
            let grows = lesser < greater;
            if second - first == 1 {
                signs.before[second] = Some(if grows { '<' } else { '>' });
            } else {
                signs.above[second] = Some(if grows { '∧' } else { '∨' });
            }
        }
        signs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::puzzle::formats;

    #[test]
    fn a_region_that_overlaps_the_boxes_leaves_them_whole() {
        let text = r#"{"kind":"sudoku","size":4,"groups":[{"distinct":true,"role":"region","cells":[[0,0],[1,1],[2,2],[3,3]]}]}"#;
        let puzzle = formats::read("x", text.as_bytes()).remove(0).expect("a sound puzzle");
        // The second region, in the order of first cells, is the diagonal.
        let boxes = [1, 1, 3, 3, 1, 1, 3, 3, 4, 4, 5, 5, 4, 4, 5, 5];
        assert_eq!(owners(&puzzle, Role::Region).as_deref(), Some(&boxes[..]));
    }
}
