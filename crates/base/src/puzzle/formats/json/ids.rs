//! A KenKen as a grid of cage ids and an object with their clues:
//! `{"grid": ["AAB", "CDB", "CDD"], "clues": {"A": "3+", "B": {"op": "-", "target": 1}, …}}`.

use super::super::super::Puzzle;
use super::super::cages::{Bare, ClueWords, build_kenken, clued_cage, regions};
use super::super::error::Fault;
use super::super::node::{JsonNode, Keys};
use super::super::words::Word;
use super::kinds::{SIZE_KEYS, check_size, size};

/// The names of the grid in various programs.
const GRID: [&str; 4] = ["grid", "board", "layout", "ids"];

/// The names of the clues.
const CLUES: [&str; 2] = ["clues", "cages"];

/// The keys of such an object.
pub(super) const KEYS: [&str; 9] =
    ["size", "n", "dimension", "grid", "board", "layout", "ids", "clues", "cages"];

/// Says whether an object has a grid of ids and an object of clues.
pub(super) fn are_in(keys: &Keys<'_>) -> bool {
    GRID.iter().any(|key| keys.get(key).is_some_and(|node| node.is_list()))
        && CLUES.iter().any(|key| keys.get(key).is_some_and(|node| node.is_object()))
}

/// Reads the puzzle of such an object.
pub(super) fn read(keys: &Keys<'_>) -> Result<Puzzle, Fault> {
    let grid = keys.need_one(&GRID)?;
    let mut rows = Vec::new();
    for node in grid.list("a list of rows")? {
        rows.push(row(node)?);
    }
    let n = match keys.get_one(&SIZE_KEYS)? {
        Some(node) => size(node)?,
        None => check_size(rows.len(), grid)?,
    };
    if rows.len() != n || rows.iter().any(|row| row.len() != n) {
        return Err(grid.unexpected(&format!("{n} rows of {n} cage ids")));
    }
    let clues = Keys::read(keys.need_one(&CLUES)?, "an object with a clue for each cage id")?;
    let regions = regions(&rows);
    // A clue of no cage is a misspelt id.
    for entry in &clues.entries {
        if !regions.iter().any(|region| region.name.text == entry.key) {
            let found = format!("`{}`", entry.key);
            return Err(Fault::unexpected("a cage id of the grid", found, entry.key_span.clone()));
        }
    }
    let mut cages = Vec::with_capacity(regions.len());
    for region in regions {
        let Some(node) = clues.get(region.name.text) else {
            return Err(region.name.unexpected(format!("a clue for `{}`", region.name.text)));
        };
        cages.push(clued_cage(region, clue(node)?, Bare::Hidden)?);
    }
    build_kenken(n, cages, grid.span())
}

/// The ids of a row: the characters or words of a text, or the items of a list.
fn row(node: JsonNode<'_>) -> Result<Vec<Word<'_>>, Fault> {
    const ROW: &str = "a row of cage ids, a text or a list";
    if node.is_text() {
        let words = node.word(ROW)?.split_with(&[',']);
        return Ok(if words.len() == 1 { words[0].characters() } else { words });
    }
    let mut ids = Vec::new();
    for item in node.list(ROW)? {
        ids.push(item.unquoted("a cage id")?);
    }
    Ok(ids)
}

/// A clue: `"8+"`, `8`, or an object with an operator and a target.
fn clue(node: JsonNode<'_>) -> Result<ClueWords<'_>, Fault> {
    const CLUE: &str = "a clue, such as \"8+\"";
    const OPERATOR: [&str; 3] = ["op", "operation", "operator"];
    const TARGET: [&str; 3] = ["target", "value", "result"];
    if node.is_object() {
        let keys = Keys::read(node, CLUE)?.only(&[OPERATOR, TARGET].concat())?;
        let target = keys.need_one(&TARGET)?;
        // A cage of one cell has none, or null, or an empty text, depending on the program.
        let mut operator = None;
        if let Some(op) = keys.get_one(&OPERATOR)?
            && !op.is_null()
        {
            operator = Some(op.word("an operator")?).filter(|word| !word.text.is_empty());
        }
        return Ok(ClueWords { target: target.unquoted(CLUE)?, operator });
    }
    let words = node.unquoted(CLUE)?.split();
    ClueWords::only(&words).ok_or_else(|| node.unexpected(CLUE))
}
