//! The best grid: cells of broken cages, regions and entries in colour, broken rows and columns marked beside it, and cells
//! that differ from the nearest true solution in brackets. A grid that is too large for its cages to be drawn stands without
//! them; one that is too large altogether is scrolled to the cursor.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::screen::Scene;
use super::state::Focus;
use crate::playback::Leader;
use crate::puzzle::{Grid, Kind, Puzzle, Role};
use crate::report;

/// What is known of each cell, and which rows and columns are broken.
struct Marks {
    broken: Vec<bool>,
    wrong: Vec<bool>,
    rows: Vec<bool>,
    columns: Vec<bool>,
}

impl Marks {
    fn of(puzzle: &Puzzle, best: &Leader) -> Self {
        let (rows, columns) = (puzzle.rows(), puzzle.cols());
        let none = vec![false; rows * columns];
        let mut marks = Self {
            broken: none.clone(),
            wrong: none,
            rows: vec![false; rows],
            columns: vec![false; columns],
        };
        best.wrong().for_each(|place| marks.wrong[place] = true);
        for broken in &best.broken {
            let group = &puzzle.groups()[broken.group];
            match group.role {
                Role::Row => marks.rows[group.cells[0] / columns] = true,
                Role::Column => marks.columns[group.cells[0] % columns] = true,
                _ => group.cells.iter().for_each(|cell| marks.broken[*cell] = true),
            }
        }
        marks
    }
}

/// The columns that the grid would fill in so many lines, those of a frame around it among them.
pub(super) fn columns(scene: &Scene<'_>, lines: u16) -> u16 {
    let Some(best) = scene.best() else { return 0 };
    let text = report::draw(scene.puzzle(), &best.grid, &[]);
    let widest = text.lines().map(report::columns).max().unwrap_or(0) as u16;
    let digits = 4 * best.grid.cols() as u16;
    if text.lines().count() + 2 < usize::from(lines) { widest + 3 } else { digits + 3 }
}

/// Draws the grid, with a mark after every broken row and below every broken column.
pub(super) fn draw(scene: &Scene<'_>, to: &mut Frame<'_>, area: Rect) {
    let Some(best) = scene.best() else {
        return to.render_widget(Paragraph::new("nothing has been evaluated yet"), area);
    };
    let puzzle = scene.puzzle();
    let marks = Marks::of(puzzle, best);
    let wrong: Vec<usize> = best.wrong().collect();
    let text = report::draw(puzzle, &best.grid, &wrong);
    let lines = match Drawing::of(puzzle, &text) {
        Some(drawing) if drawing.fits(area) => drawing.lines(scene, best, &marks),
        _ => compact(scene, best, &marks, area),
    };
    to.render_widget(Paragraph::new(lines), area);
}

/// A drawing as text, and where its cells are.
struct Drawing<'a> {
    puzzle: &'a Puzzle,
    lines: Vec<Vec<char>>,
    /// The columns of text of a cell.
    width: usize,
    /// For every row of the grid, the lines with its cells.
    rows: Vec<Vec<usize>>,
    columns: usize,
}

impl<'a> Drawing<'a> {
    /// `None` where the text is no drawing: the grid is too large for one.
    fn of(puzzle: &'a Puzzle, text: &str) -> Option<Self> {
        let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
        let is_rule =
            |line: &[char]| line.first().is_some_and(|first| !matches!(first, '│' | '┃' | '╏' | ' '));
        // Queens stand on a board of as many rows as columns.
        let columns = puzzle.cols();
        let rows = if puzzle.kind == Kind::Queens { columns } else { puzzle.rows() };
        if !lines.first().is_some_and(|line| is_rule(line)) {
            return None;
        }
        let is_clued = puzzle.groups_with(Role::Cage).any(|cage| cage.cells.len() > 1 && cage.clue.is_some());
        let rows: Vec<Vec<usize>> = match is_clued {
            // A line above, one of clues and one of digits.
            true => (0..rows).map(|row| vec![3 * row + 1, 3 * row + 2]).collect(),
            false => {
                let last = lines.iter().rposition(|line| is_rule(line))?;
                let inner: Vec<usize> = (0..last).filter(|line| !is_rule(&lines[*line])).collect();
                inner.chunks((inner.len() / rows).max(1)).map(<[usize]>::to_vec).collect()
            }
        };
        let width = (lines[0].len() - 1) / columns - 1;
        Some(Self { puzzle, lines, width, rows, columns })
    }

    /// The marks of rows and columns fit as well.
    fn fits(&self, area: Rect) -> bool {
        let widest = self.lines.iter().map(Vec::len).max().unwrap_or(0);
        widest < usize::from(area.width) && self.lines.len() < usize::from(area.height)
    }

    /// The cell of the grid that a character belongs to.
    fn cell(&self, grid: &Grid, row: usize, x: usize) -> Option<usize> {
        let column = x / (self.width + 1);
        if x.is_multiple_of(self.width + 1) || column >= self.columns {
            return None;
        }
        match self.puzzle.kind {
            Kind::Queens => {
                let holds = grid.get(column).is_some_and(|digit| usize::from(digit) == row + 1);
                holds.then_some(column)
            }
            _ => Some(row * self.columns + column),
        }
    }

    fn lines(&self, scene: &Scene<'_>, best: &Leader, marks: &Marks) -> Vec<Line<'static>> {
        let mut lines: Vec<Line<'static>> = Vec::with_capacity(self.lines.len() + 1);
        for (number, text) in self.lines.iter().enumerate() {
            let row = self.rows.iter().position(|lines| lines.contains(&number));
            let style = |x: usize| match row.and_then(|row| self.cell(&best.grid, row, x)) {
                Some(cell) => cell_style(scene, marks, cell),
                None => scene.palette.faint(),
            };
            let mut spans: Vec<Span<'static>> =
                text.iter().enumerate().map(|(x, char)| Span::styled(char.to_string(), style(x))).collect();
            let is_digits = row.is_some_and(|row| self.rows[row].last() == Some(&number));
            if is_digits && row.and_then(|row| marks.rows.get(row)).is_some_and(|broken| *broken) {
                spans.push(Span::styled("!", scene.palette.broken()));
            }
            lines.push(Line::from(spans));
        }
        let mark = |broken: &bool| format!(" {:^1$}", if *broken { "!" } else { "" }, self.width);
        let below: String = marks.columns.iter().map(mark).collect();
        lines.push(Line::styled(below, scene.palette.broken()));
        lines
    }
}

/// The style of a cell: broken before wrong, reversed under the cursor.
fn cell_style(scene: &Scene<'_>, marks: &Marks, cell: usize) -> Style {
    let palette = scene.palette;
    let style = match (marks.broken[cell], marks.wrong[cell]) {
        (true, _) => palette.broken(),
        (false, true) => palette.wrong(),
        (false, false) => Style::new(),
    };
    let (row, column) = scene.face.cell;
    let is_here = scene.face.focus == Focus::Grid && cell == row * scene.puzzle().cols() + column;
    if is_here { palette.cursor(style) } else { style }
}

/// The digits alone, as many columns and rows as fit around the cursor.
fn compact(scene: &Scene<'_>, best: &Leader, marks: &Marks, area: Rect) -> Vec<Line<'static>> {
    let (puzzle, grid) = (scene.puzzle(), &best.grid);
    let longest = grid.cells().iter().flatten().map(|digit| digit.to_string().len()).max().unwrap_or(1);
    // A cell that is wrong has a mark of its own; brackets where there is room.
    let width = if (longest + 2) * grid.cols() < usize::from(area.width) { longest + 2 } else { longest + 1 };
    let columns = window(grid.cols(), scene.face.cell.1, usize::from(area.width).saturating_sub(1) / width);
    let rows = window(grid.rows(), scene.face.cell.0, usize::from(area.height).saturating_sub(1));
    let mut lines = Vec::new();
    for row in rows {
        let mut spans = Vec::new();
        for column in columns.clone() {
            let cell = row * grid.cols() + column;
            spans.push(Span::styled(word(puzzle, grid, cell, width, marks), cell_style(scene, marks, cell)));
        }
        if marks.rows[row] {
            spans.push(Span::styled("!", scene.palette.broken()));
        }
        lines.push(Line::from(spans));
    }
    let mark = |column: usize| format!("{:>1$}", if marks.columns[column] { "!" } else { "" }, width);
    let below: String = columns.map(mark).collect();
    lines.push(Line::styled(below, scene.palette.broken().add_modifier(Modifier::BOLD)));
    lines
}

/// A cell in so many columns: `[3]` or `'3` where it is wrong.
fn word(puzzle: &Puzzle, grid: &Grid, cell: usize, width: usize, marks: &Marks) -> String {
    let digit = match grid.get(cell) {
        Some(digit) => digit.to_string(),
        None if puzzle.is_black(cell) => "░".repeat(width),
        None => ".".to_owned(),
    };
    let has_brackets = digit.chars().count() + 2 <= width;
    match (marks.wrong[cell], has_brackets) {
        (true, true) => format!("{:>width$}", format!("[{digit}]")),
        (true, false) => format!("{:>width$}", format!("'{digit}")),
        (false, true) => format!("{:>width$}", format!("{digit} ")),
        (false, false) => format!("{digit:>width$}"),
    }
}

/// The part of `count` rows or columns that fits and holds the one under the cursor.
fn window(count: usize, cursor: usize, fits: usize) -> std::ops::Range<usize> {
    let fits = fits.clamp(1, count.max(1));
    let first = cursor.saturating_sub(fits / 2).min(count - fits.min(count));
    first..(first + fits).min(count)
}
