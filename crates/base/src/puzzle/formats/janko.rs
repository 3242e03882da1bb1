//! KenKen and Sudoku as janko.at has them: `[begin]`, facts such as `puzzle kendoku`, then sections with the rows of the
//! problem and of its areas.

use super::super::Puzzle;
use super::error::{Fault, Span};
use super::words::{Word, lines, truncated};
use super::{Format, clue_grid, read_as, sudoku};

pub(super) const FORMAT: Format = Format::new(
    "janko",
    "kendoku and sudoku of janko.at: `[begin]`, `puzzle kendoku`, then `[problem]` and `[areas]`",
    |text| lines(text).next().is_some_and(|line| line.text.trim() == "[begin]"),
    read,
);

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let (mut kind, mut section) = (None, "");
    let (mut size, mut grids) = (0, String::new());
    for line in lines(record) {
        let text = line.text.trim();
        if text.starts_with('[') {
            section = text;
        } else if let Some(name) = text.strip_prefix("puzzle ") {
            kind = Some(line.part(name.trim()));
        } else if matches!(section, "[problem]" | "[areas]") {
            size += usize::from(section == "[problem]");
            grids += &format!("{text}\n");
        }
    }
    let kind: Word<'_> =
        kind.ok_or_else(|| truncated(record, "the facts", "`puzzle kendoku` should follow here"))?;
    let format = match kind.text {
        "kendoku" => &clue_grid::FORMAT,
        "sudoku" => &sudoku::FORMAT,
        _ => return Err(kind.unexpected("a puzzle of janko.at that kenga knows (kendoku, sudoku)")),
    };
    read_as(format, &format!("{size} {size}\n{grids}"), kind.span())
}
