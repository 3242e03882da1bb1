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

use super::super::{MAX_DIGITS, Puzzle};
use super::Format;
use super::cage_id_lines::{
    MOST_LINES, NamedClue, headers, ids, is_clue, is_id, is_rule, pieces, rows_first,
};
use super::cages::{Bare, ClueWords, CluedRegion, Region, build_clued, check_square, regions};
use super::contents::plain_cages;
use super::error::{Fault, Span, WriteError};
use super::words::{Word, rows, rows_text, span, tidied, truncated, whole_span};
use crate::sort::sort_by_key;

pub(super) const FORMAT: Format = Format::new(
    "cage_ids",
    "n rows of cage ids, `1 1 2` or `AAB`, then clues: `8 *` in id order, or `A: 8*`",
    recognise,
    read,
)
.written_by(write);

pub(super) const KK_FILE: Format = Format::new(
    "kk_file",
    "many puzzles as rows of cage ids with clues, `.KK \"name\"` before each",
    |text| text.trim_start().starts_with(".KK"),
    read_kk,
)
.cut_by(|text| text.find("\n.KK").map_or(text.len(), |newline| newline + 1));

/// Clues follow the rows; or the first line is all numbers, none as long as a Sudoku on one line, and the next does not
/// begin with a cell of a Kakuro; or a later line is an id of the first line and a clue.
fn recognise(text: &str) -> bool {
    let tidy = tidied(text, MOST_LINES);
    let lines = rows(&tidy);
    if headers(&lines).is_some() || rows_first(&lines).is_some() {
        return true;
    }
    let Some((first, rest)) = lines.split_first() else { return false };
    if first.iter().all(|word| word.text.len() < 10 && word.is_digits()) {
        // A comma between numbers is that of a Kakuro.
        let head = super::words::lines(text).take(2).any(|line| line.text.contains([',', '\\']));
        return !head && rest.first().is_none_or(|words| words[0].text != "-");
    }
    let names = ids(first);
    let Some(second) = rest.first() else { return false };
    let is_row = ids(second).len() == names.len() && names.len() <= MAX_DIGITS;
    names.iter().all(is_id) && (is_row || names.len() == 1) && rest.iter().any(|words| is_clue(words, &names))
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    // No such text is longer, even with a comment for each clue.
    if record.len() > 1 << 18 {
        let found = format!("{} bytes", record.len());
        return Err(Fault::unexpected("32 rows at most, and their clues", found, whole_span(record)));
    }
    let tidy = tidied(record, usize::MAX);
    let mut lines = rows(&tidy);
    if let Some(headers) = headers(&lines) {
        lines.drain(..headers);
    } else if let Some(sorted) = rows_first(&lines) {
        lines = sorted;
    }
    let Some(first) = lines.first() else {
        return Err(truncated(record, "the text", "rows of cage ids should follow here"));
    };
    let size = ids(first).len();
    let (above, mut clues) = lines.split_at(size.min(lines.len()));
    let grid: Vec<Vec<Word<'_>>> = above.iter().map(|line| ids(line)).collect();
    check_square(&grid, size, "cage ids", &tidy)?;
    if clues.first().is_some_and(|line| is_rule(line)) {
        clues = &clues[1..];
    }
    let regions = regions(&grid);
    let names: Vec<Word<'_>> = regions.iter().map(|region| region.name).collect();
    let cages = if is_named(clues, &names) {
        named(regions, clues, &names)?
    } else {
        ordered(regions, clues, &tidy)?
    };
    Ok((build_clued(size, cages, Bare::Incomplete, span(&lines[0]))?, 0..0))
}

/// Reads a puzzle after the line of its name, which is its id.
fn read_kk(record: &str) -> Result<(Puzzle, Span), Fault> {
    let (head, rest) = Word { text: record, start: 0 }.split_at(super::line_end(record));
    let name = head.part(head.text.trim().trim_start_matches(".KK").trim().trim_matches('"'));
    let (mut puzzle, _) = read(rest.text).map_err(|fault| {
        let span = fault.span.start + rest.start..fault.span.end + rest.start;
        Fault { span, ..fault }
    })?;
    puzzle.id = name.text.to_owned();
    Ok((puzzle, name.span()))
}

/// Says whether the first clue has its id beside it.
fn is_named<'a>(clues: &[Vec<Word<'a>>], names: &[Word<'a>]) -> bool {
    let Some(line) = clues.first() else { return false };
    let first = NamedClue::read(&pieces(line, names)[0], names);
    first.is_some_and(|named| ClueWords::take(&named.clue).is_some())
}

/// The regions with clues that have no ids, in the order of the numeric ids.
fn ordered<'a>(
    regions: Vec<Region<'a>>,
    clues: &[Vec<Word<'a>>],
    record: &str,
) -> Result<Vec<CluedRegion<'a>>, Fault> {
    // One number among the ids shows that their order is that of numbers.
    if !regions.iter().any(|region| region.name.starts_number()) {
        check_alphabet(&regions)?;
        return in_turn(regions, clues, record);
    }
    let most = regions.iter().map(|region| region.cells.len()).sum::<usize>();
    let mut numbered: Vec<(usize, Region<'a>)> = Vec::with_capacity(regions.len());
    for region in regions {
        match region.name.text.parse() {
            Ok(number) if number <= most => numbered.push((number, region)),
            _ => {
                let help = "clues without ids need numbers as cage ids; with letters, write `A: 8+`";
                let expected = format!("a cage id from 0 or 1 up to {most}");
                return Err(region.name.unexpected(expected).help(help));
            }
        }
    }
    sort_by_key(&mut numbered, |(number, _)| *number);
    check_numbers(&numbered)?;
    in_turn(numbered.into_iter().map(|(_, region)| region).collect(), clues, record)
}

/// Checks that numbers, ascending, run from 0 or 1 without a gap, each once.
fn check_numbers(numbered: &[(usize, Region<'_>)]) -> Result<(), Fault> {
    // Programs count cages from 0 or from 1.
    let least = usize::from(numbered[0].0 != 0);
    for (index, (number, region)) in numbered.iter().enumerate() {
        let expected = index + least;
        if *number < expected {
            return Err(region.name.unexpected("one way to write a cage id"));
        }
        if *number > expected {
            let last = numbered[numbered.len() - 1].1.name.span();
            return Err(Fault::unexpected(format!("cage id {expected}"), "no cell with it", last)
                .help("cage ids run from 0 or 1 without a gap; clues follow in their order"));
        }
    }
    Ok(())
}

/// Checks that the order of the first places of letters is that of the alphabet.
fn check_alphabet(regions: &[Region<'_>]) -> Result<(), Fault> {
    for pair in regions.windows(2) {
        let (first, second) = (pair[0].name.text, pair[1].name.text);
        if (first.len(), first) > (second.len(), second) {
            let expected = format!("letters in the order of the alphabet, not this after `{first}`");
            let help = "the order of clues without ids is unclear then: write `A: 8+`";
            return Err(pair[1].name.unexpected(expected).help(help));
        }
    }
    Ok(())
}

/// The regions with clues in the same order: one a line, or several where there are fewer lines.
fn in_turn<'a>(
    regions: Vec<Region<'a>>,
    clues: &[Vec<Word<'a>>],
    record: &str,
) -> Result<Vec<CluedRegion<'a>>, Fault> {
    let count = regions.len();
    let several: Vec<Vec<Word<'a>>> = clues.iter().flat_map(|line| clues_of(line)).collect();
    // One clue a line, unless there are too few lines and clues enough in them.
    let clues: &[Vec<Word<'a>>] =
        if clues.len() < count && several.len() >= count { &several } else { clues };
    if let Some(line) = clues.get(count) {
        let help = format!("the grid has {count} cage ids, whose clues all stand above");
        return Err(line[0].unexpected("the end of the text").help(help));
    }
    let mut clued = Vec::with_capacity(count);
    for (index, region) in regions.into_iter().enumerate() {
        let Some(line) = clues.get(index) else {
            let label = format!("the clue of cage {}, such as `8 *`, should follow here", region.name.text);
            return Err(truncated(record, "the clues", label));
        };
        clued.push(CluedRegion { region, clue: whole_clue(line, "line")? });
    }
    Ok(clued)
}

/// The clues of a line; the whole line where it is something else.
fn clues_of<'a>(line: &[Word<'a>]) -> Vec<Vec<Word<'a>>> {
    let (mut clues, mut rest) = (Vec::new(), line);
    while let Some((_, tail)) = ClueWords::take(rest) {
        clues.push(rest[..rest.len() - tail.len()].to_vec());
        rest = tail;
    }
    if rest.is_empty() { clues } else { vec![line.to_vec()] }
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
) -> Result<Vec<CluedRegion<'a>>, Fault> {
    let mut found: Vec<(Word<'a>, ClueWords<'a>)> = Vec::new();
    for words in clues.iter().flat_map(|line| pieces(line, names)) {
        let Some(NamedClue { id, clue }) = NamedClue::read(&words, names) else {
            return Err(words[0].unexpected("a cage id of the grid, then its clue"));
        };
        if clue.is_empty() {
            let end = id.span().end;
            return Err(Fault::unexpected("a clue such as `8+`", "the end of the line", end..end));
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
        if let Some((_, clue)) = found.iter().find(|(id, _)| id.text == name.text) {
            clued.push(CluedRegion { region, clue: *clue });
        } else if has_letters && name.is_digits() {
            add_givens(region, &mut clued);
        } else {
            let expected = format!("a clue for `{0}`, as in `{0}: 8+`", name.text);
            return Err(Fault::unexpected(expected, "none", name.span()));
        }
    }
    Ok(clued)
}

/// Adds every cell of a region as a region of its own, whose clue is the name.
fn add_givens<'a>(region: Region<'a>, clued: &mut Vec<CluedRegion<'a>>) {
    for (cell, span) in region.cells.into_iter().zip(region.spans) {
        let name = Word { start: span.start, ..region.name };
        let clue = ClueWords { target: name, operator: None };
        clued.push(CluedRegion { region: Region { name, cells: vec![cell], spans: vec![span] }, clue });
    }
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let cages = plain_cages(puzzle, FORMAT.name)?;
    let mut ids = vec![String::new(); puzzle.rows() * puzzle.cols()];
    let mut clues = String::new();
    for (index, (cage, clue)) in cages.iter().enumerate() {
        for &cell in &cage.cells {
            ids[cell] = (index + 1).to_string();
        }
        clues += &format!("{} {}\n", clue.target, clue.operator.symbol);
    }
    Ok(rows_text(&ids, puzzle.cols(), " ") + &clues)
}
