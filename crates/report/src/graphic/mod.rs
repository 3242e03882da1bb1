//! Pictures: shapes with classes that define their style, written as SVG into a page or a file, or as PDF.
//!
//! Coordinates are pixels from the upper left corner, written with one decimal.
//!
//! A new format is a file that walks the shapes of a [`Graphic`]; a new look is a line of the table in `style.rs`.
//!
//! **Invariant**: the script of the page finds curves, entries of legends and charts by their classes and their `data-`
//! attributes. Shapes are drawn in their order, the later ones above.

mod animation;
mod chart;
mod font;
mod gif;
mod path;
mod pdf;
mod png;
mod scale;
mod style;
mod svg;

pub(super) use animation::Film;
pub(super) use chart::{Frame, LegendEntry, OTHERS, legend, marker, setting_key};
pub(super) use gif::gif_file;
pub(super) use path::{Path, area, sketch, steps, trace};
pub(super) use pdf::{Packing, PdfFile};
pub(super) use scale::Scale;
pub use style::Theme;
pub use style::style_sheet;
pub(super) use style::{shortened, text_width, widest, wrapped};
pub(super) use svg::page;

use path::Segment;

/// How many series have distinct colours, dashes and marks.
pub(super) const SERIES: usize = 7;

/// The width of a figure.
pub(super) const WIDTH: f64 = 760.0;

/// The width of a figure on the screen of a telephone.
pub(super) const NARROW: f64 = 360.0;

/// Whether a picture is laid out as for a telephone; a column of a paper is.
pub(super) fn is_narrow(width: f64) -> bool {
    width < 440.0
}

/// Points of a pixel: there are 96 pixels and 72 points in an inch.
const POINTS: f64 = 0.75;

/// Points of a pixel of a figure that is made for a width in print: texts of 11 and 12 pixels have 7.3 and 8 points there.
const PRINTED: f64 = 2.0 / 3.0;

/// The words near the beginning of every file that kenga draws, which identify it.
pub const GENERATOR: &str = "a figure of kenga's";

/// How the figures of a report are made as files.
#[derive(Clone, Copy, Debug, Default)]
pub struct FigureOptions {
    /// The width of every figure in print, in points; without it figures have the widths of the page.
    pub width: Option<f64>,
    /// Leave the titles out.
    pub no_titles: bool,
    /// List the settings in the order of the study, not from best to worst.
    pub is_chosen: bool,
}

impl FigureOptions {
    /// The width of every figure in pixels.
    pub(super) fn pixels(self) -> Option<f64> {
        self.width.map(|points| points / PRINTED)
    }

    /// A picture with its title, as SVG and as PDF.
    pub(super) fn files(self, name: &str, title: &str, graphic: &Graphic) -> [FigureFile; 2] {
        let graphic = Graphic { is_printed: self.width.is_some(), ..graphic.clone() };
        FigureFile::both(name, if self.no_titles { "" } else { title }, &graphic)
    }
}

/// A figure as a file.
pub struct FigureFile {
    /// The name of the file, such as `success.svg`.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl FigureFile {
    /// A picture with its title, as SVG and as PDF.
    pub(super) fn both(name: &str, title: &str, graphic: &Graphic) -> [Self; 2] {
        [
            Self { name: format!("{name}.svg"), bytes: graphic.svg_file(title).into_bytes() },
            Self { name: format!("{name}.pdf"), bytes: graphic.pdf_file(title) },
        ]
    }
}

/// A place, or a width and a height, in pixels.
pub(super) type Point = (f64, f64);

/// The part of a text that its point marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A shape, or the begin or end of a group of shapes.
#[derive(Clone, Debug)]
struct Element {
    /// Its classes, separated by spaces.
    class: String,
    form: Geometry,
    /// The opacity of its fill, 0 to 1, where it is not full.
    share: Option<f64>,
    /// The tooltip; may be empty.
    says: String,
}

#[derive(Clone, Debug)]
enum Geometry {
    Line(Point, Point),
    Path(Path),
    Rect(Point, Point),
    /// The centre and the radius.
    Circle(Point, f64),
    Text(Text),
    /// The begin of the curve of a series, or of its entry in the legend, depending on the class.
    Begin(String),
    End,
    /// The frame of a chart; the values of the curves after it can be read.
    Chart(Box<Frame>),
}

impl Geometry {
    /// The same shape elsewhere.
    fn moved(self, by: Point) -> Self {
        match self {
            Self::Line(from, to) => Self::Line(moved(from, by), moved(to, by)),
            Self::Path(path) => Self::Path(path.moved(by)),
            Self::Rect(at, size) => Self::Rect(moved(at, by), size),
            Self::Circle(middle, radius) => Self::Circle(moved(middle, by), radius),
            Self::Text(text) => Self::Text(Text { at: moved(text.at, by), ..text }),
            Self::Begin(_) | Self::End | Self::Chart(_) => self,
        }
    }
}

#[derive(Clone, Debug)]
struct Text {
    at: Point,
    anchor: Anchor,
    /// The size, where it differs from that of the class.
    size: Option<f64>,
    runs_upward: bool,
    words: String,
}

/// A picture being drawn.
#[derive(Clone, Debug)]
pub(super) struct Graphic {
    width: f64,
    height: f64,
    /// Whether it is made for a width in print.
    is_printed: bool,
    shapes: Vec<Element>,
}

impl Graphic {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Self { width, height, is_printed: false, shapes: Vec::new() }
    }

    /// The background alone.
    pub(super) fn background((width, height): Point) -> Self {
        let mut background = Self::new(width, 0.0);
        background.rect("page", (0.0, 0.0), (width, height));
        background
    }

    /// Points of a pixel in a file.
    fn points(&self) -> f64 {
        if self.is_printed { PRINTED } else { POINTS }
    }

    /// The width and the height, in pixels.
    pub(super) fn size(&self) -> Point {
        (self.width, self.height)
    }

    /// Adds the shapes of another picture, its upper left corner at a point.
    pub(super) fn place(&mut self, at: Point, other: Self) {
        for shape in other.shapes {
            self.shapes.push(Element { form: shape.form.moved(at), ..shape });
        }
    }

    pub(super) fn set_height(&mut self, height: f64) {
        self.height = height;
    }

    pub(super) fn line(&mut self, class: &str, from: Point, to: Point) {
        self.put(class, Geometry::Line(from, to));
    }

    pub(super) fn path(&mut self, class: &str, path: Path) {
        if !path.is_empty() {
            self.put(class, Geometry::Path(path));
        }
    }

    pub(super) fn rect(&mut self, class: &str, at: Point, size: Point) {
        self.put(class, Geometry::Rect(at, size));
    }

    pub(super) fn circle(&mut self, class: &str, middle: Point, radius: f64) {
        self.put(class, Geometry::Circle(middle, radius));
    }

    /// A rectangle with a share, 0 to 1, as the strength of its colour, and a tooltip.
    pub(super) fn heat(&mut self, class: &str, at: Point, size: Point, share: f64, says: &str) {
        self.put(class, Geometry::Rect(at, size));
        if let Some(shape) = self.shapes.last_mut() {
            // Small shares stay visible.
            shape.share = Some(if share <= 0.0 { 0.0 } else { 0.08 + 0.92 * share.min(1.0) });
        }
        self.says(says);
    }

    /// A circle with a share, 0 to 1, as the strength of its colour, and a tooltip.
    pub(super) fn disc(&mut self, class: &str, middle: Point, radius: f64, share: f64, says: &str) {
        self.put(class, Geometry::Circle(middle, radius));
        if let Some(shape) = self.shapes.last_mut() {
            shape.share = Some(share);
        }
        self.says(says);
    }

    pub(super) fn text(&mut self, class: &str, at: Point, anchor: Anchor, words: &str) {
        self.words(class, Text { at, anchor, size: None, runs_upward: false, words: words.to_owned() });
    }

    /// A text whose size differs from that of its class.
    pub(super) fn sized_text(&mut self, class: &str, at: Point, anchor: Anchor, size: f64, words: &str) {
        self.words(class, Text { at, anchor, size: Some(size), runs_upward: false, words: words.to_owned() });
    }

    /// A text that runs upwards, centred at the point.
    pub(super) fn upward_text(&mut self, class: &str, at: Point, words: &str) {
        let (anchor, words) = (Anchor::Middle, words.to_owned());
        self.words(class, Text { at, anchor, size: None, runs_upward: true, words });
    }

    /// Sets the tooltip of the last shape.
    pub(super) fn says(&mut self, words: &str) {
        if let Some(shape) = self.shapes.last_mut() {
            words.clone_into(&mut shape.says);
        }
    }

    /// Draws the shapes of one series: its `curve`, or its `entry` in the legend, which hides the curve when clicked.
    pub(super) fn series(&mut self, role: &str, series: &str, draw: impl FnOnce(&mut Self)) {
        self.put(role, Geometry::Begin(series.to_owned()));
        draw(self);
        self.put(role, Geometry::End);
    }

    /// Marks a chart: the values of the curves after it can be read.
    fn chart(&mut self, frame: &Frame) {
        self.put("chart", Geometry::Chart(Box::new(*frame)));
    }

    fn words(&mut self, class: &str, text: Text) {
        if !text.words.is_empty() {
            self.put(class, Geometry::Text(text));
        }
    }

    fn put(&mut self, class: &str, form: Geometry) {
        self.shapes.push(Element { class: class.to_owned(), form, share: None, says: String::new() });
    }
}

fn moved(point: Point, by: Point) -> Point {
    (point.0 + by.0, point.1 + by.1)
}

/// A coordinate with at most one decimal.
fn coordinate(value: f64) -> String {
    // Tenths of a pixel suffice, and keep files small and equal on all machines.
    let tenths = (value * 10.0).round() as i64;
    if tenths % 10 == 0 { (tenths / 10).to_string() } else { format!("{:.1}", tenths as f64 / 10.0) }
}

/// The class of a text over a heat of this strength, which contrasts with it.
pub(super) fn ink_over(share: f64) -> &'static str {
    match share {
        share if share > 0.82 => "over",
        share if share > 0.6 => "between",
        _ => "value",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_have_at_most_one_decimal() {
        let shown = [0.0, 12.0, 12.04, 12.06, -0.04, -3.25, 759.99].map(coordinate);
        assert_eq!(shown, ["0", "12", "12", "12.1", "0", "-3.3", "760"]);
    }
}
