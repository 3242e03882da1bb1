//! Grids drawn with their cages.
//!
//! ```text
//! ┌──────────┬────┐
//! │3+        │1-  │
//! │  1    2  │ 3  │
//! ├──────────┤    │
//! ```
//!
//! Lines run where cages meet; a clue stands in its cage's first cell. Without cages, regions are outlined; without
//! those, every cell. A drawing wider than a page gives way to plain rows.

use crate::puzzle::{Grid, Puzzle, Role};

/// The most columns of a drawing.
const PAGE: usize = 110;

/// The characters of a corner, by which of its four arms are drawn: 1 up, 2 right, 4 down, 8 left.
const CORNERS: [char; 16] = [' ', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼'];

/// Draws a grid with the cages of its puzzle; the digits of `marked` cells (row-major indices) stand in brackets. Ends
/// with a line break.
///
/// # Panics
/// When the grid has another shape than the puzzle.
pub fn draw(puzzle: &Puzzle, grid: &Grid, marked: &[usize]) -> String {
    assert_eq!((grid.rows(), grid.cols()), (puzzle.rows(), puzzle.cols()), "grid and puzzle have one shape");
    let drawing = Drawing::new(puzzle, grid, marked);
    if drawing.cols * (drawing.width + 1) < PAGE { drawing.text() } else { grid.picture() }
}

struct Drawing {
    rows: usize,
    cols: usize,
    /// The columns of text inside a cell.
    width: usize,
    /// Which area each cell belongs to; lines run between areas.
    areas: Vec<usize>,
    clues: Vec<String>,
    digits: Vec<String>,
}

impl Drawing {
    fn new(puzzle: &Puzzle, grid: &Grid, marked: &[usize]) -> Self {
        let cells = puzzle.rows() * puzzle.cols();
        let digits: Vec<String> =
            (0..cells).map(|cell| digit(puzzle, grid, cell, marked.contains(&cell))).collect();
        let clues = clues(puzzle);
        let longest = |words: &[String]| words.iter().map(|word| word.chars().count()).max().unwrap_or(0);
        let width = longest(&clues).max(longest(&digits)).max(4);
        Self { rows: puzzle.rows(), cols: puzzle.cols(), width, areas: areas(puzzle), clues, digits }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for row in 0..self.rows {
            self.rule(row, &mut text);
            self.words(row, |cell| format!("{:<width$}", self.clues[cell], width = self.width), &mut text);
            self.words(row, |cell| format!("{:^width$}", self.digits[cell], width = self.width), &mut text);
        }
        self.rule(self.rows, &mut text);
        text
    }

    /// The area of a cell; `None` outside the grid, where row and column count from 1.
    fn area(&self, row: usize, column: usize) -> Option<usize> {
        let inside = (1..=self.rows).contains(&row) && (1..=self.cols).contains(&column);
        inside.then(|| self.areas[(row - 1) * self.cols + column - 1])
    }

    /// The line above a row, or below the last.
    fn rule(&self, row: usize, text: &mut String) {
        for column in 0..=self.cols {
            let [above_left, above, left, below] =
                [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]
                    .map(|(row, column)| self.area(row, column));
            let arms = usize::from(above_left != above)
                | usize::from(above != below) << 1
                | usize::from(left != below) << 2
                | usize::from(above_left != left) << 3;
            text.push(CORNERS[arms]);
            if column < self.cols {
                let fill = if above == below { " " } else { "─" };
                text.push_str(&fill.repeat(self.width));
            }
        }
        end_line(text);
    }

    /// One line of text through the cells of a row.
    fn words(&self, row: usize, word: impl Fn(usize) -> String, text: &mut String) {
        for column in 0..=self.cols {
            let wall = self.area(row + 1, column) != self.area(row + 1, column + 1);
            text.push(if wall { '│' } else { ' ' });
            if column < self.cols {
                text.push_str(&word(row * self.cols + column));
            }
        }
        end_line(text);
    }
}

fn end_line(text: &mut String) {
    text.truncate(text.trim_end_matches(' ').len());
    text.push('\n');
}

fn digit(puzzle: &Puzzle, grid: &Grid, cell: usize, marked: bool) -> String {
    match grid.get(cell) {
        Some(digit) if marked => format!("[{digit}]"),
        Some(digit) => digit.to_string(),
        None if puzzle.is_black(cell) => "░░".to_owned(),
        None => ".".to_owned(),
    }
}

/// The clue that stands in each cell, empty where none does. That of a one-cell cage is its digit and needs no words.
fn clues(puzzle: &Puzzle) -> Vec<String> {
    let mut clues = vec![String::new(); puzzle.rows() * puzzle.cols()];
    for cage in puzzle.groups_with(Role::Cage).filter(|cage| cage.cells.len() > 1) {
        if let Some(clue) = cage.clue {
            clues[cage.cells[0]] = clue.to_string();
        }
    }
    clues
}

/// Which area each cell belongs to: its cage, else its region, else itself.
fn areas(puzzle: &Puzzle) -> Vec<usize> {
    let cells = puzzle.rows() * puzzle.cols();
    let mut areas: Vec<usize> = (0..cells).collect();
    for role in [Role::Region, Role::Cage] {
        for group in puzzle.groups_with(role) {
            for cell in &group.cells {
                areas[*cell] = cells * (1 + usize::from(role == Role::Cage)) + group.cells[0];
            }
        }
    }
    areas
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Cage, KenKen, operators};

    fn puzzle() -> Puzzle {
        let op = |symbol| operators::find(symbol).expect("a known operator");
        let cages = vec![
            Cage::new(op("*"), 6, vec![(0, 0), (0, 1), (1, 0)]),
            Cage::new(op("-"), 2, vec![(0, 2), (1, 2)]),
            Cage::new(op("="), 3, vec![(1, 1)]),
            Cage::new(op("+"), 6, vec![(2, 0), (2, 1), (2, 2)]),
        ];
        KenKen::new(3, cages).build().expect("a sound puzzle")
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
    fn a_grid_wider_than_a_page_is_plain_rows() {
        let cells = (0..25 * 25).map(|cell| Cage::new(operators::GIVEN, 1, vec![(cell / 25, cell % 25)]));
        let puzzle = KenKen::new(25, cells.collect()).build().expect("a sound puzzle");
        let grid = Grid::empty(25, 25);
        assert_eq!(draw(&puzzle, &grid, &[]), grid.picture());
    }
}
