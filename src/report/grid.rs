//! Grids drawn with their cages, boxes and clues.
//!
//! ```text
//! ┌──────────┬────┐    ┏━━━━━━━━━┓    ┌────┬────┬────┐
//! │3+        │1-  │    ┃ 1  2  3 ┃    │░░░░│ 3\ │ 4\ │
//! │  1    2  │ 3  │    ┃ 4  5  6 ┃    ├────┼────┼────┤
//! ├──────────┤    │    ┣━━━━━━━━━┫    │ \3 │ 1  │ 2  │
//! ```
//!
//! Light lines run between cages, heavy ones between boxes, broken where a cage crosses them. A clue stands in the first cell
//! of its cage; in a Kakuro, in the black cell before its entry, in wide puzzles the clue down above that across. Without
//! cages and boxes every cell is outlined. Puzzles wider than a page are written as plain rows.

use crate::puzzle::{BlackClues, Grid, Kind, PrintedClues, Puzzle, Role};

/// The most columns of a drawing.
const PAGE: usize = 110;

/// The most clues without a black cell that are listed below a drawing.
const LISTED: usize = 12;

/// Draws a grid with the cages of its puzzle; the digits of `marked` cells (row-major indices) stand in brackets. Ends
/// with a line break.
///
/// # Panics
/// When the grid has another shape than the puzzle.
pub fn draw(puzzle: &Puzzle, grid: &Grid, marked: &[usize]) -> String {
    assert_eq!((grid.rows(), grid.cols()), (puzzle.rows(), puzzle.cols()), "grid and puzzle have one shape");
    let mut is_marked = vec![false; grid.cells().len()];
    marked.iter().for_each(|cell| is_marked[*cell] = true);
    let printed = PrintedClues::of(puzzle);
    let drawing = |stacked| TextDrawing::new(puzzle, grid, &is_marked, &printed.cells, stacked);
    let mut drawings = [false, true].into_iter().filter(|stacked| !stacked || puzzle.kind == Kind::Kakuro);
    match drawings.find_map(|stacked| Some(drawing(stacked)).filter(TextDrawing::fits)) {
        Some(drawing) => drawing.text() + &unplaced(puzzle, &printed.unplaced),
        None => plain(puzzle, grid),
    }
}

/// The grid as aligned rows of digits, with black cells shaded.
fn plain(puzzle: &Puzzle, grid: &Grid) -> String {
    let width = grid.cells().iter().flatten().map(|digit| digit.to_string().len()).max().unwrap_or(1);
    let word = |cell: usize| match grid.get(cell) {
        Some(digit) => format!("{digit:>width$}"),
        None if puzzle.is_black(cell) => "░".repeat(width),
        None => format!("{:>width$}", "."),
    };
    let line = |row: usize| {
        let words: Vec<String> = (row * grid.cols()..(row + 1) * grid.cols()).map(word).collect();
        words.join(" ") + "\n"
    };
    (0..grid.rows()).map(line).collect()
}

/// The entries of a Kakuro whose clues stand in no black cell, in words.
fn unplaced(puzzle: &Puzzle, entries: &[usize]) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let name = |entry: &usize| puzzle.group_name(&puzzle.groups()[*entry]);
    let names: Vec<String> = entries.iter().take(LISTED).map(name).collect();
    let more = match entries.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("not in a black cell: {}{more}\n", names.join(", "))
}

struct TextDrawing {
    /// The columns of text inside a cell.
    width: usize,
    lines: Ruling,
    /// The text above the digit of each cell; empty when no cell has any.
    clues: Vec<String>,
    digits: Vec<String>,
}

impl TextDrawing {
    /// Black cells show their sums side by side, or `stacked`, the one down above the one across.
    fn new(puzzle: &Puzzle, grid: &Grid, marked: &[bool], printed: &[BlackClues], stacked: bool) -> Self {
        let cells = puzzle.rows() * puzzle.cols();
        let (mut clues, sums) = if stacked { stacks(printed) } else { (clues(puzzle), sums(printed)) };
        let longest = |words: &[String]| words.iter().map(|word| word.chars().count()).max().unwrap_or(0);
        let digit = |cell| match grid.get(cell) {
            Some(digit) if marked[cell] => format!("[{digit}]"),
            Some(digit) => digit.to_string(),
            None if puzzle.is_black(cell) => sums[cell].clone(),
            None => ".".to_owned(),
        };
        let mut digits: Vec<String> = (0..cells).map(digit).collect();
        let room = match (clues.is_empty(), puzzle.kind) {
            (_, Kind::Kakuro) => longest(&clues).max(longest(&digits)).max(3),
            (false, _) => longest(&clues).max(longest(&digits)).max(4),
            (true, _) => (longest(&digits) + 1).max(3),
        };
        let is_shaded = |cell: &usize| puzzle.is_black(*cell) && printed[*cell] == BlackClues::default();
        for cell in (0..cells).filter(is_shaded) {
            digits[cell] = "░".repeat(room);
            clues.get_mut(cell).into_iter().for_each(|clue| *clue = "░".repeat(room));
        }
        Self { width: room, lines: Ruling::of(puzzle), clues, digits }
    }

    fn fits(&self) -> bool {
        self.lines.cols * (self.width + 1) < PAGE
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for row in 0..self.lines.rows {
            self.rule(row, &mut text);
            if !self.clues.is_empty() {
                self.words(row, |cell| format!("{:<1$}", self.clues[cell], self.width), &mut text);
            }
            self.words(row, |cell| format!("{:^1$}", self.digits[cell], self.width), &mut text);
        }
        self.rule(self.lines.rows, &mut text);
        text
    }

    /// The line above a row, or below the last; where no clues need room, only if anything is drawn there.
    fn rule(&self, row: usize, text: &mut String) {
        let above = |column| self.lines.above(row + 1, column + 1);
        if self.clues.is_empty() && (0..self.lines.cols).all(|column| above(column) == 0) {
            return;
        }
        for column in 0..=self.lines.cols {
            text.push(self.lines.corner(row + 1, column + 1));
            if column < self.lines.cols {
                text.push_str(&ACROSS[above(column)].repeat(self.width));
            }
        }
        end_line(text);
    }

    /// One line of text through the cells of a row.
    fn words(&self, row: usize, word: impl Fn(usize) -> String, text: &mut String) {
        for column in 0..=self.lines.cols {
            text.push(DOWN[self.lines.before(row + 1, column + 1)]);
            if column < self.lines.cols {
                text.push_str(&word(row * self.lines.cols + column));
            }
        }
        end_line(text);
    }
}

fn end_line(text: &mut String) {
    text.truncate(text.trim_end_matches(' ').len());
    text.push('\n');
}

/// The clue in each cell, empty without one; no clues when no cell has one. That of a one-cell cage is its digit and is left
/// out.
fn clues(puzzle: &Puzzle) -> Vec<String> {
    let mut clues = vec![String::new(); puzzle.rows() * puzzle.cols()];
    for cage in puzzle.groups_with(Role::Cage).filter(|cage| cage.cells.len() > 1) {
        if let Some(clue) = cage.clue {
            clues[cage.cells[0]] = clue.to_string();
        }
    }
    if clues.iter().all(String::is_empty) { Vec::new() } else { clues }
}

/// The sums of each black cell, `down\across` with the `\` aligned; empty without any.
fn sums(printed: &[BlackClues]) -> Vec<String> {
    let show = |sum: Option<i64>| sum.map_or_else(String::new, |sum| sum.to_string());
    let longest = |of: fn(&BlackClues) -> Option<i64>| {
        printed.iter().map(|clues| show(of(clues)).len()).max().unwrap_or_default()
    };
    let (left, right) = (longest(|clues| clues.down), longest(|clues| clues.across));
    let text = |clues: &BlackClues| match clues {
        BlackClues { down: None, across: None } => String::new(),
        BlackClues { down, across } => format!("{:>left$}\\{:<right$}", show(*down), show(*across)),
    };
    printed.iter().map(text).collect()
}

/// The sums of each black cell, down and across on separate lines.
fn stacks(printed: &[BlackClues]) -> (Vec<String>, Vec<String>) {
    let down = |clues: &BlackClues| clues.down.map_or_else(String::new, |sum| format!("{sum}\\"));
    let across = |clues: &BlackClues| clues.across.map_or_else(String::new, |sum| format!("\\{sum}"));
    (printed.iter().map(down).collect(), printed.iter().map(across).collect())
}

/// The characters of a corner by the weights of its arms: up + 3 right + 9 down + 27 left, each 0 none, 1 light, 2 heavy.
const CORNERS: &str = " ╵╹╶└┖╺┕┗╷│╿┌├┞┍┝┡╻╽┃┎┟┠┏┢┣╴┘┚─┴┸╼┶┺┐┤┦┬┼╀┮┾╄┒┧┨┰╁╂┲╆╊╸┙┛╾┵┹━┷┻┑┥┩┭┽╃┯┿╇┓┪┫┱╅╉┳╈╋";

/// A line: none, light, heavy, or heavy and broken, as an index.
type Weight = usize;

/// Ruling across, by weight.
const ACROSS: [&str; 4] = [" ", "─", "━", "╍"];

/// Ruling down, by weight.
const DOWN: [char; 4] = [' ', '│', '┃', '╏'];

/// Which area and which box each cell belongs to.
struct Ruling {
    rows: usize,
    cols: usize,
    /// Light lines run between areas.
    areas: Vec<usize>,
    /// Heavy lines run between boxes, where there are any.
    boxes: Option<Vec<usize>>,
    corners: Vec<char>,
}

impl Ruling {
    fn of(puzzle: &Puzzle) -> Self {
        let cells = puzzle.rows() * puzzle.cols();
        let boxes = owners(puzzle, Role::Region);
        let areas = match owners(puzzle, Role::Cage) {
            Some(cages) => cages,
            None if boxes.is_some() && puzzle.kind != Kind::Kakuro => vec![0; cells],
            None => (0..cells).collect(),
        };
        Self { rows: puzzle.rows(), cols: puzzle.cols(), areas, boxes, corners: CORNERS.chars().collect() }
    }

    /// The line above a cell, or below the last row; rows and columns count from 1, cells outside the grid have none.
    fn above(&self, row: usize, column: usize) -> Weight {
        self.between((row - 1, column), (row, column))
    }

    /// The line left of a cell, or right of the last column.
    fn before(&self, row: usize, column: usize) -> Weight {
        self.between((row, column - 1), (row, column))
    }

    /// The upper left corner of a cell.
    fn corner(&self, row: usize, column: usize) -> char {
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

/// The group with a role that each cell lies in, by number from 1, 0 for none; a group that overlaps an earlier one is
/// skipped. `None` without such groups.
pub(super) fn owners(puzzle: &Puzzle, role: Role) -> Option<Vec<usize>> {
    let mut owners = vec![0; puzzle.rows() * puzzle.cols()];
    let mut any = false;
    for (index, group) in puzzle.groups_with(role).enumerate() {
        if group.cells.iter().all(|cell| owners[*cell] == 0) {
            group.cells.iter().for_each(|cell| owners[*cell] = index + 1);
            any = true;
        }
    }
    any.then_some(owners)
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::puzzle::formats;
    use crate::puzzle::{Cage, Square, operators};

    fn puzzle() -> Puzzle {
        let op = |symbol| operators::find(symbol).expect("a known operator");
        let cages = vec![
            Cage::new(op("*"), 6, vec![(0, 0), (0, 1), (1, 0)]),
            Cage::new(op("-"), 2, vec![(0, 2), (1, 2)]),
            Cage::new(op("="), 3, vec![(1, 1)]),
            Cage::new(op("+"), 6, vec![(2, 0), (2, 1), (2, 2)]),
        ];
        Square::kenken(3, cages).build().expect("a sound puzzle")
    }

    fn read(text: &str) -> Puzzle {
        formats::read("x", text.as_bytes()).remove(0).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn lines_run_where_cages_meet_and_clues_stand_in_first_cells() {
        let grid = Grid::parse("1 2 3/. 3 1/3 1 2", 3, 3).expect("a 3x3 grid");
        let expected = "\
┌─────────┬────┐
│6*       │2-  │
│ 1    2  │ 3  │
│    ┌────┤    │
│    │    │    │
│ .  │[3] │ 1  │
├────┴────┴────┤
│6+            │
│ 3    1    2  │
└──────────────┘
";
        assert_eq!(draw(&puzzle(), &grid, &[4]), expected);
    }

    #[test]
    fn boxes_have_heavy_lines() {
        let grid = Grid::parse("1 2 3 4/3 4 1 2/2 1 4 3/4 3 2 1", 4, 4).expect("a 4x4 grid");
        let expected = "\
┏━━━━━━━━━┳━━━━━━━━━┓
┃ 1    2  ┃ 3    4  ┃
┃ 3    4  ┃ 1    2  ┃
┣━━━━━━━━━╋━━━━━━━━━┫
┃ 2    1  ┃ 4   [3] ┃
┃ 4    3  ┃ 2    1  ┃
┗━━━━━━━━━┻━━━━━━━━━┛
";
        assert_eq!(draw(&read("1..........3..2."), &grid, &[11]), expected);
    }

    #[test]
    fn cages_of_a_killer_have_light_lines_within_heavy_boxes() {
        let text = r#"{"kind":"killer","size":4,"cages":[{"target":7,"cells":[[0,1],[0,2],[1,2]]},{"target":9,"cells":[[2,0],[2,1],[3,1]]}]}"#;
        let grid = Grid::parse("1 2 3 4/3 4 1 2/2 1 4 3/4 3 2 1", 4, 4).expect("a 4x4 grid");
        insta::assert_snapshot!(draw(&read(text), &grid, &[]), @"
    ┏━━━━┯━━━━┳━━━━┯━━━━┓
    ┃    │7+  ╏    │    ┃
    ┃ 1  │ 2  ╏ 3  │ 4  ┃
    ┃    └────┨    │    ┃
    ┃         ┃    │    ┃
    ┃ 3    4  ┃ 1  │ 2  ┃
    ┣━━━━━━━━━╋━━━━┷━━━━┫
    ┃9+       ┃         ┃
    ┃ 2    1  ┃ 4    3  ┃
    ┠────┐    ┃         ┃
    ┃    │    ┃         ┃
    ┃ 4  │ 3  ┃ 2    1  ┃
    ┗━━━━┷━━━━┻━━━━━━━━━┛
    ");
    }

    #[test]
    fn black_cells_show_the_sums_beside_them() {
        let grid = Grid::parse(". . . ./. 1 2 ./. 8 9 ./. . . 3", 4, 4).expect("a 4x4 grid");
        insta::assert_snapshot!(draw(&read("\\,9\\,11\\,\\\n\\3,_,_,x\n\\17,_,_,3\\\n,,\\3,_\n"), &grid, &[]), @r"
    ┌─────┬─────┬─────┬─────┐
    │░░░░░│ 9\  │11\  │░░░░░│
    ├─────┼─────┼─────┼─────┤
    │  \3 │  1  │  2  │░░░░░│
    ├─────┼─────┼─────┼─────┤
    │  \17│  8  │  9  │ 3\  │
    ├─────┼─────┼─────┼─────┤
    │░░░░░│░░░░░│  \3 │  3  │
    └─────┴─────┴─────┴─────┘
    ");
    }

    #[test]
    fn a_wide_kakuro_has_its_sums_above_one_another() {
        let text = ["\\", &",12\\".repeat(20), "\n\\", "99", &",_".repeat(20)].concat();
        let shown = draw(&read(&text), &Grid::empty(2, 21), &[]);
        let starts: Vec<String> = shown.lines().map(|line| line.chars().take(10).collect()).collect();
        let expected = [
            "┌───┬───┬─",
            "│░░░│12\\│1",
            "│░░░│   │ ",
            "├───┼───┼─",
            "│   │   │ ",
            "│\\99│ . │ ",
            "└───┴───┴─",
        ];
        assert_eq!(starts, expected);
    }

    #[test]
    fn sums_without_a_black_cell_are_listed() {
        let text = r#"{"kind":"kakuro","rows":1,"cols":3,"runs":[{"target":3,"cells":[[0,0],[0,1]]},{"target":12,"cells":[[0,0]]}]}"#;
        insta::assert_snapshot!(draw(&read(text), &Grid::empty(1, 3), &[]), @"
    ┌───┬───┬───┐
    │ . │ . │░░░│
    └───┴───┴───┘
    not in a black cell: entry 12 at A1, entry 3+ at A1
    ");
    }

    #[test]
    fn a_grid_wider_than_a_page_is_plain_rows() {
        let plus = operators::find("+").expect("a known operator");
        let cages = (0..25 * 25).step_by(25).flat_map(|first| {
            let cells =
                |from: usize, to| (first + from..first + to).map(|cell| (cell / 25, cell % 25)).collect();
            [Cage::new(plus, 3, cells(0, 2)), Cage::new(plus, 3, cells(2, 25))]
        });
        let puzzle = Square::kenken(25, cages.collect()).build().expect("a sound puzzle");
        assert_eq!(draw(&puzzle, &Grid::empty(25, 25), &[]), format!("{}.\n", ". ".repeat(24)).repeat(25));
    }
}
