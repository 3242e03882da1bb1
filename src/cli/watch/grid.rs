//! The best grid: cells of broken cages, regions and entries in colour, broken rows and columns marked beside it, and cells
//! that differ from the nearest true solution in brackets. A grid that is too large for its cages to be drawn stands without
//! them; one that is too large altogether is scrolled to the cursor.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::scene::Scene;
use super::state::Focus;
use crate::cli::screen::window;
use kenga_core::puzzle::{Grid, Kind, Puzzle, Role};
use kenga_lab::playback::Leader;
use kenga_report::{ClueStyle, TextCanvas, canvas};

/// What is known of each cell, and which rows and columns are broken.
struct CellMarks {
    broken: Vec<bool>,
    wrong: Vec<bool>,
    rows: Vec<bool>,
    columns: Vec<bool>,
}

impl CellMarks {
    fn of(puzzle: &Puzzle, best: &Leader) -> Self {
        let (rows, columns) = (puzzle.rows(), puzzle.cols());
        let none = vec![false; rows * columns];
        let mut marks = Self {
            broken: none.clone(),
            wrong: none,
            rows: vec![false; rows],
            columns: vec![false; columns],
        };
        for place in best.wrong() {
            marks.wrong[place] = true;
        }
        for broken in &best.broken {
            let group = &puzzle.groups()[broken.group];
            match group.role {
                Role::Row => marks.rows[group.cells[0] / columns] = true,
                Role::Column => marks.columns[group.cells[0] % columns] = true,
                _ => {
                    for cell in &group.cells {
                        marks.broken[*cell] = true;
                    }
                }
            }
        }
        marks
    }
}

/// The columns that the grid would fill in so many lines, those of a frame around it among them.
pub(super) fn columns(scene: &Scene<'_>, lines: u16) -> u16 {
    let Some(best) = scene.best() else { return 0 };
    // The frame takes two lines, and with the mark after every row three columns.
    let columns = match roomiest(scene.puzzle(), best, usize::from(lines).saturating_sub(2), usize::MAX) {
        Some(canvas) => canvas.size().1 + 3,
        None => 4 * best.grid.cols() + 3,
    };
    columns as u16
}

/// The drawing that shows most in fewer lines and columns than these.
fn roomiest(puzzle: &Puzzle, best: &Leader, lines: usize, columns: usize) -> Option<TextCanvas> {
    for style in [ClueStyle::OwnLine, ClueStyle::InRules] {
        let canvas = drawn(puzzle, best, style);
        if canvas.size().0 < lines && canvas.size().1 < columns {
            return Some(canvas);
        }
    }
    None
}

/// Draws the grid, with a mark after every broken row and below every broken column.
pub(super) fn draw(scene: &Scene<'_>, to: &mut Frame<'_>, area: Rect) {
    let Some(best) = scene.best() else {
        return to.render_widget(Paragraph::new("nothing has been evaluated yet"), area);
    };
    let marks = CellMarks::of(scene.puzzle(), best);
    let lines = match roomiest(scene.puzzle(), best, area.height.into(), area.width.into()) {
        Some(canvas) => drawing(&canvas, scene, best, &marks),
        None => compact(scene, best, &marks, area),
    };
    to.render_widget(Paragraph::new(lines), area);
}

/// The grid with its lines and clues; digits that differ from a solution in brackets.
fn drawn(puzzle: &Puzzle, best: &Leader, style: ClueStyle) -> TextCanvas {
    let grid = &best.grid;
    let mut is_wrong = vec![false; grid.cells().len()];
    for place in best.wrong() {
        is_wrong[place] = true;
    }
    let mut words = Vec::new();
    if puzzle.kind == Kind::Queens {
        for square in 0..puzzle.cols() * puzzle.cols() {
            words.push(vec![match queen(best, square / grid.cols(), square % grid.cols()) {
                Some(place) if is_wrong[place] => "[Q]".to_owned(),
                Some(_) => "Q".to_owned(),
                None => ".".to_owned(),
            }]);
        }
    } else {
        for (place, is_wrong) in is_wrong.into_iter().enumerate() {
            words.push(vec![match grid.get(place) {
                Some(digit) if is_wrong => format!("[{digit}]"),
                Some(digit) => digit.to_string(),
                None => ".".to_owned(),
            }]);
        }
    }
    canvas(puzzle, words, style)
}

/// The column whose queen stands there.
fn queen(best: &Leader, row: usize, column: usize) -> Option<usize> {
    best.grid.get(column).is_some_and(|digit| usize::from(digit) == row + 1).then_some(column)
}

/// The cell that a place of a drawing belongs to; none on the lines, and on a square of a board without a queen.
fn cell_at(canvas: &TextCanvas, puzzle: &Puzzle, best: &Leader, line: usize, x: usize) -> Option<usize> {
    let spot = canvas.spot(line, x)?;
    match puzzle.kind {
        Kind::Queens => queen(best, spot.row, spot.column),
        _ => Some(spot.row * puzzle.cols() + spot.column),
    }
}

/// A drawing with its styles, the marks of rows behind it and those of columns below.
fn drawing(canvas: &TextCanvas, scene: &Scene<'_>, best: &Leader, marks: &CellMarks) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = Vec::with_capacity(canvas.lines.len() + 1);
    for (number, text) in canvas.lines.iter().enumerate() {
        let mut spans = Vec::with_capacity(text.len() + 1);
        for (x, letter) in text.iter().enumerate() {
            let style = match cell_at(canvas, scene.puzzle(), best, number, x) {
                Some(cell) => cell_style(scene, marks, cell),
                None => scene.palette.faint(),
            };
            spans.push(Span::styled(letter.to_string(), style));
        }
        let row = canvas.is_last_of_row(number);
        // A board has as many rows as columns, and its puzzle a single one.
        if row.is_some_and(|row| marks.rows.get(row).copied().unwrap_or(false)) {
            spans.push(Span::styled("!", scene.palette.broken()));
        }
        lines.push(Line::from(spans));
    }
    let mut below = String::new();
    for is_broken in &marks.columns {
        below += &format!(" {:^1$}", if *is_broken { "!" } else { "" }, canvas.width);
    }
    lines.push(Line::styled(below, scene.palette.broken()));
    lines
}

/// The style of a cell: broken before wrong, reversed under the cursor.
fn cell_style(scene: &Scene<'_>, marks: &CellMarks, cell: usize) -> Style {
    let palette = scene.palette;
    let style = match (marks.broken[cell], marks.wrong[cell]) {
        (true, _) => palette.broken(),
        (false, true) => palette.wrong(),
        (false, false) => Style::new(),
    };
    let (row, column) = scene.state.cell;
    let is_here = scene.state.focus == Focus::Grid && cell == row * scene.puzzle().cols() + column;
    if is_here { palette.cursor(style) } else { style }
}

/// The digits alone, as many columns and rows as fit around the cursor.
fn compact(scene: &Scene<'_>, best: &Leader, marks: &CellMarks, area: Rect) -> Vec<Line<'static>> {
    let (puzzle, grid) = (scene.puzzle(), &best.grid);
    let greatest = grid.cells().iter().flatten().max();
    let longest = greatest.map_or(1, |digit| digit.to_string().len());
    // A cell that is wrong has a mark of its own; brackets where there is room.
    let width = if (longest + 2) * grid.cols() < usize::from(area.width) { longest + 2 } else { longest + 1 };
    let columns = window(grid.cols(), scene.state.cell.1, usize::from(area.width).saturating_sub(1) / width);
    let rows = window(grid.rows(), scene.state.cell.0, usize::from(area.height).saturating_sub(1));
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
    let mut below = String::new();
    for column in columns {
        below += &format!("{:>1$}", if marks.columns[column] { "!" } else { "" }, width);
    }
    lines.push(Line::styled(below, scene.palette.broken().add_modifier(Modifier::BOLD)));
    lines
}

/// A cell in so many columns: `[3]` or `'3` where it is wrong.
fn word(puzzle: &Puzzle, grid: &Grid, cell: usize, width: usize, marks: &CellMarks) -> String {
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
