//! The grid with its candidates: with lines and clues where they fit, scrolled to the cell that matters where they do not; the
//! vertices of a graph as a list.

use std::ops::Range;

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::film::Film;
use super::state::ViewerState;
use crate::cli::screen::{Palette, window};
use kenga_core::puzzle::{Kind, Puzzle, cell_name};
use kenga_core::solver::Event;
use kenga_report::answers::{candidate_marks, event_marks};
use kenga_report::drawing::{Highlight, Marks};
use kenga_report::{Canvas, ClueStyle, canvas};

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

/// What is written into cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writing {
    /// Every candidate at its place, so many side by side.
    Places(usize),
    /// The digit, a few candidates, or how many there are.
    Brief,
}

/// The rows and the cells of a row that a canvas shows.
type Part = (Range<usize>, Range<usize>);

impl<'a> Sight<'a> {
    pub(super) fn new(film: &Film<'a>, state: &ViewerState, palette: Palette) -> Self {
        let (puzzle, problem) = (film.puzzle, film.problem);
        let (event, masks) = film.shown();
        let marks = event.map_or_else(
            || candidate_marks(puzzle, problem, masks),
            |event| event_marks(puzzle, problem, masks, event),
        );
        let of_event = event.and_then(|event| first_cell(film, event));
        let place = |(row, column): (usize, usize)| row * puzzle.cols() + column;
        let cursor = state.looks.then(|| place(state.cell));
        let centre = cursor.or(of_event).unwrap_or(0);
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

    /// The picture that shows most in so many columns and lines.
    pub(super) fn picture(&self, (columns, lines): (usize, usize)) -> Picture {
        if self.puzzle.kind == Kind::Coloring {
            return self.list(columns, lines);
        }
        let drawn: Vec<(Writing, Canvas)> =
            self.forms().into_iter().map(|(writing, style)| (writing, self.canvas(writing, style))).collect();
        let label = self.label(self.rows() - 1).chars().count() + 1;
        let room = (lines.saturating_sub(1), columns.saturating_sub(label));
        let fits = |(_, canvas): &&(Writing, Canvas)| {
            let size = canvas.size();
            size.0 <= room.0 && size.1 <= room.1
        };
        // The last is the one that scrolls best.
        let chosen = drawn.iter().find(fits).or(drawn.last());
        let (writing, canvas) = chosen.expect("there is always a form");
        let (rows, across) = self.part(canvas, room);
        Picture {
            columns: across.len() * (canvas.width + 1) + 1 + label,
            lines: self.lines((*writing, canvas), (rows, across), label),
            shows_candidates: *writing != Writing::Brief,
        }
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
    fn part(&self, canvas: &Canvas, (lines, columns): (usize, usize)) -> Part {
        let (rows, all) = (self.rows(), canvas.size());
        let each = all.0.div_ceil(rows).max(1);
        let fitting = if all.0 <= lines { rows } else { lines.saturating_sub(1) / each };
        let across = if all.1 <= columns { self.puzzle.cols() } else { (columns - 1) / (canvas.width + 1) };
        let row = match self.puzzle.kind {
            Kind::Queens => self.digits[self.centre.1].map_or(rows / 2, |digit| usize::from(digit) - 1),
            _ => self.centre.0,
        };
        (window(rows, row, fitting), window(self.puzzle.cols(), self.centre.1, across))
    }

    /// The name of a row.
    fn label(&self, row: usize) -> String {
        match self.puzzle.kind {
            // Rows of a board are digits.
            Kind::Queens => (row + 1).to_string(),
            _ => cell_name(row, 0).replace(char::is_numeric, ""),
        }
    }

    fn canvas(&self, writing: Writing, style: ClueStyle) -> Canvas {
        let words = match self.puzzle.kind {
            Kind::Queens => {
                let n = self.puzzle.cols();
                (0..n * n).map(|square| vec![self.square(square / n, square % n)]).collect()
            }
            _ => (0..self.digits.len()).map(|cell| self.words(cell, writing)).collect(),
        };
        canvas(self.puzzle, words, style)
    }

    fn square(&self, row: usize, column: usize) -> String {
        let shown = self.marks.shown(self.puzzle, column);
        match self.digits[column] {
            Some(digit) if usize::from(digit) == row + 1 => "Q",
            None if shown.iter().any(|(rank, _)| *rank == row) => "·",
            _ => " ",
        }
        .to_owned()
    }

    /// The columns of a candidate.
    fn width(&self) -> usize {
        self.puzzle.digits().values().iter().map(|digit| digit.to_string().len()).max().unwrap_or(1)
    }

    /// The lines of a cell, all of one width.
    fn words(&self, cell: usize, writing: Writing) -> Vec<String> {
        match writing {
            Writing::Places(side) => self.places(cell, side),
            Writing::Brief => vec![self.brief(cell)],
        }
    }

    fn places(&self, cell: usize, side: usize) -> Vec<String> {
        let (count, width) = (self.puzzle.digits().len(), self.width());
        let gap = if width > 1 { " " } else { "" };
        let shown = self.marks.shown(self.puzzle, cell);
        let word = |rank: usize| {
            let found = shown.iter().find(|(other, _)| *other == rank);
            found.map_or_else(|| " ".repeat(width), |(_, digit)| format!("{digit:>width$}"))
        };
        let lines = count.div_ceil(side);
        let line = |line: usize| {
            let words: Vec<String> = (line * side..(line + 1) * side).map(word).collect();
            format!(" {} ", words.join(gap))
        };
        match self.digits[cell] {
            None => (0..lines).map(line).collect(),
            Some(digit) => {
                let columns = side * (width + gap.len()) - gap.len() + 2;
                let word = |line: usize| if line == lines / 2 { digit.to_string() } else { String::new() };
                (0..lines).map(|line| format!("{:^columns$}", word(line))).collect()
            }
        }
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

    /// A part of a canvas with the names of its rows and columns.
    fn lines(
        &self,
        (writing, canvas): (Writing, &Canvas),
        (rows, across): Part,
        label: usize,
    ) -> Vec<Line<'static>> {
        let faint = self.palette.faint();
        let head: String =
            across.clone().map(|column| format!(" {:^1$}", column + 1, canvas.width)).collect();
        let mut lines = vec![Line::styled(format!("{:label$}{head}", ""), faint)];
        let last = rows.end.saturating_sub(1);
        let xs = across.start * (canvas.width + 1)..across.end * (canvas.width + 1) + 1;
        for number in canvas.lines_of(rows.start).0..canvas.lines_of(last).1 {
            let name = canvas.is_last_of_row(number).map_or_else(String::new, |row| self.label(row));
            let mut spans = vec![Span::styled(format!("{name:>0$} ", label - 1), faint)];
            let letters = canvas.lines[number].iter().enumerate().take(xs.end).skip(xs.start);
            spans.extend(letters.map(|(x, letter)| {
                Span::styled(letter.to_string(), self.style(writing, canvas, (number, x), *letter))
            }));
            lines.push(Line::from(spans));
        }
        lines
    }

    fn style(&self, writing: Writing, canvas: &Canvas, (line, x): (usize, usize), letter: char) -> Style {
        let Some(spot) = canvas.spot(line, x) else {
            // Lines are faint, the clues and signs in them are not.
            return if ('─'..='╿').contains(&letter) { self.palette.faint() } else { Style::new() };
        };
        let cell = match self.puzzle.kind {
            Kind::Queens => spot.column,
            _ => spot.row * self.puzzle.cols() + spot.column,
        };
        let rank = match (self.puzzle.kind, writing, spot.line) {
            (Kind::Queens, ..) => Some(spot.row),
            (_, Writing::Places(side), Some(line)) => self.place(canvas.width, side, (line, spot.x)),
            _ => None,
        };
        self.letter(cell, rank)
    }

    /// The rank of the candidate that a column of a cell's line belongs to.
    fn place(&self, room: usize, side: usize, (line, x): (usize, usize)) -> Option<usize> {
        let width = self.width();
        let step = width + usize::from(width > 1);
        let words = side * step - usize::from(width > 1) + 2;
        let at = x.checked_sub((room - words) / 2 + 1)?;
        (at / step < side).then_some(line * side + at / step)
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
    fn list(&self, columns: usize, lines: usize) -> Picture {
        let cells = self.digits.len();
        let full = |cell: usize| {
            let shown = self.marks.shown(self.puzzle, cell);
            let words: Vec<String> = shown.iter().map(|(_, digit)| digit.to_string()).collect();
            self.digits[cell].map_or_else(
                || words.join(if self.width() > 1 { " " } else { "" }),
                |digit| digit.to_string(),
            )
        };
        let named = |word: &dyn Fn(usize) -> String| -> Vec<String> {
            (0..cells).map(|cell| format!("{} {}", self.puzzle.cell_name(cell), word(cell))).collect()
        };
        let measured = |words: Vec<String>| {
            let width = words.iter().map(|word| word.chars().count()).max().unwrap_or(1) + 2;
            let across = (columns / width).clamp(1, cells);
            (words, width, across)
        };
        let of_full = measured(named(&full));
        let shows_candidates = self.wanted.unwrap_or(cells.div_ceil(of_full.2) <= lines);
        let (words, width, across) =
            if shows_candidates { of_full } else { measured(named(&|cell| self.brief(cell))) };
        let rows = window(cells.div_ceil(across), self.centre.1 / across, lines);
        let line = |row: usize| {
            let cells = row * across..((row + 1) * across).min(cells);
            Line::from_iter(
                cells.map(|cell| Span::styled(format!("{:<width$}", words[cell]), self.letter(cell, None))),
            )
        };
        Picture { lines: rows.map(line).collect(), columns: across * width, shows_candidates }
    }
}

/// The cell that an event is about, row-major in the puzzle.
fn first_cell(film: &Film<'_>, event: &Event) -> Option<usize> {
    let cell = match event {
        Event::Removal { lost, .. } => Some(lost.first()?.0),
        Event::Decision { cell, .. } => Some(*cell),
        Event::Orbit { cells } => cells.first().copied(),
        Event::Conflict { reason } => film.problem.cells_of(*reason.groups.first()?).first().copied(),
        Event::Clause { literals, .. } => literals.first()?.cells.first().copied(),
        _ => None,
    };
    cell.map(|cell| film.problem.place(usize::from(cell)))
}
