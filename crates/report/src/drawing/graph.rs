//! A graph that is to be coloured: its vertices in a circle, its edges as lines between them.

use std::f64::consts::TAU;

use super::super::graphic::{Anchor, Graphic, Path, Point, trace};
use super::{MARGIN, Marks, Place, Style, fitting};
use kenga_core::puzzle::{Puzzle, Role};

/// The side of a drawing without a room of its own.
const SIDE: f64 = 480.0;

/// The largest and the smallest radius of a vertex.
const LARGEST: f64 = 16.0;
const SMALLEST: f64 = 1.5;

/// Below this radius no number can be read.
const LEGIBLE: f64 = 5.0;

/// Draws a graph: vertex 1 stands at the top, the others follow clockwise; a colour is its number in the vertex.
pub(super) fn graph(puzzle: &Puzzle, marks: &Marks, style: &Style) -> (Graphic, Vec<Place>) {
    let side = style.room.map_or(SIDE, |(width, height)| width.min(height)).max(40.0);
    let vertices = (0..puzzle.rows() * puzzle.cols()).filter(|cell| !puzzle.is_black(*cell)).count();
    let outer = if style.labels { 16.0 } else { 0.0 };
    let reach = side / 2.0 - MARGIN - outer;
    let radius =
        (reach * 0.75 * TAU / 2.0 / vertices.max(1) as f64).clamp(SMALLEST, LARGEST.min(reach / 3.0));
    let at = |vertex: usize, reach: f64| -> Point {
        let turn = TAU * vertex as f64 / vertices.max(1) as f64;
        (side / 2.0 + reach * turn.sin(), side / 2.0 - reach * turn.cos())
    };
    let mut graphic = Graphic::new(side, side);
    let mut edges = Path::default();
    for group in puzzle.groups_with(Role::Group) {
        if let [from, to] = group.cells[..]
            && group.distinct
        {
            edges.add(trace([from, to].map(|vertex| at(vertex, reach - radius))));
        }
    }
    graphic.path("thin", edges);
    for (vertex, digit) in marks.all_digits(puzzle).into_iter().enumerate().take(vertices) {
        let (x, y) = at(vertex, reach - radius);
        let highlight = marks.highlight(vertex);
        graphic.circle(&format!("vertex {}", highlight.map_or("", super::Highlight::class)), (x, y), radius);
        if let Some((digit, is_given)) = digit.filter(|_| radius >= LEGIBLE) {
            let text = digit.to_string();
            let size = fitting(&text, radius * 1.7, radius * 1.3);
            let class = if is_given { "given" } else { "value" };
            graphic.sized_text(class, (x, y + size * 0.36), Anchor::Middle, size, &text);
        }
        if style.labels && radius >= LEGIBLE {
            let (x, y) = at(vertex, reach + outer * 0.5);
            graphic.sized_text("tick", (x, y + 3.5), Anchor::Middle, 10.0, &(vertex + 1).to_string());
        }
    }
    let mut places = Vec::new();
    for cell in 0..vertices {
        let (x, y) = at(cell, reach - radius);
        places.push(Place { cell, rank: None, at: (x - radius, y - radius), side: 2.0 * radius });
    }
    (graphic, places)
}
