//! The clues below rows of cage ids: after their ids, or in the order of these.

use super::super::cage_id_lines::{id_and_clue, pieces};
use super::super::cages::{ClueWords, Region};
use super::super::error::{Fault, Span};
use super::super::words::{Word, truncated};
use crate::sort::sort_by_key;

/// The regions with their clues.
pub(super) type Clued<'a> = Vec<(Region<'a>, ClueWords<'a>)>;

/// The regions with clues that have no ids, in the order of the numeric ids.
pub(super) fn ordered<'a>(
    regions: Vec<Region<'a>>,
    clues: &[Vec<Word<'a>>],
    record: &str,
) -> Result<Clued<'a>, Fault> {
    if regions.iter().all(|region| !region.name.starts_number()) {
        return lettered(regions, clues, record);
    }
    let most = regions.iter().map(|region| region.cells.len()).sum::<usize>();
    let mut numbered = Vec::new();
    for region in regions {
        let number: Option<usize> = region.name.text.parse().ok().filter(|id| *id <= most);
        let help = "clues without ids need numbers as cage ids; with letters, write `A: 8+`";
        let expected = || region.name.unexpected(format!("a cage id from 0 or 1 up to {most}")).help(help);
        numbered.push((number.ok_or_else(expected)?, region));
    }
    sort_by_key(&mut numbered, |(number, _)| *number);
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
    in_turn(numbered.into_iter().map(|(_, region)| region).collect(), clues, record)
}

/// The regions of letters with clues in their order: that of their first places, which must be that of the alphabet.
fn lettered<'a>(regions: Vec<Region<'a>>, clues: &[Vec<Word<'a>>], record: &str) -> Result<Clued<'a>, Fault> {
    let key = |region: &Region<'_>| (region.name.text.len(), region.name.text.to_owned());
    if let Some(pair) = regions.windows(2).find(|pair| key(&pair[0]) > key(&pair[1])) {
        let expected =
            format!("letters in the order of the alphabet, not this after `{}`", pair[0].name.text);
        let help = "the order of clues without ids is unclear then: write `A: 8+`";
        return Err(pair[1].name.unexpected(expected).help(help));
    }
    in_turn(regions, clues, record)
}

/// The regions with clues in the same order: one a line, or several where there are fewer lines.
fn in_turn<'a>(regions: Vec<Region<'a>>, clues: &[Vec<Word<'a>>], record: &str) -> Result<Clued<'a>, Fault> {
    let count = regions.len();
    let several: Vec<Vec<Word<'a>>> = clues.iter().flat_map(|line| clues_of(line)).collect();
    let clues: &[Vec<Word<'a>>] =
        if clues.len() < count && several.len() >= count { &several } else { clues };
    if let Some(line) = clues.get(count) {
        let help = format!("the grid has {count} cage ids, whose clues all stand above");
        return Err(line[0].unexpected("the end of the text").help(help));
    }
    let clued = regions.into_iter().enumerate().map(|(index, region)| {
        let line = clues.get(index).ok_or_else(|| no_clue(record, region.name.text))?;
        Ok((region, whole_clue(line, "line")?))
    });
    clued.collect()
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
pub(super) fn named<'a>(
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

fn no_clue(record: &str, id: &str) -> Fault {
    let label = format!("the clue of cage {id}, such as `8 *`, should follow here");
    truncated(record, "the clues", label)
}
