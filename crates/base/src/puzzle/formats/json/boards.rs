//! Futoshiki, magic squares and queens in JSON: `{"kind":"futoshiki","size":4,"less":[[[0,0],[0,1]],…]}`,
//! `{"kind":"magic","size":4,"target":34}`, `{"kind":"queens","size":8}`.

use super::super::super::{Defect, Futoshiki, Group, LessPair, Magic, Puzzle, Queens};
use super::super::cages::GridShape;
use super::super::error::Fault;
use super::super::node::{Keys, Node};
use super::kinds::size;
use super::parts::{cell, digits, each, given, group, inside};

/// Reads a Futoshiki.
pub(super) fn futoshiki(keys: &Keys<'_>) -> Result<Puzzle, Fault> {
    let parts = Parts::read(keys, |size| (size, size))?;
    let list =
        each(keys.get("less"), "a list of pairs of cells", |node| Ok((less(node, parts.shape)?, node)))?;
    let (less, places): (Vec<LessPair>, Vec<Node<'_>>) = list.into_iter().unzip();
    let (size, digits, givens, groups) = (parts.size, parts.digits, parts.givens, parts.groups);
    let futoshiki = Futoshiki { size, digits, givens, less, groups };
    futoshiki.build().map_err(|defect| match defect.part() {
        Some(pair) => Fault::new(defect, places[pair].span(), "expected two cells that share an edge"),
        None => of_digits(keys, defect),
    })
}

/// The cells of a pair, the lesser first.
fn less(node: Node<'_>, shape: GridShape) -> Result<LessPair, Fault> {
    let [first, second] = node.array("two cells, that with the lesser digit first: [[0, 0], [0, 1]]")?;
    Ok([inside(cell(first)?, shape, first)?, inside(cell(second)?, shape, second)?])
}

/// Reads a magic square.
pub(super) fn magic(keys: &Keys<'_>) -> Result<Puzzle, Fault> {
    let parts = Parts::read(keys, |size| (size, size))?;
    let sum = |node: Node<'_>| match node.whole("the sum of a row, a whole number")? {
        target @ 0.. => Ok(target),
        target => Err(Fault::new(Defect::NegativeSum(target), node.span(), "expected 0 or more")),
    };
    let target = keys.get("target").map(sum).transpose()?;
    let (size, digits, givens, groups) = (parts.size, parts.digits, parts.givens, parts.groups);
    Magic { size, digits, target, givens, groups }.build().map_err(|defect| of_digits(keys, defect))
}

/// Reads queens.
pub(super) fn queens(keys: &Keys<'_>) -> Result<Puzzle, Fault> {
    if let Some(digits) = keys.get("digits") {
        return Err(digits.unexpected("no digits: the rows of a board count from 1"));
    }
    let parts = Parts::read(keys, |size| (1, size))?;
    let queens = Queens { size: parts.size, givens: parts.givens, groups: parts.groups };
    queens.build().map_err(|defect| of_digits(keys, defect))
}

/// What these kinds have in common.
struct Parts {
    size: usize,
    shape: GridShape,
    digits: Option<Vec<u8>>,
    givens: Vec<(usize, usize, u8)>,
    groups: Vec<Group>,
}

impl Parts {
    /// Reads the size, and the parts of a grid whose shape it says.
    fn read(keys: &Keys<'_>, shape: impl Fn(usize) -> GridShape) -> Result<Self, Fault> {
        let size = size(keys.need("size")?)?;
        let shape = shape(size);
        Ok(Self {
            size,
            shape,
            digits: keys.get("digits").map(digits).transpose()?,
            givens: each(keys.get("givens"), "a list of givens", |node| given(node, shape))?,
            groups: each(keys.get("groups"), "a list of groups", |node| group(node, shape))?,
        })
    }
}

/// A defect of the digits, or of a size that needs too many.
fn of_digits(keys: &Keys<'_>, defect: Defect) -> Fault {
    let place = keys.get("digits").or_else(|| keys.get("size"));
    Fault::new(defect, place.map_or(0..0, |node| node.span()), "expected 1 to 32 different digits")
}
