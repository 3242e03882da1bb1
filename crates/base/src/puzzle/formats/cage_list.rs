//! One cage per line: operator and target in either order, then cells by row letter and column number.
//!
//! ```text
//! # 6
//! + 13 A1 A2 B1 B2
//! ! 2 B3
//! 11+ C1 C2; 4 C3
//! …
//! ```
//!
//! `A1-A3` are the cells from A1 to A3 along a row or column, and `A1+A2=8` is the cage `8+ A1 A2`.
//!
//! `!` is a given, as is a bare number over one cell. Spaces, commas or brackets separate words, line ends or `;` cages.
//! The clue may also stand behind its cells, with `:` or `=` between. The first line is the size, `# 6`, `6`, `6x6` or
//! `size 6`; without it the last row or column with a cell determines the size. Other lines with a `#` are comments; one
//! that says `letters are columns` makes `B1` the first cell of the second column. Cells may also be `R1C2`, or pairs of
//! numbers, `(1, 2)` or `1,2`, row first, that count from 0 where one is 0, else from 1. kenga writes tabs between words.

use super::super::operators::GIVEN;
use super::super::{Cage, MAX_DIGITS, Position, Puzzle, Square, parse_cell_name};
use super::Format;
use super::cages::{CagePlaces, ClueWords, PlacedCage, Places, build};
use super::contents::plain_cages;
use super::error::{Fault, Span, WriteError};
use super::words::{Word, digits_at_start, lines, span, truncated};

pub(super) const FORMAT: Format = Format::new(
    "cage_list",
    "`# 6`, the size, then one cage per line: `+ 13 A1 A2 B1 B2` or `13+ A1 A2`, `! 2 B3` for a given",
    recognise,
    read,
)
.written_by(write);

/// Rows that one letter can name.
const MOST_ROWS: usize = 26;

/// The first line is the size after a `#`; or the first line besides comments and the size is a clue and cells.
fn recognise(text: &str) -> bool {
    let mut is_size_known = false;
    for (index, line) in lines(text).enumerate() {
        let is_size = size_of(&line).is_some();
        if is_marked(&line) {
            if index == 0 && is_size {
                return true;
            }
            if !is_size_known {
                continue;
            }
        }
        if is_size && !is_size_known {
            is_size_known = true;
            continue;
        }
        return begins_with_cage(&line);
    }
    false
}

/// Says whether a line begins with a clue and a cell.
fn begins_with_cage(line: &Word<'_>) -> bool {
    let cages = cages_of(line);
    let Some((clue, cells)) = cages.first().and_then(|cage| ClueWords::take(cage)) else { return false };
    let Some(cell) = cells.first() else { return false };
    (clue.operator.is_none() || clue.is_calculation()) && (cell_of(cell).is_some() || ends(cell).is_some())
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let mut rest = lines(record).peekable();
    while rest.next_if(|line| is_marked(line) && size_of(line).is_none()).is_some() {}
    let size = size(rest.peek())?;
    if size.is_some() {
        rest.next();
    }
    let mut cages = Vec::new();
    for line in rest {
        if !is_marked(&line) {
            for words in cages_of(&line) {
                cages.push(cage(&words, record)?);
            }
        }
    }
    // The comment may stand anywhere, also behind the cages.
    let is_transposed = lines(record)
        .any(|line| is_marked(&line) && line.text.to_lowercase().contains("letters are columns"));
    place_cells(&mut cages, record, is_transposed);
    let end = record.trim_end().len();
    let (size, span) = size.unwrap_or_else(|| inferred(&cages, end));
    let naming = if is_transposed {
        "columns are letters from A, rows numbers from 1"
    } else {
        "rows are letters from A, columns numbers from 1"
    };
    let places = Places { end: end..end, ..Places::at(span, naming) };
    Ok((build(Square::kenken(size, Vec::new()), cages, &places)?, 0..0))
}

/// Exchanges row and column of cells that letters name, where the text says so, and counts pairs of numbers from 0.
fn place_cells(cages: &mut [PlacedCage], record: &str, is_transposed: bool) {
    let mut least = usize::MAX;
    for_each_cell(cages, record, &mut |cell, text| {
        if text.contains(',') {
            least = least.min(cell.0).min(cell.1);
        }
    });
    // One 0 in any pair shows that all count from 0.
    let first = usize::from(least > 0);
    for_each_cell(cages, record, &mut |cell, text| {
        if text.contains(',') {
            *cell = (cell.0 - first, cell.1 - first);
        } else if is_transposed && parse_cell_name(text.split('-').next().unwrap_or_default()).is_some() {
            // A letter names the row of the cell, or of the first cell of its range.
            *cell = (cell.1, cell.0);
        }
    });
}

/// Passes every cell of the cages with its text.
fn for_each_cell(cages: &mut [PlacedCage], record: &str, f: &mut dyn FnMut(&mut Position, &str)) {
    for PlacedCage { cage, places } in cages {
        for (cell, span) in cage.cells.iter_mut().zip(&places.cells) {
            f(cell, &record[span.clone()]);
        }
    }
}

/// Says whether the line is the size after a `#`, or a comment.
fn is_marked(line: &Word<'_>) -> bool {
    line.text.trim_start().starts_with('#')
}

/// The words of a first line that is the size and no comment: `# 6`, `#6`, `6`, `6x6`, `size 6`.
fn size_of<'a>(line: &Word<'a>) -> Option<Vec<Word<'a>>> {
    let mut words = line.split_with(&['#', ':', '=']);
    if words.len() > 1 && ["size", "n", "grid"].contains(&&*words[0].text.to_lowercase()) {
        words.remove(0);
    }
    if let [only] = words[..]
        && let [rows, cols] = only.split_at_marks(&['x', 'X', '×'])[..]
        && rows.text == cols.text
    {
        words = vec![rows];
    }
    let is_size = is_marked(line) && !words.is_empty() || words.len() == 1;
    (is_size && words.iter().all(Word::is_digits)).then_some(words)
}

/// The size and its place, where the first line is the size.
fn size(line: Option<&Word<'_>>) -> Result<Option<(usize, Span)>, Fault> {
    let Some(words) = line.and_then(size_of) else { return Ok(None) };
    if let Some(extra) = words.get(1) {
        return Err(extra.unexpected("the end of the line, after the size"));
    }
    let size = words[0].whole()?;
    let size = usize::try_from(size).map_err(|_| words[0].unexpected("`# 6` with the size of the grid"))?;
    Ok(Some((size, words[0].span())))
}

/// The size by the last row or column with a cell, and the place of that cell.
fn inferred(cages: &[PlacedCage], end: usize) -> (usize, Span) {
    // Cages cover every cell, so that the last row and column have one.
    let mut last = (0, end..end);
    for PlacedCage { cage, places } in cages {
        for (&(row, column), span) in cage.cells.iter().zip(&places.cells) {
            let size = row.max(column) + 1;
            if size >= last.0 {
                last = (size, span.clone());
            }
        }
    }
    last
}

/// The words of each cage of a line, the clue first.
fn cages_of<'a>(line: &Word<'a>) -> Vec<Vec<Word<'a>>> {
    let mut cages = Vec::new();
    for cage in line.split_at_marks(&[';']) {
        let words = calculation(&cage).unwrap_or_else(|| clue_first(&tokens(&cage)));
        if !words.is_empty() {
            cages.push(words);
        }
    }
    cages
}

/// The signs between the cells of a calculation.
const SIGNS: [char; 9] = ['+', '*', '×', '·', '-', '−', '–', '/', '÷'];

/// The words of a cage that is written as a calculation with two cells or more, `A1+A2=8` or `8 = A1 + A2`.
fn calculation<'a>(cage: &Word<'a>) -> Option<Vec<Word<'a>>> {
    let (left, right) = cage.split_at(cage.text.find('=')?);
    let right = right.after(1);
    let (target, terms) = match (only_number(&left), only_number(&right)) {
        (None, Some(target)) => (target, left),
        (Some(target), None) => (target, right),
        _ => return None,
    };
    let mut signs = terms.characters();
    signs.retain(|c| c.text.contains(SIGNS));
    let sign = *signs.first()?;
    let cells = terms.split_with(&SIGNS);
    let fits = cells.len() == signs.len() + 1
        && signs.iter().all(|other| other.text == sign.text)
        && cells.iter().all(|cell| cell.cell().is_some());
    fits.then(|| [&[sign, target][..], &cells].concat())
}

/// The number that one side of a calculation is.
fn only_number<'a>(side: &Word<'a>) -> Option<Word<'a>> {
    match side.split()[..] {
        [target] if target.is_digits() => Some(target),
        _ => None,
    }
}

/// Says whether a character separates the words of a cage.
fn is_between(c: char) -> bool {
    c.is_whitespace() || ",()[]".contains(c)
}

/// The words of a cage, between spaces, commas and brackets; in brackets or after the first a pair of numbers is one.
fn tokens<'a>(cage: &Word<'a>) -> Vec<Word<'a>> {
    let (mut words, mut rest) = (Vec::new(), *cage);
    while let Some(start) = rest.text.find(|c| !is_between(c)) {
        let bracketed = rest.text[..start].ends_with(['(', '[']);
        let text = rest.after(start);
        // Without brackets the first word is a clue: `8,2` would be a pair otherwise.
        let mut length = if words.is_empty() && !bracketed { 0 } else { pair_length(text.text, bracketed) };
        if length == 0 {
            length = text.text.find(is_between).unwrap_or(text.text.len());
        }
        let (word, tail) = text.split_at(length);
        words.push(word);
        rest = tail;
    }
    words
}

/// The length of a pair of numbers at the start of a text: `1,2`, in brackets also `1, 2`; 0 where there is none.
fn pair_length(text: &str, bracketed: bool) -> usize {
    let first = digits_at_start(text);
    let after = if bracketed { text[first..].trim_start() } else { &text[first..] };
    let Some(after) = after.strip_prefix(',') else { return 0 };
    let second = if bracketed { after.trim_start() } else { after };
    let count = digits_at_start(second);
    let tail = &second[count..];
    let ends = if bracketed {
        tail.trim_start().starts_with([')', ']'])
    } else {
        tail.is_empty() || tail.starts_with(|c: char| c.is_whitespace() || c == ')')
    };
    if first > 0 && count > 0 && ends { text.len() - tail.len() } else { 0 }
}

/// The words with the clue first, without `:` or `=` between it and the cells.
fn clue_first<'a>(words: &[Word<'a>]) -> Vec<Word<'a>> {
    let mut split = Vec::with_capacity(words.len());
    for word in words {
        match word.text.find([':', '=']) {
            Some(mark) if names_cells(&word.split_at(mark).0) => {
                split.push(word.split_at(mark).0);
                split.push(word.after(mark + 1));
            }
            _ => split.push(*word),
        }
    }
    split.retain(|word| !word.text.is_empty());
    let mut cells = 0;
    while cells < split.len() && names_cells(&split[cells]) {
        cells += 1;
    }
    if cells > 0 && cells < split.len() {
        let (cells, clue) = split.split_at(cells);
        let is_marked = clue.len() > 1 && matches!(clue[0].text, ":" | "=");
        let clue = &clue[usize::from(is_marked)..];
        return [clue, cells].concat();
    }
    drop_mark(&mut split);
    split
}

/// Drops the mark after a whole clue: `8*:`, `8 *:`, `8* :`.
fn drop_mark(words: &mut Vec<Word<'_>>) {
    for end in 1..words.len().min(3) {
        if matches!(words[end].text, ":" | "=") && is_calculation(&words[..end]) {
            words.remove(end);
            return;
        }
        let last = words[end - 1];
        if let Some(bare) = last.before(':').or_else(|| last.before('='))
            && !bare.text.is_empty()
            && is_calculation(&[&words[..end - 1], &[bare]].concat())
        {
            words[end - 1] = bare;
            return;
        }
    }
}

/// Says whether words are a target and a known operator.
fn is_calculation(words: &[Word<'_>]) -> bool {
    ClueWords::only(words).is_some_and(|clue| clue.is_calculation())
}

/// The cell that a word names, or the pair of numbers that it is, which may count from 1.
fn cell_of(word: &Word<'_>) -> Option<Position> {
    if let Some(cell) = word.cell() {
        return Some(cell);
    }
    let (row, column) = word.text.split_once(',')?;
    Some((row.trim().parse().ok()?, column.trim().parse().ok()?))
}

/// The two cells that a word names, `A1-A3`.
fn ends(word: &Word<'_>) -> Option<(Position, Position)> {
    let (first, last) = word.text.split_once('-')?;
    Some((word.part(first).cell()?, word.part(last).cell()?))
}

/// The cells from one to another along a row or column, `A1-A3`, both included.
fn range(word: &Word<'_>) -> Option<Vec<Position>> {
    let (first, last) = ends(word)?;
    let is_straight = first.0 == last.0 || first.1 == last.1;
    // No row is longer, and a cell's name may hold any number.
    if !is_straight || first.0.abs_diff(last.0) + first.1.abs_diff(last.1) >= MAX_DIGITS {
        return None;
    }
    let mut cells = Vec::new();
    for row in first.0.min(last.0)..=first.0.max(last.0) {
        for column in first.1.min(last.1)..=first.1.max(last.1) {
            cells.push((row, column));
        }
    }
    Some(cells)
}

/// Says whether a word is a cell, a pair of numbers or a range of cells.
fn names_cells(word: &Word<'_>) -> bool {
    cell_of(word).is_some() || range(word).is_some()
}

/// The cage that some words, one or more, are.
pub(super) fn cage(words: &[Word<'_>], record: &str) -> Result<PlacedCage, Fault> {
    let Some((clue, cells)) = ClueWords::take(words) else {
        // An unknown operator is a better answer than a missing target.
        words[0].operator()?;
        return Err(match words.get(1) {
            Some(word) => word.unexpected("a target, a whole number"),
            None => after(words, record, "a target"),
        });
    };
    let operator = clue.known_operator()?.unwrap_or(GIVEN);
    let mut cage = Cage::new(operator, clue.target.whole()?, Vec::new());
    if cells.is_empty() {
        return Err(after(words, record, "the cells, such as `A1 A2`,"));
    }
    let mut spans = Vec::new();
    for word in cells {
        if let Some(cell) = cell_of(word) {
            cage.cells.push(cell);
        } else if let Some(range) = range(word) {
            cage.cells.extend(range);
        } else if ends(word).is_some() {
            return Err(word.unexpected("cells of one row or column, as in `A1-A3`"));
        } else {
            return Err(word.unexpected("a cell, row letter and column number as in `A1`"));
        }
        spans.resize(cage.cells.len(), word.span());
    }
    Ok(PlacedCage { cage, places: CagePlaces { whole: span(words), ..clue.places(spans) } })
}

/// The fault of a cage that ends before `expected`.
fn after(words: &[Word<'_>], record: &str, expected: &str) -> Fault {
    let end = span(words).end;
    if end == record.trim_end().len() {
        return truncated(record, "a cage", format!("{expected} should follow here"));
    }
    Fault::unexpected(expected, "the end of the line", end..end)
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let cages = plain_cages(puzzle, FORMAT.name)?;
    if puzzle.rows() > MOST_ROWS {
        let what = format!("{} rows: it names at most {MOST_ROWS}, by letters", puzzle.rows());
        return Err(WriteError::new(FORMAT.name, what));
    }
    let mut text = format!("# {}\n", puzzle.rows());
    for (cage, clue) in cages {
        let symbol = if clue.operator.is_given() { "!" } else { clue.operator.symbol };
        text += &format!("{symbol}\t{}", clue.target);
        for &cell in &cage.cells {
            text += "\t";
            text += &puzzle.cell_name(cell);
        }
        text.push('\n');
    }
    Ok(text)
}
