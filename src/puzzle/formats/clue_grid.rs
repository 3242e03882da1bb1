//! The size, a grid of clues, then a grid of regions.
//!
//! ```text
//! 4 4
//! 8* . . 1-
//! 6+ 1- . .
//! . . 4* .
//! 3 2/ . .
//! 1 1 1 2
//! 3 4 4 2
//! 3 3 5 5
//! 6 7 7 5
//! ```
//!
//! A clue stands in one cell of its region, and `.`, `_` or `-` in the others. A number without an operator is a given
//! in a region of one cell; in a larger one its operator is hidden.

use super::super::Puzzle;
use super::Format;
use super::cages::{Bare, ClueWords, build_regions, check_square, regions};
use super::error::{Fault, Span};
use super::words::{Word, lines, span};

pub(super) const FORMAT: Format = Format {
    name: "clue_grid",
    about: "`4 4`, the size, then rows of clues, `24* . 2/ .`, then rows of regions, `1 1 2 2`",
    many: false,
    recognise,
    end: str::len,
    read,
    write: None,
};

/// The ways to write a cell without a clue.
const BLANK: [&str; 3] = [".", "_", "-"];

/// The first line is the size, once or twice, and that many lines of clues and blanks follow. Where they are numbers
/// alone, which may be cage ids, a region for each number must follow too.
fn recognise(text: &str) -> bool {
    let mut lines = lines(text).map(|line| line.split());
    let Some(size) = lines.next().and_then(|words| header(&words)) else { return false };
    let rows: Vec<Vec<Word<'_>>> = lines.by_ref().take(size).collect();
    let (clues, below) = (rows.concat(), lines.take(size + 1).collect::<Vec<_>>());
    let is_square = |rows: &[Vec<Word<'_>>]| rows.len() == size && rows.iter().all(|row| row.len() == size);
    let is_blank = |word: &Word<'_>| BLANK.contains(&word.text);
    let is_clue =
        |word: &Word<'_>| ClueWords::take(&[*word]).is_some() && !word.text.contains([',', '\\', ':']);
    let is_name = |word: &Word<'_>| word.text.chars().all(char::is_alphanumeric);
    let has_regions =
        || is_square(&below) && below.iter().flatten().all(is_name) && regions(&below).len() == size * size;
    is_square(&rows)
        && clues.iter().all(|word| is_blank(word) || is_clue(word))
        && clues.iter().any(|word| !is_blank(word))
        && (!clues.iter().all(Word::is_digits) || has_regions())
}

/// The size in `4 4` or `4`.
fn header(words: &[Word<'_>]) -> Option<usize> {
    let size = words[0].text.parse().ok().filter(|size| (1..=super::super::MAX_DIGITS).contains(size))?;
    (words.len() <= 2 && words.iter().all(|word| word.text == words[0].text)).then_some(size)
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let lines: Vec<Vec<Word<'_>>> = lines(record).map(|line| line.split()).collect();
    let head = &lines[0];
    let size = header(head).ok_or_else(|| head[0].unexpected("the size of the grid, as in `4 4`"))?;
    if let Some(line) = lines.get(2 * size + 1) {
        return Err(line[0].unexpected(format!("the end of the text after {size} rows of regions")));
    }
    let (clues, names) = lines[1..].split_at(size.min(lines.len() - 1));
    check_square(clues, size, "clues", record)?;
    check_square(names, size, "regions", record)?;
    let cages = regions(names).into_iter().map(|region| {
        let words = region.cells.iter().map(|&(row, column)| clues[row][column]);
        let mut own = words.filter(|word| !BLANK.contains(&word.text));
        let Some(word) = own.next() else {
            let expected = format!("a clue in one cell of region `{}`", region.name.text);
            return Err(Fault::unexpected(expected, "none", region.name.span()));
        };
        if let Some(second) = own.next() {
            return Err(second.unexpected(format!(
                "one clue in region `{}`, which has `{}`",
                region.name.text, word.text
            )));
        }
        let clue = ClueWords::take(&[word]).ok_or_else(|| word.unexpected("a clue such as `8+`, or `.`"))?.0;
        Ok((region, clue))
    });
    Ok((build_regions(size, cages, Bare::Hidden, span(head))?, 0..0))
}
