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
//! 1 without a gap. A clue after its id is `A 8+`, `A: 8 +`, `A=8+` or `A * 84`; with `:` or `=` a line may hold
//! several. A number among letters without a clue is a given. The first line may be the size, alone or with the number
//! of cages, and a line of `-` may precede the clues.

use std::iter;

use super::super::{Clue, MAX_DIGITS, Puzzle};
use super::cages::{Bare, ClueWords, Region, build_regions, check_square, plain_cages, regions};
use super::error::{Fault, Span, WriteError};
use super::words::{Word, lines, span, truncated};
use super::{Format, cage_list, clue_grid, kakuro, named_regions, pls, sudoku};

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
    if has_clues(text) {
        return true;
    }
    let is_number = |word: &Word<'_>| word.text.len() < 10 && word.is_digits();
    let mut lines = lines(text).map(|line| line.split());
    let Some(first) = lines.next() else { return false };
    if first.iter().all(is_number) {
        let cell = lines.next().and_then(|words| words.first().map(|word| word.text));
        return !cell.is_some_and(|word| word == "-" || word.contains([',', '\\']));
    }
    let names = ids(&first);
    let Some(second) = lines.next() else { return false };
    let is_row = ids(&second).len() == names.len();
    let mut rest = iter::once(second).chain(lines);
    names.iter().all(is_id) && (is_row || names.len() == 1) && rest.any(|words| is_clue(&words, &names))
}

/// Says whether a clue with an operator follows as many rows of ids as the first has; no Sudoku has that.
pub(super) fn has_clues(text: &str) -> bool {
    headers(text).is_some()
}

/// The number of lines, 0 or 1, before the rows; `None` where no rows and clue follow.
fn headers(text: &str) -> Option<usize> {
    [1, 0].into_iter().find(|headers| {
        let mut lines = lines(text).map(|line| line.split());
        let head: Vec<Vec<Word<'_>>> = lines.by_ref().take(*headers).collect();
        let mut lines = lines.peekable();
        let size = lines.peek().map_or(0, |words| ids(words).len());
        if size > MAX_DIGITS || !head.iter().all(|words| is_header(words, size)) {
            return false;
        }
        let rows: Vec<Vec<Word<'_>>> = lines.by_ref().take(size).map(|words| ids(&words)).collect();
        let square = rows.len() == size && rows.iter().all(|row| row.len() == size && row.iter().all(is_id));
        let names: Vec<Word<'_>> = rows.concat();
        // A bare number may be a clue; a further row of digits begins another Sudoku.
        let is_bare = |words: &Vec<Word<'_>>| words.iter().all(Word::is_digits) && ids(words).len() != size;
        let mut clues = lines.skip_while(|words| is_rule(words)).skip_while(is_bare);
        square && clues.next().is_some_and(|words| is_clue(&words, &names))
    })
}

/// Says whether a line is the size, alone or with the number of cages.
fn is_header(words: &[Word<'_>], size: usize) -> bool {
    size > 1 && words.len() <= 2 && words.iter().all(Word::is_digits) && words[0].text.parse() == Ok(size)
}

/// The ids of a row: its words, or the characters of a single one.
fn ids<'a>(words: &[Word<'a>]) -> Vec<Word<'a>> {
    match words {
        [only] if only.text.len() <= 4 * MAX_DIGITS => only.characters(),
        _ => words.to_vec(),
    }
}

fn is_id(word: &Word<'_>) -> bool {
    word.text.chars().all(char::is_alphanumeric)
}

fn is_rule(words: &[Word<'_>]) -> bool {
    words.len() == 1 && words[0].text.len() > 1 && words[0].text.chars().all(|c| matches!(c, '-' | '='))
}

/// Says whether a line is a target and a known operator, or one of these ids and a clue.
fn is_clue(words: &[Word<'_>], names: &[Word<'_>]) -> bool {
    let known = |words: &[Word<'_>]| {
        let clue = ClueWords::take(words).and_then(|(clue, _)| clue.operator);
        clue.is_some_and(|operator| operator.is_operator())
    };
    // Two numbers may be an id and a clue, but also anything else.
    let whole = |clue: &[Word<'_>]| ordered_clue(clue) && !words.iter().all(Word::is_digits);
    let first = pieces(words, names).into_iter().next().unwrap_or_default();
    known(words) || id_and_clue(&first, names).is_some_and(|(_, clue)| known(&clue) || whole(&clue))
}

/// Says whether the words are a clue and nothing else.
fn ordered_clue(words: &[Word<'_>]) -> bool {
    ClueWords::take(words).is_some_and(|(_, rest)| rest.is_empty())
}

/// One of these ids and the words after it: `A 8+`, `A: 8+`, `A:8+`, `A = 8+`.
fn id_and_clue<'a>(words: &[Word<'a>], names: &[Word<'_>]) -> Option<(Word<'a>, Vec<Word<'a>>)> {
    let is_known = |id: &Word<'_>| names.iter().any(|name| name.text == id.text);
    let (first, rest) = words.split_first()?;
    if is_known(first) {
        let marked = rest.len() > 1 && matches!(rest[0].text, ":" | "=");
        return Some((*first, rest[usize::from(marked)..].to_vec()));
    }
    let (id, clue) = first.split_at(first.text.find([':', '='])?);
    let glued = Some(clue.split_at(1).1).filter(|word| !word.text.is_empty());
    is_known(&id).then(|| (id, glued.into_iter().chain(rest.iter().copied()).collect()))
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let lines: Vec<Vec<Word<'_>>> =
        lines(record).map(|line| line.split()).skip(headers(record).unwrap_or(0)).collect();
    let size = lines.first().map_or(0, |line| ids(line).len());
    let (above, clues) = lines.split_at(size.min(lines.len()));
    let rows: Vec<Vec<Word<'_>>> = above.iter().map(|line| ids(line)).collect();
    check_square(&rows, size, "cage ids", record)?;
    let clues = &clues[usize::from(clues.first().is_some_and(|line| is_rule(line)))..];
    let regions = regions(&rows);
    let names: Vec<Word<'_>> = regions.iter().map(|region| region.name).collect();
    let first = clues.first().and_then(|line| id_and_clue(line, &names));
    let is_named = first.is_some_and(|(_, clue)| ClueWords::take(&clue).is_some());
    let cages = if is_named { named(regions, clues, &names)? } else { ordered(regions, clues, record)? };
    Ok((build_regions(size, cages.into_iter().map(Ok), Bare::Incomplete, span(&lines[0]))?, 0..0))
}

/// The regions with their clues.
type Clued<'a> = Vec<(Region<'a>, ClueWords<'a>)>;

/// The regions with clues that have no ids, in the order of the numeric ids.
fn ordered<'a>(regions: Vec<Region<'a>>, clues: &[Vec<Word<'a>>], record: &str) -> Result<Clued<'a>, Fault> {
    let most = regions.iter().map(|region| region.cells.len()).sum::<usize>();
    let mut numbered = Vec::new();
    for region in regions {
        let number: Option<usize> = region.name.text.parse().ok().filter(|id| *id <= most);
        let help = "clues without ids need numbers as cage ids; with letters, write `A: 8+`";
        let expected = || region.name.unexpected(format!("a cage id from 0 or 1 up to {most}")).help(help);
        numbered.push((number.ok_or_else(expected)?, region));
    }
    numbered.sort_by_key(|(number, _)| *number);
    let least = usize::from(numbered[0].0 != 0);
    let last = numbered[numbered.len() - 1].1.name.span();
    if let Some((index, (_, region))) =
        numbered.iter().enumerate().find(|(index, (number, _))| *number != index + least)
    {
        if numbered[index].0 < index + least {
            return Err(region.name.unexpected("one way to write a cage id"));
        }
        return Err(gap_fault(index + least, last));
    }
    let count = numbered.len();
    if let Some(line) = clues.get(count) {
        let help = format!("the grid has {count} cage ids, whose clues all stand above");
        return Err(line[0].unexpected("the end of the text").help(help));
    }
    let clued = numbered.into_iter().enumerate().map(|(index, (number, region))| {
        let line = clues.get(index).ok_or_else(|| no_clue(record, number))?;
        Ok((region, whole_clue(line, "line")?))
    });
    clued.collect()
}

/// The one clue that these words are.
fn whole_clue<'a>(words: &[Word<'a>], what: &str) -> Result<ClueWords<'a>, Fault> {
    match ClueWords::take(words) {
        Some((clue, [])) => Ok(clue),
        Some((_, [extra, ..])) => {
            Err(extra.unexpected(format!("the end of the {what}, after target and operator")))
        }
        None => Err(words[0].unexpected("a clue such as `8 *`")),
    }
}

/// The regions with clues after their ids. A number among letters without a clue is a given in each of its cells.
fn named<'a>(
    regions: Vec<Region<'a>>,
    clues: &[Vec<Word<'a>>],
    names: &[Word<'a>],
) -> Result<Clued<'a>, Fault> {
    let mut found: Vec<(Word<'a>, ClueWords<'a>)> = Vec::new();
    for words in clues.iter().flat_map(|line| pieces(line, names)) {
        let expected = "a cage id of the grid, then its clue";
        let (id, clue) = id_and_clue(&words, names).ok_or_else(|| words[0].unexpected(expected))?;
        if clue.is_empty() {
            return Err(Fault::unexpected(
                "a clue such as `8+`",
                "the end of the line",
                id.span().end..id.span().end,
            ));
        }
        if found.iter().any(|(earlier, _)| earlier.text == id.text) {
            return Err(id.unexpected(format!("one clue for `{}`, not another", id.text)));
        }
        found.push((id, whole_clue(&clue, "clue")?));
    }
    let has_letters = names.iter().any(|name| !name.is_digits());
    let mut clued = Vec::new();
    for region in regions {
        let name = region.name;
        match found.iter().find(|(id, _)| id.text == name.text) {
            Some((_, clue)) => clued.push((region, *clue)),
            None if has_letters && name.is_digits() => clued.extend(givens(region)),
            None => {
                return Err(Fault::unexpected(
                    format!("a clue for `{0}`, as in `{0}: 8+`", name.text),
                    "none",
                    name.span(),
                ));
            }
        }
    }
    Ok(clued)
}

/// The clues of a line, separated by `,` and `;`, and before each id that `:` or `=` follows.
fn pieces<'a>(words: &[Word<'a>], names: &[Word<'_>]) -> Vec<Vec<Word<'a>>> {
    let words: Vec<Word<'a>> =
        words.iter().flat_map(|word| word.split_by(|c| c == ',' || c == ';')).collect();
    let mut pieces: Vec<Vec<Word<'a>>> = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let marked = words.get(index + 1).is_some_and(|next| matches!(next.text, ":" | "="))
            && index + 2 < words.len();
        let is_known = names.iter().any(|name| name.text == word.text);
        let starts = is_known && marked || !is_known && id_and_clue(&words[index..=index], names).is_some();
        match pieces.last_mut() {
            Some(piece) if !starts => piece.push(*word),
            _ => pieces.push(vec![*word]),
        }
    }
    pieces
}

/// Every cell of a region as a region of its own, whose clue is the name.
fn givens<'a>(region: Region<'a>) -> impl Iterator<Item = (Region<'a>, ClueWords<'a>)> {
    region.cells.into_iter().zip(region.spans).map(move |(cell, span)| {
        let name = Word { start: span.start, ..region.name };
        let clue = ClueWords { target: name, operator: None };
        (Region { name, cells: vec![cell], spans: vec![span] }, clue)
    })
}

fn gap_fault(id: usize, last: Span) -> Fault {
    Fault::unexpected(format!("cage id {id}"), "no cell with it", last)
        .help("cage ids run from 0 or 1 without a gap; clues follow in their order")
}

fn no_clue(record: &str, id: usize) -> Fault {
    let label = format!("the clue of cage {id}, such as `8 *`, should follow here");
    truncated(record, "the clues", label)
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
