//! `kakuro`: its grid is without the first row and column, which are black and hold clues.
//!
//! Cell by cell: `.` black without a clue, two characters black with the clues down and across, `k` to `z` 1 to 16 white
//! cells. Then come the clues above the columns whose first cell is white, and those beside such rows. A clue is `-` for
//! none, `1` to `9`, `a` to `j` for 10 to 19, `A` to `Z` for 20 to 45. A `0`, which asks for nothing, is read as none too.

use super::super::super::{BlackClues, Defect, Entry, Group, Kakuro, Kind, PrintedClues, Puzzle, Role};
use super::super::error::Fault;
use super::super::words::Word;
use super::file::cells_of;
use super::{GridSize, Variety};
use crate::sort::sort_by;

pub(super) const VARIETY: Variety = Variety { name: "kakuro", kind: Kind::Kakuro, read, write, read_file };

/// The clues from 1.
const CLUES: &str = "123456789abcdefghijABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The largest clue: the sum of all digits.
const MOST: i64 = 45;

/// A grid with its first row and column: the clues of black cells, `None` of white ones.
struct BlackGrid {
    rows: usize,
    cols: usize,
    cells: Vec<Option<BlackClues>>,
}

impl BlackGrid {
    /// A grid whose first row and column are black, and all other cells white.
    fn new(size: &GridSize) -> Self {
        let (rows, cols) = (size.rows + 1, size.cols + 1);
        let edge = |cell: usize| (cell < cols || cell.is_multiple_of(cols)).then(BlackClues::default);
        Self { rows, cols, cells: (0..rows * cols).map(edge).collect() }
    }

    /// The cells of the grid without the first row and column, row by row.
    fn inner(&self) -> Vec<usize> {
        let cols = self.cols;
        (cols..self.rows * cols).filter(|cell| !cell.is_multiple_of(cols)).collect()
    }

    /// The first cells of columns, then of rows, with the black cell before each; only white ones.
    fn heads(&self) -> [Vec<usize>; 2] {
        let white = |cell: &usize| self.cells[*cell].is_none();
        let cols = self.cols;
        let columns = (cols + 1..2 * cols).filter(white).map(|cell| cell - cols).collect();
        let rows = (1..self.rows).map(|row| row * cols + 1).filter(white).map(|cell| cell - 1).collect();
        [columns, rows]
    }

    /// The white cells from the one after a black cell on, in steps of 1 or of a row.
    fn run(&self, black: usize, step: usize) -> Vec<usize> {
        let last = if step == 1 { (black / self.cols + 1) * self.cols } else { self.cells.len() };
        let cells = (1..).map(|times| black + times * step).take_while(|cell| *cell < last);
        cells.take_while(|cell| self.cells[*cell].is_none()).collect()
    }

    /// The puzzle. Digits of a run without a clue differ all the same.
    fn puzzle(&self, whole: std::ops::Range<usize>) -> Result<Puzzle, Fault> {
        let mut kakuro = Kakuro::new((self.rows, self.cols), Vec::new());
        let mut entered = vec![false; self.cells.len()];
        for (cell, clues) in self.cells.iter().enumerate().filter_map(|(cell, clues)| Some((cell, (*clues)?)))
        {
            for (clue, step) in [(clues.down, self.cols), (clues.across, 1)] {
                let run = self.run(cell, step);
                match clue {
                    Some(_) if run.is_empty() => {
                        let at = super::super::super::cell_name(cell / self.cols, cell % self.cols);
                        let expected = "a clue only where a white cell follows it";
                        return Err(Fault::unexpected(expected, format!("one at {at}"), whole));
                    }
                    Some(target) => {
                        run.iter().for_each(|cell| entered[*cell] = true);
                        let cells = run.iter().map(|cell| (cell / self.cols, cell % self.cols)).collect();
                        kakuro.entries.push(Entry { target, cells });
                    }
                    None if run.len() > 1 => kakuro.groups.push(unclued(run)),
                    None => {}
                }
            }
        }
        let lone = (0..self.cells.len()).find(|cell| self.cells[*cell].is_none() && !entered[*cell]);
        if let Some(cell) = lone {
            let defect = Defect::NoEntry((cell / self.cols, cell % self.cols));
            return Err(Fault::new(defect, whole, "expected a clue before this cell, across or down"));
        }
        kakuro.build().map_err(|defect| Fault::new(defect, whole, "in this puzzle"))
    }
}

/// The group of a run without a clue.
fn unclued(cells: Vec<usize>) -> Group {
    Group { role: Role::Group, cells, distinct: true, clue: None }
}

fn read(size: GridSize, body: Word<'_>) -> Result<Puzzle, Fault> {
    let mut grid = BlackGrid::new(&size);
    let inner = grid.inner();
    let (mut rest, mut at) = (body, 0);
    while at < inner.len() {
        let word = rest.first();
        let length = match word.text.chars().next() {
            None => break,
            Some(c @ 'k'..='z') => {
                at += c as usize - 'k' as usize + 1;
                1
            }
            Some('.') => {
                grid.cells[inner[at]] = Some(BlackClues::default());
                at += 1;
                1
            }
            Some(_) => {
                let down = clue(&word)?;
                let second = rest.split_at(word.text.len()).1.first();
                grid.cells[inner[at]] = Some(BlackClues { down, across: clue(&second)? });
                at += 1;
                word.text.len() + second.text.len()
            }
        };
        rest = rest.split_at(length).1;
    }
    if at != inner.len() {
        let found = if at < inner.len() { "fewer" } else { "more" };
        return Err(Fault::unexpected(format!("{} cells", inner.len()), found, body.span()));
    }
    let [columns, rows] = grid.heads();
    for (black, down) in
        columns.iter().map(|cell| (*cell, true)).chain(rows.iter().map(|cell| (*cell, false)))
    {
        let word = rest.first();
        let clue = clue(&word)?;
        let clues = grid.cells[black].get_or_insert_default();
        if down {
            clues.down = clue
        } else {
            clues.across = clue
        }
        rest = rest.split_at(word.text.len()).1;
    }
    if !rest.text.is_empty() {
        return Err(rest.unexpected("the end of the address"));
    }
    grid.puzzle(body.span())
}

/// The clue that a character is; `None` for 0.
fn clue(word: &Word<'_>) -> Result<Option<i64>, Fault> {
    match CLUES.find(word.text).filter(|_| !word.text.is_empty()) {
        _ if matches!(word.text, "-" | "0") => Ok(None),
        Some(index) => Ok(Some(index as i64 + 1)),
        None => Err(word.unexpected("a clue: `-` for none, 1-9, a-j for 10 to 19, A-Z for 20 to 45")),
    }
}

fn write(puzzle: &Puzzle) -> Result<(GridSize, String), String> {
    let grid = layout(puzzle)?;
    let show = |clue: Option<i64>| match clue {
        Some(clue) => char::from(CLUES.as_bytes()[clue as usize - 1]),
        None => '-',
    };
    let mut text = String::new();
    let inner: Vec<Option<BlackClues>> = grid.inner().into_iter().map(|cell| grid.cells[cell]).collect();
    for run in inner.chunk_by(|a, b| a.is_none() && b.is_none()) {
        match run[0] {
            Some(BlackClues { down: None, across: None }) => text.push('.'),
            Some(BlackClues { down, across }) => text.extend([show(down), show(across)]),
            None => {
                text.extend(std::iter::repeat_n('z', run.len() / 16));
                text.extend((run.len() % 16 > 0).then(|| char::from(b'k' - 1 + (run.len() % 16) as u8)));
            }
        }
    }
    let [columns, rows] = grid.heads();
    let clues = |cell: &usize| grid.cells[*cell].unwrap_or_default();
    text.extend(columns.iter().map(|cell| show(clues(cell).down)));
    text.extend(rows.iter().map(|cell| show(clues(cell).across)));
    Ok((GridSize { rows: grid.rows - 1, cols: grid.cols - 1, span: 0..0 }, text))
}

/// The clues of a puzzle in its black cells, where they are all of it.
fn layout(puzzle: &Puzzle) -> Result<BlackGrid, String> {
    let (rows, cols) = (puzzle.rows(), puzzle.cols());
    if !puzzle.digits().is_one_to(9) {
        return Err(format!("the digits {:?}, only 1 to 9", puzzle.digits().values()));
    }
    if !(2..=256).contains(&rows) || !(2..=256).contains(&cols) {
        return Err(format!("a grid of {rows} x {cols}, only 2 x 2 to 256 x 256"));
    }
    if (0..rows * cols).any(|cell| (cell < cols || cell.is_multiple_of(cols)) && !puzzle.is_black(cell)) {
        return Err("a white cell in the first row or column".to_owned());
    }
    let printed = PrintedClues::of(puzzle);
    let cells = (0..rows * cols).map(|cell| puzzle.is_black(cell).then(|| printed.cells[cell])).collect();
    let grid = BlackGrid { rows, cols, cells };
    let mut lines: Vec<&[usize]> = Vec::new();
    for (index, group) in puzzle.groups().iter().enumerate() {
        let clue = group.clue.map(|clue| clue.target);
        let is_plain = match group.role {
            Role::Entry => {
                clue.is_some_and(|sum| (1..=MOST).contains(&sum)) && !printed.unplaced.contains(&index)
            }
            Role::Group => clue.is_none(),
            _ => false,
        };
        if !is_plain || !group.distinct {
            return Err(format!("the {}", puzzle.group_name(group)));
        }
        lines.push(&group.cells);
    }
    sort_by(&mut lines, Ord::cmp);
    // Each run of two cells and more is one line of the puzzle: an entry, or digits that differ.
    let blacks = (0..rows * cols).filter(|cell| puzzle.is_black(*cell));
    let runs = blacks.flat_map(|cell| [grid.run(cell, cols), grid.run(cell, 1)]).filter(|run| run.len() > 1);
    let mut runs: Vec<Vec<usize>> = runs.collect();
    sort_by(&mut runs, Ord::cmp);
    lines.retain(|cells| cells.len() > 1);
    if lines != runs {
        return Err("white cells in a line without an entry, or further groups".to_owned());
    }
    Ok(grid)
}

/// Lines of one cell more than there are columns: numbers in the first line and column; inside them `.` for white cells and
/// `across,down` for black ones.
fn read_file(size: GridSize, lines: &[Vec<Word<'_>>], record: &str) -> Result<Puzzle, Fault> {
    let mut grid = BlackGrid::new(&size);
    let (words, _) = cells_of(lines, (grid.rows, grid.cols), "cells", record)?;
    for (cell, word) in words.iter().enumerate() {
        let sum = |word: &Word<'_>| Ok::<_, Fault>(Some(word.whole()?).filter(|sum| *sum > 0));
        let clues = match word.text.find(',') {
            Some(comma) => {
                let (across, down) = word.split_at(comma);
                BlackClues { down: sum(&down.split_at(1).1)?, across: sum(&across)? }
            }
            None if word.text == "." => continue,
            None if cell < grid.cols => BlackClues { down: sum(word)?, across: None },
            None if cell.is_multiple_of(grid.cols) => BlackClues { down: None, across: sum(word)? },
            None => return Err(word.unexpected("a cell: `.` white, `across,down` black")),
        };
        grid.cells[cell] = Some(clues);
    }
    grid.puzzle(0..record.trim_end().len())
}
