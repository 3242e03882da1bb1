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

use super::super::kakuro::{ClueFlaw, ClueGrid, checked_area};
use super::super::{BlackClues, Defect, Kakuro, Kind, MAX_CELLS, PrintedClues, Puzzle, Role, position};
use super::Format;
use super::cages::GridShape;
use super::contents::{check_digits, check_kind};
use super::error::{Fault, Span, WriteError};
use super::words::{Word, is_black_grid, lines, rows_text, span, truncated, whole_span};

pub(super) const GRID: Format = Format::new(
    GRID_NOTATION.name,
    "rows of cells with commas between: `down\\across` and `\\` black, `_` white, a digit given",
    is_grid,
    |record| read(record, &GRID_NOTATION),
)
.written_by(|puzzle| write(puzzle, &GRID_NOTATION));

pub(super) const TOKENS: Format = Format::new(
    TOKEN_NOTATION.name,
    "rows of cells with blanks between: `down,across` and `-` black, `0` white, a digit given",
    are_tokens,
    |record| read(record, &TOKEN_NOTATION),
)
.written_by(|puzzle| {
    let rows = write(puzzle, &TOKEN_NOTATION)?;
    Ok(format!("{} {}\n{rows}", puzzle.rows(), puzzle.cols()))
});

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
    /// The forms of a cell, in words.
    expected: &'static str,
}

const GRID_NOTATION: Notation = Notation {
    name: "kakuro_grid",
    between: ",",
    divider: '\\',
    black: &["\\", "", "x", "X"],
    white: &["_", "0", ".", "?"],
    expected: "a cell: `down\\across`, `\\` black, `_` white, or a digit",
};

const TOKEN_NOTATION: Notation = Notation {
    name: "kakuro_tokens",
    between: " ",
    divider: ',',
    black: &["-"],
    white: &["0"],
    expected: "a cell: `down,across`, `-` black, `0` white, or a digit",
};

/// A backslash somewhere, and nothing but cells and commas in the first line.
fn is_grid(text: &str) -> bool {
    let Some(line) = text.trim_start().lines().next() else { return false };
    text.contains('\\') && line.chars().all(|c| c.is_ascii_digit() || "\\,_.?xX \t\r".contains(c))
}

/// Every word before the first clue is a number or `-`, and there is such a word or a white cell after the clue.
/// Without a clue all cells are black, as many as the shape before them says.
fn are_tokens(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let mut is_first = true;
    for word in words.by_ref() {
        if word == "-" || word.bytes().all(|byte| byte.is_ascii_digit()) {
            is_first = false;
            continue;
        }
        // Formats with commas between cells come earlier in the table.
        let is_clue = word.contains(',') && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
        return is_clue && (!is_first || words.any(|word| word == "0"));
    }
    is_black_grid(text)
}

/// A cell as a grid shows it.
#[derive(Clone, Copy, Debug)]
enum GridCell {
    Black(BlackClues),
    White,
    Given(u8),
}

impl Notation {
    /// The cells of a line, without the spaces around them.
    fn split<'a>(&self, line: &Word<'a>) -> Vec<Word<'a>> {
        if self.between == " " {
            return line.split();
        }
        line.text.split(self.between).map(|cell| line.part(cell.trim())).collect()
    }

    fn cell(&self, word: &Word<'_>) -> Result<GridCell, Fault> {
        if self.black.contains(&word.text) {
            return Ok(GridCell::Black(BlackClues::default()));
        }
        if self.white.contains(&word.text) {
            return Ok(GridCell::White);
        }
        if let Some(place) = word.text.find(self.divider) {
            let (down, across) = (word.split_at(place).0, word.after(place + self.divider.len_utf8()));
            return Ok(GridCell::Black(BlackClues { down: sum(&down)?, across: sum(&across)? }));
        }
        match word.text.parse() {
            Ok(digit) => Ok(GridCell::Given(digit)),
            Err(_) => Err(word.unexpected(self.expected)),
        }
    }

    fn show(&self, cell: GridCell) -> String {
        match cell {
            GridCell::White => self.white[0].to_owned(),
            GridCell::Given(digit) => digit.to_string(),
            GridCell::Black(BlackClues { down: None, across: None }) => self.black[0].to_owned(),
            GridCell::Black(BlackClues { down, across }) => {
                let [down, across] =
                    [down, across].map(|clue| clue.map_or_else(String::new, |clue| clue.to_string()));
                format!("{down}{}{across}", self.divider)
            }
        }
    }
}

/// Reads a grid, with or without a first line that is its shape.
fn read(record: &str, notation: &Notation) -> Result<(Puzzle, Span), Fault> {
    let lines: Vec<Word<'_>> = lines(record).collect();
    let shape = shape(&lines, record)?;
    let lines = if shape.is_some() { &lines[1..] } else { &lines[..] };
    let rows: Vec<Vec<Word<'_>>> = lines.iter().map(|line| notation.split(line)).collect();
    let cols = shape.map_or(rows[0].len(), |shape| shape.1);
    let mut grid = ClueGrid { rows: rows.len(), cols, cells: Vec::new() };
    let mut givens = Vec::new();
    for (row, words) in rows.iter().enumerate() {
        if words.len() != cols {
            let found = format!("{} of them", words.len());
            return Err(Fault::unexpected(format!("{cols} cells in row {}", row + 1), found, span(words)));
        }
        for (column, word) in words.iter().enumerate() {
            let cell = notation.cell(word)?;
            if let GridCell::Given(digit) = cell {
                givens.push((row, column, digit));
            }
            grid.cells.push(if let GridCell::Black(clues) = cell { Some(clues) } else { None });
        }
    }
    let kakuro = match grid.kakuro() {
        Ok(kakuro) => Kakuro { givens, ..kakuro },
        Err(ClueFlaw::NoCells { black, is_down }) => {
            let way = if is_down { "below" } else { "to the right of" };
            let expected = format!("a clue only where a white cell stands {way} it");
            return Err(rows.concat()[black].unexpected(expected));
        }
        Err(ClueFlaw::NoEntry(cell)) => {
            let defect = Defect::NoEntry(position(cell, cols));
            let label = "expected a clue before this cell, across or down";
            return Err(Fault::new(defect, rows.concat()[cell].span(), label));
        }
    };
    let built = kakuro.build();
    Ok((built.map_err(|defect| Fault::new(defect, whole_span(record), "in this puzzle"))?, 0..0))
}

/// Writes a grid, one row per line.
///
/// # Errors
/// [`WriteError`] for another kind of puzzle, other digits than 1 to 9, and entries that are not all white cells after a
/// black one.
fn write(puzzle: &Puzzle, notation: &Notation) -> Result<String, WriteError> {
    let cells = layout(puzzle).map_err(|what| WriteError::new(notation.name, what))?;
    let cells: Vec<String> = cells.into_iter().map(|cell| notation.show(cell)).collect();
    Ok(rows_text(&cells, puzzle.cols(), notation.between))
}

/// The sum that a clue asks for, if it is there.
fn sum(word: &Word<'_>) -> Result<Option<i64>, Fault> {
    if word.text.trim().is_empty() {
        return Ok(None);
    }
    match word.whole()? {
        sum if sum >= 0 => Ok(Some(sum)),
        _ => Err(word.unexpected("a sum of 0 or more")),
    }
}

/// The shape, where the first line is the numbers of rows and columns.
fn shape(lines: &[Word<'_>], record: &str) -> Result<Option<GridShape>, Fault> {
    let words = lines[0].split();
    let [first, second] = &words[..] else { return Ok(None) };
    let (Ok(rows), Ok(cols)) = (first.text.parse::<usize>(), second.text.parse::<usize>()) else {
        return Ok(None);
    };
    // A row of two givens looks like a shape; as a shape it demands as many further lines as rows.
    let found = lines.len() - 1;
    if found > rows && found > 0 {
        return Err(lines[rows + 1].unexpected(format!("the end of the text after {rows} rows")));
    }
    checked_area((rows, cols)).map_err(|defect| {
        Fault::new(defect, span(&words), format!("expected 1 to {MAX_CELLS} cells in all"))
    })?;
    if found < rows {
        let label = format!("row {} of {rows} should follow here", lines.len());
        return Err(truncated(record, "the rows", label));
    }
    Ok(Some((rows, cols)))
}

/// The cells of a puzzle as a grid shows them.
fn layout(puzzle: &Puzzle) -> Result<Vec<GridCell>, String> {
    check_kind(puzzle, Kind::Kakuro)?;
    check_digits(puzzle, 9)?;
    let printed = PrintedClues::of(puzzle);
    let mut cells = Vec::with_capacity(printed.cells.len());
    for (cell, clues) in printed.cells.iter().enumerate() {
        cells.push(if puzzle.is_black(cell) { GridCell::Black(*clues) } else { GridCell::White });
    }
    for (index, group) in puzzle.groups().iter().enumerate() {
        let first = group.cells[0];
        let Some(clue) = group.clue else {
            return Err(format!("a {} without a clue", puzzle.group_name(group)));
        };
        if group.role == Role::Given {
            // A given in a black cell, or a second one, would be lost.
            let is_free = group.cells.len() == 1 && matches!(cells[first], GridCell::White);
            match u8::try_from(clue.target) {
                Ok(digit @ 1..=9) if is_free => cells[first] = GridCell::Given(digit),
                _ => return Err(format!("the {}", puzzle.group_name(group))),
            }
        } else if group.role != Role::Entry || !group.distinct || printed.unplaced.contains(&index) {
            let (name, at) = (puzzle.group_name(group), puzzle.cell_name(first));
            return Err(format!("the {name}: no black cell stands free before {at}, or it stops too early"));
        }
    }
    Ok(cells)
}
