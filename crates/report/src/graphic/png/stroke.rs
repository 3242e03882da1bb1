//! Lines as areas: each piece a rectangle, joints and round ends discs; dashes are lines of their own.

use std::f64::consts::TAU;

use super::super::{Path, Point, Segment};
use super::raster::Area;

/// Points in a row, and whether the last is joined to the first.
pub(super) type Line = (Vec<Point>, bool);

/// How the ends of a line look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineEnd {
    /// Cut at its last point.
    Butt,
    /// Half its width longer.
    Square,
    /// A half disc.
    Round,
}

/// The lines of a path.
pub(super) fn lines(path: &Path) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for segment in path.segments() {
        match (segment, lines.last_mut()) {
            (Segment::Move(point), _) => lines.push((vec![*point], false)),
            (Segment::Line(point), Some(line)) => line.0.push(*point),
            (Segment::Close, Some(line)) => line.1 = true,
            (_, None) => {}
        }
    }
    lines
}

/// A disc as a polygon.
pub(super) fn disc((x, y): Point, radius: f64) -> Vec<Point> {
    let corners = (radius * 4.0).clamp(12.0, 90.0) as usize;
    let corner = |index: usize| TAU * index as f64 / corners as f64;
    (0..corners).map(|index| (x + radius * corner(index).cos(), y + radius * corner(index).sin())).collect()
}

/// The area of lines of a width, with round joints.
pub(super) fn stroke(lines: &[Line], width: f64, end: LineEnd) -> Area {
    let mut area = Area::new();
    for (points, is_closed) in lines {
        let half = width / 2.0;
        let count = points.len();
        let pieces = if *is_closed { count } else { count.saturating_sub(1) };
        for index in 0..pieces {
            let (from, to) = (points[index], points[(index + 1) % count]);
            let longer =
                |is_end: bool| if is_end && end == LineEnd::Square && !is_closed { half } else { 0.0 };
            area.extend(piece(from, to, half, longer(index == 0), longer(index + 1 == pieces)));
        }
        let joints = if *is_closed { 0..count } else { 1..count.saturating_sub(1).max(1) };
        area.extend(joints.map(|index| disc(points[index], half)));
        if end == LineEnd::Round && !is_closed {
            area.extend(
                [points.first(), points.last()].into_iter().flatten().map(|point| disc(*point, half)),
            );
        }
    }
    area
}

/// A straight piece of a line, longer at its ends; none without length.
fn piece(from: Point, to: Point, half: f64, before: f64, after: f64) -> Option<Vec<Point>> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length == 0.0 {
        return None;
    }
    let (ux, uy) = (dx / length, dy / length);
    let (from, to) = ((from.0 - ux * before, from.1 - uy * before), (to.0 + ux * after, to.1 + uy * after));
    let (nx, ny) = (-uy * half, ux * half);
    // The same way round as a disc, so that overlapping parts do not cancel out.
    Some(vec![
        (from.0 - nx, from.1 - ny),
        (to.0 - nx, to.1 - ny),
        (to.0 + nx, to.1 + ny),
        (from.0 + nx, from.1 + ny),
    ])
}

/// The dashes of lines: lengths on and off in turn.
pub(super) fn dashed(lines: &[Line], lengths: &[f64]) -> Vec<Line> {
    if lengths.iter().sum::<f64>() <= 0.0 {
        return lines.to_vec();
    }
    let mut dashes = Vec::new();
    for (points, is_closed) in lines {
        let mut points = points.clone();
        points.extend(is_closed.then(|| points[0]));
        let (mut index, mut left) = (0, lengths[0]);
        let mut dash = vec![points[0]];
        for pair in points.windows(2) {
            let (mut from, to) = (pair[0], pair[1]);
            loop {
                let length = (to.0 - from.0).hypot(to.1 - from.1);
                if length <= left {
                    left -= length;
                    dash.push(to);
                    break;
                }
                let share = left / length;
                from = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
                dash.push(from);
                if index % 2 == 0 {
                    dashes.push((std::mem::take(&mut dash), false));
                }
                dash = vec![from];
                index = (index + 1) % (lengths.len() * 2);
                left = lengths[index % lengths.len()];
            }
        }
        if index % 2 == 0 && dash.len() > 1 {
            dashes.push((dash, false));
        }
    }
    dashes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_go_round_corners() {
        let line = (vec![(0.0, 0.0), (5.0, 0.0), (5.0, 5.0)], false);
        let dashes = dashed(&[line], &[4.0, 2.0]);
        assert_eq!(dashes, [(vec![(0.0, 0.0), (4.0, 0.0)], false), (vec![(5.0, 1.0), (5.0, 5.0)], false)]);
    }

    #[test]
    fn square_ends_make_a_line_longer() {
        let line = || vec![(vec![(2.0, 1.0), (4.0, 1.0)], false)];
        let ends = |end| stroke(&line(), 2.0, end)[0].iter().map(|point| point.0).fold(9.0, f64::min);
        assert_eq!((ends(LineEnd::Butt), ends(LineEnd::Square)), (2.0, 1.0));
    }
}
