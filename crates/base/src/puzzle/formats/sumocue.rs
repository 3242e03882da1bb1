//! Jigsaw Sudoku of SumoCue: `SumoCueV1=1J0=0J0=…`, row by row the digit of each cell, 0 where it is open, and its region.

use super::super::{Puzzle, indices};
use super::Format;
use super::cages::{check_square, regions};
use super::error::{Fault, Span};
use super::fpuzzles::LabelledGrid;
use super::words::Word;

pub(super) const FORMAT: Format = Format::new(
    "sumocue",
    "jigsaws of SumoCue, `SumoCueV1=1J0=0J0=…`, one per line: each cell its digit and its region",
    |text| text.trim_start().starts_with(HEAD),
    read,
)
.by_lines();

const HEAD: &str = "SumoCueV1";

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let whole = Word::of(record);
    let cells = whole.split_at_marks(&['=']);
    let size = (cells.len() - 1).isqrt().max(1);
    let mut grid = LabelledGrid::new(size, whole.span());
    let mut names = Vec::with_capacity(cells.len());
    for (index, cell) in cells[1..].iter().enumerate() {
        let mark = cell.text.find('J').unwrap_or(0);
        match cell.text[..mark].parse() {
            Ok(0) => {}
            Ok(digit) => grid.givens.push((index / size, index % size, digit)),
            Err(_) => {
                return Err(cell.unexpected("a digit, `J` and a region, as in `0J3`: cages are not read"));
            }
        }
        names.push(cell.after(mark + 1));
    }
    let rows: Vec<Vec<Word<'_>>> = names.chunks(size).map(<[Word<'_>]>::to_vec).collect();
    check_square(&rows, size, "cells", record)?;
    for region in regions(&rows) {
        if region.cells.len() != size {
            let expected = format!("{size} cells in region `{}`", region.name.text);
            return Err(Fault::unexpected(expected, region.cells.len().to_string(), region.name.span()));
        }
        grid.regions.push(indices(&region.cells, size));
    }
    Ok((grid.build()?, 0..0))
}
