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
//! to 9. A clue 0 is none, and the digits of a run without a clue differ too.
//!
//! `kakuro_grid` also reads the letters of columns and rows (C and F, as in Spanish) after a line `3,3`: `C16F8` is
//! `16\8`, `*` black and `?` white.

use super::super::kakuro::{ClueFlaw, ClueGrid, checked_area};
use super::super::{BlackClues, Defect, Kakuro, Kind, MAX_CELLS, PrintedClues, Puzzle, Role, position};
use super::Format;
use super::cages::GridShape;
use super::contents::{check_digits, check_kind};
use super::error::{Fault, Span, WriteError};
use super::words::{Word, is_black_grid, lines, rows_text, span, truncated, whole_span};
use crate::sort::sort_by;

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
    black: &["\\", "", "x", "X", "*"],
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

/// A backslash somewhere, and nothing but cells and commas in the first line; or the shape, then cells with letters.
fn is_grid(text: &str) -> bool {
    let Some(line) = text.trim_start().lines().next() else { return false };
    if !line.chars().all(|c| c.is_ascii_digit() || "\\,_.?xX \t\r".contains(c)) {
        return false;
    }
    text.contains('\\') || line.contains(',') && has_letters(text)
}

/// Says whether the second line consists of the cells of the notation with letters, one of them a clue.
fn has_letters(text: &str) -> bool {
    let line = lines(text).nth(1).map_or("", |line| line.text.trim());
    line.contains(['C', 'F']) && line.chars().all(|c| c.is_ascii_digit() || ",*?CF ".contains(c))
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
        if word.text.starts_with(['C', 'F']) && self.between == "," {
            let (down, across) = word.split_at(word.text.find('F').unwrap_or(word.text.len()));
            let number = |word: Word<'_>| sum(&word.after(word.text.len().min(1)));
            return Ok(GridCell::Black(BlackClues { down: number(down)?, across: number(across)? }));
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

/// The sum that a clue asks for, if it is there; 0 asks for nothing.
fn sum(word: &Word<'_>) -> Result<Option<i64>, Fault> {
    if word.text.trim().is_empty() {
        return Ok(None);
    }
    match word.whole()? {
        0 => Ok(None),
        sum if sum > 0 => Ok(Some(sum)),
        _ => Err(word.unexpected("a sum of 0 or more")),
    }
}

/// The shape, where the first line is the numbers of rows and columns.
fn shape(lines: &[Word<'_>], record: &str) -> Result<Option<GridShape>, Fault> {
    let mut words = lines[0].split();
    // A comma there is that of two givens, unless letters mark the clues.
    if words.len() == 1 && !record.contains('\\') && record.contains(['C', 'F']) {
        words = lines[0].split_with(&[',']);
    }
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
    let mut cells = Vec::new();
    for clues in clue_grid(puzzle)?.cells {
        cells.push(clues.map_or(GridCell::White, GridCell::Black));
    }
    for group in puzzle.groups_with(Role::Given) {
        let first = group.cells[0];
        // A given in a black cell, or a second one, would be lost.
        let is_free = group.cells.len() == 1 && matches!(cells[first], GridCell::White);
        match group.clue.map(|clue| u8::try_from(clue.target)) {
            Some(Ok(digit @ 1..=9)) if is_free => cells[first] = GridCell::Given(digit),
            _ => return Err(format!("the {}", puzzle.group_name(group))),
        }
    }
    Ok(cells)
}

/// The clues of a Kakuro of the digits 1 to 9 in its black cells, where they, the runs of its white cells and its givens
/// are the whole puzzle.
///
/// # Errors
/// What else it has or lacks, in words.
pub(super) fn clue_grid(puzzle: &Puzzle) -> Result<ClueGrid, String> {
    check_kind(puzzle, Kind::Kakuro)?;
    check_digits(puzzle, 9)?;
    let printed = PrintedClues::of(puzzle);
    let mut cells = Vec::with_capacity(printed.cells.len());
    for (cell, clues) in printed.cells.iter().enumerate() {
        cells.push(puzzle.is_black(cell).then_some(*clues));
    }
    let grid = ClueGrid { rows: puzzle.rows(), cols: puzzle.cols(), cells };
    let mut lines: Vec<&[usize]> = Vec::new();
    for (index, group) in puzzle.groups().iter().enumerate() {
        let is_printed = match (group.role, group.clue) {
            (Role::Given, _) => continue,
            // Readers take the sum 0 for none.
            (Role::Entry, Some(clue)) => clue.target > 0 && !printed.unplaced.contains(&index),
            (Role::Entry | Role::Group, None) => group.cells.len() > 1,
            _ => false,
        };
        if !is_printed || !group.distinct {
            let (name, at) = (puzzle.group_name(group), puzzle.cell_name(group.cells[0]));
            return Err(format!("the {name}: no black cell stands free before {at}, or it stops too early"));
        }
        if group.cells.len() > 1 {
            lines.push(&group.cells);
        }
    }
    let mut runs = grid.runs();
    sort_by(&mut runs, Ord::cmp);
    sort_by(&mut lines, Ord::cmp);
    if lines != runs {
        return Err("white cells in a line without an entry, or further groups".to_owned());
    }
    Ok(grid)
}
