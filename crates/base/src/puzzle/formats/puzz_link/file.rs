//! Files of pzprjs, which begin with `pzprv3`: the kind, the numbers of rows and columns, then lines of cells. A `/` may
//! stand for the end of a line. What follows the puzzle, the answers of a solver, is ignored.

use super::super::super::Puzzle;
use super::super::Format;
use super::super::cages::GridShape;
use super::super::error::{Fault, Span};
use super::super::words::{Word, span, truncated};
use super::{GridSize, number_of, variety};

pub(in super::super) const FORMAT: Format = Format::new(
    "pzprv3",
    "a file of puzz.link: `pzprv3`, the kind, its rows and columns, then lines of cells",
    |text| text.trim_start().starts_with("pzprv3"),
    read,
);

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let whole = Word { text: record, start: 0 };
    let mut lines = Vec::new();
    for line in whole.split_at_marks(&['\n', '/']) {
        lines.push(line.split());
    }
    lines.retain(|words| !words.is_empty());
    let variety = variety(&first_word(&lines, 1, "the kind", record)?)?;
    let first = first_word(&lines, 2, "the number of rows", record)?;
    let rows = number_of(&first)?;
    // A Sudoku tells one number only.
    let (second, start) = if variety.name == "sudoku" {
        (first, 3)
    } else {
        (first_word(&lines, 3, "the number of columns", record)?, 4)
    };
    let size = GridSize { rows, cols: number_of(&second)?, span: first.start..second.span().end };
    Ok(((variety.read_file)(size, lines.get(start..).unwrap_or_default(), record)?, 0..0))
}

fn first_word<'a>(
    lines: &[Vec<Word<'a>>],
    index: usize,
    within: &str,
    record: &str,
) -> Result<Word<'a>, Fault> {
    match lines.get(index) {
        Some(words) => Ok(words[0]),
        None => Err(truncated(record, within, "it should follow here")),
    }
}

/// The cells of the next lines, row by row, and the lines after them.
pub(super) fn cells_of<'a, 'b>(
    lines: &'b [Vec<Word<'a>>],
    shape: GridShape,
    what: &str,
    record: &str,
) -> Result<(Vec<Word<'a>>, &'b [Vec<Word<'a>>]), Fault> {
    let (rows, cols) = shape;
    // Lines of no cells are not written.
    let rows = if cols == 0 { 0 } else { rows };
    if lines.len() < rows {
        let label = format!("{} more lines should follow here", rows - lines.len());
        return Err(truncated(record, format!("the lines of {what}"), label));
    }
    let (own, rest) = lines.split_at(rows);
    for line in own {
        if line.len() != cols {
            let expected = format!("{cols} {what} in this line");
            return Err(Fault::unexpected(expected, line.len().to_string(), span(line)));
        }
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
