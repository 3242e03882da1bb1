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
use kenga_report::{Canvas, ClueStyle, canvas};

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
    let fits = |canvas: &Canvas| canvas.size().0 + 2 < usize::from(lines);
    let drawing = STYLES.into_iter().map(|style| drawn(scene.puzzle(), best, style)).find(fits);
    drawing.map_or(4 * best.grid.cols() + 3, |canvas| canvas.size().1 + 3) as u16
}

/// How the clues are placed, from the roomiest on.
const STYLES: [ClueStyle; 2] = [ClueStyle::OwnLine, ClueStyle::InRules];

/// Draws the grid, with a mark after every broken row and below every broken column.
pub(super) fn draw(scene: &Scene<'_>, to: &mut Frame<'_>, area: Rect) {
    let Some(best) = scene.best() else {
        return to.render_widget(Paragraph::new("nothing has been evaluated yet"), area);
    };
    let marks = Marks::of(scene.puzzle(), best);
    // The marks of rows and columns fit as well.
    let fits = |canvas: &Canvas| {
        let (lines, columns) = canvas.size();
        columns < usize::from(area.width) && lines < usize::from(area.height)
    };
    let lines = match STYLES.into_iter().map(|style| drawn(scene.puzzle(), best, style)).find(fits) {
        Some(canvas) => drawing(&canvas, scene, best, &marks),
        None => compact(scene, best, &marks, area),
    };
    to.render_widget(Paragraph::new(lines), area);
}

/// The grid with its lines and clues; digits that differ from a solution in brackets.
fn drawn(puzzle: &Puzzle, best: &Leader, style: ClueStyle) -> Canvas {
    let mut is_wrong = vec![false; best.grid.cells().len()];
    best.wrong().for_each(|place| is_wrong[place] = true);
    let digit = |place: usize| match best.grid.get(place) {
        Some(digit) if is_wrong[place] => format!("[{digit}]"),
        Some(digit) => digit.to_string(),
        None => ".".to_owned(),
    };
    let square = |square: usize| {
        let (row, column) = (square / best.grid.cols(), square % best.grid.cols());
        match queen(best, row, column) {
            Some(place) if is_wrong[place] => "[Q]".to_owned(),
            Some(_) => "Q".to_owned(),
            None => ".".to_owned(),
        }
    };
    let words: Vec<String> = match puzzle.kind {
        Kind::Queens => (0..puzzle.cols() * puzzle.cols()).map(square).collect(),
        _ => (0..is_wrong.len()).map(digit).collect(),
    };
    canvas(puzzle, words.into_iter().map(|word| vec![word]).collect(), style)
}

/// The column whose queen stands there.
fn queen(best: &Leader, row: usize, column: usize) -> Option<usize> {
    best.grid.get(column).is_some_and(|digit| usize::from(digit) == row + 1).then_some(column)
}

/// A drawing with its styles, the marks of rows behind it and those of columns below.
fn drawing(canvas: &Canvas, scene: &Scene<'_>, best: &Leader, marks: &Marks) -> Vec<Line<'static>> {
    let puzzle = scene.puzzle();
    let cell = |line: usize, x: usize| {
        let spot = canvas.spot(line, x)?;
        match puzzle.kind {
            Kind::Queens => queen(best, spot.row, spot.column),
            _ => Some(spot.row * puzzle.cols() + spot.column),
        }
    };
    let style = |line: usize, x: usize| {
        cell(line, x).map_or_else(|| scene.palette.faint(), |cell| cell_style(scene, marks, cell))
    };
    let mut lines: Vec<Line<'static>> = Vec::with_capacity(canvas.lines.len() + 1);
    for (number, text) in canvas.lines.iter().enumerate() {
        let letters = text.iter().enumerate();
        let mut spans: Vec<Span<'static>> =
            letters.map(|(x, letter)| Span::styled(letter.to_string(), style(number, x))).collect();
        if canvas.is_last_of_row(number).is_some_and(|row| marks.rows.get(row).is_some_and(|broken| *broken))
        {
            spans.push(Span::styled("!", scene.palette.broken()));
        }
        lines.push(Line::from(spans));
    }
    let mark = |broken: &bool| format!(" {:^1$}", if *broken { "!" } else { "" }, canvas.width);
    let below: String = marks.columns.iter().map(mark).collect();
    lines.push(Line::styled(below, scene.palette.broken()));
    lines
}

/// The style of a cell: broken before wrong, reversed under the cursor.
fn cell_style(scene: &Scene<'_>, marks: &Marks, cell: usize) -> Style {
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
fn compact(scene: &Scene<'_>, best: &Leader, marks: &Marks, area: Rect) -> Vec<Line<'static>> {
    let (puzzle, grid) = (scene.puzzle(), &best.grid);
    let longest = grid.cells().iter().flatten().map(|digit| digit.to_string().len()).max().unwrap_or(1);
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
