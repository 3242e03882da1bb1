//! Marks that tell series apart without colour.

use super::{Graphic, Point, SERIES, trace};

/// Draws the mark of a series around a point; `says` is its value in words, or empty.
pub(in crate::report) fn marker(graphic: &mut Graphic, series: usize, at: Point, says: &str) {
    let class = format!("mark c{}", series % SERIES);
    let corners: &[Point] = match series % SERIES {
        1 => &[(-3.5, -3.5), (3.5, -3.5), (3.5, 3.5), (-3.5, 3.5)],
        2 => &[(0.0, -4.6), (4.4, 3.4), (-4.4, 3.4)],
        3 => &[(0.0, -5.0), (5.0, 0.0), (0.0, 5.0), (-5.0, 0.0)],
        4 => &[(0.0, 4.6), (4.4, -3.4), (-4.4, -3.4)],
        5 => &[(-4.5, -1.6), (4.5, -1.6), (4.5, 1.6), (-4.5, 1.6)],
        6 => &[(-1.6, -4.5), (1.6, -4.5), (1.6, 4.5), (-1.6, 4.5)],
        _ => {
            graphic.circle(&class, at, 3.8);
            return graphic.says(says);
        }
    };
    graphic.path(&class, trace(corners.iter().map(|(dx, dy)| (at.0 + dx, at.1 + dy))).closed());
    graphic.says(says);
}
