//! What the kinds of puzzles share in JSON: cages, cells, givens, groups, digits.

use super::super::super::operators::{self, GIVEN, Operator};
use super::super::super::{Cage, Group, Kind, Role};
use super::super::cage_list;
use super::super::cages::CagePlaces;
use super::super::error::Fault;
use super::super::words::Line;
use super::cells::CellText;
use super::keys::Keys;
use super::node::Node;

const CELL: &str = "a cell, [row, column] from 0";
const CAGE: &str = "a cage, such as `8+ A1 A2`";
const DIGIT: &str = "a digit from 0 to 255";

/// Rows and columns of a grid.
pub(super) type Shape = (usize, usize);

/// What programs call the parts of a cage, ours first.
const OPERATOR: [&str; 3] = ["op", "operation", "operator"];
const TARGET: [&str; 3] = ["target", "value", "result"];

/// A cage, its cells as the text counts them. In a Killer it is a sum unless it says otherwise, and a digit occurs in it
/// once. A text such as `"8+ A1 A2"` is a cage too.
pub(super) fn cage<'a>(node: Node<'a>, kind: Kind) -> Result<(Cage, CagePlaces, Vec<CellText>), Fault> {
    if node.is_text() {
        let words = node.word(CAGE)?.split();
        if words.is_empty() {
            return Err(node.unexpected(CAGE));
        }
        let (mut cage, places) = cage_list::cage(&Line { words }, "")?;
        let cells = std::mem::take(&mut cage.cells).into_iter().map(CellText::Known).collect();
        return Ok((cage, places, cells));
    }
    let keys = Keys::read(node, "a cage: an object with `op`, `target` and `cells`")?;
    let keys = keys.only(&[&OPERATOR[..], &TARGET, &["cells", "repeats"]].concat())?;
    let killer = kind == Kind::Killer;
    let op = keys.get_one(&OPERATOR)?;
    let (target, list) = (keys.need_one(&TARGET)?, keys.need("cells")?);
    let items = list.list("a list of cells")?;
    let operator = match op.map(operator).transpose()?.flatten() {
        Some(operator) => operator,
        None if killer => operators::find("+").expect("the table has the sum"),
        None if items.len() == 1 => GIVEN,
        None => return Err(op.map_or_else(|| keys.missing(OPERATOR[0]), |op| op.unexpected("an operator"))),
    };
    let mut cage = Cage::new(operator, target.whole("a target, a whole number")?, Vec::new());
    let places = CagePlaces {
        whole: node.span(),
        operator: op.unwrap_or(target).span(),
        target: target.span(),
        cells: items.iter().map(Node::span).collect(),
    };
    cage.repeats = keys.get("repeats").map_or(Ok(!killer), |node| node.boolean("true or false"))?;
    let cells = items.into_iter().map(CellText::read).collect::<Result<_, Fault>>()?;
    Ok((cage, places, cells))
}

/// The operator that a text names; nothing for null, `""` and `"none"`.
fn operator(node: Node<'_>) -> Result<Option<Operator>, Fault> {
    const EXPECTED: &str = "an operator, a text";
    if node.is_null() {
        return Ok(None);
    }
    let text = node.string(EXPECTED)?;
    if ["", "none", "noop"].contains(&text.to_lowercase().as_str()) {
        return Ok(None);
    }
    match operators::find(&text) {
        Some(operator) => Ok(Some(operator)),
        None => node.word(EXPECTED)?.operator().map(Some),
    }
}

/// A cell, wherever it lies.
pub(super) fn cell(node: Node<'_>) -> Result<(usize, usize), Fault> {
    let [row, column] = node.array(CELL)?;
    Ok((row.number(CELL)?, column.number(CELL)?))
}

/// A digit set.
pub(super) fn digits(node: Node<'_>) -> Result<Vec<u8>, Fault> {
    each(Some(node), "a list of digits", |node| node.number(DIGIT))
}

/// A digit printed in a cell.
pub(super) fn given(node: Node<'_>, shape: Shape) -> Result<(usize, usize, u8), Fault> {
    let [row, column, digit] = node.array("a given, [row, column, digit]")?;
    let (row, column) = inside((row.number(CELL)?, column.number(CELL)?), shape, node)?;
    Ok((row, column, digit.number(DIGIT)?))
}

/// A group without a clue.
pub(super) fn group(node: Node<'_>, shape: Shape) -> Result<Group, Fault> {
    let keys = Keys::read(node, "a group: an object with `cells`")?.only(&["distinct", "role", "cells"])?;
    let role = keys.get("role").map_or(Ok(Role::Region), role)?;
    let distinct = keys.get("distinct").map_or(Ok(true), |node| node.boolean("true or false"))?;
    let list = keys.need("cells")?;
    let (mut cells, mut held) = (Vec::new(), vec![false; shape.0 * shape.1]);
    for item in list.list("a list of cells")? {
        let (row, column) = inside(cell(item)?, shape, item)?;
        let cell = row * shape.1 + column;
        if std::mem::replace(&mut held[cell], true) {
            return Err(Fault::unexpected(
                "a cell that the group does not hold yet",
                "one that it holds",
                item.span(),
            ));
        }
        cells.push(cell);
    }
    if cells.is_empty() {
        return Err(list.unexpected("one cell or more"));
    }
    Ok(Group { role, cells, distinct, clue: None })
}

fn role(node: Node<'_>) -> Result<Role, Fault> {
    let roles = Role::ALL.iter().filter(|role| **role != Role::Given);
    let expected = roles.clone().map(|role| role.name()).collect::<Vec<_>>().join(", ");
    let expected = format!("a role ({expected})");
    let name = node.string(&expected)?;
    roles.copied().find(|role| role.name() == name).ok_or_else(|| node.unexpected(&expected))
}

fn inside(cell: (usize, usize), shape: Shape, node: Node<'_>) -> Result<(usize, usize), Fault> {
    if cell.0 < shape.0 && cell.1 < shape.1 {
        return Ok(cell);
    }
    let (rows, cols) = shape;
    Err(node.unexpected(&format!("a cell of the {rows}x{cols} grid (rows and columns are counted from 0)")))
}

/// Every item of a list that may be absent.
pub(super) fn each<'a, T>(
    list: Option<Node<'a>>,
    expected: &str,
    read: impl FnMut(Node<'a>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let Some(list) = list else { return Ok(Vec::new()) };
    list.list(expected)?.into_iter().map(read).collect()
}
