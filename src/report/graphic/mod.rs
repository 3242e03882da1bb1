//! Pictures: shapes with classes that say how they look, written as SVG into a page or a file, or as PDF.
//!
//! Coordinates are pixels from the upper left corner, written with one decimal.

mod axes;
mod legend;
mod path;
mod pdf;
mod style;
mod svg;
mod text;

pub(super) use axes::{Frame, Scale};
pub(super) use legend::{LegendEntry, OTHERS, legend, marker};
pub(super) use path::{Path, area, sketch, steps, trace};
pub(super) use style::style_sheet;
pub(super) use svg::printable;
pub(super) use text::{shortened, text_width};

/// How many series can be told apart by colour, dashes and marks.
pub(super) const SERIES: usize = 7;

/// The width of a figure.
pub(super) const WIDTH: f64 = 760.0;

/// The width of a figure on the screen of a telephone.
pub(super) const NARROW: f64 = 360.0;

/// What every file that kenga draws says of itself near its beginning.
pub const GENERATOR: &str = "a figure of kenga's";

/// A place, or a width and a height, in pixels.
pub(super) type Point = (f64, f64);

/// Where a text stands relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A shape, or where shapes that belong together begin or end.
#[derive(Clone, Debug)]
struct Element {
    /// Its classes, apart by spaces.
    class: String,
    form: Form,
    /// The share, 0 to 1, of its colour that it is filled with, where that is not all.
    share: Option<f64>,
    /// What is said to a pointer that rests on it; may be empty.
    says: String,
}

#[derive(Clone, Debug)]
enum Form {
    Line(Point, Point),
    Path(Path),
    Rect(Point, Point),
    /// The middle and the radius.
    Circle(Point, f64),
    Text(Text),
    /// The curve of a series, or its entry in the legend, as the class says, begins.
    Begin(String),
    End,
    /// A chart whose curves, which follow, can be read: its frame.
    Chart(Box<Frame>),
}

#[derive(Clone, Debug)]
struct Text {
    at: Point,
    anchor: Anchor,
    /// Where it is another than that of its class.
    size: Option<f64>,
    runs_upward: bool,
    words: String,
}

/// A picture being drawn.
#[derive(Clone, Debug)]
pub(super) struct Graphic {
    width: f64,
    height: f64,
    shapes: Vec<Element>,
}

impl Graphic {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Self { width, height, shapes: Vec::new() }
    }

    pub(super) fn set_height(&mut self, height: f64) {
        self.height = height;
    }

    pub(super) fn line(&mut self, class: &str, from: Point, to: Point) {
        self.put(class, Form::Line(from, to));
    }

    pub(super) fn path(&mut self, class: &str, path: Path) {
        if !path.is_empty() {
            self.put(class, Form::Path(path));
        }
    }

    pub(super) fn rect(&mut self, class: &str, at: Point, size: Point) {
        self.put(class, Form::Rect(at, size));
    }

    pub(super) fn circle(&mut self, class: &str, middle: Point, radius: f64) {
        self.put(class, Form::Circle(middle, radius));
    }

    /// A rectangle filled with a share, 0 to 1, of the colour of heat, and what to say to a pointer that rests on it.
    pub(super) fn heat(&mut self, class: &str, at: Point, size: Point, share: f64, says: &str) {
        self.put(class, Form::Rect(at, size));
        if let Some(shape) = self.shapes.last_mut() {
            // The least is still seen.
            shape.share = Some(if share <= 0.0 { 0.0 } else { 0.08 + 0.92 * share.min(1.0) });
        }
        self.says(says);
    }

    pub(super) fn text(&mut self, class: &str, at: Point, anchor: Anchor, words: &str) {
        self.words(class, Text { at, anchor, size: None, runs_upward: false, words: words.to_owned() });
    }

    /// A text of another size than its class has.
    pub(super) fn sized_text(&mut self, class: &str, at: Point, anchor: Anchor, size: f64, words: &str) {
        self.words(class, Text { at, anchor, size: Some(size), runs_upward: false, words: words.to_owned() });
    }

    /// A text that runs upwards, its middle at the point.
    pub(super) fn upward_text(&mut self, class: &str, at: Point, words: &str) {
        let (anchor, words) = (Anchor::Middle, words.to_owned());
        self.words(class, Text { at, anchor, size: None, runs_upward: true, words });
    }

    /// What is said to a pointer that rests on the last shape.
    pub(super) fn says(&mut self, words: &str) {
        if let Some(shape) = self.shapes.last_mut() {
            words.clone_into(&mut shape.says);
        }
    }

    /// Draws what belongs to one series: its `curve`, or its `entry` in the legend, by which a reader can hide the curve.
    pub(super) fn series(&mut self, role: &str, series: &str, draw: impl FnOnce(&mut Self)) {
        self.put(role, Form::Begin(series.to_owned()));
        draw(self);
        self.put(role, Form::End);
    }

    /// Says where the values of the curves that follow can be read.
    fn chart(&mut self, frame: &Frame) {
        self.put("chart", Form::Chart(Box::new(*frame)));
    }

    fn words(&mut self, class: &str, text: Text) {
        if !text.words.is_empty() {
            self.put(class, Form::Text(text));
        }
    }

    fn put(&mut self, class: &str, form: Form) {
        self.shapes.push(Element { class: class.to_owned(), form, share: None, says: String::new() });
    }
}

/// A coordinate with at most one decimal.
fn coordinate(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    match (tenths / 10, tenths % 10) {
        (whole, 0) => whole.to_string(),
        _ => format!("{:.1}", tenths as f64 / 10.0),
    }
}

/// The class of a text over a share of the colour of heat: which ink is read there depends on light and dark.
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
