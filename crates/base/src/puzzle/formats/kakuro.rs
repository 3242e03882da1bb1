//! Kakuro as rows of cells, in two notations. Black cells hold the clues of the entries that start after them.
//!
//! ```text
//! kakuro_grid      kakuro_tokens
//! \,3\,4\          3 3
//! \3,_,_           - 3, 4,
//! \4,_,_           ,3 0 0
//!                  ,4 0 0
//! ```
//!
//! In `kakuro_grid` a black cell is `down\across`; `\`, `x` and an empty cell are black cells without a clue; `_`, `.`,
//! `?` and `0` are white. In `kakuro_tokens` a black cell is `down,across`, or `-` without a clue, and `0` is white. In
//! both a digit is a given in a white cell, the first line may be the numbers of rows and columns, and the digits are 1
//! to 9.

use super::super::{BlackClues, Defect, Entry, Kakuro, Kind, MAX_CELLS, PrintedClues, Puzzle, Role};
use super::Format;
use super::cages::GridShape;
use super::error::{Fault, Span, WriteError};
use super::words::{Word, lines, offset, span, truncated};

pub(super) const GRID: Format = Format {
    name: GRID_NOTATION.name,
    about: "rows of cells with commas between: `down\\across` and `\\` black, `_` white, a digit given",
    many: false,
    recognise: |text| {
        let known = |c: char| c.is_ascii_digit() || "\\,_.?xX \t\r".contains(c);
        text.contains('\\') && text.trim_start().lines().next().is_some_and(|line| line.chars().all(known))
    },
    end: str::len,
    read: |record| read(record, &GRID_NOTATION),
    write: Some(|puzzle| write(puzzle, &GRID_NOTATION)),
};

pub(super) const TOKENS: Format = Format {
    name: TOKEN_NOTATION.name,
    about: "rows of cells with blanks between: `down,across` and `-` black, `0` white, a digit given",
    many: false,
    recognise: are_tokens,
    end: str::len,
    read: |record| read(record, &TOKEN_NOTATION),
    write: Some(|puzzle| {
        let rows = write(puzzle, &TOKEN_NOTATION)?;
        Ok(format!("{} {}\n{rows}", puzzle.rows(), puzzle.cols()))
    }),
};

/// The notation of a format.
struct Notation {
    /// The format's name.
    name: &'static str,
    /// The separator of the cells of a line.
    between: &'static str,
    /// The separator of the clue down and the clue across.
    divider: char,
    /// Black cells without a clue; the first is written.
    black: &'static [&'static str],
    /// White cells; the first is written.
    white: &'static [&'static str],
    /// Splits a line into cells.
    split: for<'a> fn(&Word<'a>) -> Vec<Word<'a>>,
    /// The forms of a cell, in words.
    expected: &'static str,
}

const GRID_NOTATION: Notation = Notation {
    name: "kakuro_grid",
    between: ",",
    divider: '\\',
    black: &["\\", "", "x", "X"],
    white: &["_", "0", ".", "?"],
    split: split_at_commas,
    expected: "a cell: `down\\across`, `\\` black, `_` white, or a digit",
};

const TOKEN_NOTATION: Notation = Notation {
    name: "kakuro_tokens",
    between: " ",
    divider: ',',
    black: &["-"],
    white: &["0"],
    split: |line| line.split(),
    expected: "a cell: `down,across`, `-` black, `0` white, or a digit",
};

/// The cells of a line, without the spaces around them.
fn split_at_commas<'a>(line: &Word<'a>) -> Vec<Word<'a>> {
    let trimmed =
        |cell: &'a str| Word { text: cell.trim(), start: line.start + offset(line.text, cell.trim()) };
    line.text.split(',').map(trimmed).collect()
}

/// Every word before the first clue is a number or `-`, and there is such a word or a white cell after the clue.
/// Without a clue all cells are black, as many as the shape before them says.
fn are_tokens(text: &str) -> bool {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_clue = |word: &str| word.contains(',') && word.chars().all(|c| c.is_ascii_digit() || c == ',');
    let mut words = text.split_whitespace();
    let before = words.by_ref().take_while(|word| *word == "-" || is_number(word)).count();
    match text.split_whitespace().nth(before) {
        Some(word) => is_clue(word) && (before > 0 || words.any(|word| word == "0")),
        None => is_black(text),
    }
}

/// `rows cols`, then as many `-`.
pub(super) fn is_black(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let mut side = || words.next().and_then(|word| word.parse::<usize>().ok());
    let area = side().zip(side()).and_then(|(rows, cols)| rows.checked_mul(cols));
    let cells: Vec<&str> = words.collect();
    !cells.is_empty() && area == Some(cells.len()) && cells.iter().all(|cell| *cell == "-")
}

/// A cell as a grid shows it.
#[derive(Clone, Copy, Debug)]
enum GridCell {
    Black(BlackClues),
    White,
    Given(u8),
}

impl Notation {
    fn cell(&self, word: &Word<'_>) -> Result<GridCell, Fault> {
        if self.black.contains(&word.text) {
            return Ok(GridCell::Black(BlackClues::default()));
        }
        if self.white.contains(&word.text) {
            return Ok(GridCell::White);
        }
        match word.text.find(self.divider) {
            Some(place) => {
                let (down, rest) = word.split_at(place);
                let across = rest.split_at(self.divider.len_utf8()).1;
                Ok(GridCell::Black(BlackClues { down: number(&down)?, across: number(&across)? }))
            }
            None => word.text.parse().map(GridCell::Given).map_err(|_| word.unexpected(self.expected)),
        }
    }

    fn show(&self, cell: GridCell) -> String {
        let text = |clue: Option<i64>| clue.map_or_else(String::new, |clue| clue.to_string());
        match cell {
            GridCell::White => self.white[0].to_owned(),
            GridCell::Given(digit) => digit.to_string(),
            GridCell::Black(BlackClues { down: None, across: None }) => self.black[0].to_owned(),
            GridCell::Black(BlackClues { down, across }) => {
                format!("{}{}{}", text(down), self.divider, text(across))
            }
        }
    }
}

/// Reads a grid, with or without a first line that is its shape.
fn read(record: &str, notation: &Notation) -> Result<(Puzzle, Span), Fault> {
    let lines: Vec<Word<'_>> = lines(record).collect();
    let (shape, lines) = shape(&lines, record)?;
    let rows: Vec<Vec<Word<'_>>> = lines.iter().map(notation.split).collect();
    let cols = shape.map_or(rows[0].len(), |shape| shape.1);
    let mut cells = Vec::with_capacity(rows.len());
    for (index, words) in rows.iter().enumerate() {
        if words.len() != cols {
            let found = format!("{} of them", words.len());
            return Err(Fault::unexpected(format!("{cols} cells in row {}", index + 1), found, span(words)));
        }
        cells.push(words.iter().map(|word| notation.cell(word)).collect::<Result<Vec<GridCell>, Fault>>()?);
    }
    let kakuro = kakuro(&rows, &cells)?;
    let end = record.trim_end().len();
    let built = kakuro.build().map_err(|defect| Fault::new(defect, 0..end, "in this puzzle"))?;
    Ok((built, 0..0))
}

/// Writes a grid, one row per line.
///
/// # Errors
/// [`WriteError`] for another kind of puzzle, other digits than 1 to 9, and entries that are not all white cells after a
/// black one.
fn write(puzzle: &Puzzle, notation: &Notation) -> Result<String, WriteError> {
    let cells = layout(puzzle).map_err(|what| WriteError { format: notation.name, what })?;
    let line = |row: &[GridCell]| {
        row.iter().map(|cell| notation.show(*cell)).collect::<Vec<_>>().join(notation.between) + "\n"
    };
    Ok(cells.chunks(puzzle.cols()).map(line).collect())
}

/// The number of a clue, which may be missing.
fn number(word: &Word<'_>) -> Result<Option<i64>, Fault> {
    if word.text.trim().is_empty() {
        return Ok(None);
    }
    match word.whole()? {
        sum if sum >= 0 => Ok(Some(sum)),
        _ => Err(word.unexpected("a sum of 0 or more")),
    }
}

/// The shape, where the first line is the numbers of rows and columns, and the lines of cells.
fn shape<'a, 'b>(lines: &'b [Word<'a>], record: &str) -> Result<(Option<GridShape>, &'b [Word<'a>]), Fault> {
    let words = lines[0].split();
    let numbers: Option<Vec<usize>> = words.iter().map(|word| word.text.parse().ok()).collect();
    let Some(&[rows, cols]) = numbers.as_deref() else { return Ok((None, lines)) };
    // A row of two givens looks like a shape; as a shape it demands as many further lines as rows.
    if lines.len() > 1 && lines.len() - 1 > rows {
        return Err(lines[rows + 1].unexpected(format!("the end of the text after {rows} rows")));
    }
    if rows.checked_mul(cols).is_none_or(|area| !(1..=MAX_CELLS).contains(&area)) {
        let label = format!("expected 1 to {MAX_CELLS} cells in all");
        return Err(Fault::new(Defect::Area { rows, cols }, span(&words), label));
    }
    if lines.len() - 1 < rows {
        let label = format!("row {} of {rows} should follow here", lines.len());
        return Err(truncated(record, "the rows", label));
    }
    Ok((Some((rows, cols)), &lines[1..]))
}

/// The Kakuro of a grid. Each clue must have an entry and each white cell must lie in one.
fn kakuro(words: &[Vec<Word<'_>>], cells: &[Vec<GridCell>]) -> Result<Kakuro, Fault> {
    let shape = (cells.len(), cells[0].len());
    let white = |row: usize, column: usize| {
        cells.get(row).and_then(|row| row.get(column)).is_some_and(|cell| !matches!(cell, GridCell::Black(_)))
    };
    let mut kakuro = Kakuro::new(shape, Vec::new());
    let mut entered = vec![false; shape.0 * shape.1];
    for (row, column) in (0..shape.0 * shape.1).map(|cell| (cell / shape.1, cell % shape.1)) {
        let clues = match cells[row][column] {
            GridCell::Black(clues) => [(clues.down, (1, 0)), (clues.across, (0, 1))],
            GridCell::Given(digit) => {
                kakuro.givens.push((row, column, digit));
                continue;
            }
            GridCell::White => continue,
        };
        for (target, (down, across)) in clues.iter().filter_map(|(clue, step)| clue.map(|clue| (clue, *step)))
        {
            let line = (1..).map(|step| (row + step * down, column + step * across));
            let run: Vec<(usize, usize)> = line.take_while(|cell| white(cell.0, cell.1)).collect();
            if run.is_empty() {
                let way = if down == 1 { "below" } else { "to the right of" };
                let word = words[row][column];
                return Err(word.unexpected(format!("a clue only where a white cell stands {way} it")));
            }
            run.iter().for_each(|cell| entered[cell.0 * shape.1 + cell.1] = true);
            kakuro.entries.push(Entry { target, cells: run });
        }
    }
    for (row, column) in (0..shape.0 * shape.1).map(|cell| (cell / shape.1, cell % shape.1)) {
        if white(row, column) && !entered[row * shape.1 + column] {
            let label = "expected a clue before this cell, across or down";
            let defect = Defect::NoEntry((row, column));
            return Err(Fault::new(defect, words[row][column].span(), label));
        }
    }
    Ok(kakuro)
}

/// The cells of a puzzle as a grid shows them.
fn layout(puzzle: &Puzzle) -> Result<Vec<GridCell>, String> {
    if puzzle.kind != Kind::Kakuro {
        return Err(format!("{}, only {}", puzzle.kind.phrase(), Kind::Kakuro.phrase()));
    }
    if !puzzle.digits().is_one_to(9) {
        return Err(format!("the digits {:?}, only 1 to 9", puzzle.digits().values()));
    }
    let printed = PrintedClues::of(puzzle);
    let cell = |(cell, clues): (usize, &BlackClues)| match puzzle.is_black(cell) {
        true => GridCell::Black(*clues),
        false => GridCell::White,
    };
    let mut cells: Vec<GridCell> = printed.cells.iter().enumerate().map(cell).collect();
    let mut unplaced = printed.unplaced.iter().peekable();
    for (index, group) in puzzle.groups().iter().enumerate() {
        let name = || puzzle.group_name(group);
        let clue = group.clue.ok_or_else(|| format!("a {} without a clue", name()))?;
        let first = group.cells[0];
        if group.role == Role::Given {
            let digit = u8::try_from(clue.target).ok().filter(|digit| (1..=9).contains(digit));
            let free = matches!(cells[first], GridCell::White);
            let digit = digit.filter(|_| free && group.cells.len() == 1);
            cells[first] = GridCell::Given(digit.ok_or_else(|| format!("the {}", name()))?);
        } else if group.role != Role::Entry || !group.distinct || unplaced.next_if_eq(&&index).is_some() {
            let at = puzzle.cell_name(first);
            return Err(format!(
                "the {}: no black cell stands free before {at}, or it stops too early",
                name()
            ));
        }
    }
    Ok(cells)
}
