//! Where puzzles stand on the pages of a book.

use super::super::graphic::{Anchor, Graphic, shortened};
use super::Picture;

/// Pixels in an inch.
const INCH: f64 = 96.0;

/// The margin of a page, and the room above and below what stands on it.
const MARGIN: f64 = 0.6 * INCH;
const HEAD: f64 = 40.0;
const FOOT: f64 = 30.0;

/// The room of a heading above its picture, and between two pictures.
const HEADING: f64 = 30.0;
const GAP: f64 = 24.0;

/// A format of paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// 210 x 297 mm.
    A4,
    /// 8.5 x 11 inches.
    Letter,
}

impl Paper {
    /// The width and the height, in pixels of a 96th of an inch.
    fn size(self) -> (f64, f64) {
        match self {
            Self::A4 => (210.0 / 25.4 * INCH, 297.0 / 25.4 * INCH),
            Self::Letter => (8.5 * INCH, 11.0 * INCH),
        }
    }

    /// The name that style sheets know.
    pub(super) fn css_name(self) -> &'static str {
        match self {
            Self::A4 => "A4",
            Self::Letter => "letter",
        }
    }
}

/// A page divided into places of equal size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(super) paper: Paper,
    cols: usize,
    rows: usize,
}

impl Layout {
    /// A page for 1, 2, 4, 6 or 12 pictures; other numbers leave places empty.
    pub(crate) fn new(paper: Paper, pictures: usize) -> Self {
        let (cols, rows) = match pictures {
            0 | 1 => (1, 1),
            2 => (1, 2),
            3 | 4 => (2, 2),
            5 | 6 => (2, 3),
            _ => (3, 4),
        };
        Self { paper, cols, rows }
    }

    /// How many pictures a page holds.
    pub(super) fn places(&self) -> usize {
        self.cols * self.rows
    }

    /// How many stand side by side.
    pub(super) fn cols(&self) -> usize {
        self.cols
    }

    /// The width and the height of a place, with its heading.
    fn place(&self) -> (f64, f64) {
        let (width, height) = self.paper.size();
        let share = |whole: f64, parts: usize| (whole - GAP * (parts - 1) as f64) / parts as f64;
        (share(width - 2.0 * MARGIN, self.cols), share(height - 2.0 * MARGIN - HEAD - FOOT, self.rows))
    }

    /// The most width and height of a picture.
    pub(crate) fn room(&self) -> (f64, f64) {
        let (width, height) = self.place();
        (width, height - HEADING)
    }
}

/// A page that is being filled.
pub(super) struct Page {
    layout: Layout,
    graphic: Graphic,
    count: usize,
}

impl Page {
    /// An empty page with a line on top, large on the first page of a part, and its number below.
    pub(super) fn new(layout: Layout, top: &str, is_first: bool, number: usize) -> Self {
        let (width, height) = layout.paper.size();
        let mut graphic = Graphic::new(width, height);
        let room = width - 2.0 * MARGIN;
        let (class, size) = if is_first { ("heading", 20.0) } else { ("note", 11.0) };
        graphic.sized_text(class, (MARGIN, MARGIN + 16.0), Anchor::Start, size, &shortened(top, size, room));
        let foot = (width / 2.0, height - MARGIN + 4.0);
        graphic.sized_text("note", foot, Anchor::Middle, 11.0, &number.to_string());
        Self { layout, graphic, count: 0 }
    }

    /// All places are taken.
    pub(super) fn is_full(&self) -> bool {
        self.count == self.layout.places()
    }

    /// Puts a picture with its heading into the next place: in the middle of its column, at the top of its row.
    pub(super) fn add(&mut self, heading: &str, note: &str, picture: Picture) {
        let (row, column) = (self.count / self.layout.cols, self.count % self.layout.cols);
        let (width, height) = self.layout.place();
        let x = MARGIN + (width + GAP) * column as f64;
        let y = MARGIN + HEAD + (height + GAP) * row as f64;
        let left = x + ((width - picture.size().0) / 2.0).max(0.0);
        let right = (x + width).min(left + picture.size().0.max(150.0)) - super::MARGIN;
        let size = if self.layout.places() > 6 { 10.0 } else { 13.0 };
        let left_text = left + super::MARGIN;
        let note = shortened(note, size * 0.85, (right - left_text) * 0.6);
        let taken = super::super::graphic::text_width(&note, size * 0.85) + 8.0;
        let heading = shortened(heading, size * 1.05, right - left_text - taken);
        self.graphic.sized_text("panel", (left_text, y + 20.0), Anchor::Start, size, &heading);
        self.graphic.sized_text("note", (right, y + 20.0), Anchor::End, size * 0.85, &note);
        self.graphic.place((left, y + HEADING - 6.0), picture.graphic);
        self.count += 1;
    }

    pub(super) fn into_graphic(self) -> Graphic {
        self.graphic
    }
}
