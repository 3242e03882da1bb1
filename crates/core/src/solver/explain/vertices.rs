//! Why a graph cannot be coloured: a few vertices whose edges already conflict.
//!
//! ```text
//! a clique with more vertices than there are colours is a smallest conflict
//! else, for each vertex, those with few neighbours first
//!     leave out vertices with fewer neighbours than there are colours: they never conflict
//!     leave it out if the others still conflict
//! ```
//!
//! What is left is a vertex-critical subgraph (F. Herrmann and A. Hertz 2002, *Finding the chromatic number by means of
//! critical graphs*, doi:10.1145/944618.944628).

use super::Proof;
use crate::budget::{Clock, Interrupt};
use crate::problem::Problem;
use crate::puzzle::{Group, Puzzle};
use crate::solver::{Limits, Status, solve};
use crate::sort::sort_by_key;

/// Vertices of a graph that cannot be coloured.
pub struct VertexConflict {
    /// Row-major indices of their cells, ascending.
    pub vertices: Vec<usize>,
    /// The edges between them.
    pub edges: usize,
    /// They are all joined with each other.
    pub is_clique: bool,
    /// What is proved of their number.
    pub proof: Proof,
}

/// The most vertices from which a clique is grown.
const STARTS: usize = 500;

/// Finds a few vertices that conflict without any clue, in a graph known to have no colouring without them. `limits` bound
/// all of it: nodes are those of all questions together.
pub fn vertex_conflict(puzzle: &Puzzle, limits: &Limits, interrupt: &Interrupt) -> VertexConflict {
    let graph = Neighbours::of(puzzle);
    if let Some(clique) = graph.clique(puzzle.digits().len() + 1) {
        return graph.conflict(clique, Proof::Smallest);
    }
    let (clock, mut nodes, mut proof) = (Clock::start(), limits.nodes, Proof::Irreducible);
    let mut kept = vec![true; graph.0.len()];
    graph.peel(&mut kept, puzzle.digits().len());
    for vertex in graph.by_degree() {
        if !kept[vertex] {
            continue;
        }
        if interrupt.is_raised() || clock.past(limits.seconds) || nodes == Some(0) {
            return graph.conflict(indices(&kept), Proof::Reduced);
        }
        let mut fewer = kept.clone();
        fewer[vertex] = false;
        // Without the vertex others may have too few neighbours to matter.
        graph.peel(&mut fewer, puzzle.digits().len());
        let seconds = limits.seconds.map(|seconds| (seconds - clock.wall_s()).max(0.0));
        let outcome = solve(
            &part(puzzle, &fewer),
            &Limits { solutions: 1, reported: 0, nodes, seconds },
            interrupt,
            &mut |_| (),
        );
        nodes = nodes.map(|nodes| nodes.saturating_sub(outcome.nodes));
        match outcome.status {
            Status::Unsolvable => kept = fewer,
            // The vertex stays, and nobody knows whether it is needed.
            Status::Undecided => proof = Proof::Reduced,
            Status::Unique | Status::Multiple | Status::Solved => {}
        }
    }
    graph.conflict(indices(&kept), proof)
}

fn indices(kept: &[bool]) -> Vec<usize> {
    (0..kept.len()).filter(|vertex| kept[*vertex]).collect()
}

fn is_rule(group: &Group) -> bool {
    group.distinct && group.clue.is_none()
}

/// The distinct groups of some vertices, as a problem of its own.
fn part(puzzle: &Puzzle, kept: &[bool]) -> Problem {
    let mut groups = puzzle.groups().to_vec();
    groups.retain(|group| is_rule(group) && group.cells.iter().all(|cell| kept[*cell]));
    let black = (0..kept.len()).map(|cell| puzzle.is_black(cell)).collect();
    let shape = (puzzle.rows(), puzzle.cols());
    let part = Puzzle::new(puzzle.kind, shape, puzzle.digits().clone(), black, groups);
    Problem::compile(&part.expect("some of the groups of a puzzle"))
}

/// The neighbours of every cell, ascending.
struct Neighbours(Vec<Vec<usize>>);

impl Neighbours {
    fn of(puzzle: &Puzzle) -> Self {
        let mut lists = vec![Vec::new(); puzzle.rows() * puzzle.cols()];
        for group in puzzle.groups() {
            if !is_rule(group) {
                continue;
            }
            for &cell in &group.cells {
                lists[cell].extend(group.cells.iter().copied().filter(|other| *other != cell));
            }
        }
        for list in &mut lists {
            list.sort_unstable();
            list.dedup();
        }
        Self(lists)
    }

    fn joins(&self, one: usize, other: usize) -> bool {
        self.0[one].binary_search(&other).is_ok()
    }

    /// How many of some vertices are neighbours of one.
    fn joined(&self, vertex: usize, others: &[usize]) -> usize {
        others.iter().filter(|other| self.joins(vertex, **other)).count()
    }

    /// All vertices, those with the fewest neighbours first.
    fn by_degree(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.0.len()).collect();
        sort_by_key(&mut order, |vertex| self.0[*vertex].len());
        order
    }

    /// A clique of so many vertices, where growing one from some vertex, the best joined first, finds one.
    fn clique(&self, size: usize) -> Option<Vec<usize>> {
        let starts = self.by_degree().into_iter().rev().take(STARTS);
        for start in starts {
            let mut clique = self.grow(start, size);
            if clique.len() == size {
                clique.sort_unstable();
                return Some(clique);
            }
        }
        None
    }

    /// A maximal clique from a vertex on, or one of so many vertices.
    fn grow(&self, start: usize, size: usize) -> Vec<usize> {
        let mut clique = vec![start];
        let mut rest = self.0[start].clone();
        while clique.len() < size {
            let next = rest.iter().copied().max_by_key(|vertex| self.joined(*vertex, &rest));
            let Some(next) = next else { break };
            clique.push(next);
            rest.retain(|vertex| self.joins(*vertex, next));
        }
        clique
    }

    /// Leaves out vertices with fewer neighbours than there are colours, until none is left.
    fn peel(&self, kept: &mut [bool], colors: usize) {
        let mut open: Vec<usize> = indices(kept);
        while let Some(vertex) = open.pop() {
            let neighbours = self.0[vertex].iter().filter(|other| kept[**other]);
            if kept[vertex] && neighbours.clone().count() < colors {
                open.extend(neighbours);
                kept[vertex] = false;
            }
        }
    }

    fn conflict(&self, vertices: Vec<usize>, proof: Proof) -> VertexConflict {
        let ends: usize = vertices.iter().map(|vertex| self.joined(*vertex, &vertices)).sum();
        let is_clique = ends == vertices.len() * vertices.len().saturating_sub(1);
        VertexConflict { edges: ends / 2, is_clique, vertices, proof }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Coloring;

    fn conflict(vertices: usize, colors: usize, edges: Vec<(usize, usize)>) -> VertexConflict {
        let puzzle = Coloring::new(vertices, colors, edges).build().expect("a sound graph");
        vertex_conflict(&puzzle, &Limits::default(), &Interrupt::default())
    }

    fn ring(size: usize, from: usize) -> impl Iterator<Item = (usize, usize)> {
        (0..size).map(move |at| (from + at, from + (at + 1) % size))
    }

    #[test]
    fn a_clique_is_found_among_other_edges() {
        let edges = ring(9, 0).chain([(2, 4), (4, 6), (2, 6), (3, 6), (2, 5), (3, 5)]).collect();
        let found = conflict(9, 4, edges);
        assert_eq!((found.vertices, found.edges, found.is_clique), (vec![2, 3, 4, 5, 6], 10, true));
        assert_eq!(found.proof, Proof::Smallest);
    }

    #[test]
    fn every_vertex_that_is_left_is_needed() {
        // An odd ring, an even one, and a tail.
        let edges = ring(7, 0).chain(ring(6, 7)).chain([(6, 7), (12, 13)]).collect();
        let found = conflict(14, 2, edges);
        assert_eq!((found.vertices, found.edges, found.is_clique), ((0..7).collect(), 7, false));
        assert_eq!(found.proof, Proof::Irreducible);
    }

    #[test]
    fn limits_leave_what_conflicts() {
        let puzzle = Coloring::new(7, 2, ring(7, 0).collect()).build().expect("a sound graph");
        let limits = Limits { nodes: Some(0), ..Limits::default() };
        let found = vertex_conflict(&puzzle, &limits, &Interrupt::default());
        assert_eq!((found.vertices.len(), found.proof), (7, Proof::Reduced));
    }
}
