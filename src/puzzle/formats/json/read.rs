//! Reading canonical JSON.

use serde_json::{Map, Value};

use super::super::super::{Cage, Defect, Grid, Group, KenKen, Kind, MAX_DIGITS, Puzzle, Role};
use super::super::cages::{self, CagePlaces, Places};
use super::super::fault::{Fault, Malformed, Span};
use super::keys::Keys;
use super::node::Node;
use super::{KEPT_KEYS, grid};

const SIZE: &str = "a size from 1 to 32";
const CELL: &str = "a cell, [row, column] from 0";
const DIGIT: &str = "a digit from 0 to 255";

/// The keys of a puzzle besides the kept ones.
const KEYS: [&str; 9] = ["id", "kind", "size", "digits", "cages", "givens", "groups", "solution", "meta"];

pub(super) fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let node = Node::parse(record)?;
    let keys = Keys::read(node, "a puzzle, an object with `size` and `cages` (many stand one a line)")?;
    check_kind(&keys)?;
    let keys = keys.only(&[&KEYS[..], &KEPT_KEYS].concat())?;
    let (kenken, places) = kenken(&keys)?;
    let size = kenken.size;
    let mut puzzle = cages::build(kenken, &places)?;
    puzzle.solution = keys.get("solution").map(|node| solution(node, size)).transpose()?;
    puzzle.meta = meta(&keys)?;
    let Some(id) = keys.get("id") else { return Ok((puzzle, 0..0)) };
    puzzle.id = id.string("the puzzle's id, a text")?;
    if puzzle.id.is_empty() {
        return Err(id.unexpected("an id that is not empty"));
    }
    Ok((puzzle, id.span()))
}

fn check_kind(keys: &Keys<'_>) -> Result<(), Fault> {
    let Some(node) = keys.get("kind") else { return Ok(()) };
    let kind = node.string("a kind of puzzle, a text")?;
    if kind == Kind::KenKen.name() {
        return Ok(());
    }
    let label = format!("known kinds: {}", Kind::KenKen.name());
    Err(Fault::new(Malformed::UnknownKind(kind), node.span(), label))
}

fn kenken(keys: &Keys<'_>) -> Result<(KenKen, Places), Fault> {
    let size_node = keys.need("size")?;
    let size = size(size_node)?;
    let list = keys.need("cages")?;
    let mut places = Places {
        size: size_node.span(),
        digits: keys.get("digits").map_or(0..0, |node| node.span()),
        end: list.closing(),
        cages: Vec::new(),
        naming: "rows and columns are counted from 0",
    };
    let mut kenken = KenKen::new(size, Vec::new());
    for node in list.list("the list of cages")? {
        let (cage, place) = cage(node)?;
        kenken.cages.push(cage);
        places.cages.push(place);
    }
    kenken.digits = keys.get("digits").map(digits).transpose()?;
    kenken.givens = each(keys.get("givens"), "a list of givens", |node| given(node, size))?;
    kenken.groups = each(keys.get("groups"), "a list of groups", |node| group(node, size))?;
    Ok((kenken, places))
}

fn size(node: Node<'_>) -> Result<usize, Fault> {
    let size = node.number(SIZE)?;
    if (1..=MAX_DIGITS).contains(&size) {
        return Ok(size);
    }
    Err(Fault::new(Defect::Size { size }, node.span(), format!("expected {SIZE}")))
}

fn cage(node: Node<'_>) -> Result<(Cage, CagePlaces), Fault> {
    let keys = Keys::read(node, "a cage: an object with `op`, `target` and `cells`")?;
    let keys = keys.only(&["op", "target", "cells", "repeats"])?;
    let (op, target, list) = (keys.need("op")?, keys.need("target")?, keys.need("cells")?);
    let operator = op.word("an operator, a text")?.operator()?;
    let mut cage = Cage::new(operator, target.whole("a target, a whole number")?, Vec::new());
    let mut places =
        CagePlaces { whole: node.span(), operator: op.span(), target: target.span(), cells: Vec::new() };
    for item in list.list("a list of cells")? {
        let [row, column] = item.array(CELL)?;
        cage.cells.push((row.number(CELL)?, column.number(CELL)?));
        places.cells.push(item.span());
    }
    cage.repeats = keys.get("repeats").map_or(Ok(true), |node| node.boolean("true or false"))?;
    Ok((cage, places))
}

fn digits(node: Node<'_>) -> Result<Vec<u8>, Fault> {
    each(Some(node), "a list of digits", |node| node.number(DIGIT))
}

fn given(node: Node<'_>, size: usize) -> Result<(usize, usize, u8), Fault> {
    let [row, column, digit] = node.array("a given, [row, column, digit]")?;
    let (row, column) = inside((row.number(CELL)?, column.number(CELL)?), size, node)?;
    Ok((row, column, digit.number(DIGIT)?))
}

fn group(node: Node<'_>, size: usize) -> Result<Group, Fault> {
    let keys = Keys::read(node, "a group: an object with `cells`")?.only(&["distinct", "role", "cells"])?;
    let role = keys.get("role").map_or(Ok(Role::Region), role)?;
    let distinct = keys.get("distinct").map_or(Ok(true), |node| node.boolean("true or false"))?;
    let list = keys.need("cells")?;
    let mut cells = Vec::new();
    for item in list.list("a list of cells")? {
        let [row, column] = item.array(CELL)?;
        let (row, column) = inside((row.number(CELL)?, column.number(CELL)?), size, item)?;
        let cell = row * size + column;
        if cells.contains(&cell) {
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

fn solution(node: Node<'_>, size: usize) -> Result<Grid, Fault> {
    let rows = each(Some(node), "the solution, a list of rows", |row| {
        let cells = each(Some(row), "a row, a list of digits", |cell| match cell.is_null() {
            true => Ok(None),
            false => cell.number("a digit from 0 to 255, or null").map(Some),
        })?;
        Ok((cells, row.span()))
    })?;
    grid::shaped(rows, size, node.span())
}

/// The known keys of other programs, then what stands in `meta` itself.
fn meta(keys: &Keys<'_>) -> Result<Map<String, Value>, Fault> {
    let mut meta = Map::new();
    for entry in keys.entries.iter().filter(|entry| KEPT_KEYS.contains(&&*entry.key)) {
        meta.insert(entry.key.clone(), entry.value.value()?);
    }
    let Some(node) = keys.get("meta") else { return Ok(meta) };
    for entry in Keys::read(node, "an object with whatever is known of the puzzle")?.entries {
        if meta.insert(entry.key.clone(), entry.value.value()?).is_some() {
            let label = "this key stands in the puzzle itself already";
            return Err(Fault::new(Malformed::RepeatedKey(entry.key), entry.key_span, label));
        }
    }
    Ok(meta)
}

fn inside(cell: (usize, usize), size: usize, node: Node<'_>) -> Result<(usize, usize), Fault> {
    if cell.0 < size && cell.1 < size {
        return Ok(cell);
    }
    Err(node.unexpected(&format!("a cell of the {size}x{size} grid (rows and columns are counted from 0)")))
}

/// Every item of a list that may be absent.
fn each<'a, T>(
    list: Option<Node<'a>>,
    expected: &str,
    read: impl FnMut(Node<'a>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let Some(list) = list else { return Ok(Vec::new()) };
    list.list(expected)?.into_iter().map(read).collect()
}
