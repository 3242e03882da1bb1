//! Rows of cage ids, then the clues: in the order of ids, or each after its id.
//!
//! ```text
//! 1 1 1 2      ABBC
//! 3 4 4 2      A2CC
//! 3 3 5 5      DDEF
//! 6 7 7 5      4DEF
//! 8 *          A: 1-
//! 1 -          B: 3-
//! …            …
//! ```
//!
//! Ids are words, or single characters without spaces. Clues without ids follow in the order of numeric ids, from 0 or
//! 1 without a gap, or of letters whose first places are in the order of the alphabet. A clue after its id is `A 8+`,
//! `A: 8 +`, `A=8+` or `A * 84`, after a letter also before it, `8+ A`; with `:` or `=` a line may hold several. A number
//! among letters without a clue is a given. The first line may be the size, alone or with the number of cages, and a line
//! of `-` may precede the clues. Clues with ids may also stand before the rows. Brackets, bars, commas and arrows are
//! spaces, and lines that begin with `#` comments; letters of another case name an id where no other id does.

mod clues;

use std::iter;

use super::super::{Clue, Puzzle};
use super::cage_id_lines::{
    MOST_LINES, headers, id_and_clue, ids, is_clue, is_id, is_rule, pieces, rows_first, split,
};
use super::cages::{Bare, ClueWords, build_regions, check_square, plain_cages, regions};
use super::error::{Fault, Span, WriteError};
use super::words::{Word, span, tidied};
use super::{Format, cage_list, clue_grid, kakuro, named_regions, pls, sudoku};
use clues::{named, ordered};

pub(super) const FORMAT: Format = Format {
    name: "cage_ids",
    about: "n rows of cage ids, `1 1 2` or `AAB`, then clues: `8 *` in id order, or `A: 8*`",
    many: false,
    recognise,
    end: str::len,
    read,
    write: Some(write),
};

/// Formats whose texts begin like cage ids.
const EARLIER: [&Format; 6] = [
    &pls::FORMAT,
    &sudoku::FORMAT,
    &cage_list::FORMAT,
    &named_regions::FORMAT,
    &clue_grid::FORMAT,
    &kakuro::TOKENS,
];

/// Clues follow the rows; or the first line is all numbers, none as long as a Sudoku on one line, and the next does not
/// begin with a cell of a Kakuro; or a later line is an id of the first line and a clue. No text of an earlier format.
fn recognise(text: &str) -> bool {
    if EARLIER.iter().any(|format| (format.recognise)(text)) {
        return false;
    }
    let tidy = tidied(text, MOST_LINES);
    let all = split(&tidy);
    if headers(&all).is_some() || rows_first(&all).is_some() {
        return true;
    }
    let is_number = |word: &Word<'_>| word.text.len() < 10 && word.is_digits();
    let mut lines = all.into_iter();
    let Some(first) = lines.next() else { return false };
    if first.iter().all(is_number) {
        // A comma between numbers is that of a Kakuro.
        let head: String = text.lines().filter(|line| !line.trim().is_empty()).take(2).collect();
        let cell = lines.next().and_then(|words| words.first().map(|word| word.text));
        return cell != Some("-") && !head.contains([',', '\\']);
    }
    let names = ids(&first);
    let Some(second) = lines.next() else { return false };
    let is_row = ids(&second).len() == names.len();
    let mut rest = iter::once(second).chain(lines);
    names.iter().all(is_id) && (is_row || names.len() == 1) && rest.any(|words| is_clue(&words, &names))
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let tidy = tidied(record, usize::MAX);
    let mut lines = split(&tidy);
    match headers(&lines) {
        Some(headers) => drop(lines.drain(..headers)),
        None => lines = rows_first(&lines).unwrap_or(lines),
    }
    let size = lines.first().map_or(0, |line| ids(line).len());
    let (above, clues) = lines.split_at(size.min(lines.len()));
    let rows: Vec<Vec<Word<'_>>> = above.iter().map(|line| ids(line)).collect();
    check_square(&rows, size, "cage ids", &tidy)?;
    let clues = &clues[usize::from(clues.first().is_some_and(|line| is_rule(line)))..];
    let regions = regions(&rows);
    let names: Vec<Word<'_>> = regions.iter().map(|region| region.name).collect();
    let first = clues.first().and_then(|line| id_and_clue(&pieces(line, &names)[0], &names));
    let is_named = first.is_some_and(|(_, clue)| ClueWords::take(&clue).is_some());
    let cages = if is_named { named(regions, clues, &names)? } else { ordered(regions, clues, &tidy)? };
    Ok((build_regions(size, cages.into_iter().map(Ok), Bare::Incomplete, span(&lines[0]))?, 0..0))
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let cages = plain_cages(puzzle, FORMAT.name)?;
    let mut ids = vec![0; puzzle.rows() * puzzle.cols()];
    for (index, (cage, _)) in cages.iter().enumerate() {
        for &cell in &cage.cells {
            ids[cell] = index + 1;
        }
    }
    let row = |ids: &[usize]| ids.iter().map(usize::to_string).collect::<Vec<_>>().join(" ") + "\n";
    let rows: String = ids.chunks(puzzle.cols()).map(row).collect();
    let clue = |(_, clue): &(_, Clue)| format!("{} {}\n", clue.target, clue.operator.symbol);
    Ok(rows + &cages.iter().map(clue).collect::<String>())
}
