//! Canonical JSON: one object a puzzle; a corpus is one object a line.

mod cells;
mod kakuro;
pub(super) mod keys;
pub(super) mod node;
mod parts;
mod read;
mod square;
mod walls;
mod write;

use serde_json::value::RawValue;

use super::Format;

pub(super) const FORMAT: Format = Format {
    name: "json",
    about: "objects {\"size\": 4, \"cages\": [{\"op\": \"*\", \"target\": 8, \"cells\": [[0, 0], …]}, …]}, one a line",
    many: true,
    recognise: |text| text.trim_start().starts_with(['{', '[']),
    end,
    read: read::read,
    write: Some(write::write),
};

/// Keys of other programs that are kept in a puzzle's `meta`.
const KEPT_KEYS: [&str; 7] = ["source", "nsol", "exact_count", "keen_id", "diff", "mult", "rounds"];

/// Keys of other programs that say nothing about the rules; they are kept too, and written inside `meta`.
const OTHER_KEYS: [&str; 8] = ["author", "date", "difficulty", "level", "name", "seed", "title", "url"];

/// The end of the object that starts here: this line, or, when its JSON goes on, all lines up to the next one that
/// opens an object in its first column.
pub(super) fn end(text: &str) -> usize {
    let line = super::line_end(text);
    if !goes_on(text[..line].trim_end()) {
        return line;
    }
    text[line - 1..].find("\n{").map_or(text.len(), |newline| line + newline)
}

/// The value may be complete on a later line. A text (in quotes) may not: that line is cut off.
fn goes_on(line: &str) -> bool {
    serde_json::from_str::<&RawValue>(line)
        .is_err_and(|error| error.is_eof() && !error.to_string().contains("string"))
}

#[cfg(test)]
mod tests {
    use super::end;
    use crate::puzzle::{Grid, Puzzle, Role, formats};

    const PUZZLE: &str = r#"{"id":"a","size":2,"digits":[0,3],"cages":[{"op":"+","target":3,"cells":[[0,0],[0,1]]},{"op":"-","target":3,"cells":[[1,0],[1,1]],"repeats":false}],"givens":[[0,1,3]],"groups":[{"distinct":true,"role":"region","cells":[[0,0],[1,1]]}],"solution":[[0,3],[3,null]],"source":"x","nsol":1,"meta":{"note":[1.5]}}"#;

    fn only(text: &str) -> Puzzle {
        let mut puzzles = formats::read("file.json", text.as_bytes());
        puzzles.remove(0).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn every_field_is_read_and_written_back() {
        let puzzle = only(PUZZLE);
        assert_eq!(puzzle.digits().values(), [0, 3]);
        assert_eq!(puzzle.groups_with(Role::Given).count(), 1);
        assert_eq!(puzzle.groups_with(Role::Region).count(), 1);
        assert_eq!(puzzle.solution.as_ref().map(Grid::to_string).as_deref(), Some("0 3/3 ."));
        assert_eq!(puzzle.meta.keys().collect::<Vec<_>>(), ["source", "nsol", "note"]);
        assert_eq!(formats::write(&puzzle, &super::FORMAT), Ok(PUZZLE.to_owned() + "\n"));
    }

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
