//! Drawings of puzzles: one picture of a puzzle and what is marked on it, written as SVG, PDF, HTML, PNG or text.
//!
//! [`picture`] draws a puzzle with its [`Marks`] (digits, candidates, marked cells) in a [`Style`]; the [`Picture`] that it
//! makes knows how to become a file. Every kind has its drawing: cages with clues, boxes with heavy lines, dashed cages in a
//! Killer, black cells with two sums, signs between cells, queens on a board, a graph as a circle of vertices.
//!
//! **Invariant**: pages click on cells by [`Picture::places`], which follow the shapes. Looks may change freely.

mod animation;
mod board;
mod book;
mod cages;
mod graph;
mod marks;
mod nested;
mod notes;
mod paper;
mod sheet;
mod slides;
mod threads;

pub use animation::{Animation, Scene};
pub use book::{Book, BookStyle, Entry, HtmlBook, PdfBook};
pub use marks::{Highlight, Marks};
use paper::Layout;
pub use paper::Paper;
use sheet::{Sheet, fitting};
pub use slides::{Slide, slides};

pub use super::graphic::Theme;
use super::graphic::{Anchor, Graphic, Point, shortened};
use super::grid::owners;
use kenga_core::puzzle::{Grid, Kind, PrintedClues, Puzzle, Role};

/// Margin around a picture.
const MARGIN: f64 = 6.0;

/// The side of a cell where no room is given; with candidates there is more in it.
const CELL: f64 = 48.0;
const NOTED_CELL: f64 = 64.0;

/// The smallest and the largest cell, in pixels.
const SMALLEST: f64 = 4.0;
const LARGEST: f64 = 96.0;

/// The height of a line below a picture.
const CAPTION: f64 = 18.0;

/// How a drawing looks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Style {
    /// Its colours.
    pub theme: Theme,
    /// Cages are filled with colours; those side by side differ.
    pub cage_colours: bool,
    /// Letters beside the rows and numbers above the columns, as cells are named: A1.
    pub labels: bool,
    /// Black cells have places, too.
    pub black_places: bool,
    /// The most width and height, in pixels; without it cells have a size of their own.
    pub room: Option<(f64, f64)>,
}

/// A drawing, to be written as a file.
#[derive(Clone, Debug)]
pub struct Picture {
    pub(super) graphic: Graphic,
    pub(super) theme: Theme,
    /// Where to point.
    pub places: Vec<Place>,
}

/// A part of a picture that stands for a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The cell.
    pub cell: usize,
    /// The rank of the digit that this place gives the cell, where every digit has a place of its own: a queen's row.
    pub rank: Option<usize>,
    /// The upper left corner.
    pub at: Point,
    /// The width, which is the height.
    pub side: f64,
}

impl Picture {
    /// The width and the height, in pixels of a 96th of an inch.
    pub fn size(&self) -> (f64, f64) {
        self.graphic.size()
    }

    /// An SVG file with the title above the picture; without one if it is empty.
    pub fn svg(&self, title: &str) -> String {
        self.graphic.themed_svg_file(title, self.theme)
    }

    /// A PDF file of the picture's own size, with the title above it; without one if it is empty.
    pub fn pdf(&self, title: &str) -> Vec<u8> {
        self.graphic.themed_pdf_file(title, self.theme)
    }

    /// A PNG file with the title above the picture, without one if it is empty; `scale` pixels for one of the picture.
    pub fn png(&self, title: &str, scale: f64) -> Vec<u8> {
        self.graphic.png_file(title, self.theme, scale)
    }

    /// An SVG element for a page; `name` is for screen readers.
    pub fn inline(&self, name: &str) -> String {
        self.graphic.inline(name, "")
    }
}

/// Draws a puzzle as text, with the digits and the candidates of its marks; candidates that a step removes are left out.
///
/// # Panics
/// When the marks are of a puzzle of another shape.
pub fn text(puzzle: &Puzzle, marks: &Marks) -> String {
    let digits = marks.all_digits(puzzle).into_iter().map(|digit| digit.map(|digit| digit.0)).collect();
    let grid = Grid::from_cells(puzzle.rows(), puzzle.cols(), digits);
    let marked: Vec<usize> =
        (0..grid.cells().len()).filter(|cell| marks.highlight(*cell).is_some()).collect();
    super::grid::draw_noted(puzzle, &grid, &marked, &notes::lines(puzzle, marks))
}

/// Draws a puzzle with what is marked on it. Digits and marks outside the puzzle are passed over.
pub fn picture(puzzle: &Puzzle, marks: &Marks, style: &Style) -> Picture {
    let (graphic, places) = match puzzle.kind {
        Kind::Queens => board::board(puzzle, marks, style),
        Kind::Coloring => graph::graph(puzzle, marks, style),
        _ => cells(puzzle, marks, style),
    };
    Picture { graphic, theme: style.theme, places }
}

/// Draws a puzzle of cells.
fn cells(puzzle: &Puzzle, marks: &Marks, style: &Style) -> (Graphic, Vec<Place>) {
    let captions = captions(puzzle, style);
    let below = captions.len() as f64 * CAPTION;
    let (cell, strip) = cell_size(puzzle, marks, style, below);
    let sheet = Sheet { puzzle, cell, origin: (MARGIN + strip, MARGIN + strip) };
    let (width, height) = sheet.size();
    let mut graphic = Graphic::new(width + strip + 2.0 * MARGIN, height + strip + 2.0 * MARGIN + below);
    // What is drawn first lies below: colours, marks and lines, then digits and clues on top.
    if style.cage_colours {
        tints(&sheet, &mut graphic);
    }
    notes::fills(&sheet, marks, &mut graphic);
    sheet.black(&mut graphic);
    sheet.edges(&mut graphic);
    threads::threads(&sheet, &mut graphic);
    notes::frames(&sheet, marks, &mut graphic);
    notes::digits(&sheet, marks, &mut graphic);
    notes::candidates(&sheet, marks, &mut graphic);
    sheet.clues(&mut graphic);
    sheet.signs(&mut graphic);
    if style.labels {
        labels(puzzle.rows(), puzzle.cols(), sheet.origin, cell, &mut graphic);
    }
    for (line, words) in captions.iter().enumerate() {
        let (room, at) =
            (graphic.size().0 - 2.0 * MARGIN, sheet.origin.1 + height + CAPTION * (line + 1) as f64);
        let size = fitting(words, room, 12.0).max(7.0);
        graphic.sized_text("note", (MARGIN, at), Anchor::Start, size, &shortened(words, size, room));
    }
    let mut places = Vec::new();
    for index in 0..sheet.cells() {
        if style.black_places || !puzzle.is_black(index) {
            places.push(Place { cell: index, rank: None, at: sheet.corner(index), side: cell });
        }
    }
    (graphic, places)
}

/// The side of a cell and the room for labels, such that rows and columns fit with so many pixels below.
fn cell_size(puzzle: &Puzzle, marks: &Marks, style: &Style, below: f64) -> (f64, f64) {
    // Labels take half a cell.
    let more = if style.labels { 0.5 } else { 0.0 };
    let natural = if marks.has_candidates() { NOTED_CELL } else { CELL };
    let cell = style.room.map_or(natural, |(width, height)| {
        let across = (width - 2.0 * MARGIN) / (puzzle.cols() as f64 + more);
        let down = (height - 2.0 * MARGIN - below) / (puzzle.rows() as f64 + more);
        across.min(down)
    });
    // Whole pixels: lines between cells stay sharp on a screen.
    let cell = cell.floor().clamp(SMALLEST, LARGEST);
    (cell, if style.labels { (cell * more).min(20.0) } else { 0.0 })
}

/// Fills the cages with their colours.
fn tints(sheet: &Sheet<'_>, graphic: &mut Graphic) {
    const CLASSES: [&str; cages::TINTS] = ["tint0", "tint1", "tint2", "tint3", "tint4", "tint5"];
    // A Killer has cages and boxes: its cages are coloured.
    let role = if sheet.puzzle.groups_with(Role::Cage).next().is_some() { Role::Cage } else { Role::Region };
    let Some(owners) = owners(sheet.puzzle, role) else { return };
    let colours = cages::colours(&owners, sheet.puzzle.cols());
    for (cell, area) in owners.into_iter().enumerate() {
        if area > 0 {
            graphic.rect(CLASSES[colours[area]], sheet.corner(cell), (sheet.cell, sheet.cell));
        }
    }
}

/// Letters beside the rows and numbers above the columns.
fn labels(rows: usize, cols: usize, corner: Point, cell: f64, graphic: &mut Graphic) {
    let (left, top) = corner;
    let most = (cell * 0.34).min(13.0);
    let middle = |index: usize| cell * (index as f64 + 0.5);
    for row in 0..rows {
        let words = Puzzle::row_name(row);
        let at = (left - 5.0, top + middle(row) + most * 0.36);
        graphic.sized_text("tick", at, Anchor::End, most, &words);
    }
    for column in 0..cols {
        let at = (left + middle(column), top - 5.0);
        graphic.sized_text("tick", at, Anchor::Middle, most, &(column + 1).to_string());
    }
}

/// What no cell can show, in words.
fn captions(puzzle: &Puzzle, style: &Style) -> Vec<String> {
    let mut captions = threads::captions(puzzle, style);
    if puzzle.kind == Kind::Magic
        && let Some(clue) = puzzle.groups_with(Role::Row).find_map(|row| row.clue)
    {
        captions.push(format!("rows, columns and diagonals add up to {}", clue.target));
    }
    // A clue is printed in the black cell before its entry; some entries have none.
    if puzzle.kind == Kind::Kakuro {
        let mut names = Vec::new();
        for entry in PrintedClues::of(puzzle).unplaced {
            names.push(puzzle.group_name(&puzzle.groups()[entry]));
        }
        if !names.is_empty() {
            captions.push(format!("not in a black cell: {}", names.join(", ")));
        }
    }
    captions
}
