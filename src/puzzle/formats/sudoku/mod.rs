//! Sudoku as lines of characters or as grids; one text may hold many.
//!
//! ```text
//! 1..........3..2.
//!
//! +-----+-----+
//! | 1 . | . . |
//! | . . | . . |
//! +-----+-----+
//! | . . | . 3 |
//! | . . | 2 . |
//! +-----+-----+
//! ```
//!
//! A line holds sizes 4, 6, 8 and 9 with their usual boxes. A grid has a row a line, its cells side by side or divided by
//! blanks (above 9 always); rules of `|`, `-`, `+` show the boxes, which are the usual ones without them. `.`, `_` and `0`
//! are open cells. Lines that start with `#` are remarks; a blank line between bands of boxes is passed over.

mod read;

use super::super::{BoxShape, Group, Kind, Puzzle, Role, boxes_of, usual_boxes};
use super::error::WriteError;
use super::words::{Word, offset};
use super::{Format, cage_ids};

pub(super) const FORMAT: Format = Format {
    name: "sudoku",
    about: "81 cells a line (16, 36, 64 too), `.` open; or a grid, its boxes shown by `|` and `-`",
    many: true,
    recognise,
    end,
    read: read::read,
    write: Some(write),
};

/// The sizes whose cells are one character each and stand on one line.
const ONE_LINE: [usize; 4] = [4, 6, 8, 9];

/// What a line may be.
enum Line<'a> {
    Blank,
    Remark,
    /// Edges of boxes.
    Rule,
    /// A whole puzzle, or what should be one.
    Whole,
    Row(Row<'a>),
    /// Characters that no Sudoku has.
    Other,
}

/// A row of a grid.
struct Row<'a> {
    cells: Vec<Word<'a>>,
    /// How many cells stand before each `|` between two of them.
    bars: Vec<usize>,
}

impl<'a> Line<'a> {
    fn of(line: &Word<'a>) -> Self {
        let text = line.text.trim();
        let only = |known: &str| text.chars().all(|c| known.contains(c) || c.is_whitespace());
        match text {
            "" => Self::Blank,
            _ if text.starts_with('#') => Self::Remark,
            _ if only("+-=|") && ["+", "--", "=="].iter().any(|part| text.contains(part)) => Self::Rule,
            _ if !only("0123456789._|") => Self::Other,
            _ if text.len() > 9 && !text.contains('|') && text.split_whitespace().count() == 1 => Self::Whole,
            _ => Self::Row(Row::of(line)),
        }
    }
}

impl<'a> Row<'a> {
    /// The cells of a line, whatever its characters are.
    fn of(line: &Word<'a>) -> Self {
        let words = words(line);
        let mixed = |word: &Word<'_>| word.text.len() > 1 && word.text.contains(['.', '_']);
        let joined = words.iter().any(|(word, _)| word.text.len() > 2 || mixed(word));
        let dense = joined || line.text.split_whitespace().count() == 1;
        let mut row = Self { cells: Vec::new(), bars: Vec::new() };
        for (word, bar) in words {
            if bar && !row.cells.is_empty() {
                row.bars.push(row.cells.len());
            }
            if dense {
                row.cells.extend(word.characters());
            } else {
                row.cells.push(word);
            }
        }
        row
    }
}

/// The words of a row, each with whether a `|` stands before it.
fn words<'a>(line: &Word<'a>) -> Vec<(Word<'a>, bool)> {
    let mut words = Vec::new();
    for (index, part) in line.text.split('|').enumerate() {
        let part = Word { text: part, start: line.start + offset(line.text, part) };
        words.extend(
            part.split().into_iter().enumerate().map(|(place, word)| (word, index > 0 && place == 0)),
        );
    }
    words
}

fn is_open(cell: &str) -> bool {
    matches!(cell, "." | "_" | "0")
}

/// The lines of a text with their places.
fn lines(text: &str) -> impl Iterator<Item = Word<'_>> {
    text.lines().map(move |line| Word { text: line, start: offset(text, line) })
}

/// The first line that is no remark decides, unless it is numbers alone, or the rows have clues behind them: other formats
/// start so too.
fn recognise(text: &str) -> bool {
    let mut lines = lines(text)
        .map(|line| (line, Line::of(&line)))
        .filter(|(_, line)| !matches!(line, Line::Blank | Line::Remark));
    match lines.next() {
        Some((_, Line::Rule)) => true,
        Some((line, Line::Whole)) => one_line_size(line.text.trim()).is_some() && !cage_ids::has_clues(text),
        Some((line, Line::Row(row))) => {
            let is_rule = |line: Word<'_>| matches!(Line::of(&line), Line::Rule);
            let size = row.cells.len();
            let has_boxes =
                !row.bars.is_empty() || usual_boxes(size).is_some() || self::lines(text).any(is_rule);
            let words = line.text.split_whitespace().count();
            let plain = words > 1 && !line.text.contains(['|', '.', '_']);
            size > 1
                && has_boxes
                && (!plain || is_open_grid(row, lines.map(|(_, line)| line)))
                && !cage_ids::has_clues(text)
        }
        _ => false,
    }
}

/// Says whether there are as many rows as cells in the first, and an open cell among them, as no cage id is.
fn is_open_grid<'a>(first: Row<'a>, rest: impl Iterator<Item = Line<'a>>) -> bool {
    let size = first.cells.len();
    let row = |line| match line {
        Line::Row(row) => Some(row),
        _ => None,
    };
    let rest = rest.filter(|line| !matches!(line, Line::Rule)).map_while(row);
    let rows: Vec<Row<'_>> = std::iter::once(first).chain(rest).take(size).collect();
    rows.len() == size
        && rows.iter().all(|row| row.cells.len() == size)
        && rows.iter().any(|row| row.cells.iter().any(|cell| is_open(cell.text)))
}

/// The size of a puzzle on one line of so many characters.
fn one_line_size(line: &str) -> Option<usize> {
    ONE_LINE.into_iter().find(|size| size * size == line.chars().count())
}

/// A line with a whole puzzle, or all lines of a grid; remarks and blank lines go with the puzzle before them.
fn end(text: &str) -> usize {
    let mut progress = Progress::Before { framed: false };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        match progress.after(&Word { text: line, start: 0 }) {
            Some(next) => progress = next,
            None => return at,
        }
        at += line.len();
    }
    at
}

/// How much of a puzzle has been seen.
enum Progress {
    Before {
        framed: bool,
    },
    Within {
        framed: bool,
        size: usize,
        rows: usize,
    },
    /// All of it, but perhaps the rule below.
    After {
        framed: bool,
    },
}

impl Progress {
    /// What is seen with one line more; nothing when that is not of this puzzle.
    fn after(&self, line: &Word<'_>) -> Option<Self> {
        let within = |framed, size, rows| match rows < size {
            true => Self::Within { framed, size, rows },
            false => Self::After { framed },
        };
        Some(match (Line::of(line), self) {
            (Line::Remark | Line::Blank, &Self::Before { framed }) => Self::Before { framed },
            (Line::Remark | Line::Blank, &Self::After { framed }) => Self::After { framed },
            (Line::Rule, Self::Before { .. }) => Self::Before { framed: true },
            (Line::Row(row), &Self::Before { framed }) => within(framed, row.cells.len(), 1),
            (_, &Self::Before { framed: true }) => within(true, Row::of(line).cells.len(), 1),
            (_, Self::Before { .. }) => Self::After { framed: false },
            (Line::Blank, Self::Within { size, rows, .. }) if !ends_a_band(*rows, *size) => return None,
            (Line::Remark | Line::Blank | Line::Rule, &Self::Within { framed, size, rows }) => {
                Self::Within { framed, size, rows }
            }
            (Line::Whole, Self::Within { .. }) if one_line_size(line.text.trim()).is_some() => return None,
            (_, &Self::Within { framed, size, rows }) => within(framed, size, rows + 1),
            (Line::Rule, Self::After { framed: true }) => Self::After { framed: false },
            (_, Self::After { .. }) => return None,
        })
    }
}

fn ends_a_band(rows: usize, size: usize) -> bool {
    usual_boxes(size).is_some_and(|boxes| rows.is_multiple_of(boxes.0))
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let (givens, boxes) = contents(puzzle).map_err(|what| WriteError { format: FORMAT.name, what })?;
    let size = puzzle.rows();
    if ONE_LINE.contains(&size) && usual_boxes(size) == Some(boxes) {
        return Ok(givens.iter().map(|given| show(*given)).collect());
    }
    let width = size.to_string().len();
    let cells = |cells: &[Option<usize>]| -> String {
        cells.iter().map(|given| format!(" {:>width$}", show(*given))).collect()
    };
    let row = |row: &[Option<usize>]| {
        format!("|{}\n", row.chunks(boxes.1).map(|part| cells(part) + " |").collect::<String>())
    };
    let rule = format!("+{}\n", ("-".repeat(boxes.1 * (width + 1) + 1) + "+").repeat(size / boxes.1));
    let band = |rows: &[Option<usize>]| rows.chunks(size).map(row).collect::<String>() + &rule;
    Ok(rule.clone() + &givens.chunks(size * boxes.0).map(band).collect::<String>())
}

fn show(given: Option<usize>) -> String {
    given.map_or_else(|| ".".to_owned(), |digit| digit.to_string())
}

/// The given of every cell, and the shape of the boxes, which are all there is to say.
fn contents(puzzle: &Puzzle) -> Result<(Vec<Option<usize>>, BoxShape), String> {
    if puzzle.kind != Kind::Sudoku {
        return Err(format!("a {}, only a {}", puzzle.kind.name(), Kind::Sudoku.name()));
    }
    let size = puzzle.rows();
    if !puzzle.digits().is_one_to(size) {
        return Err(format!("the digits {:?}, only 1 to {size}", puzzle.digits().values()));
    }
    let (shape, boxes) = boxes_of(puzzle).ok_or("a Sudoku without all its boxes")?;
    let (mut givens, mut parts) = (vec![None; size * size], 0);
    for group in puzzle.groups() {
        match (group.role, group.clue) {
            (Role::Row | Role::Column, None) if group.distinct && group.cells.len() == size => parts += 1,
            (Role::Region, None) if boxes.contains(group) => parts += 1,
            (Role::Given, Some(clue)) => {
                let digit = usize::try_from(clue.target).ok().filter(|digit| (1..=size).contains(digit));
                let free = |group: &Group| group.cells.len() == 1 && givens[group.cells[0]].is_none();
                let digit = digit.filter(|_| free(group));
                givens[group.cells[0]] =
                    Some(digit.ok_or_else(|| format!("the {}", puzzle.group_name(group)))?);
            }
            _ => return Err(format!("a {} besides rows, columns and boxes", puzzle.group_name(group))),
        }
    }
    if parts == 3 * size { Ok((givens, shape)) } else { Err("other groups than each once".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_a_line_or_a_grid() {
        let whole = "1..........3..2.";
        assert_eq!(end(&format!("# one\n{whole}\n# two\n\n{whole}\n")), 30);
        let open = "....\n".repeat(4);
        assert_eq!(end(&format!("{open}{open}")), 20);
        let framed = "+--+\n|..|\n+--+\n|..|\n+--+\n";
        assert_eq!(end(&framed.repeat(2)), framed.len());
        assert_eq!(end("rubbish\n....\n"), 8);
    }

    #[test]
    fn a_blank_line_ends_a_grid_unless_a_band_ends_there() {
        let row = "....\n";
        assert_eq!(end(&[row, row, "\n", row, row].concat()), 21);
        assert_eq!(end(&[row, row, row, "\n", row].concat()), 15);
    }

    #[test]
    fn rows_are_read_with_blanks_and_without() {
        let cells = |text: &str| match Line::of(&Word { text, start: 0 }) {
            Line::Row(row) => {
                (row.cells.iter().map(|cell| cell.text.to_owned()).collect::<Vec<_>>().join(" "), row.bars)
            }
            _ => panic!("no row: {text}"),
        };
        assert_eq!(cells("12|34"), ("1 2 3 4".to_owned(), vec![2]));
        assert_eq!(cells("| 12  3 | .  4 |"), ("12 3 . 4".to_owned(), vec![2]));
        assert_eq!(cells("53. .7. ..."), ("5 3 . . 7 . . . .".to_owned(), vec![]));
        assert_eq!(cells("1|2|3"), ("1 2 3".to_owned(), vec![1, 2]));
    }

    #[test]
    fn other_texts_are_not_taken_for_sudoku() {
        for text in [
            "1 1\n2 2\n3 +\n3 +\n",
            "# 2\n+\t3\tA1\tA2\n",
            "3 3\n- 3, 4,\n,3 0 0\n",
            "100 100\n- 3,\n0 0\n",
            "1 1 2 2\n1 1 2 2\n3 3 3 3\n4 4 4 4\n",
            "- - -\n- 3, 4,\n",
            "1",
            "12\n",
        ] {
            assert!(!recognise(text), "{text}");
        }
        for text in
            ["+---+\n| 1 |\n+---+\n", "# a\n\n....\n", "1 2 3 4\n0 0 0 0\n0 0 0 0\n0 0 0 0\n", "12\n--\n21\n"]
        {
            assert!(recognise(text), "{text}");
        }
    }
}
