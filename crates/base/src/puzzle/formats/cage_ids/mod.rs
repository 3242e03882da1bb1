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

use super::super::{Clue, MAX_DIGITS, Puzzle};
use super::cages::{Bare, ClueWords, build_regions, check_square, plain_cages, regions};
use super::error::{Fault, Span, WriteError};
use super::words::{Word, lines, span, tidied};
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

/// The most lines that are looked at to recognise a text.
const MOST_LINES: usize = 1200;

/// The words of the lines.
fn split(tidy: &str) -> Vec<Vec<Word<'_>>> {
    lines(tidy).map(|line| line.split()).collect()
}

/// Says whether a clue with an operator follows as many rows of ids as the first has, or clues with ids stand before such
/// rows; no Sudoku has that.
pub(super) fn has_clues(text: &str) -> bool {
    let tidy = tidied(text, MOST_LINES);
    let lines = split(&tidy);
    headers(&lines).is_some() || rows_first(&lines).is_some()
}

/// The number of lines, 0 or 1, before the rows; `None` where no rows and clue follow.
fn headers(lines: &[Vec<Word<'_>>]) -> Option<usize> {
    [1, 0].into_iter().filter(|headers| *headers < lines.len()).find(|headers| {
        let (head, lines) = lines.split_at(*headers);
        let size = lines.first().map_or(0, |words| ids(words).len());
        if size > MAX_DIGITS || size > lines.len() || !head.iter().all(|words| is_header(words, size)) {
            return false;
        }
        let (rows, rest) = lines.split_at(size);
        let rows: Vec<Vec<Word<'_>>> = rows.iter().map(|words| ids(words)).collect();
        let square = rows.iter().all(|row| row.len() == size && row.iter().all(is_id));
        let names: Vec<Word<'_>> = rows.concat();
        // A bare number may be a clue; a further row of digits begins another Sudoku.
        let is_bare = |words: &Vec<Word<'_>>| words.iter().all(Word::is_digits) && ids(words).len() != size;
        let mut clues = rest.iter().skip_while(|words| is_rule(words)).skip_while(|words| is_bare(words));
        square && clues.next().is_some_and(|words| is_clue(words, &names))
    })
}

/// The lines with the rows first, where clues with ids stand before them and nothing follows them.
fn rows_first<'a>(lines: &[Vec<Word<'a>>]) -> Option<Vec<Vec<Word<'a>>>> {
    let size = lines.last().map_or(0, |words| ids(words).len());
    let start = lines.len().checked_sub(size).filter(|start| *start > 0 && size > 1 && size <= MAX_DIGITS)?;
    let (clues, rows) = lines.split_at(start);
    let clues = &clues[usize::from(is_header(&clues[0], size))..];
    let rows: Vec<Vec<Word<'_>>> = rows.iter().map(|words| ids(words)).collect();
    let square = rows.iter().all(|row| row.len() == size && row.iter().all(is_id));
    let names: Vec<Word<'_>> = rows.concat();
    let has_id = |words: &Vec<Word<'a>>| {
        let pieces = pieces(words, &names);
        pieces.iter().all(|piece| id_and_clue(piece, &names).is_some_and(|(_, clue)| ordered_clue(&clue)))
    };
    let known = square
        && clues.iter().all(|words| is_rule(words) || has_id(words))
        && clues.iter().any(|words| !is_rule(words) && is_clue(words, &names));
    known.then(|| [&lines[start..], clues].concat())
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
fn is_clue<'a>(words: &[Word<'a>], names: &[Word<'a>]) -> bool {
    let has_operator = |words: &[Word<'_>]| {
        let clue = ClueWords::take(words).and_then(|(clue, _)| clue.operator);
        clue.is_some_and(|operator| operator.is_operator())
    };
    // Two numbers may be an id and a clue, but also anything else.
    let whole = |clue: &[Word<'_>]| ordered_clue(clue) && !words.iter().all(Word::is_digits);
    let first = pieces(words, names).into_iter().next().unwrap_or_default();
    has_operator(words)
        || id_and_clue(&first, names).is_some_and(|(_, clue)| has_operator(&clue) || whole(&clue))
}

/// Says whether the words are a clue and nothing else.
fn ordered_clue(words: &[Word<'_>]) -> bool {
    ClueWords::take(words).is_some_and(|(_, rest)| rest.is_empty())
}

/// One of these ids and the words after it: `A 8+`, `A: 8+`, `A:8+`, `A = 8+`, `A - 8+`, `A. 8+`; or a letter and the words
/// before it, `8+ A`, `8+: A`.
fn id_and_clue<'a>(words: &[Word<'a>], names: &[Word<'a>]) -> Option<(Word<'a>, Vec<Word<'a>>)> {
    let (first, rest) = words.split_first()?;
    if let Some(id) = known(first, names).or_else(|| known(&first.before('.')?, names)) {
        let mark = rest.first().map_or("", |word| word.text);
        let is_dash = matches!(mark, "-" | "–" | "—")
            && ClueWords::take(&rest[1..]).is_some_and(|(clue, _)| clue.operator.is_some());
        let marked = rest.len() > 1 && (matches!(mark, ":" | "=") || is_dash);
        return Some((id, rest[usize::from(marked)..].to_vec()));
    }
    if let Some((id, clue)) = first.text.find([':', '=']).map(|at| first.split_at(at))
        && let Some(id) = known(&id, names)
    {
        let glued = Some(clue.split_at(1).1).filter(|word| !word.text.is_empty());
        return Some((id, glued.into_iter().chain(rest.iter().copied()).collect()));
    }
    let (last, clue) = words.split_last()?;
    let id = known(last, names).filter(|id| !id.is_digits() && !clue.is_empty())?;
    let mut clue = clue.to_vec();
    match clue.last().and_then(|word| word.before(':')) {
        Some(Word { text: "", .. }) if clue.len() > 1 => drop(clue.pop()),
        Some(word) if !word.text.is_empty() => *clue.last_mut()? = word,
        _ => {}
    }
    ordered_clue(&clue).then_some((id, clue))
}

/// The id that a word names: itself, or the only one that differs from it by the case of letters.
fn known<'a>(word: &Word<'a>, names: &[Word<'a>]) -> Option<Word<'a>> {
    if names.iter().any(|name| name.text == word.text) {
        return Some(*word);
    }
    let mut alike = names.iter().filter(|name| name.text.eq_ignore_ascii_case(word.text));
    let first = alike.next()?;
    alike.all(|name| name.text == first.text).then_some(Word { text: first.text, start: word.start })
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

/// The clues of a line, separated by `,` and `;`, and before each id that `:` or `=` follows.
fn pieces<'a>(words: &[Word<'a>], names: &[Word<'a>]) -> Vec<Vec<Word<'a>>> {
    let words: Vec<Word<'a>> =
        words.iter().flat_map(|word| word.split_by(|c| c == ',' || c == ';')).collect();
    let mut pieces: Vec<Vec<Word<'a>>> = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let marked = words.get(index + 1).is_some_and(|next| matches!(next.text, ":" | "="))
            && index + 2 < words.len();
        let is_known = known(word, names).is_some();
        let starts = is_known && marked || !is_known && id_and_clue(&words[index..=index], names).is_some();
        match pieces.last_mut() {
            Some(piece) if !starts => piece.push(*word),
            _ => pieces.push(vec![*word]),
        }
    }
    pieces
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
