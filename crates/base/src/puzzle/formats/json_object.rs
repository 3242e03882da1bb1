//! Objects of JSON in a text: where they end, and whose they are by their keys.

use serde_json::value::RawValue;

use super::line_end;
use super::node::{Keys, Node};

/// The end of the object that starts here: that of its line or, where the object goes on, of the last line before the
/// next that begins with `{`. A list ends with its last line.
pub(super) fn end(text: &str) -> usize {
    let line = line_end(text);
    if !goes_on(text[..line].trim_end()) {
        return line;
    }
    if text.starts_with('[') {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
        let end = values.next().filter(Result::is_ok).map(|_| values.byte_offset());
        return end.map_or(text.len(), |end| end + line_end(&text[end..]));
    }
    text[line - 1..].find("\n{").map_or(text.len(), |newline| line + newline)
}

/// Says whether a later line may complete the value. None completes an open string: that line is truncated.
fn goes_on(line: &str) -> bool {
    serde_json::from_str::<&RawValue>(line)
        .is_err_and(|error| error.is_eof() && !error.to_string().contains("string"))
}

/// Says something of the keys of the first object of a text; false where the text does not begin with one.
pub(super) fn first_object(text: &str, is: impl Fn(&Keys<'_>) -> bool) -> bool {
    let text = text.trim_start();
    text.starts_with('{')
        && Node::parse(&text[..end(text)]).and_then(|node| Keys::read(node, "")).is_ok_and(|keys| is(&keys))
}

/// Says whether an object is a puzzle of f-puzzles: it has a `grid`, and neither `cages` nor a `kind`, nor `clues`.
pub(super) fn is_fpuzzles(keys: &Keys<'_>) -> bool {
    let others = ["cages", "kind", "clues"];
    keys.get("grid").is_some() && others.iter().all(|key| keys.get(key).is_none())
}

/// Says whether an object is a puzzle of SudokuPad: it has cells, and no key of another format.
pub(super) fn is_sudokupad(keys: &Keys<'_>) -> bool {
    let others = ["size", "grid", "kind", "rules", "puzzle"];
    keys.get("cells").is_some_and(|node| node.is_list()) && others.iter().all(|key| keys.get(key).is_none())
}
