//! JSON, canonical and of other programs: one object per puzzle, or a list of cages; a corpus has one per line.
//!
//! A kind of puzzle is a function that reads its keys, a line of `keys_of`, and what `write` adds for it. **Invariant:**
//! what `write` makes of a puzzle keeps its bytes.

mod boards;
mod digits;
mod grid;
mod ids;
mod kinds;
mod parts;
mod problem;
mod walls;
mod write;

use serde_json::{Map, Value};

use super::super::{Grid, GridError, Kind, Puzzle};
use super::Format;
use super::error::{Fault, Malformed, Span};
use super::node::{JsonNode, Keys, object_end};
pub(super) use kinds::{check_size, size};

pub(super) const FORMAT: Format = Format::new("json", "objects {\"size\": 4, \"cages\": [{\"op\": \"*\", \"target\": 8, \"cells\": [[0, 0], …]}, …]}, one per line", is_json, read).cut_by(object_end).written_by(write::write);

/// Known keys without a rule, which are kept in a puzzle's `meta` and written beside it.
const KEPT_KEYS: [&str; 7] = ["source", "nsol", "exact_count", "keen_id", "diff", "mult", "rounds"];

/// Keys of other programs without a rule, which are kept in `meta` and written there.
const OTHER_KEYS: [&str; 9] =
    ["author", "date", "difficulty", "level", "name", "rating", "seed", "title", "url"];

/// The keys that a puzzle of any kind may have, besides the kept ones.
const KEYS: [&str; 7] = ["id", "kind", "digits", "givens", "groups", "solution", "meta"];

/// An object, or a list of anything but words: `[Puzzle]` is a line of other formats, and so is `[(0,0)] 3`.
fn is_json(text: &str) -> bool {
    let text = text.trim_start();
    let Some(list) = text.strip_prefix('[') else { return text.starts_with('{') };
    !list.trim_start().starts_with(|c: char| c.is_alphabetic() || c == '(')
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let node = JsonNode::parse(record)?;
    if node.is_list() {
        let is_of_rows = node.list("")?.first().is_some_and(JsonNode::is_list);
        return Ok((if is_of_rows { digits::read(node)? } else { kinds::cage_list(node)? }, 0..0));
    }
    let keys = Keys::read(node, "a puzzle, an object with `size` and `cages` (of many, one per line)")?;
    let kind = kind(&keys)?;
    // Other programs write no kind: their keys tell.
    let walled = kind == Kind::KenKen && walls::are_in(&keys);
    let named = kind == Kind::KenKen && ids::are_in(&keys);
    let has_digits = !walled && !named && digits::are_in(&keys, kind);
    let own = if walled {
        &walls::KEYS[..]
    } else if named {
        &ids::KEYS
    } else if has_digits {
        &digits::KEYS
    } else {
        keys_of(kind)
    };
    let keys = keys.only(&[own, &KEYS[..], &KEPT_KEYS, &OTHER_KEYS].concat())?;
    let mut puzzle = match kind {
        Kind::Kakuro => kinds::kakuro(&keys)?,
        Kind::Coloring => boards::coloring(&keys)?,
        Kind::Futoshiki => boards::futoshiki(&keys)?,
        Kind::Magic => boards::magic(&keys)?,
        Kind::Queens => boards::queens(&keys)?,
        Kind::Grid => grid::read(&keys)?,
        Kind::Problem => problem::read(&keys)?,
        _ if walled => walls::read(&keys)?,
        _ if named => ids::read(&keys)?,
        _ if has_digits => digits::read_keys(&keys, kind)?,
        _ => kinds::square(kind, &keys)?,
    };
    if let Some(node) = keys.get("solution") {
        puzzle.solution = Some(solution(node, puzzle.rows(), puzzle.cols())?);
    }
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
    for kind in Kind::ALL.into_iter().chain([Kind::Problem]) {
        if kind.name() == name {
            return Ok(kind);
        }
    }
    let label = format!("known kinds: {}", Kind::ALL.map(Kind::name).join(", "));
    Err(Fault::new(Malformed::UnknownKind(name), node.span(), label))
}

/// The keys that only some kinds have.
fn keys_of(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::KenKen => &["size", "cages", "n", "dimension", "width", "height", "rules", "values"],
        Kind::Kakuro => &["rows", "cols", "runs"],
        Kind::Sudoku => &["size", "box"],
        Kind::Killer => &["size", "box", "cages"],
        Kind::Coloring => &["vertices", "colors", "edges"],
        Kind::Latin => &["size", "cages"],
        Kind::Queens => &["size"],
        Kind::Futoshiki => &["size", "less"],
        Kind::Magic => &["size", "target"],
        Kind::Grid => &["rows", "cols", "black"],
        Kind::Problem => &["genes", "values", "permutations"],
    }
}

fn solution(node: JsonNode<'_>, rows: usize, cols: usize) -> Result<Grid, Fault> {
    if node.is_text() {
        return digits::solution(node, rows, cols);
    }
    let lines = node.list("the solution, a list of rows")?;
    if lines.len() != rows {
        let what = Malformed::Solution(GridError::Rows { found: lines.len(), expected: rows });
        return Err(Fault::new(what, node.span(), format!("expected {rows} rows")));
    }
    let mut cells = Vec::with_capacity(rows * cols);
    for (index, line) in lines.iter().enumerate() {
        let digits = line.list("a row, a list of digits")?;
        if digits.len() != cols {
            let what = GridError::Ragged { row: index + 1, found: digits.len(), expected: cols };
            let label = format!("expected {cols} digits");
            return Err(Fault::new(Malformed::Solution(what), line.span(), label));
        }
        for digit in digits {
            let is_none = digit.is_null();
            cells.push(if is_none { None } else { Some(digit.digit("a digit from 0 to 255, or null")?) });
        }
    }
    Ok(Grid::from_cells(rows, cols, cells))
}

/// The known keys without a rule, then the entries of `meta`.
fn meta(keys: &Keys<'_>) -> Result<Map<String, Value>, Fault> {
    let mut meta = Map::new();
    for entry in &keys.entries {
        let key = entry.key.as_str();
        if KEPT_KEYS.contains(&key) || OTHER_KEYS.contains(&key) {
            meta.insert(entry.key.clone(), entry.value.value()?);
        }
    }
    let Some(node) = keys.get("meta") else { return Ok(meta) };
    for entry in Keys::read(node, "an object with further facts about the puzzle")?.entries {
        // Written back, only one of the two could stay.
        if meta.insert(entry.key.clone(), entry.value.value()?).is_some() {
            let label = "the puzzle itself has this key";
            return Err(Fault::new(Malformed::RepeatedKey(entry.key), entry.key_span, label));
        }
    }
    Ok(meta)
}

#[cfg(test)]
mod tests {
    use super::object_end as end;

    #[test]
    fn a_record_is_a_line_or_an_object_over_several_lines() {
        assert_eq!(end("{}\n{}\n"), 3);
        assert_eq!(end("{\n \"a\":\n {}\n}\n{}"), 14);
        assert_eq!(end("rubbish\n{}"), 8);
    }

    #[test]
    fn a_truncated_line_does_not_swallow_the_next() {
        assert_eq!(end("{\"a\":\n{}\n"), 6);
        assert_eq!(end("{\"a\":"), 5);
        assert_eq!(end("{\"a\nb\n"), 4);
    }
}
