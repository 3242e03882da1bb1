//! A cage a line: operator and target in either order, and cells by row letter and column number.
//!
//! ```text
//! # 6
//! + 13 A1 A2 B1 B2
//! ! 2 B3
//! 11+ C1 C2; 4 C3
//! …
//! ```
//!
//! `!` is a given, as is a bare number over one cell. Blanks or commas part words, line ends or `;` cages. The size stands
//! first, `# 6` or `6`; without it the last row or column that has a cell tells. Other lines with a `#` are remarks.
//! Writing puts tabs between words.

use super::super::operators::GIVEN;
use super::super::{Cage, Puzzle, Square};
use super::cages::{self, CagePlaces, Places};
use super::error::{Fault, Span, WriteError};
use super::regions::ClueWords;
use super::words::{Line, Word, offset, truncated};
use super::{Format, plain};

pub(super) const FORMAT: Format = Format {
    name: "cage_list",
    about: "`# 6`, the size, then a cage a line: `+ 13 A1 A2 B1 B2` or `13+ A1 A2`, `! 2 B3` for a given",
    many: false,
    recognise,
    end: str::len,
    read,
    write: Some(write),
};

/// Rows that one letter can name.
const MOST_ROWS: usize = 26;

/// The size behind a `#`; or the first line besides remarks and the size is a clue and cells.
fn recognise(text: &str) -> bool {
    let word = |text| Word { text, start: 0 };
    let is_marked = |line: &&str| line.trim_start().starts_with('#');
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).peekable();
    if lines.peek().is_some_and(|line| is_marked(line) && size_of(&word(line)).is_some()) {
        return true;
    }
    let mut lines = lines.skip_while(is_marked).peekable();
    lines.next_if(|line| size_of(&word(line)).is_some());
    let cage = lines.next().and_then(|line| cages_of(&word(line)).into_iter().next());
    cage.as_ref().and_then(|cage| ClueWords::take(&cage.words)).is_some_and(|(clue, cells)| {
        let known = clue.operator.is_none_or(|operator| operator.is_operator());
        known && cells.first().is_some_and(|word| word.cell().is_some())
    })
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let lines = record.lines().map(|line| Word { text: line, start: offset(record, line) });
    let mut lines = lines.filter(|line| !line.text.trim().is_empty()).peekable();
    let size = size(lines.peek())?;
    if size.is_some() {
        lines.next();
    }
    let (mut cages, mut places) = (Vec::new(), Vec::new());
    for line in lines.filter(|line| !line.text.trim_start().starts_with('#')).flat_map(|line| cages_of(&line))
    {
        let (cage, place) = cage(&line, record)?;
        cages.push(cage);
        places.push(place);
    }
    let end = record.trim_end().len();
    let (size, span) = size.unwrap_or_else(|| inferred(&cages, &places, end));
    let naming = "rows are letters from A, columns numbers from 1";
    let places = Places { size: span.clone(), digits: span, end: end..end, cages: places, naming };
    Ok((cages::build(Square::kenken(size, cages), &places)?, 0..0))
}

/// The words of a first line that is the size and no remark: `# 6`, `#6`, `6`.
fn size_of<'a>(line: &Word<'a>) -> Option<Vec<Word<'a>>> {
    let words = line.split_by(|c| c.is_whitespace() || c == '#');
    let is_number = |word: &Word<'_>| word.text.bytes().all(|byte| byte.is_ascii_digit());
    let marked = line.text.trim_start().starts_with('#');
    (words.iter().all(is_number) && (marked && !words.is_empty() || words.len() == 1)).then_some(words)
}

/// The size and its place, where the text says it.
fn size(line: Option<&Word<'_>>) -> Result<Option<(usize, Span)>, Fault> {
    let Some(words) = line.and_then(size_of) else { return Ok(None) };
    if let Some(extra) = words.get(1) {
        return Err(extra.unexpected("the end of the line, after the size"));
    }
    let size = words[0].whole()?;
    let size = usize::try_from(size).map_err(|_| words[0].unexpected("`# 6` with the size of the grid"))?;
    Ok(Some((size, words[0].span())))
}

/// The last row or column that has a cell, and where that cell stands.
fn inferred(cages: &[Cage], places: &[CagePlaces], end: usize) -> (usize, Span) {
    let cells = cages.iter().zip(places).flat_map(|(cage, places)| cage.cells.iter().zip(&places.cells));
    let last = cells.max_by_key(|((row, column), _)| *row.max(column));
    last.map_or((0, end..end), |((row, column), span)| (row.max(column) + 1, span.clone()))
}

/// The cages of a line, in words.
fn cages_of<'a>(line: &Word<'a>) -> Vec<Line<'a>> {
    let cages = line.split_by(|c| c == ';').into_iter();
    let words = |cage: Word<'a>| cage.split_by(|c| c.is_whitespace() || c == ',');
    cages.map(words).filter(|words| !words.is_empty()).map(|words| Line { words }).collect()
}

pub(super) fn cage(line: &Line<'_>, record: &str) -> Result<(Cage, CagePlaces), Fault> {
    let first = line.words[0];
    let Some((clue, cells)) = ClueWords::take(&line.words) else {
        first.operator()?;
        return Err(match line.words.get(1) {
            Some(word) => word.unexpected("a target, a whole number"),
            None => after(line, record, "a target"),
        });
    };
    let operator = clue.operator.map(|word| word.operator()).transpose()?;
    let mut cage = Cage::new(operator.unwrap_or(GIVEN), clue.target.whole()?, Vec::new());
    if cells.is_empty() {
        return Err(after(line, record, "the cells, such as `A1 A2`,"));
    }
    for word in cells {
        let cell = word.cell();
        cage.cells
            .push(cell.ok_or_else(|| word.unexpected("a cell, row letter and column number as in `A1`"))?);
    }
    let places = CagePlaces {
        whole: line.span(),
        operator: clue.operator.unwrap_or(clue.target).span(),
        target: clue.target.span(),
        cells: cells.iter().map(Word::span).collect(),
    };
    Ok((cage, places))
}

/// The fault of a line that stops before `expected`.
fn after(line: &Line<'_>, record: &str, expected: &str) -> Fault {
    let label = format!("{expected} should follow here");
    if line.span().end == record.trim_end().len() {
        return truncated(record, "a cage", label);
    }
    Fault::unexpected(expected, "the end of the line", line.end())
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let cages = plain::cages(puzzle, FORMAT.name)?;
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
