//! Pictures: shapes with classes that define their style, written as SVG into a page or a file, or as PDF.
//!
//! Coordinates are pixels from the upper left corner, written with one decimal.

mod animation;
mod chart;
mod gif;
mod pdf;
mod png;
mod style;
mod svg;

pub(super) use animation::Film;
pub(super) use chart::{Frame, LegendEntry, OTHERS, Scale, legend, marker, setting_key, span};
pub(super) use gif::gif_file;
pub(super) use pdf::{Packing, PdfFile};
pub use style::Theme;
pub use style::style_sheet;
pub(super) use style::{shortened, text_width, widest, wrapped};
pub(super) use svg::page;

use std::fmt;

/// How many series have distinct colours, dashes and marks.
pub(super) const SERIES: usize = 7;

/// The width of a figure.
pub(super) const WIDTH: f64 = 760.0;

/// The width of a figure on the screen of a telephone.
pub(super) const NARROW: f64 = 360.0;

/// The words near the beginning of every file that kenga draws, which identify it.
pub const GENERATOR: &str = "a figure of kenga's";

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
        let moved = |(x, y): Point| (x + by.0, y + by.1);
        match self {
            Self::Line(from, to) => Self::Line(moved(from), moved(to)),
            Self::Path(path) => Self::Path(path.moved(by)),
            Self::Rect(at, size) => Self::Rect(moved(at), size),
            Self::Circle(middle, radius) => Self::Circle(moved(middle), radius),
            Self::Text(text) => Self::Text(Text { at: moved(text.at), ..text }),
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
    shapes: Vec<Element>,
}

impl Graphic {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Self { width, height, shapes: Vec::new() }
    }

    /// The background alone.
    pub(super) fn background((width, height): Point) -> Self {
        let mut background = Self::new(width, 0.0);
        background.rect("page", (0.0, 0.0), (width, height));
        background
    }

    /// The width and the height, in pixels.
    pub(super) fn size(&self) -> Point {
        (self.width, self.height)
    }

    /// Adds the shapes of another picture, its upper left corner at a point.
    pub(super) fn place(&mut self, at: Point, other: Self) {
        let move_by = |shape: Element| Element { form: shape.form.moved(at), ..shape };
        self.shapes.extend(other.shapes.into_iter().map(move_by));
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

/// A coordinate with at most one decimal.
fn coordinate(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    match (tenths / 10, tenths % 10) {
        (whole, 0) => whole.to_string(),
        _ => format!("{:.1}", tenths as f64 / 10.0),
    }
}

/// The class of a text over a heat of this strength, which contrasts with it.
pub(super) fn ink_over(share: f64) -> &'static str {
    match share {
        share if share > 0.82 => "over",
        share if share > 0.6 => "between",
        _ => "value",
    }
}

/// A piece of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Segment {
    /// Go to a point without drawing.
    Move(Point),
    /// Draw a straight line to a point.
    Line(Point),
    /// Draw a straight line to the start of this part of the path.
    Close,
}

/// Straight lines; [`fmt::Display`] writes them as SVG does.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Path(Vec<Segment>);

impl Path {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// The path with its end joined to its beginning.
    pub(crate) fn closed(mut self) -> Self {
        if !self.is_empty() {
            self.0.push(Segment::Close);
        }
        self
    }

    /// The same path elsewhere.
    fn moved(self, by: Point) -> Self {
        let moved = |(x, y): Point| (x + by.0, y + by.1);
        let segment = |segment| match segment {
            Segment::Move(point) => Segment::Move(moved(point)),
            Segment::Line(point) => Segment::Line(moved(point)),
            Segment::Close => Segment::Close,
        };
        Self(self.0.into_iter().map(segment).collect())
    }

    /// Appends another path.
    pub(crate) fn add(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}

impl FromIterator<Self> for Path {
    fn from_iter<I: IntoIterator<Item = Self>>(paths: I) -> Self {
        Self(paths.into_iter().flat_map(|path| path.0).collect())
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for segment in &self.0 {
            match segment {
                Segment::Move((x, y)) => write!(f, "M{} {}", coordinate(*x), coordinate(*y))?,
                Segment::Line((x, y)) => write!(f, "L{} {}", coordinate(*x), coordinate(*y))?,
                Segment::Close => f.write_str("Z")?,
            }
        }
        Ok(())
    }
}

/// A line through points.
pub(crate) fn trace(points: impl IntoIterator<Item = Point>) -> Path {
    let mut kept: Vec<Point> = Vec::new();
    for point in points {
        let point = (tenth(point.0), tenth(point.1));
        if let [.., a, b] = kept[..]
            && ((a.1 == b.1 && b.1 == point.1) || (a.0 == b.0 && b.0 == point.0))
        {
            kept.pop();
        }
        if kept.last() != Some(&point) {
            kept.push(point);
        }
    }
    let segment = |(index, point)| if index == 0 { Segment::Move(point) } else { Segment::Line(point) };
    Path(kept.into_iter().enumerate().map(segment).collect())
}

/// A simplified line through points, for the background: whole pixels, without points within a pixel of the rest.
pub(crate) fn sketch(points: impl IntoIterator<Item = Point>) -> Path {
    let points: Vec<Point> = points.into_iter().map(|(x, y)| (x.round(), y.round())).collect();
    let mut kept = vec![false; points.len()];
    let mut spans = vec![(0, points.len().saturating_sub(1))];
    // Ramer 1972, Douglas and Peucker 1973: keep the point of a span that is farthest from its chord, if it is far.
    while let Some((first, last)) = spans.pop() {
        kept[first..].iter_mut().take(1).for_each(|kept| *kept = true);
        kept[last..].iter_mut().take(1).for_each(|kept| *kept = true);
        let away = |at: &usize| distance(points[*at], points[first], points[last]);
        let farthest = (first + 1..last).max_by(|a, b| away(a).total_cmp(&away(b)));
        if let Some(farthest) = farthest.filter(|at| away(at) > 1.0) {
            spans.extend([(first, farthest), (farthest, last)]);
        }
    }
    trace(points.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(point, _)| point))
}

/// The distance of a point from the line through two others, or from the first where they coincide.
fn distance(point: Point, from: Point, to: Point) -> f64 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (px, py) = (point.0 - from.0, point.1 - from.1);
    let length = dx.hypot(dy);
    if length == 0.0 { px.hypot(py) } else { (dx * py - dy * px).abs() / length }
}

/// The points of a staircase: each height holds until the next point.
pub(crate) fn steps(points: &[Point]) -> Vec<Point> {
    let mut stairs: Vec<Point> = Vec::with_capacity(points.len() * 2);
    for &(x, y) in points {
        if let Some(&(_, before)) = stairs.last() {
            stairs.push((x, before));
        }
        stairs.push((x, y));
    }
    stairs
}

/// The area between two lines of the same direction.
pub(crate) fn area(upper: &[Point], lower: &[Point]) -> Path {
    trace(upper.iter().copied().chain(lower.iter().rev().copied())).closed()
}

fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_have_at_most_one_decimal() {
        let shown = [0.0, 12.0, 12.04, 12.06, -0.04, -3.25, 759.99].map(coordinate);
        assert_eq!(shown, ["0", "12", "12", "12.1", "0", "-3.3", "760"]);
    }

    #[test]
    fn points_in_line_are_left_out() {
        let points = [(0.0, 5.0), (1.0, 5.0), (2.0, 5.0), (2.0, 4.0), (2.0, 3.0), (3.0, 2.0)];
        assert_eq!(trace(points).to_string(), "M0 5L2 5L2 3L3 2");
        assert!(trace([]).is_empty() && area(&[], &[]).is_empty());
    }

    #[test]
    fn a_sketch_leaves_out_what_hardly_shows() {
        let points = [(0.0, 0.2), (3.0, 0.9), (6.0, 0.1), (6.2, 9.0), (12.0, 9.4)];
        assert_eq!(sketch(points).to_string(), "M0 0L6 0L6 9L12 9");
        assert!(sketch([]).is_empty());
    }

    #[test]
    fn a_staircase_holds_its_height() {
        assert_eq!(steps(&[(0.0, 0.0), (2.0, 1.0)]), [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0)]);
        let area = area(&[(0.0, 1.0), (1.0, 2.0)], &[(0.0, 0.0), (1.0, 0.5)]);
        assert_eq!(area.to_string(), "M0 1L1 2L1 0.5L0 0Z");
    }
}
