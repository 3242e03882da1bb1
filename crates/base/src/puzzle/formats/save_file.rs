//! Save files of Simon Tatham's Portable Puzzle Collection: lines `KEY:LENGTH:VALUE`. The parameters and the description are
//! a game ID; the moves of the player are ignored.

use super::super::Puzzle;
use super::error::{Fault, Span};
use super::words::{Word, lines, truncated};
use super::{Format, keen, read_as, solo, unequal};

pub(super) const FORMAT: Format = Format::new(
    "save_file",
    "save files of Keen, Unequal and Solo, of Simon Tatham's collection: `SAVEFILE:41:…`",
    |text| text.trim_start().starts_with("SAVEFILE:"),
    read,
);

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let game = value(record, "GAME")?;
    let format = match game.text {
        "Keen" => &keen::FORMAT,
        "Unequal" => &unequal::FORMAT,
        "Solo" => &solo::FORMAT,
        _ => return Err(game.unexpected("a game that kenga knows (Keen, Unequal, Solo)")),
    };
    let description = value(record, "DESC")?;
    let id = format!("{}:{}", value(record, "PARAMS")?.text, description.text);
    read_as(format, &id, description.span())
}

/// The value of a key.
fn value<'a>(record: &'a str, key: &str) -> Result<Word<'a>, Fault> {
    for line in lines(record) {
        if let [name, _, value] = line.text.splitn(3, ':').collect::<Vec<_>>()[..]
            && name.trim() == key
        {
            return Ok(line.part(value.trim_end()));
        }
    }
    Err(truncated(record, "the file", format!("`{key}` should follow here")))
}
