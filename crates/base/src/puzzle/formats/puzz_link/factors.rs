//! `factors`: a square grid in regions, whose digits make the region's number as a product; a KenKen of products.
//!
//! The walls between horizontal neighbours come row by row, then those between vertical ones, row by row; each half
//! begins a new character. A character of base 32 has five of them, the first the highest bit, 1 for a wall. The numbers of
//! the regions follow, in the order of their first cells.

use super::super::super::operators::{GIVEN, MULTIPLY};
use super::super::super::{Cage, Kind, Puzzle, Square, positions};
use super::super::cages::{CagePlaces, PlacedCage, Places, build, cage_cells, cage_numbers};
use super::super::contents::plain_cages;
use super::super::error::{Fault, Span};
use super::super::words::Word;
use super::file::{cells_of, wall};
use super::{GridSize, MOST, Variety, numbers, show_numbers};

pub(super) const VARIETY: Variety = Variety { name: "factors", kind: Kind::KenKen, read, write, read_file };

/// An inner edge: the cells on its sides.
type Edge = (usize, usize);

/// The inner edges: across by rows, and down by rows.
fn edges(size: usize) -> [Vec<Edge>; 2] {
    let (mut across, mut down) = (Vec::new(), Vec::new());
    for cell in 0..size * size {
        if !(cell + 1).is_multiple_of(size) {
            across.push((cell, cell + 1));
        }
        if cell + size < size * size {
            down.push((cell, cell + size));
        }
    }
    [across, down]
}

fn read(size: GridSize, body: Word<'_>) -> Result<Puzzle, Fault> {
    let n = size.square()?;
    let mut rest = body;
    let mut open = Vec::new();
    for edges in edges(n) {
        // Each half begins a new character.
        let length = edges.len().div_ceil(5);
        if !rest.text.is_char_boundary(length) {
            return Err(rest.unexpected(format!("{length} characters of walls")));
        }
        let (walls, tail) = rest.split_at(length);
        let bits = bits(&walls)?;
        for (edge, is_wall) in edges.into_iter().zip(bits) {
            if !is_wall {
                open.push(edge);
            }
        }
        rest = tail;
    }
    let regions = cage_cells(&cage_numbers(n, &open));
    let clues = numbers(rest, regions.len())?;
    puzzle(n, &regions, &clues, size.span, rest.span())
}

/// The bits of characters of base 32.
fn bits(text: &Word<'_>) -> Result<Vec<bool>, Fault> {
    let mut bits = Vec::new();
    for word in text.characters() {
        let Ok(value) = u32::from_str_radix(word.text, 32) else {
            return Err(word.unexpected("walls: digits and letters up to `v`"));
        };
        for bit in [4, 3, 2, 1, 0] {
            bits.push(value >> bit & 1 == 1);
        }
    }
    Ok(bits)
}

/// The puzzle of regions with their numbers.
fn puzzle(
    n: usize,
    regions: &[Vec<usize>],
    clues: &[Option<i64>],
    size: Span,
    span: Span,
) -> Result<Puzzle, Fault> {
    let mut cages = Vec::with_capacity(regions.len());
    for (index, (cells, clue)) in regions.iter().zip(clues).enumerate() {
        let Some(target) = *clue else {
            let found = format!("region {} without one", index + 1);
            return Err(Fault::unexpected("a number for every region", found, span));
        };
        let operator = if cells.len() == 1 { GIVEN } else { MULTIPLY };
        let cage = Cage::new(operator, target, positions(cells, n));
        cages.push(PlacedCage { cage, places: CagePlaces::at(&span, Vec::new()) });
    }
    let places = Places { end: span, ..Places::at(size, "") };
    build(Square::kenken(n, Vec::new()), cages, &places)
}

fn write(puzzle: &Puzzle) -> Result<(GridSize, String), String> {
    let cages = plain_cages(puzzle, super::FORMAT.name).map_err(|error| error.what)?;
    let n = puzzle.rows();
    let mut owner = vec![0; n * n];
    let mut clues = Vec::new();
    for (index, (cage, clue)) in cages.iter().enumerate() {
        if cage.cells.len() > 1 && clue.operator.symbol != "*" {
            return Err(format!("{}, only products", puzzle.group_name(cage)));
        }
        if clue.target > MOST {
            return Err(format!("{}, only numbers up to {MOST}", puzzle.group_name(cage)));
        }
        for &cell in &cage.cells {
            owner[cell] = index;
        }
        clues.push(Some(clue.target));
    }
    let mut text = String::new();
    for edges in edges(n) {
        for five in edges.chunks(5) {
            let mut value = 0;
            for (place, (a, b)) in five.iter().enumerate() {
                if owner[*a] != owner[*b] {
                    // The first of five edges is the highest bit.
                    value |= 1 << (4 - place);
                }
            }
            text.push(char::from_digit(value, 32).expect("five bits"));
        }
    }
    Ok((GridSize { rows: n, cols: n, span: 0..0 }, text + &show_numbers(&clues)))
}

/// Lines of walls to the right of cells, lines of walls below them, then lines of numbers, each in one cell of its region.
fn read_file(size: GridSize, lines: &[Vec<Word<'_>>], record: &str) -> Result<Puzzle, Fault> {
    let n = size.square()?;
    let (across, rest) = cells_of(lines, (n, n - 1), "walls", record)?;
    let (down, rest) = cells_of(rest, (n - 1, n), "walls", record)?;
    let (cells, _) = cells_of(rest, (n, n), "numbers", record)?;
    let mut open = Vec::new();
    for (edge, word) in edges(n).concat().into_iter().zip([across, down].concat()) {
        if !wall(&word)? {
            open.push(edge);
        }
    }
    let owner = cage_numbers(n, &open);
    let regions = cage_cells(&owner);
    let mut clues = vec![None; regions.len()];
    for (cell, word) in cells.iter().enumerate() {
        if matches!(word.text, "." | "-") {
            continue;
        }
        if clues[owner[cell]].replace(word.whole()?).is_some() {
            return Err(word.unexpected("one number in each region"));
        }
    }
    let end = record.trim_end().len();
    puzzle(n, &regions, &clues, size.span, end..end)
}
