//! Rows of cage ids, then the clues in the order of ids.
//!
//! ```text
//! 1 1 1 2
//! 3 4 4 2
//! 3 3 5 5
//! 6 7 7 5
//! 8 *
//! 1 -
//! …
//! ```
//!
//! Ids run from 1 without a gap. A clue is `8 *` or `8*`; a one-cell cage may do without an operator.

use super::super::operators::GIVEN;
use super::super::{Cage, Clue, Defect, KenKen, MAX_DIGITS, Puzzle};
use super::cages::{self, CagePlaces, Places};
use super::error::WriteError;
use super::fault::{Fault, Span};
use super::words::{Line, Word, lines, truncated};
use super::{Format, Source, plain};

pub(super) const FORMAT: Format = Format {
    name: "cage_ids",
    about: "n rows of n cage ids, `1 1 2`, then a clue a line in id order, `8 *`",
    many: false,
    source: Some(Source { recognise, end: str::len, read }),
    write,
};

/// The first line is all numbers, none as long as a Sudoku on one line; a Kakuro has its first black cell in the next.
fn recognise(text: &str) -> bool {
    let is_number = |word: &str| word.len() < 10 && word.bytes().all(|byte| byte.is_ascii_digit());
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let numbers = lines.next().is_some_and(|line| line.split_whitespace().all(is_number));
    let cell = lines.next().and_then(|line| line.split_whitespace().next());
    numbers && !cell.is_some_and(|word| word == "-" || word.contains([',', '\\']))
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let lines = lines(record);
    let size = lines.first().map_or(0, |line| line.words.len());
    if size > MAX_DIGITS {
        return Err(Fault::new(Defect::Size { size }, lines[0].span(), "the first row has as many cage ids"));
    }
    let (rows, clues) = lines.split_at(size.min(lines.len()));
    let members = members(rows, size, record)?;
    let mut kenken = KenKen::new(size, Vec::new());
    let mut places = Vec::new();
    for (index, (cells, spans)) in members.into_iter().enumerate() {
        let Some(line) = clues.get(index) else { return Err(no_clue(record, index)) };
        let (mut cage, place) = clue(line, cells.len())?;
        cage.cells = cells;
        kenken.cages.push(cage);
        places.push(CagePlaces { cells: spans, ..place });
    }
    if let Some(line) = clues.get(places.len()) {
        let help = format!("{} cage ids are in use, and a clue for each stands above", places.len());
        return Err(line.words[0].unexpected("the end of the text").help(help));
    }
    let first = lines[0].span();
    let places = Places { size: first.clone(), digits: first.clone(), end: first, cages: places, naming: "" };
    Ok((cages::build(kenken, &places)?, 0..0))
}

/// The cells of one cage and their places.
type Members = (Vec<(usize, usize)>, Vec<Span>);

/// The cells of every cage, in id order.
fn members(rows: &[Line<'_>], size: usize, record: &str) -> Result<Vec<Members>, Fault> {
    let mut members: Vec<Members> = vec![Members::default(); size * size];
    for (row, line) in rows.iter().enumerate() {
        if line.words.len() != size {
            let expected = format!("{size} cage ids in row {}, as in the first", row + 1);
            return Err(Fault::unexpected(expected, line.words.len().to_string(), line.span()));
        }
        for (column, word) in line.words.iter().enumerate() {
            let id = cage_id(word, size)?;
            members[id - 1].0.push((row, column));
            members[id - 1].1.push(word.span());
        }
    }
    if rows.len() < size {
        let within = format!("the cage ids, with row {} of {size}", rows.len());
        return Err(truncated(record, within, format!("row {} should follow here", rows.len() + 1)));
    }
    let used = members.iter().rposition(|(cells, _)| !cells.is_empty()).map_or(0, |last| last + 1);
    members.truncate(used);
    match members.iter().position(|(cells, _)| cells.is_empty()) {
        Some(gap) => Err(gap_fault(gap + 1, &members[used - 1].1[0])),
        None => Ok(members),
    }
}

fn cage_id(word: &Word<'_>, size: usize) -> Result<usize, Fault> {
    let most = size * size;
    let id = word.whole().ok().and_then(|id| usize::try_from(id).ok());
    id.filter(|id| (1..=most).contains(id))
        .ok_or_else(|| word.unexpected(format!("a cage id from 1 to {most}")))
}

fn gap_fault(id: usize, last: &Span) -> Fault {
    Fault::unexpected(format!("cage id {id} before a higher one"), "no cell that has it", last.clone())
        .help("cage ids run from 1 without a gap; clues follow in their order")
}

fn no_clue(record: &str, index: usize) -> Fault {
    let label = format!("the clue of cage {}, such as `8 *`, should follow here", index + 1);
    truncated(record, "the clues", label)
}

/// A clue, and where its parts stand.
fn clue(line: &Line<'_>, cells: usize) -> Result<(Cage, CagePlaces), Fault> {
    let (target, rest) = match line.words.as_slice() {
        [only] => {
            let (target, operator) = only.split_at(only.number_end());
            (target, Some(operator).filter(|word| !word.text.is_empty()))
        }
        [target, operator] => (*target, Some(*operator)),
        [_, _, extra, ..] => return Err(extra.unexpected("the end of the line, after target and operator")),
        [] => unreachable!("a line has a word"),
    };
    let (operator, span) = match rest {
        Some(word) => (word.operator()?, word.span()),
        None if cells == 1 => (GIVEN, target.span()),
        None => return Err(Fault::unexpected("an operator", "the end of the line", line.end())),
    };
    let cage = Cage::new(operator, target.whole()?, Vec::new());
    Ok((cage, CagePlaces { whole: line.span(), operator: span, target: target.span(), cells: Vec::new() }))
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let cages = plain::cages(puzzle, FORMAT.name)?;
    let mut ids = vec![0; puzzle.rows() * puzzle.cols()];
    for (index, (cage, _)) in cages.iter().enumerate() {
        for &cell in &cage.cells {
            ids[cell] = index + 1;
        }
    }
    let row = |ids: &[usize]| ids.iter().map(usize::to_string).collect::<Vec<_>>().join(" ") + "\n";
    let rows: String = ids.chunks(puzzle.cols()).map(row).collect();
    let clue = |(_, clue): &(_, Clue)| format!("{} {}\n", clue.target, clue.operator.symbol());
    Ok(rows + &cages.iter().map(clue).collect::<String>())
}
