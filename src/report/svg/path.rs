//! Curves as the data of a path: moves and lines in pixels, points that change nothing left out.

use super::coordinate;

/// A line through points.
pub(in crate::report) fn trace(points: impl IntoIterator<Item = (f64, f64)>) -> String {
    let mut kept: Vec<(f64, f64)> = Vec::new();
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
    let mut text = String::new();
    for (index, (x, y)) in kept.into_iter().enumerate() {
        text.push(if index == 0 { 'M' } else { 'L' });
        text += &format!("{} {}", coordinate(x), coordinate(y));
    }
    text
}

/// The points of a staircase: each height holds until the next point.
pub(in crate::report) fn steps(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut stairs: Vec<(f64, f64)> = Vec::with_capacity(points.len() * 2);
    for &(x, y) in points {
        if let Some(&(_, before)) = stairs.last() {
            stairs.push((x, before));
        }
        stairs.push((x, y));
    }
    stairs
}

/// The area between two lines of the same direction.
pub(in crate::report) fn area(upper: &[(f64, f64)], lower: &[(f64, f64)]) -> String {
    let path = trace(upper.iter().copied().chain(lower.iter().rev().copied()));
    if path.is_empty() { path } else { path + "Z" }
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
        assert_eq!(trace(points), "M0 5L2 5L2 3L3 2");
        assert_eq!(trace([]), "");
    }

    #[test]
    fn a_staircase_holds_its_height() {
        assert_eq!(steps(&[(0.0, 0.0), (2.0, 1.0)]), [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0)]);
        assert_eq!(area(&[(0.0, 1.0), (1.0, 2.0)], &[(0.0, 0.0), (1.0, 0.5)]), "M0 1L1 2L1 0.5L0 0Z");
    }
}
