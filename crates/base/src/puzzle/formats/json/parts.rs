//! What the kinds of puzzles share in JSON: cages, cells, givens, groups, digits.
//!
//! Programs write cells as `[0, 1]`, `{"row": 0, "col": 1}`, `{"x": 1, "y": 0}`, `"A2"`, `"R1C2"`, `1`. Pairs and
//! numbers count from 0, or from 1 where no number is 0 and one is the number of rows or of cells.

use serde_json::{Value, json};

use super::super::super::operators::{self, ADD, GIVEN, Operator};
use super::super::super::{Cage, Group, Kind, Position, Puzzle, Role, position};
use super::super::cage_list;
use super::super::cages::{CagePlaces, ClueWords, GridShape, PlacedCage};
use super::super::error::Fault;
use super::super::node::{JsonNode, Keys};
use crate::text::joined;

const CELL: &str = "a cell, [row, column] from 0";
const NAME: &str = "the name of a cell, such as \"A1\" or \"R1C1\"";
const CAGE: &str = "a cage, such as `8+ A1 A2`";
pub(super) const DIGIT: &str = "a digit from 0 to 255";

/// The keys for the parts of a cage in various programs, those of kenga first.
const OPERATOR: [&str; 3] = ["op", "operation", "operator"];
const TARGET: [&str; 7] = ["target", "value", "result", "total", "sum", "clue", "label"];
const CELLS: [&str; 5] = ["cells", "positions", "squares", "coords", "coordinates"];

/// A cage without its cells, and these as written: all cages together tell where counting starts.
pub(super) struct Unplaced {
    cage: Cage,
    places: CagePlaces,
    pub(super) cells: Vec<CellText>,
}

/// Reads a cage. By default a cage of a Killer is a sum and repeats no digit. A string such as `"8+ A1 A2"` is a cage too.
pub(super) fn cage(node: JsonNode<'_>, kind: Kind) -> Result<Unplaced, Fault> {
    if node.is_text() {
        let words = node.word(CAGE)?.split();
        if words.is_empty() {
            return Err(node.unexpected(CAGE));
        }
        let PlacedCage { mut cage, places } = cage_list::cage(&words, "")?;
        let cells = std::mem::take(&mut cage.cells).into_iter().map(CellText::Known).collect();
        return Ok(Unplaced { cage, places, cells });
    }
    let keys = Keys::read(node, "a cage: an object with `op`, `target` and `cells`")?;
    let keys = keys.only(&[&OPERATOR[..], &TARGET, &CELLS, &["repeats"]].concat())?;
    let is_killer = kind == Kind::Killer;
    let op = keys.get_one(&OPERATOR)?;
    let (target, list) = (keys.need_one(&TARGET)?, keys.need_one(&CELLS)?);
    let items = list.list("a list of cells")?;
    let CageClue { operator: own, target: number } = match op {
        None if target.is_text() => whole_clue(target)?,
        None => CageClue { operator: None, target: target.whole(A_TARGET)? },
        Some(op) => CageClue { operator: operator(op)?, target: target.whole(A_TARGET)? },
    };
    // The sign of a one-cell cage means nothing, so that it may be missing.
    let operator = match (own, op) {
        (Some(operator), _) => operator,
        _ if is_killer => ADD,
        _ if items.len() == 1 => GIVEN,
        (None, Some(op)) => return Err(op.unexpected("an operator")),
        (None, None) => {
            return Err(keys
                .missing(OPERATOR[0])
                .help("a puzzle whose cages are all sums says \"kind\": \"killer\""));
        }
    };
    let cage = Cage { repeats: keys.flag("repeats", !is_killer)?, ..Cage::new(operator, number, Vec::new()) };
    let mut cells = Vec::with_capacity(items.len());
    let mut spans = Vec::with_capacity(items.len());
    for item in items {
        cells.push(CellText::read(item)?);
        spans.push(item.span());
    }
    let places = CagePlaces {
        whole: node.span(),
        operator: op.unwrap_or(target).span(),
        target: target.span(),
        cells: spans,
    };
    Ok(Unplaced { cage, places, cells })
}

pub(super) const A_TARGET: &str = "a target, a whole number";

/// The clue of a cage.
struct CageClue {
    operator: Option<Operator>,
    target: i64,
}

/// The clue in a string such as `"8+"`.
fn whole_clue(node: JsonNode<'_>) -> Result<CageClue, Fault> {
    const CLUE: &str = "a clue, such as \"8+\"";
    let words = node.word(CLUE)?.split();
    let clue = ClueWords::only(&words).ok_or_else(|| node.unexpected(CLUE))?;
    Ok(CageClue { operator: clue.known_operator()?, target: clue.target.whole()? })
}

/// The operator that a string names; `None` for null, `""`, `"none"` and `"noop"`.
pub(super) fn operator(node: JsonNode<'_>) -> Result<Option<Operator>, Fault> {
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
pub(super) fn cell(node: JsonNode<'_>) -> Result<Position, Fault> {
    let [row, column] = node.array(CELL)?;
    Ok((row.number(CELL)?, column.number(CELL)?))
}

/// A cell as canonical texts have it.
pub(super) fn place(puzzle: &Puzzle, cell: usize) -> Value {
    json!(position(cell, puzzle.cols()))
}

/// The cells of a group as canonical texts have them.
pub(super) fn places(puzzle: &Puzzle, group: &Group) -> Vec<Value> {
    group.cells.iter().map(|cell| place(puzzle, *cell)).collect()
}

/// A digit set that may be absent.
pub(super) fn digits(list: Option<JsonNode<'_>>) -> Result<Option<Vec<u8>>, Fault> {
    let Some(list) = list else { return Ok(None) };
    let mut digits = Vec::new();
    for node in list.list("a list of digits")? {
        digits.push(node.digit(DIGIT)?);
    }
    Ok(Some(digits))
}

/// The digits printed in cells.
pub(super) fn givens(keys: &Keys<'_>, shape: GridShape) -> Result<Vec<(usize, usize, u8)>, Fault> {
    let mut givens = Vec::new();
    for node in keys.list("givens", "a list of givens")? {
        givens.push(given(node, shape)?);
    }
    Ok(givens)
}

/// A digit printed in a cell.
pub(super) fn given(node: JsonNode<'_>, shape: GridShape) -> Result<(usize, usize, u8), Fault> {
    let [row, column, digit] = node.array("a given, [row, column, digit]")?;
    let (row, column) = inside((row.number(CELL)?, column.number(CELL)?), shape, node)?;
    Ok((row, column, digit.digit(DIGIT)?))
}

/// The further groups.
pub(super) fn groups(keys: &Keys<'_>, shape: GridShape) -> Result<Vec<Group>, Fault> {
    let mut groups = Vec::new();
    for node in keys.list("groups", "a list of groups")? {
        groups.push(group(node, shape)?);
    }
    Ok(groups)
}

/// A group without a clue.
pub(super) fn group(node: JsonNode<'_>, shape: GridShape) -> Result<Group, Fault> {
    let keys = Keys::read(node, "a group: an object with `cells`")?.only(&["distinct", "role", "cells"])?;
    let role = keys.get("role").map_or(Ok(Role::Region), role)?;
    let distinct = keys.flag("distinct", true)?;
    let cells = group_cells(keys.need("cells")?, shape)?;
    Ok(Group { role, cells, distinct, clue: None })
}

/// The cells of a group, one or more and none twice, as row-major indices in the order in which they are written.
pub(super) fn group_cells(list: JsonNode<'_>, shape: GridShape) -> Result<Vec<usize>, Fault> {
    let (mut cells, mut held) = (Vec::new(), vec![false; shape.0 * shape.1]);
    for item in list.list("a list of cells")? {
        let (row, column) = inside(cell(item)?, shape, item)?;
        let cell = row * shape.1 + column;
        if held[cell] {
            return Err(item.unexpected("a cell that the group does not have yet"));
        }
        held[cell] = true;
        cells.push(cell);
    }
    if cells.is_empty() {
        return Err(list.unexpected("one cell or more"));
    }
    Ok(cells)
}

pub(super) fn role(node: JsonNode<'_>) -> Result<Role, Fault> {
    let mut known: Vec<Role> = Role::ALL.to_vec();
    known.retain(|role| *role != Role::Given);
    let names = joined(known.iter().map(|role| role.name()), ", ");
    let expected = format!("a role ({names})");
    let name = node.string(&expected)?;
    for role in known {
        if role.name() == name {
            return Ok(role);
        }
    }
    Err(node.unexpected(&expected))
}

/// The cell, where the grid has it; `node` is what names it.
pub(super) fn inside(cell: Position, shape: GridShape, node: JsonNode<'_>) -> Result<Position, Fault> {
    let (rows, cols) = shape;
    if cell.0 < rows && cell.1 < cols {
        return Ok(cell);
    }
    Err(node.unexpected(&format!("a cell of the {rows}x{cols} grid (rows and columns are counted from 0)")))
}

/// A cell as it is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum CellText {
    /// Counted from 0.
    Known(Position),
    /// Row and column, counted from 0 or 1.
    Pair(usize, usize),
    /// Row by row, counted from 0 or 1.
    Number(usize),
}

impl CellText {
    fn read(node: JsonNode<'_>) -> Result<Self, Fault> {
        if node.is_text() {
            return node.word(NAME)?.cell().map(Self::Known).ok_or_else(|| node.unexpected(NAME));
        }
        let [row, column] = if node.is_object() {
            let keys = Keys::read(node, CELL)?.only(&["row", "col", "column", "r", "c", "y", "x"])?;
            [keys.need_one(&["row", "r", "y"])?, keys.need_one(&["col", "column", "c", "x"])?]
        } else if node.is_list() {
            node.array(CELL)?
        } else {
            return Ok(Self::Number(node.number(CELL)?));
        };
        Ok(Self::Pair(row.number(CELL)?, column.number(CELL)?))
    }
}

/// Gives every cage its cells, counted from 0. Says whether the text counts from 1, which is possible only where the
/// cages `cover` every cell.
pub(super) fn assign_cells(unplaced: Vec<Unplaced>, size: usize, cover: bool) -> (Vec<PlacedCage>, bool) {
    let (mut pairs, mut numbers) = (Base { zero: !cover, last: false }, Base { zero: !cover, last: false });
    for cell in unplaced.iter().flat_map(|cage| &cage.cells) {
        match *cell {
            CellText::Known(_) => {}
            CellText::Pair(row, column) => {
                pairs.see(row, size);
                pairs.see(column, size);
            }
            CellText::Number(number) => numbers.see(number, size * size),
        }
    }
    let (pair, number) = (pairs.least(), numbers.least());
    let mut placed = Vec::with_capacity(unplaced.len());
    for Unplaced { mut cage, places, cells } in unplaced {
        for cell in cells {
            cage.cells.push(match cell {
                CellText::Known(cell) => cell,
                CellText::Pair(row, column) => (row - pair, column - pair),
                CellText::Number(cell) => position(cell - number, size),
            });
        }
        placed.push(PlacedCage { cage, places });
    }
    (placed, pair + number > 0)
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
