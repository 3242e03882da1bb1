//! Reading canonical JSON.

use serde_json::{Map, Value};

use super::super::super::{Grid, GridError, Kind, Puzzle};
use super::super::error::{Fault, Malformed, Span};
use super::keys::Keys;
use super::node::Node;
use super::parts::each;
use super::{KEPT_KEYS, OTHER_KEYS, kakuro, square, walls};

/// The keys that a puzzle of every kind may have, besides the kept ones.
const KEYS: [&str; 7] = ["id", "kind", "digits", "givens", "groups", "solution", "meta"];

pub(super) fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let node = Node::parse(record)?;
    let keys = Keys::read(node, "a puzzle, an object with `size` and `cages` (many stand one a line)")?;
    let kind = kind(&keys)?;
    let walled = kind == Kind::KenKen && walls::are_in(&keys);
    let own = if walled { &walls::KEYS } else { keys_of(kind) };
    let keys = keys.only(&[own, &KEYS[..], &KEPT_KEYS, &OTHER_KEYS].concat())?;
    let mut puzzle = match kind {
        Kind::Kakuro => kakuro::read(&keys)?,
        _ if walled => walls::read(&keys)?,
        _ => square::read(kind, &keys)?,
    };
    let shape = (puzzle.rows(), puzzle.cols());
    puzzle.solution = keys.get("solution").map(|node| solution(node, shape)).transpose()?;
    puzzle.meta = meta(&keys)?;
    let Some(id) = keys.get("id") else { return Ok((puzzle, 0..0)) };
    puzzle.id = id.string("the puzzle's id, a text")?;
    if puzzle.id.is_empty() {
        return Err(id.unexpected("an id that is not empty"));
    }
    Ok((puzzle, id.span()))
}

fn kind(keys: &Keys<'_>) -> Result<Kind, Fault> {
    let Some(node) = keys.get("kind") else { return Ok(Kind::KenKen) };
    let name = node.string("a kind of puzzle, a text")?;
    Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
        let label = format!("known kinds: {}", Kind::ALL.map(Kind::name).join(", "));
        Fault::new(Malformed::UnknownKind(name), node.span(), label)
    })
}

/// The keys that only some kinds have.
fn keys_of(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::KenKen => &["size", "cages", "n", "width", "height", "rules", "values"],
        Kind::Kakuro => &["rows", "cols", "runs"],
        Kind::Sudoku => &["size", "box"],
        Kind::Killer => &["size", "box", "cages"],
        Kind::Latin => &["size"],
    }
}

fn solution(node: Node<'_>, shape: (usize, usize)) -> Result<Grid, Fault> {
    let rows = each(Some(node), "the solution, a list of rows", |row| {
        let cells = each(Some(row), "a row, a list of digits", |cell| match cell.is_null() {
            true => Ok(None),
            false => cell.number("a digit from 0 to 255, or null").map(Some),
        })?;
        Ok((cells, row.span()))
    })?;
    shaped(rows, shape, node.span())
}

/// The known keys of other programs, then what stands in `meta` itself.
fn meta(keys: &Keys<'_>) -> Result<Map<String, Value>, Fault> {
    let mut meta = Map::new();
    let kept = |key: &str| KEPT_KEYS.contains(&key) || OTHER_KEYS.contains(&key);
    for entry in keys.entries.iter().filter(|entry| kept(&entry.key)) {
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

/// The grid of `shape`, rows and columns; each row comes with its place.
fn shaped(rows: Vec<(Vec<Option<u8>>, Span)>, shape: (usize, usize), whole: Span) -> Result<Grid, Fault> {
    let (expected, cols) = shape;
    if rows.len() != expected {
        let what = Malformed::Solution(GridError::Rows { found: rows.len(), expected });
        return Err(Fault::new(what, whole, format!("expected {expected} rows")));
    }
    for (index, (cells, span)) in rows.iter().enumerate() {
        if cells.len() != cols {
            let what = GridError::Ragged { row: index + 1, found: cells.len(), expected: cols };
            let label = format!("expected {cols} digits");
            return Err(Fault::new(Malformed::Solution(what), span.clone(), label));
        }
    }
    let cells = rows.into_iter().flat_map(|(cells, _)| cells).collect();
    Ok(Grid::from_cells(expected, cols, cells))
}
