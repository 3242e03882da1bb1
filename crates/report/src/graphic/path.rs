//! Paths of straight lines, and what makes them of points.

use std::fmt;

use super::{Point, coordinate, moved};

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
    pub(super) fn moved(mut self, by: Point) -> Self {
        for segment in &mut self.0 {
            match segment {
                Segment::Move(point) | Segment::Line(point) => *point = moved(*point, by),
                Segment::Close => {}
            }
        }
        self
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
    let mut segments: Vec<Segment> = kept.into_iter().map(Segment::Line).collect();
    if let Some(Segment::Line(start)) = segments.first().copied() {
        segments[0] = Segment::Move(start);
    }
    Path(segments)
}

/// A simplified line through points, for the background: whole pixels, without points within a pixel of the rest.
pub(crate) fn sketch(points: impl IntoIterator<Item = Point>) -> Path {
    let points: Vec<Point> = points.into_iter().map(|(x, y)| (x.round(), y.round())).collect();
    if points.is_empty() {
        return Path::default();
    }
    let mut kept = vec![false; points.len()];
    let mut spans = vec![(0, points.len() - 1)];
    // Ramer 1972, Douglas and Peucker 1973: keep the point of a span that is farthest from its chord, if it is far.
    while let Some((first, last)) = spans.pop() {
        (kept[first], kept[last]) = (true, true);
        let (mut farthest, mut most) = (None, 1.0);
        for at in first + 1..last {
            let away = distance(points[at], points[first], points[last]);
            // Of points that are equally far the last is kept: the bytes of figures depend on it.
            if away > 1.0 && away >= most {
                (farthest, most) = (Some(at), away);
            }
        }
        if let Some(farthest) = farthest {
            spans.extend([(first, farthest), (farthest, last)]);
        }
    }
    trace(points.into_iter().zip(kept).filter_map(|(point, is_kept)| is_kept.then_some(point)))
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
