//! Marks that tell series apart without colour.

use super::{SERIES, Svg, coordinate};

/// Draws the mark of a series around a point.
pub(in crate::report) fn marker(svg: &mut Svg, series: usize, at: (f64, f64)) {
    let class = format!("mark c{}", series % SERIES);
    svg.path(&class, &outline(series % SERIES, at));
}

fn outline(series: usize, (x, y): (f64, f64)) -> String {
    let corners: &[(f64, f64)] = match series {
        1 => &[(-3.5, -3.5), (3.5, -3.5), (3.5, 3.5), (-3.5, 3.5)],
        2 => &[(0.0, -4.6), (4.4, 3.4), (-4.4, 3.4)],
        3 => &[(0.0, -5.0), (5.0, 0.0), (0.0, 5.0), (-5.0, 0.0)],
        4 => &[(0.0, 4.6), (4.4, -3.4), (-4.4, -3.4)],
        5 => &[(-4.5, -1.6), (4.5, -1.6), (4.5, 1.6), (-4.5, 1.6)],
        6 => &[(-1.6, -4.5), (1.6, -4.5), (1.6, 4.5), (-1.6, 4.5)],
        _ => {
            let [left, right, middle] = [x - 3.8, x + 3.8, y].map(coordinate);
            return format!("M{left} {middle}A3.8 3.8 0 1 1 {right} {middle}A3.8 3.8 0 1 1 {left} {middle}Z");
        }
    };
    super::trace(corners.iter().map(|(dx, dy)| (x + dx, y + dy))) + "Z"
}
