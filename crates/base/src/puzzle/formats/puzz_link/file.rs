//! Files of pzprjs, which begin with `pzprv3`: the kind, the numbers of rows and columns, then lines of cells. A `/` may
//! stand for the end of a line. What follows the puzzle, the answers of a solver, is ignored.

use super::super::super::Puzzle;
use super::super::Format;
use super::super::error::{Fault, Span};
use super::super::words::{Word, span, truncated};
use super::{GridSize, number_of, variety};

pub(in super::super) const FORMAT: Format = Format {
    name: "pzprv3",
    about: "a file of puzz.link: `pzprv3`, the kind, its rows and columns, then lines of cells",
    many: false,
    recognise: |text| text.trim_start().starts_with("pzprv3"),
    end: str::len,
    read,
    write: None,
};

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let whole = Word { text: record, start: 0 };
    let lines: Vec<Vec<Word<'_>>> = whole
        .split_by(|c| c == '\n' || c == '/')
        .iter()
        .map(Word::split)
        .filter(|words| !words.is_empty())
        .collect();
    let line = |index: usize, within: &str| {
        lines
            .get(index)
            .map(|words| words[0])
            .ok_or_else(|| truncated(record, within, "it should follow here"))
    };
    let kind = line(1, "the kind")?;
    let variety = variety(&kind)?;
    let first = line(2, "the number of rows")?;
    let rows = number_of(&first)?;
    // A Sudoku tells one number only.
    let one = variety.name == "sudoku";
    let second = if one { first } else { line(3, "the number of columns")? };
    let cols = if one { rows } else { number_of(&second)? };
    let size = GridSize { rows, cols, span: first.start..second.span().end };
    let cells = &lines[lines.len().min(if one { 3 } else { 4 })..];
    (variety.read_file)(size, cells, record).map(|puzzle| (puzzle, 0..0))
}

/// The cells of the next lines, row by row, and the lines after them.
pub(super) fn cells_of<'a, 'b>(
    lines: &'b [Vec<Word<'a>>],
    (rows, cols): (usize, usize),
    what: &str,
    record: &str,
) -> Result<(Vec<Word<'a>>, &'b [Vec<Word<'a>>]), Fault> {
    // Lines of no cells are not written.
    let rows = if cols == 0 { 0 } else { rows };
    if lines.len() < rows {
        let label = format!("{} more lines should follow here", rows - lines.len());
        return Err(truncated(record, format!("the lines of {what}"), label));
    }
    let (own, rest) = lines.split_at(rows);
    if let Some(line) = own.iter().find(|line| line.len() != cols) {
        return Err(Fault::unexpected(
            format!("{cols} {what} in this line"),
            line.len().to_string(),
            span(line),
        ));
    }
    Ok((own.concat(), rest))
}

/// Says whether a word is a wall, `1`, and not an open edge, `0`.
pub(super) fn wall(word: &Word<'_>) -> Result<bool, Fault> {
    match word.text {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err(word.unexpected("`1` for a wall or `0`")),
    }
}
