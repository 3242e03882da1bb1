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
use super::super::{Cage, MAX_DIGITS, Puzzle, Square, parse_cell_name};
use super::Format;
use super::cages::{CagePlaces, ClueWords, Places, build, plain_cages};
use super::error::{Fault, Span, WriteError};
use super::words::{Word, lines, span, truncated};

pub(super) const FORMAT: Format = Format {
    name: "cage_list",
    about: "`# 6`, the size, then one cage per line: `+ 13 A1 A2 B1 B2` or `13+ A1 A2`, `! 2 B3` for a given",
    many: false,
    recognise,
    end: str::len,
    read,
    write: Some(write),
};

/// Rows that one letter can name.
const MOST_ROWS: usize = 26;

/// The first line is the size after a `#`; or the first line besides comments and the size is a clue and cells.
fn recognise(text: &str) -> bool {
    let mut lines = lines(text).peekable();
    if lines.peek().is_some_and(|line| is_marked(line) && size_of(line).is_some()) {
        return true;
    }
    let mut lines = lines.skip_while(is_marked).peekable();
    lines.next_if(|line| size_of(line).is_some());
    let cage = lines.next().and_then(|line| cages_of(&line).into_iter().next());
    cage.as_ref().and_then(|cage| ClueWords::take(cage)).is_some_and(|(clue, cells)| {
        let known = clue.operator.is_none_or(|operator| operator.is_operator());
        known && cells.first().is_some_and(|word| cell_of(word).is_some() || ends(word).is_some())
    })
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let mut rest = lines(record).peekable();
    let is_remark = |line: &Word<'_>| is_marked(line) && size_of(line).is_none();
    while rest.next_if(is_remark).is_some() {}
    let size = size(rest.peek())?;
    if size.is_some() {
        rest.next();
    }
    let cages = rest.filter(|line| !is_marked(line)).flat_map(|line| cages_of(&line));
    let mut cages: Vec<(Cage, CagePlaces)> =
        cages.map(|words| cage(&words, record)).collect::<Result<_, Fault>>()?;
    let transposed = lines(record).any(|line| is_transposing(&line));
    place_cells(&mut cages, record, transposed);
    let end = record.trim_end().len();
    let (size, span) = size.unwrap_or_else(|| inferred(&cages, end));
    let naming = match transposed {
        true => "columns are letters from A, rows numbers from 1",
        false => "rows are letters from A, columns numbers from 1",
    };
    let places = Places { size: span.clone(), digits: span, end: end..end, naming };
    Ok((build(Square::kenken(size, Vec::new()), cages, &places)?, 0..0))
}

/// Says whether the line is a comment that letters are columns.
fn is_transposing(line: &Word<'_>) -> bool {
    let words = line.text.to_lowercase();
    is_marked(line) && words.contains("letters are columns")
}

/// Exchanges row and column of cells that letters name, where the text says so, and counts pairs of numbers from 0.
fn place_cells(cages: &mut [(Cage, CagePlaces)], record: &str, transposed: bool) {
    let is_pair = |span: &Span| record[span.clone()].contains(',');
    let of = |(cage, places): &(Cage, CagePlaces)| {
        let cells = cage.cells.iter().zip(&places.cells).filter(|(_, span)| is_pair(span));
        cells.map(|(cell, _)| cell.0.min(cell.1)).min()
    };
    let least = usize::from(cages.iter().filter_map(of).min().is_some_and(|least| least > 0));
    for (cage, places) in cages {
        for (cell, span) in cage.cells.iter_mut().zip(&places.cells) {
            if is_pair(span) {
                *cell = (cell.0 - least, cell.1 - least);
            } else if transposed && is_lettered(&record[span.clone()]) {
                *cell = (cell.1, cell.0);
            }
        }
    }
}

/// Says whether a letter names the row of a cell, or of the first cell of a range.
fn is_lettered(text: &str) -> bool {
    parse_cell_name(text.split('-').next().unwrap_or_default()).is_some()
}

/// Says whether the line is the size after a `#`, or a comment.
fn is_marked(line: &Word<'_>) -> bool {
    line.text.trim_start().starts_with('#')
}

/// The words of a first line that is the size and no comment: `# 6`, `#6`, `6`, `6x6`, `size 6`.
fn size_of<'a>(line: &Word<'a>) -> Option<Vec<Word<'a>>> {
    let mut words = line.split_by(|c| c.is_whitespace() || "#:=".contains(c));
    let is_named = words.len() > 1 && ["size", "n", "grid"].contains(&&*words[0].text.to_lowercase());
    words.drain(..usize::from(is_named));
    if let [only] = words[..]
        && let Some(sides) = Some(only.split_by(|c| "xX×".contains(c))).filter(|sides| sides.len() == 2)
        && sides[0].text == sides[1].text
    {
        words = vec![sides[0]];
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
fn inferred(cages: &[(Cage, CagePlaces)], end: usize) -> (usize, Span) {
    let cells = cages.iter().flat_map(|(cage, places)| cage.cells.iter().zip(&places.cells));
    let last = cells.max_by_key(|((row, column), _)| *row.max(column));
    last.map_or((0, end..end), |((row, column), span)| (row.max(column) + 1, span.clone()))
}

/// The words of each cage of a line, the clue first.
fn cages_of<'a>(line: &Word<'a>) -> Vec<Vec<Word<'a>>> {
    let cages = line.split_by(|c| c == ';').into_iter();
    let words = |cage: Word<'a>| calculation(&cage).unwrap_or_else(|| clue_first(tokens(&cage)));
    cages.map(words).filter(|words| !words.is_empty()).collect()
}

/// The words of a cage that is written as a calculation with two cells or more, `A1+A2=8` or `8 = A1 + A2`.
fn calculation<'a>(cage: &Word<'a>) -> Option<Vec<Word<'a>>> {
    let (left, right) = cage.split_at(cage.text.find('=')?);
    let sides = [left, right.split_at(1).1];
    let target = |side: &Word<'a>| match side.split()[..] {
        [target] if target.is_digits() => Some(target),
        _ => None,
    };
    let (target, terms) = match sides.each_ref().map(target) {
        [None, Some(target)] => (target, sides[0]),
        [Some(target), None] => (target, sides[1]),
        _ => return None,
    };
    let is_sign = |c: char| "+*×·-−–/÷".contains(c);
    let signs: Vec<Word<'a>> = terms.characters().into_iter().filter(|c| c.text.contains(is_sign)).collect();
    let cells = terms.split_by(|c| c.is_whitespace() || is_sign(c));
    let is_one = signs.iter().all(|sign| sign.text == signs[0].text);
    let fits = is_one && !signs.is_empty() && cells.len() == signs.len() + 1;
    let is_whole = fits && cells.iter().all(|cell| cell.cell().is_some());
    is_whole.then(|| [&[signs[0], target][..], &cells].concat())
}

/// The words of a cage, between spaces, commas and brackets; after the first a pair of numbers is one.
fn tokens<'a>(cage: &Word<'a>) -> Vec<Word<'a>> {
    let is_between = |c: char| c.is_whitespace() || ",()[]".contains(c);
    let (mut words, mut rest) = (Vec::new(), *cage);
    while let Some(start) = rest.text.find(|c| !is_between(c)) {
        let bracketed = rest.text[..start].ends_with(['(', '[']);
        let text = rest.split_at(start).1;
        let length =
            Some(pair_length(text.text, bracketed)).filter(|length| *length > 0 && !words.is_empty());
        let length = length.unwrap_or_else(|| text.text.find(is_between).unwrap_or(text.text.len()));
        let (word, tail) = text.split_at(length);
        words.push(word);
        rest = tail;
    }
    words
}

/// The length of a pair of numbers at the start of a text: `1,2`, in brackets also `1, 2`; 0 where there is none.
fn pair_length(text: &str, bracketed: bool) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let first = digits(text);
    let spaces = if bracketed { text[first..].len() - text[first..].trim_start().len() } else { 0 };
    let comma = first + spaces;
    let Some(after) = text[comma..].strip_prefix(',') else { return 0 };
    let second = if bracketed { after.trim_start() } else { after };
    let (count, length) = (digits(second), text.len() - second.len());
    let tail = second[count..].chars().next();
    let ends = match bracketed {
        true => second[count..].trim_start().starts_with([')', ']']),
        false => tail.is_none_or(|c| c.is_whitespace() || c == ')'),
    };
    if first > 0 && count > 0 && ends { length + count } else { 0 }
}

/// The words with the clue first, without `:` or `=` between it and the cells.
fn clue_first(words: Vec<Word<'_>>) -> Vec<Word<'_>> {
    let mut split = Vec::with_capacity(words.len());
    for word in words {
        let mark = word.text.find([':', '=']).filter(|at| names_cells(&word.split_at(*at).0));
        let (cell, tail) = word.split_at(mark.unwrap_or(word.text.len()));
        split.push(cell);
        split.extend(mark.map(|_| tail.split_at(1).1).filter(|tail| !tail.text.is_empty()));
    }
    let cells = split.iter().take_while(|word| names_cells(word)).count();
    let is_mark = |word: &Word<'_>| matches!(word.text, ":" | "=");
    if cells > 0 && cells < split.len() {
        let (cells, clue) = split.split_at(cells);
        let clue = &clue[usize::from(clue.len() > 1 && is_mark(&clue[0]))..];
        return [clue, cells].concat();
    }
    // A mark after a whole clue: `8*:`, `8 *:`, `8* :`.
    let is_whole = |words: &[Word<'_>]| {
        ClueWords::take(words).is_some_and(|(clue, rest)| {
            rest.is_empty() && clue.operator.is_some_and(|operator| operator.is_operator())
        })
    };
    for end in 1..split.len().min(3) {
        if is_mark(&split[end]) && is_whole(&split[..end]) {
            split.remove(end);
            break;
        }
        let bare = split[end - 1].before(':').or_else(|| split[end - 1].before('='));
        if let Some(bare) = bare.filter(|bare| !bare.text.is_empty())
            && is_whole(&[&split[..end - 1], &[bare][..]].concat())
        {
            split[end - 1] = bare;
            break;
        }
    }
    split
}

/// The cell that a word names, or the pair of numbers that it is, which may count from 1.
fn cell_of(word: &Word<'_>) -> Option<(usize, usize)> {
    let pair = || {
        let (row, column) = word.text.split_once(',')?;
        Some((row.trim().parse().ok()?, column.trim().parse().ok()?))
    };
    word.cell().or_else(pair)
}

/// The two cells that a word names, `A1-A3`.
fn ends(word: &Word<'_>) -> Option<((usize, usize), (usize, usize))> {
    let (first, last) = word.text.split_once('-')?;
    let [first, last] = [first, last].map(|text| Word { text, start: word.start }.cell());
    Some((first?, last?))
}

/// The cells from one to another along a row or column, `A1-A3`, both included.
fn range(word: &Word<'_>) -> Option<Vec<(usize, usize)>> {
    let (first, last) = ends(word)?;
    let is_straight = first.0 == last.0 || first.1 == last.1;
    let length = first.0.abs_diff(last.0) + first.1.abs_diff(last.1);
    // No row is longer, and a cell's name may hold any number.
    let (rows, columns) =
        (first.0.min(last.0)..=first.0.max(last.0), first.1.min(last.1)..=first.1.max(last.1));
    (is_straight && length < MAX_DIGITS)
        .then(|| rows.flat_map(|row| columns.clone().map(move |column| (row, column))).collect())
}

/// Says whether a word is a cell or a range of cells.
fn names_cells(word: &Word<'_>) -> bool {
    word.cell().is_some() || range(word).is_some()
}

/// The cage that some words, one or more, are.
pub(super) fn cage(words: &[Word<'_>], record: &str) -> Result<(Cage, CagePlaces), Fault> {
    let Some((clue, cells)) = ClueWords::take(words) else {
        words[0].operator()?;
        return Err(match words.get(1) {
            Some(word) => word.unexpected("a target, a whole number"),
            None => after(words, record, "a target"),
        });
    };
    let operator = clue.operator.map(|word| word.operator()).transpose()?;
    let mut cage = Cage::new(operator.unwrap_or(GIVEN), clue.target.whole()?, Vec::new());
    if cells.is_empty() {
        return Err(after(words, record, "the cells, such as `A1 A2`,"));
    }
    let mut spans = Vec::new();
    for word in cells {
        let cells = cell_of(word).map(|cell| vec![cell]).or_else(|| range(word));
        let cells = cells.ok_or_else(|| match ends(word) {
            Some(_) => word.unexpected("cells of one row or column, as in `A1-A3`"),
            None => word.unexpected("a cell, row letter and column number as in `A1`"),
        })?;
        spans.extend(cells.iter().map(|_| word.span()));
        cage.cells.extend(cells);
    }
    let places = CagePlaces {
        whole: span(words),
        operator: clue.operator.unwrap_or(clue.target).span(),
        target: clue.target.span(),
        cells: spans,
    };
    Ok((cage, places))
}

/// The fault of a cage that ends before `expected`.
fn after(words: &[Word<'_>], record: &str, expected: &str) -> Fault {
    let label = format!("{expected} should follow here");
    let end = span(words).end;
    if end == record.trim_end().len() {
        return truncated(record, "a cage", label);
    }
    Fault::unexpected(expected, "the end of the line", end..end)
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let cages = plain_cages(puzzle, FORMAT.name)?;
    if puzzle.rows() > MOST_ROWS {
        let what = format!("{} rows: it names at most {MOST_ROWS}, by letters", puzzle.rows());
        return Err(WriteError { format: FORMAT.name, what });
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
