//! Mycielski graphs: without triangles, and yet every one needs a colour more than the one before.
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
//! Source: J. Mycielski, "Sur le coloriage des graphs", Colloquium Mathematicum 3, 1955, doi:10.4064/cm-3-2-161-162.

use kenga_core::budget::Interrupt;
use kenga_core::puzzle::Puzzle;
use kenga_core::rng::RunRng;
use kenga_core::spec::{Member, Param, ParamKind};

use super::super::{Entry, Generator, Shortfall};
use super::{COLORS, Edges, coloring};

pub(in crate::generators) static ENTRY: Entry = Member::new("mycielski")
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
        let number = |key: &str| spec.integer(key) as usize;
        Box::new(Mycielski { number: number("size"), colors: number("colors") })
    });

struct Mycielski {
    number: usize,
    colors: usize,
}

impl Generator for Mycielski {
    fn stem(&self) -> String {
        format!("mycielski-{}-{}", self.number, self.colors)
    }

    fn is_random(&self) -> bool {
        false
    }

    fn make(&self, _: &mut RunRng, _: &Interrupt) -> Result<Puzzle, Shortfall> {
        let (vertices, edges) = graph(self.number);
        Ok(coloring(vertices, self.colors, edges))
    }
}

/// The vertices and edges of a graph by its number, from 1.
fn graph(number: usize) -> (usize, Edges) {
    (1..number).fold((2, vec![(0, 1)]), |(vertices, edges), _| {
        let copies = edges.iter().flat_map(|(v, w)| [(*v, vertices + w), (*w, vertices + v)]);
        let last = (0..vertices).map(|v| (vertices + v, 2 * vertices));
        let next = edges.iter().copied().chain(copies).chain(last).collect();
        (2 * vertices + 1, next)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn graphs_have_the_vertices_and_edges_of_dimacs_and_no_triangle() {
        let sizes = [1, 2, 3, 4, 5, 6, 7].map(|number| {
            let (vertices, edges) = graph(number);
            (vertices, edges.len())
        });
        assert_eq!(sizes, [(2, 1), (5, 5), (11, 20), (23, 71), (47, 236), (95, 755), (191, 2360)]);
        let (vertices, edges) = graph(4);
        let joined = |one: usize, two: usize| edges.contains(&(one, two)) || edges.contains(&(two, one));
        assert!(!edges.iter().any(|(v, w)| (0..vertices).any(|u| joined(u, *v) && joined(u, *w))));
    }

    #[test]
    fn the_largest_graph_fits() {
        assert_eq!((graph(9).0, graph(9).1.len()), (767, 22196));
        assert_eq!(coloring(767, 10, graph(9).1).rows(), 28);
    }
}
