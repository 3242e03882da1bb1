//! Killer and jigsaw Sudoku of SumoCue: `SumoCueV1`, `D` where the diagonals count too, and row by row an entry for each cell.
//! `=5` begins a cage with the sum 5, 0 where there is none; `+7` belongs to the cage that began in cell 7, from 0. A cage of one
//! cell is a given. `J3` behind every entry is the region of a jigsaw, which takes the place of the boxes.
//!
//! Source: the description by the program's author, <http://www.sudocue.net/forum/viewtopic.php?f=1&t=519>.

use super::super::square::{box_of, diagonals, usual_boxes};
use super::super::{Group, Puzzle, Role, indices};
use super::Format;
use super::cages::{check_square, regions};
use super::error::{Fault, Span};
use super::fpuzzles::{LabelledCage, LabelledGrid};
use super::words::{Word, digits_at_start};

pub(super) const FORMAT: Format = Format::new(
    "sumocue",
    "Killers and jigsaws of SumoCue, one per line: `SumoCueV1=5+0=0…`, `SumoCueV1=1J0=0J0=…`",
    |text| text.trim_start().starts_with(HEAD),
    read,
)
.by_lines();

const HEAD: &str = "SumoCueV1";

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let whole = Word::of(record);
    let entries = whole.split_at_marks(&['=', '+']);
    let (head, cells) = (entries[0], &entries[1..]);
    let size = cells.len().isqrt().max(1);
    let mut grid = LabelledGrid::new(size, whole.span());
    let is_jigsaw = whole.text.contains('J');
    let mut names = Vec::with_capacity(cells.len());
    // The sum of the cage that begins in each cell, and its cells.
    let mut cages: Vec<(i64, Vec<usize>)> = vec![(0, Vec::new()); cells.len()];
    for (index, cell) in cells.iter().enumerate() {
        let (number, region) = cell.split_at(digits_at_start(cell.text));
        let is_sound = if is_jigsaw { region.text.starts_with('J') } else { region.text.is_empty() };
        let number = number.text.parse().ok().filter(|_| is_sound);
        let number: i64 = number
            .ok_or_else(|| cell.unexpected("a number, and in a jigsaw `J` and a region, as in `0J3`"))?;
        if record[..cell.start].ends_with('+') {
            let cage =
                usize::try_from(number).ok().and_then(|first| cages.get_mut(first)).filter(|cage| cage.0 > 0);
            let cage =
                cage.ok_or_else(|| cell.unexpected("a cell, from 0, in which a cage with a sum has begun"))?;
            cage.1.push(index);
        } else {
            cages[index] = (number, vec![index]);
        }
        names.push(if is_jigsaw { region.after(1) } else { *cell });
    }
    let rows: Vec<Vec<Word<'_>>> = names.chunks(size).map(<[Word<'_>]>::to_vec).collect();
    if cells.len() != size * size {
        let expected = "a square number of cells".to_owned();
        return Err(Fault::unexpected(expected, cells.len().to_string(), whole.span()));
    }
    check_square(&rows, size, "cells", record)?;
    for (first, (sum, members)) in cages.into_iter().enumerate().filter(|(_, cage)| cage.0 > 0) {
        match u8::try_from(sum) {
            Ok(digit) if members.len() == 1 => grid.givens.push((first / size, first % size, digit)),
            _ => {
                let spans = members.iter().map(|cell| cells[*cell].span()).collect();
                grid.cages.push(LabelledCage::with_sum(sum, members, spans));
            }
        }
    }
    if head.text.ends_with('D') {
        grid.groups.extend(diagonals(size).map(|cells| Group::all_different(Role::Region, cells)));
    }
    if !is_jigsaw {
        let boxes = usual_boxes(size).unwrap_or((1, size));
        grid.regions = vec![Vec::new(); size];
        for cell in 0..size * size {
            grid.regions[box_of(size, boxes, cell)].push(cell);
        }
        return Ok((grid.build()?, 0..0));
    }
    for region in regions(&rows) {
        if region.cells.len() != size {
            let expected = format!("{size} cells in region `{}`", region.name.text);
            return Err(Fault::unexpected(expected, region.cells.len().to_string(), region.name.span()));
        }
        grid.regions.push(indices(&region.cells, size));
    }
    Ok((grid.build()?, 0..0))
}
