//! The grid with its candidates: with lines and clues where they fit, scrolled to the cell that matters where they do not; the
//! vertices of a graph as a list.

use std::ops::Range;

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::film::SearchFilm;
use super::state::SearchViewer;
use crate::cli::screen::{Palette, window};
use kenga_core::puzzle::{Kind, Puzzle};
use kenga_core::solver::Event;
use kenga_report::answers::{candidate_marks, event_marks};
use kenga_report::drawing::{Highlight, Marks};
use kenga_report::{ClueStyle, TextCanvas, canvas};

/// The widest words of a cell whose candidates are counted.
const BRIEF: usize = 3;

/// The grid at a moment.
pub(super) struct Sight<'a> {
    puzzle: &'a Puzzle,
    marks: Marks,
    /// The digit of each cell that has one.
    digits: Vec<Option<u8>>,
    cursor: Option<usize>,
    /// The cell that has to be seen: a row and a column.
    centre: (usize, usize),
    wanted: Option<bool>,
    palette: Palette,
}

/// The grid as lines of text.
pub(super) struct Picture {
    pub(super) lines: Vec<Line<'static>>,
    pub(super) columns: usize,
    pub(super) shows_candidates: bool,
}

/// Lines and columns of text.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub(super) lines: usize,
    pub(super) columns: usize,
}

/// What is written into cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writing {
    /// Every candidate at its place, so many side by side.
    Places(usize),
    /// The digit, a few candidates, or how many there are.
    Brief,
}

/// A way to draw the grid.
struct Form {
    writing: Writing,
    canvas: TextCanvas,
}

/// The rows and the cells of a row that a canvas shows.
struct GridPart {
    rows: Range<usize>,
    across: Range<usize>,
}

impl<'a> Sight<'a> {
    pub(super) fn new(film: &SearchFilm<'a>, state: &SearchViewer, palette: Palette) -> Self {
        let (puzzle, problem) = (film.puzzle, film.problem);
        let (event, masks) = film.shown();
        let marks = match event {
            Some(event) => event_marks(puzzle, problem, masks, event),
            None => candidate_marks(puzzle, problem, masks),
        };
        let cursor = state.looks.then_some(state.cell.0 * puzzle.cols() + state.cell.1);
        let centre = cursor.or(event.and_then(|event| first_cell(film, event))).unwrap_or(0);
        Self {
            puzzle,
            digits: marks.all_digits(puzzle).into_iter().map(|digit| digit.map(|digit| digit.0)).collect(),
            marks,
            cursor,
            centre: (centre / puzzle.cols(), centre % puzzle.cols()),
            wanted: state.candidates,
            palette,
        }
    }

    /// The picture that shows most in a room.
    pub(super) fn picture(&self, room: Room) -> Picture {
        if self.puzzle.kind == Kind::Coloring {
            return self.list(room);
        }
        // The names of rows stand before them, and those of columns above.
        let label = self.label(self.rows() - 1).chars().count() + 1;
        let within =
            Room { lines: room.lines.saturating_sub(1), columns: room.columns.saturating_sub(label) };
        let form = self.form(within);
        let part = self.part(&form.canvas, within);
        Picture {
            columns: part.across.len() * (form.canvas.width + 1) + 1 + label,
            shows_candidates: form.writing != Writing::Brief,
            lines: self.lines(&form, part, label),
        }
    }

    /// The first form that fits, or else the last, which scrolls best.
    fn form(&self, room: Room) -> Form {
        let mut last = None;
        for (writing, style) in self.forms() {
            let form = Form { writing, canvas: self.canvas(writing, style) };
            let (lines, columns) = form.canvas.size();
            if lines <= room.lines && columns <= room.columns {
                return form;
            }
            last = Some(form);
        }
        last.expect("there is always a form")
    }

    /// What may be drawn, from the roomiest on.
    fn forms(&self) -> Vec<(Writing, ClueStyle)> {
        let digits = self.puzzle.digits().len();
        let side = digits.isqrt() + usize::from(digits.isqrt().pow(2) < digits);
        let places = Writing::Places(side);
        let (above, within) = (ClueStyle::OwnLine, ClueStyle::InRules);
        let full = [(places, above), (Writing::Places(digits), within), (places, within)];
        let brief = [(Writing::Brief, above), (Writing::Brief, within)];
        match (self.puzzle.kind, self.wanted) {
            // A board shows its candidates anyway.
            (Kind::Queens, _) => vec![(Writing::Places(1), within)],
            (_, Some(true)) => full.to_vec(),
            (_, Some(false)) => brief.to_vec(),
            (_, None) => [&full[..1], &full[2..], &full[1..2], &brief].concat(),
        }
    }

    fn rows(&self) -> usize {
        if self.puzzle.kind == Kind::Queens { self.puzzle.cols() } else { self.puzzle.rows() }
    }

    /// The rows and columns that are shown: all, or as many as fit around the centre.
    fn part(&self, canvas: &TextCanvas, room: Room) -> GridPart {
        let (lines, columns) = canvas.size();
        let (rows, each) = (self.rows(), lines.div_ceil(self.rows()).max(1));
        let fitting = if lines <= room.lines { rows } else { room.lines.saturating_sub(1) / each };
        let across = if columns <= room.columns {
            self.puzzle.cols()
        } else {
            (room.columns - 1) / (canvas.width + 1)
        };
        let row = match self.puzzle.kind {
            Kind::Queens => self.digits[self.centre.1].map_or(rows / 2, |digit| usize::from(digit) - 1),
            _ => self.centre.0,
        };
        GridPart {
            rows: window(rows, row, fitting),
            across: window(self.puzzle.cols(), self.centre.1, across),
        }
    }

    /// The name of a row.
    fn label(&self, row: usize) -> String {
        match self.puzzle.kind {
            // Rows of a board are digits.
            Kind::Queens => (row + 1).to_string(),
            _ => Puzzle::row_name(row),
        }
    }

    fn canvas(&self, writing: Writing, style: ClueStyle) -> TextCanvas {
        let n = self.puzzle.cols();
        if self.puzzle.kind == Kind::Queens {
            // A cell of a board is a square, and the puzzle has a cell for every column.
            let words =
                (0..n * n).map(|square| vec![self.square(square / n, square % n).to_owned()]).collect();
            return canvas(self.puzzle, words, style);
        }
        let words = match writing {
            Writing::Places(side) => (0..self.digits.len()).map(|cell| self.places(cell, side)).collect(),
            Writing::Brief => (0..self.digits.len()).map(|cell| vec![self.brief(cell)]).collect(),
        };
        canvas(self.puzzle, words, style)
    }

    fn square(&self, row: usize, column: usize) -> &'static str {
        match self.digits[column] {
            Some(digit) if usize::from(digit) == row + 1 => "Q",
            Some(_) => " ",
            None => {
                let shown = self.marks.shown(self.puzzle, column);
                if shown.iter().any(|(rank, _)| *rank == row) { "·" } else { " " }
            }
        }
    }

    /// The columns of a candidate.
    fn width(&self) -> usize {
        self.puzzle.digits().values().iter().map(|digit| digit.to_string().len()).max().unwrap_or(1)
    }

    /// What stands between two candidates: those of several characters would run together.
    fn gap(&self) -> &'static str {
        if self.width() > 1 { " " } else { "" }
    }

    /// The lines of a cell with `side` candidates on each, all of one width.
    fn places(&self, cell: usize, side: usize) -> Vec<String> {
        let (count, width, gap) = (self.puzzle.digits().len(), self.width(), self.gap());
        let rows = count.div_ceil(side);
        let mut lines = Vec::with_capacity(rows);
        if let Some(digit) = self.digits[cell] {
            let columns = side * (width + gap.len()) - gap.len() + 2;
            for row in 0..rows {
                let word = if row == rows / 2 { digit.to_string() } else { String::new() };
                lines.push(format!("{word:^columns$}"));
            }
            return lines;
        }
        let mut words = vec![" ".repeat(width); rows * side];
        for (rank, digit) in self.marks.shown(self.puzzle, cell) {
            words[rank] = format!("{digit:>width$}");
        }
        for words in words.chunks(side) {
            lines.push(format!(" {} ", words.join(gap)));
        }
        lines
    }

    fn brief(&self, cell: usize) -> String {
        if let Some(digit) = self.digits[cell] {
            return digit.to_string();
        }
        let shown = self.marks.shown(self.puzzle, cell);
        if self.width() == 1 && shown.len() <= BRIEF {
            shown.iter().map(|(_, digit)| digit.to_string()).collect()
        } else {
            format!("·{}", shown.len())
        }
    }

    /// A part of a form with the names of its rows and columns.
    fn lines(&self, form: &Form, part: GridPart, label: usize) -> Vec<Line<'static>> {
        let (canvas, faint) = (&form.canvas, self.palette.faint());
        let mut head = format!("{:label$}", "");
        for column in part.across.clone() {
            head += &format!(" {:^1$}", column + 1, canvas.width);
        }
        let mut lines = vec![Line::styled(head, faint)];
        let last = part.rows.end.saturating_sub(1);
        let xs = part.across.start * (canvas.width + 1)..part.across.end * (canvas.width + 1) + 1;
        for number in canvas.lines_of(part.rows.start).0..canvas.lines_of(last).1 {
            let name = canvas.is_last_of_row(number).map_or_else(String::new, |row| self.label(row));
            let mut spans = vec![Span::styled(format!("{name:>0$} ", label - 1), faint)];
            for (x, letter) in canvas.lines[number].iter().enumerate().take(xs.end).skip(xs.start) {
                spans.push(Span::styled(letter.to_string(), self.style(form, number, x, *letter)));
            }
            lines.push(Line::from(spans));
        }
        lines
    }

    fn style(&self, form: &Form, line: usize, x: usize, letter: char) -> Style {
        let Some(spot) = form.canvas.spot(line, x) else {
            // Lines are faint, the clues and signs in them are not.
            return if ('─'..='╿').contains(&letter) { self.palette.faint() } else { Style::new() };
        };
        if self.puzzle.kind == Kind::Queens {
            return self.letter(spot.column, Some(spot.row));
        }
        let rank = match (form.writing, spot.line) {
            (Writing::Places(side), Some(line)) => {
                self.place(form.canvas.width, side, spot.x).map(|place| line * side + place)
            }
            _ => None,
        };
        self.letter(spot.row * self.puzzle.cols() + spot.column, rank)
    }

    /// Which candidate of its line stands at the column `x` of a cell that is `cell_width` columns wide.
    fn place(&self, cell_width: usize, side: usize, x: usize) -> Option<usize> {
        let gap = self.gap().len();
        let step = self.width() + gap;
        let words = side * step - gap + 2;
        let at = x.checked_sub((cell_width - words) / 2 + 1)?;
        (at / step < side).then_some(at / step)
    }

    /// The style of a letter in a cell that may belong to a candidate.
    fn letter(&self, cell: usize, rank: Option<usize>) -> Style {
        let palette = self.palette;
        let values = self.puzzle.digits().values();
        let note = rank.and_then(|rank| self.marks.note(cell, *values.get(rank)?));
        let style = match (note, self.marks.highlight(cell)) {
            (Some(Highlight::Removed), _) => palette.removed().add_modifier(Modifier::BOLD),
            (Some(Highlight::Placed), _) => palette.placed(),
            (_, Some(Highlight::Wrong)) => palette.broken(),
            (_, Some(Highlight::Rests)) => palette.rests(),
            _ => Style::new(),
        };
        let style = if self.digits[cell].is_some() { style.add_modifier(Modifier::BOLD) } else { style };
        if self.cursor == Some(cell) { palette.cursor(style) } else { style }
    }

    /// The cells one after the other with their names: those of a graph have no other order.
    fn list(&self, room: Room) -> Picture {
        let full = self.named_cells(room.columns, true);
        let rows = self.digits.len().div_ceil(full.across);
        let shows_candidates = self.wanted.unwrap_or(rows <= room.lines);
        let cells = if shows_candidates { full } else { self.named_cells(room.columns, false) };
        let rows = self.digits.len().div_ceil(cells.across);
        let mut lines = Vec::new();
        for row in window(rows, self.centre.1 / cells.across, room.lines) {
            let within = row * cells.across..((row + 1) * cells.across).min(self.digits.len());
            lines.push(Line::from_iter(within.map(|cell| {
                Span::styled(format!("{:<1$}", cells.words[cell], cells.width), self.letter(cell, None))
            })));
        }
        Picture { lines, columns: cells.across * cells.width, shows_candidates }
    }

    /// Every cell with its name, and its candidates or how many they are.
    fn named_cells(&self, columns: usize, in_full: bool) -> NamedCells {
        let mut words = Vec::with_capacity(self.digits.len());
        let mut width = 1;
        for cell in 0..self.digits.len() {
            let word = if in_full { self.candidates(cell) } else { self.brief(cell) };
            let named = format!("{} {word}", self.puzzle.cell_name(cell));
            width = width.max(named.chars().count());
            words.push(named);
        }
        let width = width + 2;
        NamedCells { words, width, across: (columns / width).clamp(1, self.digits.len()) }
    }

    /// The digit of a cell, or all its candidates.
    fn candidates(&self, cell: usize) -> String {
        if let Some(digit) = self.digits[cell] {
            return digit.to_string();
        }
        let shown = self.marks.shown(self.puzzle, cell);
        let words: Vec<String> = shown.iter().map(|(_, digit)| digit.to_string()).collect();
        words.join(self.gap())
    }
}

/// The cells of a graph as words of one width, so many side by side.
struct NamedCells {
    words: Vec<String>,
    width: usize,
    across: usize,
}

/// The cell that an event is about, row-major in the puzzle.
fn first_cell(film: &SearchFilm<'_>, event: &Event) -> Option<usize> {
    let cell = match event {
        Event::Removal { lost, .. } => Some(lost.first()?.cell),
        Event::Decision { cell, .. } => Some(*cell),
        Event::Orbit { cells } => cells.first().copied(),
        Event::Conflict { reason } => film.problem.cells_of(*reason.groups.first()?).first().copied(),
        Event::Clause { literals, .. } => literals.first()?.cells.first().copied(),
        _ => None,
    };
    cell.map(|cell| film.problem.place(usize::from(cell)))
}
