//! Links to f-puzzles and SudokuPad that hold a whole puzzle, compressed.
//!
//! ```text
//! https://f-puzzles.com/?load=N4Ig…
//! https://sudokupad.app/?puzzleid=fpuzzlesN4Ig…     https://sudokupad.app/sclN4Ig…     fpuzzlesN4Ig…
//! ```
//!
//! What follows `load=` or `fpuzzles` is the JSON of f-puzzles, what follows `scl` or `ctc` that of SudokuPad, or its
//! shorter notation; all packed by lz-string. The characters may be escaped, `%2B` for `+`.

use super::super::super::Puzzle;
use super::super::error::{Fault, Malformed, Span};
use super::super::words::Word;
use super::lz_string::{Flaw, decompress};
use super::{json, sudokupad};

/// The places of f-puzzles and of SudokuPad.
const HOSTS: [(&str, &[&str]); 2] = [
    ("f-puzzles", &["f-puzzles.com"]),
    ("SudokuPad", &["sudokupad.app", "crackingthecryptic.com", "sudokupad.svencodes.com"]),
];

/// What the packed text is, by the word before it, and what reads it.
const PREFIXES: [(&str, bool); 5] =
    [("fpuzzles", true), ("fpuz", true), ("scl", false), ("ctc", false), ("load=", true)];

/// The fewest characters of a packed puzzle.
const SHORTEST: usize = 40;

/// The first line of a text.
fn first_line(text: &str) -> &str {
    text.trim_start().lines().next().unwrap_or_default().trim()
}

/// Says whether the first line is a link to f-puzzles.
pub(super) fn is_fpuzzles(text: &str) -> bool {
    host(first_line(text)) == Some(HOSTS[0].0)
}

/// Says whether the first line is a link to SudokuPad, or what follows the address in one.
pub(super) fn is_sudokupad(text: &str) -> bool {
    let line = first_line(text);
    if host(line) == Some(HOSTS[1].0) {
        return true;
    }
    // `load=` stands behind an address alone.
    PREFIXES[..4].iter().any(|(prefix, _)| line.strip_prefix(prefix).is_some_and(is_packed))
}

fn is_packed(text: &str) -> bool {
    text.len() >= SHORTEST && text.chars().all(|c| c.is_ascii_alphanumeric() || "+/=%".contains(c))
}

/// The program that an address opens.
fn host(line: &str) -> Option<&'static str> {
    let line = line.trim_start_matches("http").trim_start_matches('s').trim_start_matches("://");
    let name = line.split(['/', '?', ' ']).next().unwrap_or_default();
    for (program, hosts) in HOSTS {
        for host in hosts {
            if let Some(rest) = name.strip_suffix(host)
                && (rest.is_empty() || rest.ends_with('.'))
            {
                return Some(program);
            }
        }
    }
    None
}

/// Reads the puzzle that a link holds.
pub(super) fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let (packed, is_fpuzzles) = payload(&Word::of(record))?;
    let text = unpack(&packed)?;
    let puzzle = if is_fpuzzles {
        json::read(&text)
    } else if text.contains("\"cells\"") {
        sudokupad::read(&text)
    } else {
        sudokupad::read(&sudokupad::unzip(&text))
    };
    match puzzle {
        Ok(puzzle) => Ok((puzzle, 0..0)),
        // The places of the unpacked text mean nothing here.
        Err(fault) => {
            let label = format!("in the puzzle that this holds: {}", fault.label);
            Err(Fault { span: packed.span(), label, ..fault })
        }
    }
}

/// The packed text of a link, and whether it is that of f-puzzles: what follows the first of the prefixes, at the start or
/// after `/`, `?` or `=`.
fn payload<'a>(line: &Word<'a>) -> Result<(Word<'a>, bool), Fault> {
    for (at, _) in line.text.char_indices() {
        let (before, rest) = line.split_at(at);
        if at > 0 && !before.text.ends_with(['/', '?', '&', '=']) {
            continue;
        }
        for (prefix, is_fpuzzles) in PREFIXES {
            if !rest.text.starts_with(prefix) {
                continue;
            }
            let rest = rest.after(prefix.len());
            let end = rest.text.find(['&', '#', '?']).unwrap_or(rest.text.len());
            // A shorter one names a puzzle on a server.
            if end >= SHORTEST {
                return Ok((rest.split_at(end).0, is_fpuzzles));
            }
        }
    }
    let expected = "a link that holds the puzzle: `?load=…`, `fpuzzles…`, `scl…`";
    let help = "kenga does not go to the network: where a link names a puzzle on a server, open it there and \
                export the long link, or the JSON";
    Err(line.unexpected(expected).help(help))
}

/// The text of a packed one, whose escapes are undone first.
fn unpack(packed: &Word<'_>) -> Result<String, Fault> {
    let plain = unescaped(packed.text);
    decompress(&plain).map_err(|flaw| {
        let place = match flaw {
            // Escapes shift places: only a text without them shows the character.
            Flaw::Character(index) if plain.len() == packed.text.len() => {
                packed.after(packed.text.floor_char_boundary(index)).first().span()
            }
            _ => packed.span(),
        };
        let label = match flaw {
            Flaw::Character(_) => "expected letters, digits, `+` and `/`",
            Flaw::Truncated => "the link ends too early: copy the whole of it",
            Flaw::Long => "it is longer than a puzzle",
            Flaw::Phrase | Flaw::Text => "the link is damaged: copy it again",
        };
        Fault::new(Malformed::Packed, place, label)
    })
}

/// A text without the escapes of addresses, such as `%2B`.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        let code = rest.get(at + 1..at + 3).and_then(|code| u8::from_str_radix(code, 16).ok());
        plain.push_str(&rest[..at]);
        let Some(code) = code.filter(u8::is_ascii) else {
            plain.push('%');
            rest = &rest[at + 1..];
            continue;
        };
        plain.push(char::from(code));
        rest = &rest[at + 3..];
    }
    plain + rest
}

/// The text with `+`, `/` and `=` escaped.
pub(super) fn escaped(text: &str) -> String {
    text.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_known_by_their_whole_name() {
        assert_eq!(host("https://f-puzzles.com/?load=x"), Some("f-puzzles"));
        assert_eq!(host("www.f-puzzles.com?load=x"), Some("f-puzzles"));
        assert_eq!(host("http://beta.sudokupad.app/x"), Some("SudokuPad"));
        assert_eq!(host("https://app.crackingthecryptic.com/sudoku/?puzzleid=x"), Some("SudokuPad"));
        assert_eq!(host("https://notf-puzzles.com/"), None);
    }

    #[test]
    fn the_packed_text_is_found_wherever_it_stands() {
        let packed = "N4Ig".repeat(12);
        for (text, kind) in [
            (format!("https://f-puzzles.com/?load={packed}"), true),
            (format!("https://sudokupad.app/fpuzzles{packed}?setting-nogrid=1"), true),
            (format!("https://sudokupad.app/?puzzleid=scl{packed}&x=1"), false),
            (format!("https://app.crackingthecryptic.com/sudoku/?puzzleid=fpuzzles{packed}"), true),
            (format!("https://app.crackingthecryptic.com/sudoku/ctc{packed}"), false),
            (format!("fpuzzles{packed}"), true),
        ] {
            let found =
                payload(&Word { text: &text, start: 0 }).unwrap_or_else(|fault| panic!("{}", fault.what));
            assert_eq!((found.0.text, found.1), (&*packed, kind), "{text}");
        }
        assert!(payload(&Word { text: "https://sudokupad.app/abc123", start: 0 }).is_err());
    }

    #[test]
    fn both_notations_of_sudokupad_are_unpacked() {
        let long = r#"{"cells":[[{},{"value":1}],[{},{}]],"regions":[],"cages":[{"cells":[[0,0],[1,0]],"value":"3+"},{"cells":[[1,1]],"value":"2"}]}"#;
        let short = "{ce:[[,{v:1}],[,]],ca:[{ce:[[0,0],[1,0]],v:'3+'},{ce:[[1,1]],v:2}]}";
        let puzzles = [long, short].map(|text| {
            let link =
                format!("https://sudokupad.app/scl{}", escaped(&super::super::lz_string::compress(text)));
            read(&link).map(|read| read.0.canonical_text()).unwrap_or_else(|fault| panic!("{}", fault.what))
        });
        assert_eq!(puzzles[0], puzzles[1]);
        assert!(puzzles[0].contains("+"), "{}", puzzles[0]);
    }

    #[test]
    fn escapes_are_undone() {
        assert_eq!(unescaped("a%2Bb%2fc%3D%zz%"), "a+b/c=%zz%");
        assert_eq!(unescaped(&escaped("a+b/c=")), "a+b/c=");
    }
}
