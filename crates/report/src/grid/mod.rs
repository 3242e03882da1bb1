//! Grids drawn with their cages, boxes and clues.
//!
//! ```text
//! ┌──────────┬────┐    ┏━━━━━━━━━┓    ┌────┬────┬────┐
//! │3+        │1-  │    ┃ 1  2  3 ┃    │░░░░│ 3\ │ 4\ │
//! │  1    2  │ 3  │    ┃ 4  5  6 ┃    ├────┼────┼────┤
//! ├──────────┤    │    ┣━━━━━━━━━┫    │ \3 │ 1  │ 2  │
//! ```
//!
//! ```text
//! ┌───┬───┬───┐    ┌───┬───┬───┬───┐    ┌─────┬─────┬─────┐
//! │ 1 < 2 │ 3 │    │ . │ . │ Q │ . │    │  2  │  7  │  6  │
//! ├───┼─∨─┼───┤    ├───┼───┼───┼───┤    ├─────┼─────┼─────┤
//! ```
//!
//! Light lines run between cages, heavy ones between boxes, broken where a cage crosses them. A clue stands in the first cell
//! of its cage; in a Kakuro, in the black cell before its entry, in wide puzzles the clue down above that across. Without
//! cages and boxes every cell is outlined. The signs of a Futoshiki stand in the lines between its cells; queens are drawn on
//! their board, with their rows below; the sum of a magic square stands below it. Puzzles wider than a page are written as plain rows.
//!
//! Invariant: the characters are pinned by the snapshots of every command that prints a puzzle. How a drawing is composed may
//! change freely. A new kind of puzzle needs a change here only when it has signs that the lines cannot show.

mod canvas;
mod rules;
mod ruling;

use crate::prose::wrap;
use kenga_core::puzzle::{BlackClues, Grid, Kind, PrintedClues, Puzzle, Role};

pub use canvas::{ClueStyle, TextCanvas, canvas};
pub(super) use rules::{drawn, unshown};
pub(super) use ruling::owners;
use ruling::{Ruling, Signs};

/// The most columns of a drawing.
const PAGE: usize = 110;

/// The columns of words below a drawing.
const PROSE: usize = 80;

/// The most clues without a black cell that are listed below a drawing.
const LISTED: usize = 12;

/// Draws a grid with the cages of its puzzle; the digits of `marked` cells (row-major indices) stand in brackets. Ends
/// with a line break.
///
/// # Panics
/// When the grid has another shape than the puzzle.
pub fn draw(puzzle: &Puzzle, grid: &Grid, marked: &[usize]) -> String {
    draw_noted(puzzle, grid, marked, &[])
}

/// Draws a grid as [`draw`] does, with lines of text in its empty cells: for each cell a list, as many lines in each that has
/// any; none at all without notes.
pub(super) fn draw_noted(puzzle: &Puzzle, grid: &Grid, marked: &[usize], notes: &[Vec<String>]) -> String {
    assert_eq!((grid.rows(), grid.cols()), (puzzle.rows(), puzzle.cols()), "grid and puzzle have one shape");
    let mut is_marked = vec![false; grid.cells().len()];
    for cell in marked {
        is_marked[*cell] = true;
    }
    if puzzle.kind == Kind::Queens {
        return board(grid, &is_marked);
    }
    let printed = PrintedClues::of(puzzle);
    for stacked in [false, true] {
        // Only black cells have two clues to stack.
        if stacked && puzzle.kind != Kind::Kakuro {
            break;
        }
        let drawing = TextDrawing::new(puzzle, grid, &is_marked, &printed.cells, stacked).with_notes(notes);
        if drawing.fits() {
            return drawing.text()
                + &unplaced(puzzle, &printed.unplaced)
                + &sum_below(puzzle)
                + &rules_below(puzzle);
        }
    }
    plain(puzzle, grid) + &rules_below(puzzle)
}

/// The board of queens, each in the row that the digit of its column says, and these digits below.
fn board(grid: &Grid, marked: &[bool]) -> String {
    let n = grid.cols();
    let mut rows = vec![".".to_owned(); n];
    let mut digits = vec![".".to_owned(); n * n];
    for column in 0..n {
        if let Some(row) = grid.get(column) {
            rows[column] = row.to_string();
            // A digit from outside the board shows in the line below alone.
            if (1..=n).contains(&usize::from(row)) {
                let queen = if marked[column] { "[Q]" } else { "Q" };
                digits[(usize::from(row) - 1) * n + column] = queen.to_owned();
            }
        }
    }
    let signs = Signs::none(n * n);
    let drawing = TextDrawing {
        width: 3,
        lines: Ruling::plain(n, n),
        signs,
        clues: Vec::new(),
        style: ClueStyle::OwnLine,
        digits,
        notes: Vec::new(),
    };
    if !drawing.fits() {
        return rows.join(" ") + "\n";
    }
    let mut below: String = rows.iter().map(|row| format!(" {row:^3}")).collect();
    end_line(&mut below);
    drawing.text() + &below
}

/// The sum of a magic square in words.
fn sum_below(puzzle: &Puzzle) -> String {
    if puzzle.kind != Kind::Magic {
        return String::new();
    }
    let sum = puzzle.groups_with(Role::Row).find_map(|row| row.clue);
    sum.map_or_else(String::new, |clue| format!("rows, columns and diagonals add up to {}\n", clue.target))
}

/// The rules of a grid of groups that its lines do not show.
fn rules_below(puzzle: &Puzzle) -> String {
    let mut text = String::new();
    for rule in unshown(puzzle, false) {
        text += &wrap(&rule, PROSE);
        text.push('\n');
    }
    text
}

/// The grid as aligned rows of digits, with black cells shaded.
fn plain(puzzle: &Puzzle, grid: &Grid) -> String {
    let width = grid.cells().iter().flatten().map(|digit| digit.to_string().len()).max().unwrap_or(1);
    let mut text = String::new();
    for cell in 0..grid.cells().len() {
        text += &match grid.get(cell) {
            Some(digit) => format!("{digit:>width$}"),
            None if puzzle.is_black(cell) => "░".repeat(width),
            None => format!("{:>width$}", "."),
        };
        text.push(if (cell + 1) % grid.cols() == 0 { '\n' } else { ' ' });
    }
    text
}

/// The entries of a Kakuro whose clues stand in no black cell, in words.
fn unplaced(puzzle: &Puzzle, entries: &[usize]) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let mut names = Vec::new();
    for entry in entries.iter().take(LISTED) {
        names.push(puzzle.group_name(&puzzle.groups()[*entry]));
    }
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
    /// The signs in the lines.
    signs: Signs,
    /// The text above the digit of each cell; empty when no cell has any.
    clues: Vec<String>,
    style: ClueStyle,
    digits: Vec<String>,
    /// Lines of text in place of the digits of some cells; empty without any.
    notes: Vec<Vec<String>>,
}

impl TextDrawing {
    /// Black cells show their sums side by side, or `stacked`, the one down above the one across.
    fn new(puzzle: &Puzzle, grid: &Grid, marked: &[bool], printed: &[BlackClues], stacked: bool) -> Self {
        let cells = puzzle.rows() * puzzle.cols();
        let (mut clues, sums) = if stacked { stacks(printed) } else { (clues(puzzle), sums(printed)) };
        let mut digits = Vec::with_capacity(cells);
        for cell in 0..cells {
            digits.push(match grid.get(cell) {
                Some(digit) if marked[cell] => format!("[{digit}]"),
                Some(digit) => digit.to_string(),
                None if puzzle.is_black(cell) => sums[cell].clone(),
                None => ".".to_owned(),
            });
        }
        let words = longest(clues.iter().chain(&digits));
        let room = if puzzle.kind == Kind::Kakuro {
            words.max(3)
        } else if clues.is_empty() {
            (words + 1).max(3)
        } else {
            words.max(4)
        };
        for cell in (0..cells).filter(|cell| puzzle.is_black(*cell)) {
            if printed[cell] == BlackClues::default() {
                digits[cell] = "░".repeat(room);
                if let Some(clue) = clues.get_mut(cell) {
                    *clue = "░".repeat(room);
                }
            }
        }
        Self {
            width: room,
            lines: Ruling::of(puzzle),
            signs: Signs::of(puzzle),
            clues,
            style: ClueStyle::OwnLine,
            digits,
            notes: Vec::new(),
        }
    }

    /// The drawing with lines of text in some cells.
    fn with_notes(mut self, notes: &[Vec<String>]) -> Self {
        let widest = longest(notes.iter().flatten());
        // Text keeps a column from the lines on either side.
        self.width = self.width.max(if widest > 0 { widest + 2 } else { 0 });
        notes.clone_into(&mut self.notes);
        self
    }

    fn fits(&self) -> bool {
        self.lines.cols * (self.width + 1) < PAGE
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for row in 0..self.lines.rows {
            self.rule(row, &mut text);
            if self.has_clue_lines() {
                self.words(row, |cell| format!("{:<1$}", self.clues[cell], self.width), &mut text);
            }
            let lines = self.cell_lines();
            for line in 0..lines {
                self.words(row, |cell| self.word(cell, line, lines), &mut text);
            }
        }
        self.rule(self.lines.rows, &mut text);
        text
    }

    /// The clues stand in lines of their own above the digits.
    fn has_clue_lines(&self) -> bool {
        !self.clues.is_empty() && self.style == ClueStyle::OwnLine
    }

    /// The lines of a cell below that of its clue.
    fn cell_lines(&self) -> usize {
        self.notes.iter().map(Vec::len).max().unwrap_or(0).max(1)
    }

    /// One line of a cell: of its notes, or its digit in the middle.
    fn word(&self, cell: usize, line: usize, lines: usize) -> String {
        let notes = self.notes.get(cell).and_then(|notes| notes.get(line));
        let digit = if line == lines / 2 { &*self.digits[cell] } else { "" };
        let is_shaded = digit.is_empty() && self.digits[cell].starts_with('░');
        match notes {
            _ if is_shaded => self.digits[cell].clone(),
            Some(notes) => format!("{notes:^0$}", self.width),
            None => format!("{digit:^0$}", self.width),
        }
    }

    /// Something is drawn above a row, or below the last; where clues need room, always.
    fn has_rule(&self, row: usize) -> bool {
        !self.clues.is_empty() || (0..self.lines.cols).any(|column| self.lines.above(row + 1, column + 1) > 0)
    }

    /// The line above a row, or below the last, if there is one.
    fn rule(&self, row: usize, text: &mut String) {
        if !self.has_rule(row) {
            return;
        }
        for column in 0..=self.lines.cols {
            text.push(self.lines.corner(row + 1, column + 1));
            if column < self.lines.cols {
                self.line(row, column, text);
            }
        }
        end_line(text);
    }

    /// The line above one cell, with the sign or the clue in it.
    fn line(&self, row: usize, column: usize, text: &mut String) {
        let line = Ruling::across(self.lines.above(row + 1, column + 1));
        let cell = row * self.lines.cols + column;
        // Below the last row there is no cell, and neither sign nor clue.
        if let Some(Some(sign)) = self.signs.above.get(cell) {
            let left = (self.width - 1) / 2;
            text.push_str(&line.repeat(left));
            text.push(*sign);
            text.push_str(&line.repeat(self.width - 1 - left));
            return;
        }
        let clue = match self.clues.get(cell) {
            Some(clue) if self.style == ClueStyle::InRules => clue,
            _ => "",
        };
        text.push_str(clue);
        text.push_str(&line.repeat(self.width - clue.chars().count()));
    }

    /// One line of text through the cells of a row.
    fn words(&self, row: usize, word: impl Fn(usize) -> String, text: &mut String) {
        for column in 0..=self.lines.cols {
            let cell = row * self.lines.cols + column;
            let sign = if column < self.lines.cols { self.signs.before[cell] } else { None };
            text.push(sign.unwrap_or_else(|| Ruling::down(self.lines.before(row + 1, column + 1))));
            if column < self.lines.cols {
                text.push_str(&word(cell));
            }
        }
        end_line(text);
    }
}

/// The characters of the longest word.
fn longest<'a>(words: impl Iterator<Item = &'a String>) -> usize {
    words.map(|word| word.chars().count()).max().unwrap_or(0)
}

fn end_line(text: &mut String) {
    text.truncate(text.trim_end_matches(' ').len());
    text.push('\n');
}

/// The clue in each cell, empty without one; no clues when no cell has one. That of a one-cell cage is its digit and is left
/// out.
fn clues(puzzle: &Puzzle) -> Vec<String> {
    let mut clues = vec![String::new(); puzzle.rows() * puzzle.cols()];
    let drawn = drawn(puzzle);
    for (cage, is_drawn) in puzzle.groups().iter().zip(drawn) {
        // Cages of a grid may overlap: what has no outline stands below, with its clue.
        let is_cage = cage.role == Role::Cage && (is_drawn || puzzle.kind != Kind::Grid);
        if cage.cells.len() > 1
            && is_cage
            && let Some(clue) = cage.clue
        {
            clues[cage.cells[0]] = clue.printed();
        }
    }
    if clues.iter().all(String::is_empty) { Vec::new() } else { clues }
}

/// The sums of each black cell, `down\across` with the `\` aligned; empty without any.
fn sums(printed: &[BlackClues]) -> Vec<String> {
    let (mut left, mut right) = (0, 0);
    for clues in printed {
        left = left.max(sum_text(clues.down).len());
        right = right.max(sum_text(clues.across).len());
    }
    let mut sums = Vec::new();
    for clues in printed {
        let (down, across) = (sum_text(clues.down), sum_text(clues.across));
        let has_none = down.is_empty() && across.is_empty();
        sums.push(if has_none { String::new() } else { format!("{down:>left$}\\{across:<right$}") });
    }
    sums
}

fn sum_text(sum: Option<i64>) -> String {
    sum.map_or_else(String::new, |sum| sum.to_string())
}

/// The sums of each black cell, down and across on separate lines.
fn stacks(printed: &[BlackClues]) -> (Vec<String>, Vec<String>) {
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for clues in printed {
        above.push(clues.down.map_or_else(String::new, |sum| format!("{sum}\\")));
        below.push(clues.across.map_or_else(String::new, |sum| format!("\\{sum}")));
    }
    (above, below)
}
