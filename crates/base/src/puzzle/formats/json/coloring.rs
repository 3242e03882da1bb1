//! Graph colouring in JSON: `{"kind":"coloring","vertices":3,"colors":2,"edges":[[0,1],[1,2]]}`.

use serde_json::{Map, Value, json};

use super::super::super::{Coloring, Defect, MAX_CELLS, MAX_DIGITS, Puzzle};
use super::super::error::Fault;
use super::super::node::{Keys, Node};
use super::parts::{each, given, group};

const VERTEX: &str = "a vertex, counted from 0";

/// Reads a graph colouring.
pub(super) fn read(keys: &Keys<'_>) -> Result<Puzzle, Fault> {
    let (vertices_node, colors_node) = (keys.need("vertices")?, keys.need("colors")?);
    let vertices = count(vertices_node, MAX_CELLS, "a number of vertices from 1 to 65536")?;
    let colors = count(colors_node, MAX_DIGITS, "a number of colours from 1 to 32")?;
    if let Some(digits) = keys.get("digits") {
        return Err(digits.unexpected("no digits: they are 1 to the number of colors"));
    }
    let list = keys.need("edges")?;
    let places: Vec<Node<'_>> = list.list("the list of edges")?;
    let edges = places.iter().map(edge).collect::<Result<Vec<_>, Fault>>()?;
    let shape = Coloring::shape(vertices);
    let givens = each(keys.get("givens"), "a list of givens", |node| given(node, shape))?;
    let groups = each(keys.get("groups"), "a list of groups", |node| group(node, shape))?;
    Coloring { vertices, colors, edges, givens, groups }.build().map_err(|defect| {
        let (place, label) = match defect {
            Defect::Edge { edge, .. } => (places[edge], "expected two different vertices of the graph"),
            _ => (list, "in this graph"),
        };
        Fault::new(defect, place.span(), label)
    })
}

fn count(node: Node<'_>, most: usize, expected: &str) -> Result<usize, Fault> {
    let count = node.number(expected)?;
    if (1..=most).contains(&count) { Ok(count) } else { Err(node.unexpected(expected)) }
}

fn edge(node: &Node<'_>) -> Result<(usize, usize), Fault> {
    let [from, to] = node.array("an edge, [vertex, vertex]")?;
    Ok((from.number(VERTEX)?, to.number(VERTEX)?))
}

/// Adds the keys of the kind.
pub(super) fn add(object: &mut Map<String, Value>, puzzle: &Puzzle) {
    object.insert("vertices".to_owned(), json!(Coloring::vertices_of(puzzle)));
    object.insert("colors".to_owned(), json!(puzzle.digits().len()));
    object.insert("edges".to_owned(), json!(Coloring::edges_of(puzzle).collect::<Vec<_>>()));
}
