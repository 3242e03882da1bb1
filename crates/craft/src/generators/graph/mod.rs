//! Graphs to be coloured: what their generators share.

pub(super) mod mycielski;
pub(super) mod queens;
pub mod random;

use kenga_core::puzzle::{Coloring, MAX_DIGITS, Puzzle};
use kenga_core::spec::{Param, ParamKind};

/// The edges of a graph, each two vertices from 0.
type Edges = Vec<(usize, usize)>;

/// The parameter of every graph.
const COLORS: Param =
    Param::required("colors", ParamKind::Integer(1, MAX_DIGITS as i64)).about("how many colours there are");

/// The puzzle of colouring a graph.
fn coloring(vertices: usize, colors: usize, edges: Edges) -> Puzzle {
    Coloring::new(vertices, colors, edges).build().expect("a generator makes sound graphs")
}

/// The greatest number of edges between so many vertices.
const fn most_edges(vertices: usize) -> usize {
    vertices * (vertices - 1) / 2
}
