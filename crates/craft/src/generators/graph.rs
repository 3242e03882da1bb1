//! Graphs to be coloured: of queens, of Mycielski, and at random.
//!
//! *Queens graphs*: the fields of a chessboard, an edge between two where a queen goes from one to the other. A colouring with
//! `n` colours is `n` solutions of the `n` queens problem that fill the board. Rows, columns and long diagonals are cliques of
//! `n` vertices, so that fewer colours never do; for 6, 8, 9 and 10 more are needed than `n`.
//!
//! *Mycielski graphs*: without triangles, and yet every one needs a colour more than the one before.
//!
//! ```text
//! the first: two vertices and their edge
//! the next:  the vertices v of the one before and their edges
//!            a copy u of each, joined to the neighbours of v
//!            one more vertex, joined to every copy
//! ```
//!
//! Numbered as in DIMACS: graph 3 is that of Grötzsch with 11 vertices; graph `k` needs `k + 1` colours. A clique has two
//! vertices, so that a proof that fewer do not suffice takes search.
//!
//! *Random graphs*: every two vertices are joined with the same probability. The edges depend on the seed and the number alone,
//! not on the colours: the same graph can be tried with fewer.
//!
//! Sources: M. Vasquez, "New results on the queens_n^2 graph coloring problem", Journal of Heuristics 10, 2004; J. Mycielski,
//! "Sur le coloriage des graphs", Colloquium Mathematicum 3, 1955, doi:10.4064/cm-3-2-161-162; E. N. Gilbert, "Random graphs",
//! Annals of Mathematical Statistics 30, 1959, doi:10.1214/aoms/1177706098.

use kenga_core::budget::Interrupt;
use kenga_core::puzzle::{Coloring, MAX_CELLS, MAX_DIGITS, Puzzle};
use kenga_core::rng::RunRng;
use kenga_core::spec::{Member, Param, ParamKind, SpecError};

use super::{Entry, Generator, Shortfall, conflict, percent};

/// The parameter of every graph.
const COLORS: Param =
    Param::required("colors", ParamKind::Integer(1, MAX_DIGITS as i64)).about("how many colours there are");

pub(super) static QUEENS: Entry = Member::new("queens-graph")
    .about(
        "the fields of a chessboard, to be coloured so that no queen goes from one to another of its colour",
    )
    .source("M. Vasquez, Journal of Heuristics 10, 2004")
    .params(&[
        Param::required("size", ParamKind::Integer(1, 32)).about("rows and columns of the chessboard"),
        COLORS,
    ])
    .build(|spec| {
        let (number, colors) = (spec.size("size"), spec.size("colors"));
        Box::new(NumberedGraph { name: "queens", number, colors, graph: queens })
    });

pub(super) static MYCIELSKI: Entry = Member::new("mycielski")
    .about(
        "Mycielski's graph of this number, which has no triangle and needs one colour more than its number",
    )
    .source("J. Mycielski 1955, doi:10.4064/cm-3-2-161-162")
    .params(&[
        Param::required("size", ParamKind::Integer(1, 9))
            .about("the number of the graph, as in DIMACS: 3 has 11 vertices"),
        COLORS,
    ])
    .build(|spec| {
        let (number, colors) = (spec.size("size"), spec.size("colors"));
        Box::new(NumberedGraph { name: "mycielski", number, colors, graph: mycielski })
    });

pub(super) static RANDOM: Entry = Member::new("random-graph")
    .about("a graph in which every two vertices are joined with the same probability, to be coloured")
    .source("E. N. Gilbert 1959, doi:10.1214/aoms/1177706098")
    .params(&[
        Param::required("size", ParamKind::Integer(1, 4096)).about("how many vertices"),
        Param::required("edges", ParamKind::Real(0.0, 1.0)).about("probability that two vertices are joined"),
        COLORS,
    ])
    .build(|spec| {
        let (vertices, colors) = (spec.size("size"), spec.size("colors"));
        Box::new(Random { vertices, probability: spec.real("edges"), colors })
    });

/// A graph whose vertices are numbered from 0.
struct Graph {
    vertices: usize,
    edges: Vec<(usize, usize)>,
}

impl Graph {
    /// The puzzle of colouring it.
    fn coloring(self, colors: usize) -> Puzzle {
        Coloring::new(self.vertices, colors, self.edges).build().expect("a generator makes sound graphs")
    }
}

/// A graph that its number determines.
struct NumberedGraph {
    name: &'static str,
    number: usize,
    colors: usize,
    graph: fn(usize) -> Graph,
}

impl Generator for NumberedGraph {
    fn stem(&self) -> String {
        format!("{}-{}-{}", self.name, self.number, self.colors)
    }

    fn is_random(&self) -> bool {
        false
    }

    fn make(&self, _: &mut RunRng, _: &Interrupt) -> Result<Puzzle, Shortfall> {
        Ok((self.graph)(self.number).coloring(self.colors))
    }
}

/// The moves of a queen on a board of `size * size` fields, row-major.
fn queens(size: usize) -> Graph {
    let vertices = size * size;
    let mut edges = Vec::new();
    for high in 0..vertices {
        for low in 0..high {
            let (rows, columns) = ((high / size).abs_diff(low / size), (high % size).abs_diff(low % size));
            if rows == 0 || columns == 0 || rows == columns {
                edges.push((low, high));
            }
        }
    }
    Graph { vertices, edges }
}

/// The graph of Mycielski with this number, from 1.
fn mycielski(number: usize) -> Graph {
    let (mut vertices, mut edges) = (2, vec![(0, 1)]);
    for _ in 1..number {
        for edge in 0..edges.len() {
            let (v, w) = edges[edge];
            edges.push((v, vertices + w));
            edges.push((w, vertices + v));
        }
        for v in 0..vertices {
            edges.push((vertices + v, 2 * vertices));
        }
        vertices = 2 * vertices + 1;
    }
    Graph { vertices, edges }
}

struct Random {
    vertices: usize,
    /// The probability that two vertices are joined.
    probability: f64,
    colors: usize,
}

impl Generator for Random {
    fn stem(&self) -> String {
        format!("{}-{}", self.stream(), self.colors)
    }

    fn stream(&self) -> String {
        format!("random-graph-{}-{}", self.vertices, percent(self.probability))
    }

    /// Refuses graphs that could have more edges than a puzzle has groups: six standard deviations above the mean.
    fn check(&self) -> Result<(), SpecError> {
        let p = self.probability;
        let pairs = (self.vertices * (self.vertices - 1) / 2) as f64;
        let most = (pairs * p + 6.0 * (pairs * p * (1.0 - p)).sqrt()).ceil();
        if most <= MAX_CELLS as f64 {
            return Ok(());
        }
        let message =
            format!("about {:.0} edges are too many: a puzzle has up to {MAX_CELLS} groups", pairs * p);
        Err(conflict(message, "lower `size` or `edges`"))
    }

    fn make(&self, rng: &mut RunRng, _: &Interrupt) -> Result<Puzzle, Shortfall> {
        let mut edges = Vec::new();
        for high in 0..self.vertices {
            for low in 0..high {
                if rng.coin(self.probability) {
                    edges.push((low, high));
                }
            }
        }
        Ok(Graph { vertices: self.vertices, edges }.coloring(self.colors))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::puzzle::Role;
    use kenga_core::rng::StreamKey;

    #[test]
    fn queens_go_along_rows_columns_and_diagonals() {
        // The numbers of edges of the DIMACS graphs queen5_5 to queen8_8.
        assert_eq!([5, 6, 7, 8].map(|size| queens(size).edges.len()), [160, 290, 476, 728]);
        assert_eq!(queens(1).edges, []);
        assert!(queens(3).edges.contains(&(0, 8)) && !queens(3).edges.contains(&(0, 5)));
    }

    #[test]
    fn the_largest_board_fits() {
        assert_eq!(queens(32).coloring(32).rows(), 32);
    }

    #[test]
    fn graphs_have_the_vertices_and_edges_of_dimacs_and_no_triangle() {
        let sizes = [1, 2, 3, 4, 5, 6, 7].map(|number| {
            let graph = mycielski(number);
            (graph.vertices, graph.edges.len())
        });
        assert_eq!(sizes, [(2, 1), (5, 5), (11, 20), (23, 71), (47, 236), (95, 755), (191, 2360)]);
        let Graph { vertices, edges } = mycielski(4);
        let joined = |one: usize, two: usize| edges.contains(&(one, two)) || edges.contains(&(two, one));
        assert!(!edges.iter().any(|(v, w)| (0..vertices).any(|u| joined(u, *v) && joined(u, *w))));
    }

    #[test]
    fn the_largest_mycielski_graph_fits() {
        let graph = mycielski(9);
        assert_eq!((graph.vertices, graph.edges.len()), (767, 22196));
        assert_eq!(graph.coloring(10).rows(), 28);
    }

    fn random(vertices: usize, probability: f64, colors: usize) -> Random {
        Random { vertices, probability, colors }
    }

    #[test]
    fn as_many_pairs_are_joined_as_the_probability_says() {
        let edges = |probability| {
            let puzzle = random(100, probability, 5)
                .make(&mut StreamKey::run(2, "graph", 0).rng(), &Interrupt::default())
                .expect("it is always made");
            puzzle.groups_with(Role::Group).count()
        };
        assert_eq!((edges(0.0), edges(1.0)), (0, 4950));
        // Four standard deviations are 84.
        assert!((411..=579).contains(&edges(0.1)), "{}", edges(0.1));
    }

    #[test]
    fn graphs_with_too_many_edges_are_refused_and_others_are_not() {
        assert!(random(1000, 0.12, 5).check().is_ok() && random(362, 1.0, 5).check().is_ok());
        assert!(random(1000, 0.13, 5).check().is_err() && random(363, 1.0, 5).check().is_err());
    }
}
