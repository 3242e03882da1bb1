//! `factors`: a square grid in regions, whose digits make the region's number as a product; a KenKen of products.
//!
//! The walls between horizontal neighbours come row by row, then those between vertical ones, row by row; each half
//! begins a new character. A character of base 32 has five of them, the first the highest bit, 1 for a wall. The numbers of
//! the regions follow, in the order of their first cells.

use super::super::super::operators::{self, GIVEN};
use super::super::super::{Cage, Kind, Puzzle, Square};
use super::super::cages::{CagePlaces, PlacedCages, Places, build, plain_cages};
use super::super::error::{Fault, Span};
use super::super::keen::cage_numbers;
use super::super::words::Word;
use super::file::{cells_of, wall};
use super::{GridSize, MOST, Variety, numbers, show_numbers};

pub(super) const VARIETY: Variety = Variety { name: "factors", kind: Kind::KenKen, read, write, read_file };

/// The inner edges: across by rows, and down by rows.
fn edges(size: usize) -> [Vec<(usize, usize)>; 2] {
    let cells = 0..size * size;
    let across = cells.clone().filter(|cell| (cell + 1) % size != 0).map(|cell| (cell, cell + 1));
    let down = cells.filter(|cell| cell + size < size * size).map(|cell| (cell, cell + size));
    [across.collect(), down.collect()]
}

fn read(size: GridSize, body: Word<'_>) -> Result<Puzzle, Fault> {
    let n = size.square()?;
    let mut rest = body;
    let mut open = Vec::new();
    for edges in edges(n) {
        let length = edges.len().div_ceil(5);
        if rest.text.len() < length || !rest.text.is_char_boundary(length) {
            return Err(rest.unexpected(format!("{length} characters of walls")));
        }
        let (walls, tail) = rest.split_at(length);
        let bits = bits(&walls)?;
        open.extend(edges.into_iter().zip(bits).filter(|(_, wall)| !wall).map(|(edge, _)| edge));
        rest = tail;
    }
    let owner = cage_numbers(n, open.into_iter());
    let count = owner.iter().max().map_or(0, |last| last + 1);
    let clues = numbers(rest, count)?;
    puzzle(n, &owner, &clues, &size.span, rest.span())
}

/// The bits of characters of base 32.
fn bits(text: &Word<'_>) -> Result<Vec<bool>, Fault> {
    let mut bits = Vec::new();
    for word in text.characters() {
        let value = u32::from_str_radix(word.text, 32).ok();
        let value = value.ok_or_else(|| word.unexpected("walls: digits and letters up to `v`"))?;
        bits.extend((0..5).rev().map(|bit| value >> bit & 1 == 1));
    }
    Ok(bits)
}

/// The puzzle of regions with their numbers.
fn puzzle(
    n: usize,
    owner: &[usize],
    clues: &[Option<i64>],
    size: &Span,
    span: Span,
) -> Result<Puzzle, Fault> {
    let times = operators::find("*").expect("the table has the product");
    let mut cages: PlacedCages = Vec::new();
    for (number, clue) in clues.iter().enumerate() {
        let cells: Vec<(usize, usize)> =
            (0..n * n).filter(|cell| owner[*cell] == number).map(|cell| (cell / n, cell % n)).collect();
        let target = clue.ok_or_else(|| {
            let found = format!("region {} without one", number + 1);
            Fault::unexpected("a number for every region", found, span.clone())
        })?;
        let [whole, operator, target_span] = [(); 3].map(|()| span.clone());
        let places = CagePlaces { whole, operator, target: target_span, cells: Vec::new() };
        let operator = if cells.len() == 1 { GIVEN } else { times };
        cages.push((Cage::new(operator, target, cells), places));
    }
    let places = Places { size: size.clone(), digits: size.clone(), end: span, naming: "" };
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
        cage.cells.iter().for_each(|cell| owner[*cell] = index);
        clues.push(Some(clue.target));
    }
    let walls = |edges: Vec<(usize, usize)>| {
        let bit = |edge: &(usize, usize)| u32::from(owner[edge.0] != owner[edge.1]);
        let value =
            |edges: &[(usize, usize)]| (0..5).fold(0, |value, at| value * 2 + edges.get(at).map_or(0, bit));
        let digit = |edges: &[(usize, usize)]| char::from_digit(value(edges), 32).expect("five bits");
        edges.chunks(5).map(digit).collect::<String>()
    };
    let size = GridSize { rows: n, cols: n, span: 0..0 };
    Ok((size, edges(n).map(walls).concat() + &show_numbers(&clues)))
}

/// Lines of walls to the right of cells, lines of walls below them, then lines of numbers, each in one cell of its region.
fn read_file(size: GridSize, lines: &[Vec<Word<'_>>], record: &str) -> Result<Puzzle, Fault> {
    let n = size.square()?;
    let (across, rest) = cells_of(lines, (n, n - 1), "walls", record)?;
    let (down, rest) = cells_of(rest, (n - 1, n), "walls", record)?;
    let (cells, _) = cells_of(rest, (n, n), "numbers", record)?;
    let mut open = Vec::new();
    for (edges, walls) in edges(n).into_iter().zip([across, down]) {
        for (edge, word) in edges.into_iter().zip(walls) {
            open.extend((!wall(&word)?).then_some(edge));
        }
    }
    let owner = cage_numbers(n, open.into_iter());
    let mut clues = vec![None; owner.iter().max().map_or(0, |last| last + 1)];
    for (cell, word) in cells.iter().enumerate().filter(|(_, word)| !matches!(word.text, "." | "-")) {
        if clues[owner[cell]].replace(word.whole()?).is_some() {
            return Err(word.unexpected("one number in each region"));
        }
    }
    let end = record.trim_end().len();
    puzzle(n, &owner, &clues, &size.span, end..end)
}
