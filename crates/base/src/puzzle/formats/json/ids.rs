//! A KenKen as a grid of cage ids and an object with their clues:
//! `{"grid": ["AAB", "CDB", "CDD"], "clues": {"A": "3+", "B": {"op": "-", "target": 1}, …}}`.

use super::super::super::Puzzle;
use super::super::cages::{Bare, ClueWords, build_regions, regions};
use super::super::error::Fault;
use super::super::node::{Keys, Node};
use super::super::words::Word;
use super::kinds::SIZE_KEYS;
use super::size;

/// The names of the grid in various programs.
const GRID: [&str; 4] = ["grid", "board", "layout", "ids"];

/// The names of the clues.
const CLUES: [&str; 2] = ["clues", "cages"];

/// The keys of such an object.
pub(super) const KEYS: [&str; 9] =
    ["size", "n", "dimension", "grid", "board", "layout", "ids", "clues", "cages"];

/// Says whether an object has a grid of ids and an object of clues.
pub(super) fn are_in(keys: &Keys<'_>) -> bool {
    let list = |key: &&str| keys.get(key).is_some_and(|node| node.is_list());
    let object = |key: &&str| keys.get(key).is_some_and(|node| node.is_object());
    GRID.iter().any(list) && CLUES.iter().any(object)
}

/// Reads the puzzle of such an object.
pub(super) fn read(keys: &Keys<'_>) -> Result<Puzzle, Fault> {
    let grid = keys.need_one(&GRID)?;
    let rows: Vec<Vec<Word<'_>>> =
        grid.list("a list of rows")?.into_iter().map(row).collect::<Result<_, Fault>>()?;
    let n = match keys.get_one(&SIZE_KEYS)? {
        Some(node) => size(node)?,
        None => super::check_size(rows.len(), grid)?,
    };
    if rows.len() != n || rows.iter().any(|row| row.len() != n) {
        return Err(grid.unexpected(&format!("{n} rows of {n} cage ids")));
    }
    let clues = Keys::read(keys.need_one(&CLUES)?, "an object with a clue for each cage id")?;
    let regions = regions(&rows);
    let is_known = |key: &str| regions.iter().any(|region| region.name.text == key);
    if let Some(entry) = clues.entries.iter().find(|entry| !is_known(&entry.key)) {
        let found = format!("`{}`", entry.key);
        return Err(Fault::unexpected("a cage id of the grid", found, entry.key_span.clone()));
    }
    let clued = regions.into_iter().map(|region| {
        let missing = || region.name.unexpected(format!("a clue for `{}`", region.name.text));
        let clue = clue(clues.get(region.name.text).ok_or_else(missing)?)?;
        Ok((region, clue))
    });
    build_regions(n, clued, Bare::Hidden, grid.span())
}

/// The ids of a row: the characters or words of a text, or the items of a list.
fn row(node: Node<'_>) -> Result<Vec<Word<'_>>, Fault> {
    const ROW: &str = "a row of cage ids, a text or a list";
    if node.is_text() {
        let word = node.word(ROW)?;
        let words = word.split_by(|c| c.is_whitespace() || c == ',');
        return Ok(if words.len() == 1 { words[0].characters() } else { words });
    }
    node.list(ROW)?.into_iter().map(|node| text_of(node, "a cage id")).collect()
}

/// A clue: `"8+"`, `8`, or an object with an operator and a target.
fn clue(node: Node<'_>) -> Result<ClueWords<'_>, Fault> {
    const CLUE: &str = "a clue, such as \"8+\"";
    if node.is_object() {
        let keys =
            Keys::read(node, CLUE)?.only(&["op", "operation", "operator", "target", "value", "result"])?;
        let target = keys.need_one(&["target", "value", "result"])?;
        let op = keys.get_one(&["op", "operation", "operator"])?.filter(|op| !op.is_null());
        let operator = op.map(|op| op.word("an operator")).transpose()?.filter(|word| !word.text.is_empty());
        return Ok(ClueWords { target: text_of(target, CLUE)?, operator });
    }
    let words = text_of(node, CLUE)?.split();
    match ClueWords::take(&words) {
        Some((clue, [])) => Ok(clue),
        _ => Err(node.unexpected(CLUE)),
    }
}

/// The word of a text or number.
fn text_of<'a>(node: Node<'a>, expected: &str) -> Result<Word<'a>, Fault> {
    if node.is_text() { node.word(expected) } else { Ok(node.as_word()) }
}
