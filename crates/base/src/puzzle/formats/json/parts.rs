//! What the kinds of puzzles share in JSON: cages, cells, givens, groups, digits.
//!
//! Programs write cells as `[0, 1]`, `{"row": 0, "col": 1}`, `{"x": 1, "y": 0}`, `"A2"`, `"R1C2"`, `1`. Pairs and
//! numbers count from 0, or from 1 where no number is 0 and one is the number of rows or of cells.

use super::super::super::operators::{self, GIVEN, Operator};
use super::super::super::{Cage, Group, Kind, Role};
use super::super::cage_list;
use super::super::cages::{CagePlaces, ClueWords, GridShape};
use super::super::error::Fault;
use super::super::node::{Keys, Node};

const CELL: &str = "a cell, [row, column] from 0";
const NAME: &str = "the name of a cell, such as \"A1\" or \"R1C1\"";
const CAGE: &str = "a cage, such as `8+ A1 A2`";
const DIGIT: &str = "a digit from 0 to 255";

/// The keys for the parts of a cage in various programs, those of kenga first.
const OPERATOR: [&str; 3] = ["op", "operation", "operator"];
const TARGET: [&str; 6] = ["target", "value", "result", "total", "clue", "label"];
const CELLS: [&str; 3] = ["cells", "positions", "squares"];

/// A cage without its cells, and these as written. By default a cage of a Killer is a sum and repeats no digit. A
/// string such as `"8+ A1 A2"` is a cage too.
pub(super) fn cage<'a>(node: Node<'a>, kind: Kind) -> Result<(Cage, CagePlaces, Vec<CellText>), Fault> {
    if node.is_text() {
        let words = node.word(CAGE)?.split();
        if words.is_empty() {
            return Err(node.unexpected(CAGE));
        }
        let (mut cage, places) = cage_list::cage(&words, "")?;
        let cells = std::mem::take(&mut cage.cells).into_iter().map(CellText::Known).collect();
        return Ok((cage, places, cells));
    }
    let keys = Keys::read(node, "a cage: an object with `op`, `target` and `cells`")?;
    let keys = keys.only(&[&OPERATOR[..], &TARGET, &CELLS, &["repeats"]].concat())?;
    let killer = kind == Kind::Killer;
    let op = keys.get_one(&OPERATOR)?;
    let (target, list) = (keys.need_one(&TARGET)?, keys.need_one(&CELLS)?);
    let items = list.list("a list of cells")?;
    let (own, number) = match op {
        None if target.is_text() => whole_clue(target)?,
        _ => (op.map(operator).transpose()?.flatten(), target.whole("a target, a whole number")?),
    };
    let operator = match own {
        Some(operator) => operator,
        None if killer => operators::find("+").expect("the table has the sum"),
        None if items.len() == 1 => GIVEN,
        None => return Err(op.map_or_else(|| keys.missing(OPERATOR[0]), |op| op.unexpected("an operator"))),
    };
    let mut cage = Cage::new(operator, number, Vec::new());
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

/// The operator, if there is one, and the target of a string such as `"8+"`.
fn whole_clue(node: Node<'_>) -> Result<(Option<Operator>, i64), Fault> {
    const CLUE: &str = "a clue, such as \"8+\"";
    let words = node.word(CLUE)?.split();
    match ClueWords::take(&words) {
        Some((clue, [])) => {
            Ok((clue.operator.map(|word| word.operator()).transpose()?, clue.target.whole()?))
        }
        _ => Err(node.unexpected(CLUE)),
    }
}

/// The operator that a string names; `None` for null, `""`, `"none"` and `"noop"`.
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

/// A cell, which may be outside the grid.
pub(super) fn cell(node: Node<'_>) -> Result<(usize, usize), Fault> {
    let [row, column] = node.array(CELL)?;
    Ok((row.number(CELL)?, column.number(CELL)?))
}

/// A digit set.
pub(super) fn digits(node: Node<'_>) -> Result<Vec<u8>, Fault> {
    each(Some(node), "a list of digits", |node| node.number(DIGIT))
}

/// A digit printed in a cell.
pub(super) fn given(node: Node<'_>, shape: GridShape) -> Result<(usize, usize, u8), Fault> {
    let [row, column, digit] = node.array("a given, [row, column, digit]")?;
    let (row, column) = inside((row.number(CELL)?, column.number(CELL)?), shape, node)?;
    Ok((row, column, digit.number(DIGIT)?))
}

/// A group without a clue.
pub(super) fn group(node: Node<'_>, shape: GridShape) -> Result<Group, Fault> {
    let keys = Keys::read(node, "a group: an object with `cells`")?.only(&["distinct", "role", "cells"])?;
    let role = keys.get("role").map_or(Ok(Role::Region), role)?;
    let distinct = keys.get("distinct").map_or(Ok(true), |node| node.boolean("true or false"))?;
    let list = keys.need("cells")?;
    let (mut cells, mut held) = (Vec::new(), vec![false; shape.0 * shape.1]);
    for item in list.list("a list of cells")? {
        let (row, column) = inside(cell(item)?, shape, item)?;
        let cell = row * shape.1 + column;
        if std::mem::replace(&mut held[cell], true) {
            return Err(item.unexpected("a cell that the group does not have yet"));
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

pub(super) fn inside(
    cell: (usize, usize),
    shape: GridShape,
    node: Node<'_>,
) -> Result<(usize, usize), Fault> {
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

/// A cell as it is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum CellText {
    /// Counted from 0.
    Known((usize, usize)),
    /// Row and column, counted from 0 or 1.
    Pair(usize, usize),
    /// Row by row, counted from 0 or 1.
    Number(usize),
}

impl CellText {
    pub(super) fn read(node: Node<'_>) -> Result<Self, Fault> {
        if node.is_object() {
            let keys = Keys::read(node, CELL)?.only(&["row", "col", "column", "r", "c", "y", "x"])?;
            let (row, column) =
                (keys.need_one(&["row", "r", "y"])?, keys.need_one(&["col", "column", "c", "x"])?);
            return Ok(Self::Pair(row.number(CELL)?, column.number(CELL)?));
        }
        if node.is_list() {
            let [row, column] = node.array(CELL)?;
            return Ok(Self::Pair(row.number(CELL)?, column.number(CELL)?));
        }
        if node.is_text() {
            return node.word(NAME)?.cell().map(Self::Known).ok_or_else(|| node.unexpected(NAME));
        }
        Ok(Self::Number(node.number(CELL)?))
    }
}

/// Gives every cage its cells, counted from 0. Says whether the text counts from 1, which is possible only where the
/// cages `cover` every cell.
pub(super) fn assign_cells(
    cages: &mut [(Cage, CagePlaces)],
    texts: &[Vec<CellText>],
    size: usize,
    cover: bool,
) -> bool {
    let (mut pairs, mut numbers) = (Base { zero: !cover, last: false }, Base { zero: !cover, last: false });
    for cell in texts.iter().flatten() {
        match *cell {
            CellText::Known(_) => {}
            CellText::Pair(row, column) => [row, column].into_iter().for_each(|part| pairs.see(part, size)),
            CellText::Number(number) => numbers.see(number, size * size),
        }
    }
    for ((cage, _), cells) in cages.iter_mut().zip(texts) {
        let from_zero = cells.iter().map(|cell| match *cell {
            CellText::Known(cell) => cell,
            CellText::Pair(row, column) => (row - pairs.least(), column - pairs.least()),
            CellText::Number(number) => {
                ((number - numbers.least()) / size, (number - numbers.least()) % size)
            }
        });
        cage.cells = from_zero.collect();
    }
    pairs.least() + numbers.least() > 0
}

/// What is known about the number that counting starts from.
struct Base {
    /// 0 occurs.
    zero: bool,
    /// The number of rows, or of cells, occurs.
    last: bool,
}

impl Base {
    /// Notes a number, where there are `count` rows or cells.
    fn see(&mut self, number: usize, count: usize) {
        self.zero |= number == 0;
        self.last |= number == count;
    }

    /// The number that counting starts from.
    fn least(&self) -> usize {
        usize::from(self.last && !self.zero)
    }
}
