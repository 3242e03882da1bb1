//! Futoshiki, magic squares, queens and graph colouring in JSON: `{"kind":"futoshiki","size":4,"less":[[[0,0],[0,1]],…]}`,
//! `{"kind":"magic","size":4,"target":34}`, `{"kind":"queens","size":8}`,
//! `{"kind":"coloring","vertices":3,"colors":2,"edges":[[0,1],[1,2]]}`.

use super::super::super::{
    Coloring, Defect, Futoshiki, Group, LessPair, MAX_CELLS, MAX_DIGITS, Magic, Puzzle, Queens,
};
use super::super::cages::GridShape;
use super::super::error::Fault;
use super::super::node::{JsonNode, Keys};
use super::kinds::size;
use super::parts::{cell, digits, givens, groups, inside};

/// Reads a Futoshiki.
pub(super) fn futoshiki(keys: &Keys<'_>) -> Result<Puzzle, Fault> {
    let size = size(keys.need("size")?)?;
    let BoardParts { digits, givens, groups } = BoardParts::read(keys, (size, size))?;
    let places = keys.list("less", "a list of pairs of cells")?;
    let mut less = Vec::with_capacity(places.len());
    for node in &places {
        less.push(less_pair(*node, (size, size))?);
    }
    let futoshiki = Futoshiki { size, digits, givens, less, groups };
    futoshiki.build().map_err(|defect| match defect.part() {
        Some(pair) => Fault::new(defect, places[pair].span(), "expected two cells that share an edge"),
        None => of_digits(keys, defect),
    })
}

/// The cells of a pair, the lesser first.
fn less_pair(node: JsonNode<'_>, shape: GridShape) -> Result<LessPair, Fault> {
    let [first, second] = node.array("two cells, that with the lesser digit first: [[0, 0], [0, 1]]")?;
    Ok([inside(cell(first)?, shape, first)?, inside(cell(second)?, shape, second)?])
}

/// Reads a magic square.
pub(super) fn magic(keys: &Keys<'_>) -> Result<Puzzle, Fault> {
    let size = size(keys.need("size")?)?;
    let BoardParts { digits, givens, groups } = BoardParts::read(keys, (size, size))?;
    let mut target = None;
    if let Some(node) = keys.get("target") {
        let sum = node.whole("the sum of a row, a whole number")?;
        if sum < 0 {
            return Err(Fault::new(Defect::NegativeSum(sum), node.span(), "expected 0 or more"));
        }
        target = Some(sum);
    }
    Magic { size, digits, target, givens, groups }.build().map_err(|defect| of_digits(keys, defect))
}

/// Reads queens.
pub(super) fn queens(keys: &Keys<'_>) -> Result<Puzzle, Fault> {
    if let Some(digits) = keys.get("digits") {
        return Err(digits.unexpected("no digits: the rows of a board count from 1"));
    }
    let size = size(keys.need("size")?)?;
    let BoardParts { givens, groups, .. } = BoardParts::read(keys, (1, size))?;
    Queens { size, givens, groups }.build().map_err(|defect| of_digits(keys, defect))
}

/// What these kinds have in common.
struct BoardParts {
    digits: Option<Vec<u8>>,
    givens: Vec<(usize, usize, u8)>,
    groups: Vec<Group>,
}

impl BoardParts {
    /// Reads the parts of a grid.
    fn read(keys: &Keys<'_>, shape: GridShape) -> Result<Self, Fault> {
        Ok(Self {
            digits: digits(keys.get("digits"))?,
            givens: givens(keys, shape)?,
            groups: groups(keys, shape)?,
        })
    }
}

/// A defect of the digits, or of a size that needs too many.
fn of_digits(keys: &Keys<'_>, defect: Defect) -> Fault {
    let place = keys.get("digits").or_else(|| keys.get("size"));
    Fault::new(defect, place.map_or(0..0, |node| node.span()), "expected 1 to 32 different digits")
}

/// Reads a graph colouring.
pub(super) fn coloring(keys: &Keys<'_>) -> Result<Puzzle, Fault> {
    const VERTEX: &str = "a vertex, counted from 0";
    let (vertices, colors) = (keys.need("vertices")?, keys.need("colors")?);
    let vertices = count(vertices, MAX_CELLS, "a number of vertices from 1 to 65536")?;
    let colors = count(colors, MAX_DIGITS, "a number of colours from 1 to 32")?;
    if let Some(digits) = keys.get("digits") {
        return Err(digits.unexpected("no digits: they are 1 to the number of colors"));
    }
    let list = keys.need("edges")?;
    let places = list.list("the list of edges")?;
    let mut edges = Vec::with_capacity(places.len());
    for edge in &places {
        let [from, to] = edge.array("an edge, [vertex, vertex]")?;
        edges.push((from.number(VERTEX)?, to.number(VERTEX)?));
    }
    let shape = Coloring::shape(vertices);
    let (givens, groups) = (givens(keys, shape)?, groups(keys, shape)?);
    Coloring { vertices, colors, edges, givens, groups }.build().map_err(|defect| {
        let (place, label) = match defect {
            Defect::Edge { edge, .. } => (places[edge], "expected two different vertices of the graph"),
            _ => (list, "in this graph"),
        };
        Fault::new(defect, place.span(), label)
    })
}

fn count(node: JsonNode<'_>, most: usize, expected: &str) -> Result<usize, Fault> {
    let count = node.number(expected)?;
    if (1..=most).contains(&count) { Ok(count) } else { Err(node.unexpected(expected)) }
}
