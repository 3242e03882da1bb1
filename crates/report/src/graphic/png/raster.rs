//! Areas as pixels: which part of each pixel a set of polygons covers.
//!
//! Every row of pixels is cut into thin strips. In each strip the edges that cross its middle are sorted, and what lies between
//! an edge where the winding number leaves zero and one where it comes back is covered.

use super::super::Point;
use crate::span;

/// Strips of a row of pixels.
const STRIPS: usize = 8;

/// Polygons, each closed.
pub(super) type Area = Vec<Vec<Point>>;

/// A picture of pixels: red, green and blue, row by row.
pub struct Canvas {
    pub width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: Vec<[u8; 3]>,
}

/// Where an edge crosses the middle of a strip, and whether downwards (1) or upwards (-1).
type Crossing = (f64, i32);

impl Canvas {
    /// A canvas in one colour.
    pub(super) fn new(width: usize, height: usize, colour: [u8; 3]) -> Self {
        Self { width, height, pixels: vec![colour; width * height] }
    }

    /// Lays a colour over the points round which the polygons wind (non-zero rule), with an opacity from 0 to 1.
    pub(super) fn fill(&mut self, area: &Area, colour: [u8; 3], opacity: f64) {
        let (top, bottom) = span(area.iter().flatten().map(|point| point.1));
        let top = top.clamp(0.0, self.height as f64).floor() as usize;
        let bottom = bottom.clamp(0.0, self.height as f64).ceil() as usize;
        if top >= bottom {
            return;
        }
        let mut strips: Vec<Vec<Crossing>> = vec![Vec::new(); (bottom - top) * STRIPS];
        for polygon in area {
            let next = polygon.iter().cycle().skip(1);
            for (from, to) in polygon.iter().zip(next) {
                cross(*from, *to, top, &mut strips);
            }
        }
        let mut covered = vec![0.0; self.width];
        for (row, strips) in (top..bottom).zip(strips.chunks_mut(STRIPS)) {
            covered.fill(0.0);
            for strip in strips {
                spans(strip, &mut covered);
            }
            let pixels = &mut self.pixels[row * self.width..(row + 1) * self.width];
            for (pixel, covered) in pixels.iter_mut().zip(&covered) {
                if *covered <= 0.0 {
                    continue;
                }
                let share = (covered / STRIPS as f64).min(1.0) * opacity;
                for (channel, over) in pixel.iter_mut().zip(colour) {
                    let under = f64::from(*channel);
                    *channel = (under + (f64::from(over) - under) * share).round() as u8;
                }
            }
        }
    }
}

/// Notes where an edge crosses the strips below the row `top`.
fn cross(from: Point, to: Point, top: usize, strips: &mut [Vec<Crossing>]) {
    let (upper, lower, direction) = if from.1 < to.1 { (from, to, 1) } else { (to, from, -1) };
    // The middle of strip k is at (k + 0.5) / STRIPS.
    let strip =
        |y: f64| ((y - top as f64) * STRIPS as f64 - 0.5).ceil().clamp(0.0, strips.len() as f64) as usize;
    let (first, end) = (strip(upper.1), strip(lower.1));
    for (index, crossings) in strips.iter_mut().enumerate().take(end).skip(first) {
        let y = top as f64 + (index as f64 + 0.5) / STRIPS as f64;
        let x = upper.0 + (lower.0 - upper.0) * (y - upper.1) / (lower.1 - upper.1);
        crossings.push((x, direction));
    }
}

/// Adds to each pixel what the crossings of a strip enclose of it.
fn spans(crossings: &mut [Crossing], covered: &mut [f64]) {
    crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut winding, mut start) = (0, 0.0);
    for &(x, direction) in crossings.iter() {
        if winding == 0 {
            start = x;
        }
        winding += direction;
        if winding == 0 {
            cover(start, x, covered);
        }
    }
}

/// Adds to each pixel how much of it lies between two places.
fn cover(from: f64, to: f64, covered: &mut [f64]) {
    let width = covered.len() as f64;
    let (from, to) = (from.clamp(0.0, width), to.clamp(0.0, width));
    let (first, last) = (from.floor() as usize, to.floor() as usize);
    for (pixel, covered) in covered.iter_mut().enumerate().take(last + 1).skip(first) {
        let left = from.max(pixel as f64);
        let right = to.min(pixel as f64 + 1.0);
        *covered += (right - left).max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shares of black, in per cent.
    fn shares(area: &Area, size: (usize, usize)) -> Vec<u8> {
        let mut canvas = Canvas::new(size.0, size.1, [100; 3]);
        canvas.fill(area, [0; 3], 1.0);
        canvas.pixels.iter().map(|pixel| 100 - pixel[0]).collect()
    }

    fn rect(left: f64, top: f64, right: f64, bottom: f64) -> Vec<Point> {
        vec![(left, top), (right, top), (right, bottom), (left, bottom)]
    }

    #[test]
    fn a_pixel_is_as_dark_as_its_covered_part() {
        assert_eq!(shares(&vec![rect(0.5, 0.0, 2.0, 1.5)], (3, 2)), [50, 100, 0, 25, 50, 0]);
        assert_eq!(shares(&vec![rect(-5.0, -5.0, 9.0, 9.0)], (2, 1)), [100, 100]);
        assert_eq!(shares(&vec![vec![(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]], (1, 1)), [50]);
    }

    #[test]
    fn areas_that_overlap_are_joined_and_those_that_wind_back_are_holes() {
        let twice = vec![rect(0.0, 0.0, 2.0, 1.0), rect(1.0, 0.0, 3.0, 1.0)];
        assert_eq!(shares(&twice, (3, 1)), [100, 100, 100]);
        let mut hole = rect(1.0, 0.0, 2.0, 1.0);
        hole.reverse();
        assert_eq!(shares(&vec![rect(0.0, 0.0, 3.0, 1.0), hole], (3, 1)), [100, 0, 100]);
    }
}
