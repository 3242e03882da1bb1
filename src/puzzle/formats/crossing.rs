//! What the Kakuro grids share: clues in black cells, entries that start behind them.

use super::super::{Defect, Entry, Kakuro, Kind, MAX_CELLS, Puzzle, Role, cell_name};
use super::error::WriteError;
use super::fault::{Fault, Span};
use super::words::{Word, truncated};

/// Rows and columns of a grid.
pub(super) type Shape = (usize, usize);

/// A cell as a grid shows it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cell {
    Black(Clues),
    White,
    Given(u8),
}

/// The clues of a black cell.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clues {
    pub(super) down: Option<i64>,
    pub(super) across: Option<i64>,
}

/// The number of a clue, which may be missing.
pub(super) fn number(word: &Word<'_>) -> Result<Option<i64>, Fault> {
    if word.text.trim().is_empty() {
        return Ok(None);
    }
    match word.whole()? {
        sum if sum >= 0 => Ok(Some(sum)),
        _ => Err(word.unexpected("a sum of 0 or more")),
    }
}

/// The numbers of rows and columns that stand first, if they do, and the lines of cells.
pub(super) fn shape<'a, 'b>(
    lines: &'b [Word<'a>],
    record: &str,
) -> Result<(Option<Shape>, &'b [Word<'a>]), Fault> {
    let words = lines[0].split();
    let numbers: Option<Vec<usize>> = words.iter().map(|word| word.text.parse().ok()).collect();
    let Some(&[rows, cols]) = numbers.as_deref() else { return Ok((None, lines)) };
    let whole = words[0].start..words[1].span().end;
    // A row of two given digits is no shape: one more line than rows must follow.
    if lines.len() > 1 && lines.len() - 1 > rows {
        return Err(lines[rows + 1].unexpected(format!("the end of the text after {rows} rows")));
    }
    if rows.checked_mul(cols).is_none_or(|area| !(1..=MAX_CELLS).contains(&area)) {
        let label = format!("expected 1 to {MAX_CELLS} cells in all");
        return Err(Fault::new(Defect::Area { rows, cols }, whole, label));
    }
    if lines.len() - 1 < rows {
        let label = format!("row {} of {rows} should follow here", lines.len());
        return Err(truncated(record, "the rows", label));
    }
    Ok((Some((rows, cols)), &lines[1..]))
}

/// The puzzle of a grid of words.
pub(super) fn read(
    rows: &[Vec<Word<'_>>],
    shape: Option<Shape>,
    record: &str,
    cell: fn(&Word<'_>) -> Result<Cell, Fault>,
) -> Result<(Puzzle, Span), Fault> {
    let cols = shape.map_or(rows[0].len(), |shape| shape.1);
    let mut cells = Vec::with_capacity(rows.len());
    for (index, words) in rows.iter().enumerate() {
        if words.len() != cols {
            let (first, last) = (&words[0], &words[words.len() - 1]);
            let found = format!("{} of them", words.len());
            let place = first.start..last.span().end;
            return Err(Fault::unexpected(format!("{cols} cells in row {}", index + 1), found, place));
        }
        cells.push(words.iter().map(cell).collect::<Result<Vec<Cell>, Fault>>()?);
    }
    let kakuro = kakuro(rows, &cells)?;
    let end = record.trim_end().len();
    let built = kakuro.build().map_err(|defect| Fault::new(defect, 0..end, "in this puzzle"))?;
    Ok((built, 0..0))
}

/// The entries behind every clue. Each clue has one and each white cell lies in one.
fn kakuro(words: &[Vec<Word<'_>>], cells: &[Vec<Cell>]) -> Result<Kakuro, Fault> {
    let shape = (cells.len(), cells[0].len());
    let white = |row: usize, column: usize| {
        cells.get(row).and_then(|row| row.get(column)).is_some_and(|cell| !matches!(cell, Cell::Black(_)))
    };
    let mut kakuro = Kakuro::new(shape, Vec::new());
    let mut entered = vec![false; shape.0 * shape.1];
    for (row, column) in (0..shape.0 * shape.1).map(|cell| (cell / shape.1, cell % shape.1)) {
        let clues = match cells[row][column] {
            Cell::Black(clues) => [(clues.down, (1, 0)), (clues.across, (0, 1))],
            Cell::Given(digit) => {
                kakuro.givens.push((row, column, digit));
                continue;
            }
            Cell::White => continue,
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
            let defect = Defect::NoEntry { cell: (row, column) };
            return Err(Fault::new(defect, words[row][column].span(), label));
        }
    }
    Ok(kakuro)
}

/// Writes a grid, a row a line.
///
/// # Errors
/// [`WriteError`] for another kind of puzzle, other digits than 1 to 9, and entries that are not all the white cells
/// behind a black one.
pub(super) fn write(
    puzzle: &Puzzle,
    format: &'static str,
    between: &str,
    show: impl Fn(Cell) -> String,
) -> Result<String, WriteError> {
    let cells = layout(puzzle).map_err(|what| WriteError { format, what })?;
    let line = |row: &[Cell]| row.iter().map(|cell| show(*cell)).collect::<Vec<_>>().join(between) + "\n";
    Ok(cells.chunks(puzzle.cols()).map(line).collect())
}

fn layout(puzzle: &Puzzle) -> Result<Vec<Cell>, String> {
    if puzzle.kind != Kind::Kakuro {
        return Err(format!("a {}, only a {}", puzzle.kind.name(), Kind::Kakuro.name()));
    }
    if !puzzle.digits().is_one_to(9) {
        return Err(format!("the digits {:?}, only 1 to 9", puzzle.digits().values()));
    }
    let total = puzzle.rows() * puzzle.cols();
    let cell = |cell| if puzzle.is_black(cell) { Cell::Black(Clues::default()) } else { Cell::White };
    let mut cells: Vec<Cell> = (0..total).map(cell).collect();
    for group in puzzle.groups() {
        let name = || puzzle.group_name(group);
        let clue = group.clue.ok_or_else(|| format!("a {} without a clue", name()))?;
        let first = group.cells[0];
        if group.role == Role::Given {
            let digit = u8::try_from(clue.target).ok().filter(|digit| (1..=9).contains(digit));
            let free = matches!(cells[first], Cell::White);
            let digit = digit.filter(|_| free && group.cells.len() == 1);
            cells[first] = Cell::Given(digit.ok_or_else(|| format!("the {}", name()))?);
        } else if !(group.role == Role::Entry
            && group.distinct
            && place(puzzle, &group.cells, clue.target, &mut cells))
        {
            let at = cell_name(first / puzzle.cols(), first % puzzle.cols());
            return Err(format!(
                "the {}: no black cell stands free before {at}, or it stops too early",
                name()
            ));
        }
    }
    Ok(cells)
}

/// Writes the clue of an entry into the black cell before it; says whether there is one that is free.
fn place(puzzle: &Puzzle, entry: &[usize], target: i64, cells: &mut [Cell]) -> bool {
    let (cols, first, last) = (puzzle.cols(), entry[0], entry[entry.len() - 1]);
    let across = |cells: &mut [Cell]| {
        let ends = (last + 1) % cols == 0 || puzzle.is_black(last + 1);
        let in_line = last - first + 1 == entry.len() && first / cols == last / cols;
        match first
            .checked_sub(1)
            .filter(|_| first % cols > 0 && ends && in_line)
            .map(|cell| &mut cells[cell])
        {
            Some(Cell::Black(clues)) if clues.across.is_none() => clues.across.replace(target).is_none(),
            _ => false,
        }
    };
    let down = |cells: &mut [Cell]| {
        let ends = last + cols >= cells.len() || puzzle.is_black(last + cols);
        let in_line = entry.windows(2).all(|pair| pair[1] - pair[0] == cols);
        match first.checked_sub(cols).filter(|_| ends && in_line).map(|cell| &mut cells[cell]) {
            Some(Cell::Black(clues)) if clues.down.is_none() => clues.down.replace(target).is_none(),
            _ => false,
        }
    };
    // A single cell may have both clues: the one above it is read first.
    down(cells) || across(cells)
}
