//! Sudoku, Killer and KenKen as SudokuPad holds them, and the shorter notation of its links.
//!
//! ```text
//! {"cells": [[{"value": 1}, {}, …], …], "regions": [[[0, 0], [0, 1], …], …],
//!  "cages": [{"cells": [[0, 1], [0, 2]], "value": "5"}, {"value": "title: …"}]}
//! ```
//!
//! Its rules stand in words alone, so that kenga refuses lines, arrows and drawings: they may be rules.
//!
//! The shorter notation quotes with `'`, leaves out the quotes of keys and colours and the braces of empty objects, and
//! abbreviates keys, `true` and `false`.

use serde_json::{Map, Value};

use super::super::super::{Group, Puzzle, Role};
use super::super::error::{Fault, Malformed, Span};
use super::super::json;
use super::super::node::{JsonNode, Keys};
use super::labelled::{Label, LabelledCage, LabelledGrid};

/// Keys of the puzzle, and those of no meaning for it.
const KNOWN: [&str; 8] = ["cells", "regions", "cages", "metadata", "id", "cellSize", "settings", "videos"];

/// Drawings, which may be rules.
const DRAWINGS: [&str; 4] = ["lines", "arrows", "overlays", "underlays"];

/// Texts about the puzzle, and the keys of `meta` for them.
const WORDS: [(&str, &str); 3] = [("title", "title"), ("author", "author"), ("rules", "ruleset")];

/// Reads the puzzle of an object.
pub(super) fn read(record: &str) -> Result<Puzzle, Fault> {
    let mut keys = Keys::read(JsonNode::parse(record)?, "a puzzle, an object with `cells`")?;
    // The editor writes every key that it knows: an empty one says nothing, and is no rule that kenga would
    // have to know.
    keys.entries.retain(|entry| !matches!(entry.value.as_word().text, "[]" | "{}" | "false" | "null"));
    for entry in &keys.entries {
        if DRAWINGS.contains(&&*entry.key) {
            let label = "drawings may be rules that kenga does not know";
            let help = "remove them if they are not; f-puzzles names its rules, and kenga reads them";
            let what = Malformed::UnknownKey(entry.key.clone());
            return Err(Fault::new(what, entry.key_span.clone(), label).help(help));
        }
    }
    let keys = keys.only(&KNOWN)?;
    let cells = keys.need("cells")?;
    let mut grid = givens(cells)?;
    let mut meta = Map::new();
    if let Some(node) = keys.get("metadata") {
        add_metadata(node, &mut meta)?;
    }
    for node in keys.list("regions", "a list")? {
        let (mut cells, _) = listed_cells(node, grid.size)?;
        cells.sort_unstable();
        grid.regions.push(cells);
    }
    for node in keys.list("cages", "a list")? {
        add_cage(node, &mut grid, &mut meta)?;
    }
    let mut puzzle = grid.build()?;
    puzzle.meta = meta;
    Ok(puzzle)
}

/// The grid with its givens, a square of cells.
fn givens(node: JsonNode<'_>) -> Result<LabelledGrid, Fault> {
    let rows = node.list("the cells, a list of rows")?;
    let size = json::check_size(rows.len(), node)?;
    let mut grid = LabelledGrid::new(size, node.span());
    for (row, cells) in rows.into_iter().enumerate() {
        let list = cells.list("a row, a list of cells")?;
        if list.len() != size {
            let expected = format!("{size} cells, as many as rows");
            return Err(Fault::unexpected(expected, list.len().to_string(), cells.span()));
        }
        for (column, cell) in list.into_iter().enumerate() {
            let value = Keys::read(cell, "a cell, an object")?.get("value");
            let Some(label) = Label::read(value)? else { continue };
            match u8::try_from(label.target) {
                Ok(digit) if label.operator.is_none() => grid.givens.push((row, column, digit)),
                _ => return Err(cell.unexpected("a digit")),
            }
        }
    }
    Ok(grid)
}

/// Adds a cage, or the text about the puzzle that one without cells holds.
fn add_cage(node: JsonNode<'_>, grid: &mut LabelledGrid, meta: &mut Map<String, Value>) -> Result<(), Fault> {
    let keys = Keys::read(node, "a cage, an object")?;
    let cells = match keys.get("cells") {
        Some(cells) if cells.as_word().text != "[]" => cells,
        _ => return add_words(&keys, meta),
    };
    // A hidden cage is a rule only where it says `unique`.
    if is_true(&keys, "hidden") && !is_true(&keys, "unique") {
        return Ok(());
    }
    let (cells, spans) = listed_cells(cells, grid.size)?;
    match Label::read(keys.get("value").or_else(|| keys.get("sum")))? {
        Some(label) => grid.cages.push(LabelledCage { cells, spans, label, killer: true }),
        None => grid.groups.push(Group::all_different(Role::Region, cells)),
    }
    Ok(())
}

fn is_true(keys: &Keys<'_>, key: &str) -> bool {
    keys.get(key).is_some_and(|node| node.as_word().text == "true")
}

/// Keeps a value such as `title: …`.
fn add_words(keys: &Keys<'_>, meta: &mut Map<String, Value>) -> Result<(), Fault> {
    let text = match keys.get("value") {
        Some(node) if node.is_text() => node.string("a text")?,
        _ => return Ok(()),
    };
    for (name, key) in WORDS {
        if let Some(words) = text.strip_prefix(name).and_then(|rest| rest.strip_prefix(':')) {
            meta.insert(key.to_owned(), words.trim().into());
            break;
        }
    }
    Ok(())
}

/// Keeps what the metadata says in words; rules that it switches on are refused.
fn add_metadata(node: JsonNode<'_>, meta: &mut Map<String, Value>) -> Result<(), Fault> {
    for entry in Keys::read(node, "an object with facts about the puzzle")?.entries {
        if entry.value.as_word().text == "true" && entry.key.starts_with("anti") {
            let label = "a rule that kenga does not know: without it the puzzle would be another";
            return Err(Fault::new(Malformed::UnknownKey(entry.key), entry.key_span, label));
        }
        if let Some((_, key)) = WORDS.iter().find(|(name, _)| *name == entry.key) {
            meta.insert((*key).to_owned(), entry.value.value()?);
        }
    }
    Ok(())
}

/// The row-major indices of cells `[row, column]` from 0, each once, and their places.
fn listed_cells(node: JsonNode<'_>, size: usize) -> Result<(Vec<usize>, Vec<Span>), Fault> {
    const CELL: &str = "a cell of the grid, [row, column] from 0";
    const FRESH: &str = "a cell of the grid that does not occur earlier, [row, column] from 0";
    let (mut cells, mut spans) = (Vec::new(), Vec::new());
    for item in node.list("a list of cells")? {
        let [row, column] = item.array(CELL)?;
        let (row, column) = (row.number(CELL)?, column.number(CELL)?);
        if row >= size || column >= size || cells.contains(&(row * size + column)) {
            return Err(item.unexpected(FRESH));
        }
        cells.push(row * size + column);
        spans.push(item.span());
    }
    if cells.is_empty() {
        return Err(node.unexpected("one cell or more"));
    }
    Ok((cells, spans))
}

/// The abbreviations of keys in links.
const SHORT: [(&str, &str); 9] = [
    ("ca", "cages"),
    ("ce", "cells"),
    ("cs", "cellSize"),
    ("re", "regions"),
    ("a", "arrows"),
    ("o", "overlays"),
    ("u", "underlays"),
    ("l", "lines"),
    ("v", "value"),
];

/// The JSON of a text in the shorter notation.
pub(super) fn unzip(text: &str) -> String {
    let mut json = String::with_capacity(2 * text.len());
    let mut rest = text;
    // The last character beside strings: between two of `[{,]}` an empty object was left out.
    let mut last = ' ';
    while let Some(c) = rest.chars().next() {
        if c.is_whitespace() {
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let length = match c {
            '\'' | '"' => string(rest, c, &mut json),
            '[' | '{' | ']' | '}' | ',' | ':' => {
                if matches!((last, c), ('[', ',') | (',', ',' | ']')) {
                    json.push_str("{}");
                }
                json.push(c);
                1
            }
            _ => bare(rest, &mut json),
        };
        last = c;
        rest = &rest[length..];
    }
    json
}

/// Copies the string at the start of a text, with double quotes; the number of bytes that it has there.
fn string(text: &str, quote: char, json: &mut String) -> usize {
    let mut raw = String::new();
    let mut characters = text.char_indices().skip(1);
    let mut end = text.len();
    while let Some((index, c)) = characters.next() {
        match c {
            '\\' => match characters.next() {
                // Between double quotes JSON has no such escape.
                Some((_, '\'')) => raw.push('\''),
                Some((_, escaped)) => raw.extend(['\\', escaped]),
                None => {}
            },
            _ if c == quote => {
                end = index + 1;
                break;
            }
            '"' => raw.push_str("\\\""),
            _ => raw.push(c),
        }
    }
    json.push('"');
    json.push_str(&raw);
    json.push('"');
    end
}

/// Copies the word at the start of a text: a key, a number, `t`, `f`, or a colour; the number of its bytes.
fn bare(text: &str, json: &mut String) -> usize {
    let end = text.find(|c: char| "[]{},:'\"".contains(c)).unwrap_or(text.len());
    let word = text[..end].trim();
    if text[end..].starts_with(':') {
        let key = SHORT.iter().find(|(short, _)| *short == word).map_or(word, |(_, key)| key);
        json.push_str(&Value::from(key).to_string());
        return end;
    }
    match word {
        "t" => json.push_str("true"),
        "f" => json.push_str("false"),
        "true" | "false" | "null" => json.push_str(word),
        _ if serde_json::from_str::<serde_json::Number>(word).is_ok() => json.push_str(word),
        _ => json.push_str(&Value::from(word).to_string()),
    }
    end
}

#[cfg(test)]
mod tests {
    use super::unzip;

    #[test]
    fn the_shorter_notation_is_json_again() {
        let short =
            "{ce:[[,{v:3}],[{},]],re:[[[0,0],[0,1]]],ca:[{v:'title: it\\'s',unique:t,c:#0}],cages:[]}";
        let json = r##"{"cells":[[{},{"value":3}],[{},{}]],"regions":[[[0,0],[0,1]]],"cages":[{"value":"title: it's","unique":true,"c":"#0"}],"cages":[]}"##;
        assert_eq!(unzip(short), json);
    }

    #[test]
    fn json_stays_what_it_is() {
        let json = r#"{"cells":[[{},{"value":"a'b \" c"}]],"x":-1.5e3,"y":null}"#;
        assert_eq!(unzip(json), json);
    }
}
