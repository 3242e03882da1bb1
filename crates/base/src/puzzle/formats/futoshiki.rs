//! Futoshiki as a grid: rows of digits with signs between them, and lines of signs between the rows.
//!
//! ```text
//! . < .   3   .
//!     ∨       ^
//! .   . > .   .
//!
//! 2   .   .   .
//! v
//! .   .   .   .
//! ```
//!
//! `.`, `_` and `0` are open cells. A sign points at the lesser digit: `<` and `>` in a row, `^` and `v` (or `∧` and `∨`)
//! between two rows, below a character of the upper cell; or as many signs as there are columns, `.`, `-` and `_` for none.

use super::super::{Defect, Futoshiki, Kind, LessPair, MAX_DIGITS, Puzzle, less_pair};
use super::Format;
use super::error::{Fault, Span, WriteError};
use super::square_givens::square_givens;
use super::words::{Word, lines, truncated};

pub(super) const FORMAT: Format = Format {
    name: "futoshiki",
    about: "a Futoshiki: rows such as `. < . 3`, `.` open, and lines of `^` and `v` between them",
    many: false,
    recognise,
    end: str::len,
    read,
    write: Some(write),
};

const OPEN: &str = "._0";

const UP: &str = "^∧";

const DOWN: &str = "vV∨";

/// Nothing but cells and signs in the lines that a grid may have, at least one sign, and a row first.
pub(super) fn recognise(text: &str) -> bool {
    let known = |c: char| c.is_ascii_digit() || c.is_whitespace() || "._-<>".contains(c) || is_upright(c);
    let is_sign = |c: char| "<>".contains(c) || is_upright(c);
    let grid = || lines(text).take(2 * MAX_DIGITS);
    grid().all(|line| line.text.chars().all(known))
        && grid().any(|line| line.text.contains(is_sign))
        && grid().next().is_some_and(|line| !is_between(&line))
}

/// A sign between two rows.
fn is_upright(c: char) -> bool {
    UP.contains(c) || DOWN.contains(c)
}

/// A line of signs between two rows.
fn is_between(line: &Word<'_>) -> bool {
    line.text.contains(is_upright) && !line.text.contains(|c: char| c.is_ascii_digit() || "<>".contains(c))
}

/// The cells of a row with the column of each character's place, and its signs by the number of cells before them.
#[derive(Default)]
struct Row<'a> {
    cells: Vec<(Word<'a>, std::ops::Range<usize>)>,
    signs: Vec<(Word<'a>, usize)>,
}

impl<'a> Row<'a> {
    fn read(line: &Word<'a>) -> Result<Self, Fault> {
        let mut row = Self::default();
        let mut number: Option<usize> = None;
        for (column, character) in line.characters().into_iter().enumerate() {
            let c = character.text.chars().next().unwrap_or(' ');
            if let (true, Some(start)) = (c.is_ascii_digit(), number) {
                let (cell, columns) = row.cells.last_mut().expect("a number has begun");
                let text = &line.text[start - line.start..character.span().end - line.start];
                (*cell, columns.end) = (Word { text, start }, column + 1);
                continue;
            }
            number = c.is_ascii_digit().then_some(character.start);
            match c {
                _ if c.is_ascii_digit() || OPEN.contains(c) => {
                    row.cells.push((character, column..column + 1))
                }
                '<' | '>' => row.signs.push((character, row.cells.len())),
                _ if c.is_whitespace() => {}
                _ => return Err(character.unexpected("a digit, `.`, `<` or `>`")),
            }
        }
        Ok(row)
    }
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    let mut less: Vec<LessPair> = Vec::new();
    let mut between: Vec<Word<'_>> = Vec::new();
    for line in lines(record) {
        if is_between(&line) {
            between.push(line);
            continue;
        }
        let row = Row::read(&line)?;
        let size = rows.first().map_or(row.cells.len(), |first| first.cells.len());
        if row.cells.len() != size || rows.len() == size {
            let found = format!("{} cells in row {}", row.cells.len(), rows.len() + 1);
            return Err(Fault::unexpected(format!("{size} rows of {size} cells"), found, line.span()));
        }
        for line in between.drain(..) {
            let upper = rows.last().ok_or_else(|| line.unexpected("a row before these signs"))?;
            less.extend(upright(&line, upper, rows.len() - 1)?);
        }
        less.extend(level(&row, rows.len())?);
        rows.push(row);
    }
    if let Some(line) = between.first() {
        return Err(line.unexpected("a row below these signs"));
    }
    let size = rows.first().map_or(0, |row| row.cells.len());
    if size > MAX_DIGITS {
        return Err(Fault::new(Defect::Size(size), 0..0, "expected up to 32 cells in a row"));
    }
    if rows.len() < size {
        return Err(truncated(record, "the rows", format!("row {} should follow here", rows.len() + 1)));
    }
    let futoshiki = Futoshiki { givens: givens(&rows, size)?, ..Futoshiki::new(size, less) };
    let puzzle = futoshiki.build().map_err(|defect| Fault::new(defect, 0..0, "in this puzzle"))?;
    Ok((puzzle, 0..0))
}

/// The pairs of a row: a sign stands between two cells.
fn level(row: &Row<'_>, number: usize) -> Result<Vec<LessPair>, Fault> {
    let pair = |(sign, before): &(Word<'_>, usize)| {
        if *before == 0 || *before == row.cells.len() {
            return Err(sign.unexpected("a sign between two cells"));
        }
        let (left, right) = ((number, before - 1), (number, *before));
        Ok(if sign.text == "<" { [left, right] } else { [right, left] })
    };
    if let Some(pair) = row.signs.windows(2).find(|pair| pair[0].1 == pair[1].1) {
        return Err(pair[1].0.unexpected("a single sign between two cells"));
    }
    row.signs.iter().map(pair).collect()
}

/// The pairs between a row and the next.
fn upright(line: &Word<'_>, upper: &Row<'_>, number: usize) -> Result<Vec<LessPair>, Fault> {
    let marks: Vec<(usize, Word<'_>)> = line.characters().into_iter().enumerate().collect();
    let marks: Vec<_> = marks.into_iter().filter(|(_, mark)| !mark.text.trim().is_empty()).collect();
    let in_turn = marks.len() == upper.cells.len();
    let mut pairs = Vec::new();
    for (place, (column, mark)) in marks.into_iter().enumerate() {
        let c = mark.text.chars().next().unwrap_or(' ');
        if !is_upright(c) {
            continue;
        }
        let below = upper.cells.iter().position(|(_, columns)| columns.contains(&column));
        let cell = if in_turn { Some(place) } else { below };
        let cell = cell.ok_or_else(|| mark.unexpected("a sign below a cell"))?;
        let (high, low) = ((number, cell), (number + 1, cell));
        pairs.push(if UP.contains(c) { [high, low] } else { [low, high] });
    }
    Ok(pairs)
}

fn givens(rows: &[Row<'_>], size: usize) -> Result<Vec<(usize, usize, u8)>, Fault> {
    let cells = rows.iter().enumerate().flat_map(|(row, of)| {
        of.cells.iter().enumerate().map(move |(column, (cell, _))| (row, column, cell))
    });
    let closed = cells.filter(|(_, _, cell)| !OPEN.contains(cell.text));
    let given = |(row, column, cell): (usize, usize, &Word<'_>)| {
        let digit = cell.text.parse().ok().filter(|digit| (1..=size).contains(&usize::from(*digit)));
        Ok((row, column, digit.ok_or_else(|| cell.unexpected(format!("a digit from 1 to {size}")))?))
    };
    closed.map(given).collect()
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let refused = |what: &str| WriteError { format: FORMAT.name, what: what.to_owned() };
    let (givens, pairs) = contents(puzzle).map_err(|what| refused(&what))?;
    if pairs.is_empty() {
        return Err(refused("a Futoshiki without signs"));
    }
    let size = puzzle.rows();
    let width = size.to_string().len();
    // Three characters of room for a sign between two cells.
    let line = |row: usize| {
        let cell = |column: usize| {
            let given = givens[row * size + column];
            let right = row * size + column + 1;
            let sign = [[right - 1, right], [right, right - 1]].map(|pair| pairs.contains(&pair));
            let sign = [" <", " >", ""][sign.iter().position(|is| *is).unwrap_or(2)];
            let sign = if column + 1 < size { format!("{sign:<3}") } else { String::new() };
            format!("{:>width$}{sign}", given.map_or(".".to_owned(), |digit| digit.to_string()))
        };
        (0..size).map(cell).collect::<String>().trim_end().to_owned() + "\n"
    };
    let below = |row: usize| {
        let cell = |column: usize| {
            let upper = row * size + column;
            let sign = [[upper, upper + size], [upper + size, upper]].map(|pair| pairs.contains(&pair));
            let sign = ["^", "v", ""][sign.iter().position(|is| *is).unwrap_or(2)];
            format!("{sign:>width$}   ")
        };
        let signs: String = (0..size).map(cell).collect();
        if signs.trim().is_empty() { String::new() } else { signs.trim_end().to_owned() + "\n" }
    };
    Ok((0..size).map(|row| line(row) + &below(row)).collect())
}

/// The given of every cell, row-major, and the pairs of cells, the lesser first.
type Contents = (Vec<Option<usize>>, Vec<[usize; 2]>);

/// The givens and the pairs of a Futoshiki, where they are the whole puzzle.
pub(super) fn contents(puzzle: &Puzzle) -> Result<Contents, String> {
    if puzzle.kind != Kind::Futoshiki {
        return Err(format!("{}, only {}", puzzle.kind.phrase(), Kind::Futoshiki.phrase()));
    }
    let pairs: Vec<[usize; 2]> =
        puzzle.groups().iter().filter_map(|group| less_pair(puzzle, group)).collect();
    if let Some([lesser, greater]) =
        pairs.iter().find(|[lesser, greater]| pairs.contains(&[*greater, *lesser]))
    {
        let names = [lesser, greater].map(|cell| puzzle.cell_name(*cell));
        return Err(format!("two signs between {} and {}", names[0], names[1]));
    }
    let givens = square_givens(puzzle, pairs.len(), |group| less_pair(puzzle, group).is_some())?;
    Ok((givens, pairs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::formats::Malformed;

    fn pairs(text: &str) -> Vec<[usize; 2]> {
        let (puzzle, _) = read(text).unwrap_or_else(|fault| panic!("{}", fault.what));
        contents(&puzzle).expect("nothing but signs").1
    }

    #[test]
    fn signs_point_at_the_lesser_digit_however_the_text_is_spaced() {
        let expected = [[0, 1], [4, 1], [3, 6], [8, 7]];
        let aligned = ". < .   3\n    v\n.   .   .\n^\n.   . > .\n";
        assert_eq!(pairs(aligned), expected);
        for text in [
            ".<. 3\n  v\n. . .\n^\n. .>.",
            "0<_ 3\n. v .\n_ _ _\n∧ - -\n. .>.",
            ". < . 3\n\n- ∨ -\n\n. . .\n^ . .\n. . > .",
        ] {
            assert_eq!(pairs(text), expected, "{text}");
        }
        let (puzzle, _) = read(aligned).unwrap_or_else(|_| panic!("it was read"));
        assert_eq!(write(&puzzle).as_deref(), Ok(aligned));
    }

    #[test]
    fn numbers_of_two_digits_are_cells_and_signs_stand_below_either() {
        let open = " .".repeat(9);
        let text = format!("10 <  .{}\n {}\n", " .".repeat(8), "v") + &format!("{open} .\n").repeat(9);
        assert_eq!(pairs(&text), [[0, 1], [10, 0]]);
    }

    #[test]
    fn what_is_wrong_is_shown_in_place() {
        for (text, expected, found) in [
            (". < .\n. < . .\n", "2 rows of 2 cells", "3 cells in row 2"),
            ("< . .\n. .\n", "a sign between two cells", "`<`"),
            (". < < .\n. .\n", "a single sign between two cells", "`<`"),
            (". .\n ^ \n. <.\n", "a sign below a cell", "`^`"),
            (". <.\n. .\n^\n", "a row below these signs", "`^`"),
            (". < 3\n. .\n", "a digit from 1 to 2", "`3`"),
            (". -< .\n. .\n", "a digit, `.`, `<` or `>`", "`-`"),
        ] {
            let Err(fault) = read(text) else { panic!("{text} was read") };
            let told = Malformed::Unexpected { expected: expected.to_owned(), found: found.to_owned() };
            assert_eq!(fault.what.to_string(), told.to_string(), "{text}");
        }
        let Err(fault) = read(". < .\n") else { panic!("a row is missing") };
        assert!(matches!(fault.what, Malformed::Truncated(_)));
    }

    #[test]
    fn other_texts_are_not_recognised() {
        for text in ["{\"a\":\"<\"}", ". . .\n", "^ v\n. <.\n", "3 <\nx\n", "5:0,0L,0\n"] {
            assert!(!recognise(text), "{text}");
        }
        assert!(recognise(". .\n^\n. .\n") && recognise(".<.\n..\n"));
    }
}
