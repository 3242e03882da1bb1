//! The groups of a graph colouring: a vertex is a cell, an edge two cells that differ, a colour a digit.

use super::square::givens;
use super::{Defect, DigitSet, Group, Kind, MAX_CELLS, Puzzle, Role};
use crate::sort::sort_by;

/// The parts of a graph colouring; [`build`](Self::build) checks them and makes the groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coloring {
    /// The number of vertices, 1 to 65,536. Vertices count from 0.
    pub vertices: usize,
    /// The number of colours, 1 to 32: the digits 1 to `colors`.
    pub colors: usize,
    /// The edges, each between two different vertices. One that stands there twice, in either direction, is one.
    pub edges: Vec<(usize, usize)>,
    /// Colours that are given: `(row, column, colour)` in the rectangle.
    pub givens: Vec<(usize, usize, u8)>,
    /// Further groups as they are.
    pub groups: Vec<Group>,
}

impl Coloring {
    /// A colouring without givens.
    pub fn new(vertices: usize, colors: usize, edges: Vec<(usize, usize)>) -> Self {
        Self { vertices, colors, edges, givens: Vec::new(), groups: Vec::new() }
    }

    /// The rows and columns of the rectangle in which so many vertices are laid out, row by row: as square as it can be,
    /// wider than high. The cells after the last vertex are black.
    pub fn shape(vertices: usize) -> (usize, usize) {
        let cols = vertices.isqrt() + usize::from(vertices.isqrt().pow(2) < vertices);
        (vertices.div_ceil(cols.max(1)), cols)
    }

    /// Checks the structure and builds the puzzle: a distinct group for every edge.
    ///
    /// # Errors
    /// The first [`Defect`] found: vertices or colours out of range, an edge with a vertex that is not there or from a
    /// vertex to itself, a given outside the rectangle or in a black cell, more edges than 65,536 groups leave room for.
    pub fn build(self) -> Result<Puzzle, Defect> {
        if !(1..=MAX_CELLS).contains(&self.vertices) {
            return Err(Defect::Vertices(self.vertices));
        }
        let digits = DigitSet::one_to(self.colors)?;
        for (edge, &(from, to)) in self.edges.iter().enumerate() {
            if from == to || from.max(to) >= self.vertices {
                return Err(Defect::Edge { edge, from, to, vertices: self.vertices });
            }
        }
        // Files name edges once or in both directions.
        let mut edges = self.edges;
        for edge in &mut edges {
            *edge = (edge.0.min(edge.1), edge.0.max(edge.1));
        }
        sort_by(&mut edges, Ord::cmp);
        edges.dedup();
        let shape = Self::shape(self.vertices);
        // Vertices are laid out row by row: the cells after the last are black.
        let mut black = vec![true; shape.0 * shape.1];
        black[..self.vertices].fill(false);
        let mut groups = Vec::with_capacity(edges.len());
        for (low, high) in edges {
            groups.push(Group::all_different(Role::Group, vec![low, high]));
        }
        groups.extend(givens(&self.givens, shape)?);
        groups.extend(self.groups);
        Puzzle::new(Kind::Coloring, shape, digits, black, groups)
    }

    /// The graph of a puzzle of this kind.
    pub(super) fn edges_of(puzzle: &Puzzle) -> Vec<(usize, usize)> {
        let mut edges = Vec::new();
        for group in puzzle.groups() {
            if Self::is_edge(group) {
                edges.push((group.cells[0], group.cells[1]));
            }
        }
        edges
    }

    /// Says whether a group of a puzzle of this kind is an edge.
    pub(super) fn is_edge(group: &Group) -> bool {
        group.role == Role::Group && group.distinct && group.clue.is_none() && group.cells.len() == 2
    }

    /// The number of vertices of a puzzle of this kind.
    pub(super) fn vertices_of(puzzle: &Puzzle) -> usize {
        puzzle.white_cells()
    }
}

#[doc(hidden)]
impl Puzzle {
    /// The same graph to be coloured with another number of colours.
    ///
    /// # Errors
    /// [`Defect::NoColors`] for a puzzle of another kind, [`Defect::Digits`] for more than 32 colours or none.
    pub fn with_colors(&self, colors: usize) -> Result<Self, Defect> {
        if self.kind != Kind::Coloring {
            return Err(Defect::NoColors(self.kind.phrase()));
        }
        let digits = DigitSet::one_to(colors)?;
        Ok(self.with_digits(digits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_is_laid_out_in_a_rectangle_and_a_doubled_edge_is_one() {
        let puzzle =
            Coloring::new(5, 3, vec![(4, 0), (0, 1), (1, 0), (0, 4)]).build().expect("a sound graph");
        assert_eq!(
            (puzzle.rows(), puzzle.cols(), puzzle.is_black(4), puzzle.is_black(5)),
            (2, 3, false, true)
        );
        assert_eq!(Coloring::edges_of(&puzzle), [(0, 1), (0, 4)]);
        assert_eq!((Coloring::vertices_of(&puzzle), puzzle.digits().len()), (5, 3));
    }

    #[test]
    fn rectangles_are_as_square_as_they_can_be() {
        let shapes = [1, 2, 3, 4, 5, 6, 7, 11, 36, 1000].map(Coloring::shape);
        let expected = [(1, 1), (1, 2), (2, 2), (2, 2), (2, 3), (2, 3), (3, 3), (3, 4), (6, 6), (32, 32)];
        assert_eq!(shapes, expected);
    }

    #[test]
    fn only_a_graph_takes_other_colours() {
        let graph = Coloring::new(3, 2, vec![(0, 1)]);
        let puzzle = graph.clone().build().expect("a sound graph").with_colors(5).expect("a graph");
        assert_eq!(puzzle, Coloring { colors: 5, ..graph }.build().expect("a sound graph"));
        let latin = super::super::Square::latin(3).build().expect("a sound Latin square");
        assert_eq!(latin.with_colors(3), Err(Defect::NoColors("a Latin square")));
    }

    #[test]
    fn every_defect_is_named() {
        let refused =
            |vertices, colors, edges| Coloring::new(vertices, colors, edges).build().expect_err("a defect");
        assert_eq!(refused(0, 3, vec![]), Defect::Vertices(0));
        assert_eq!(refused(70_000, 3, vec![]), Defect::Vertices(70_000));
        assert_eq!(refused(3, 33, vec![]), Defect::Digits { count: 33, twice: false });
        assert_eq!(
            refused(3, 2, vec![(0, 1), (2, 2)]),
            Defect::Edge { edge: 1, from: 2, to: 2, vertices: 3 }
        );
        assert_eq!(refused(3, 2, vec![(3, 1)]), Defect::Edge { edge: 0, from: 3, to: 1, vertices: 3 });
        let black = Coloring { givens: vec![(1, 1, 1)], ..Coloring::new(3, 2, vec![]) };
        assert!(matches!(black.build(), Err(Defect::Outside { cell: (1, 1), .. })));
    }
}
