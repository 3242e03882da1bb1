//! Random KenKens for tests and benches.

use super::operators::{self, Operator};
use super::{Cage, Puzzle, Square};

type Cell = (usize, usize);

/// A KenKen with random connected cages of up to `most` cells and random operators, whose targets a hidden Latin square
/// makes. `below(n)` draws from 0 to `n - 1`.
pub fn random_kenken(size: usize, most: usize, mut below: impl FnMut(usize) -> usize) -> Puzzle {
    let solution = latin_square(size, &mut below);
    let mut free: Vec<Cell> = (0..size * size).map(|cell| (cell / size, cell % size)).collect();
    let mut cages = Vec::new();
    while !free.is_empty() {
        let mut cells = vec![free.swap_remove(below(free.len()))];
        for _ in 0..below(most) {
            let neighbours: Vec<usize> =
                (0..free.len()).filter(|index| touches(&cells, free[*index])).collect();
            if !neighbours.is_empty() {
                cells.push(free.swap_remove(neighbours[below(neighbours.len())]));
            }
        }
        cages.push(cage(&solution, size, cells, &mut below));
    }
    Square::kenken(size, cages).build().expect("random cages are sound")
}

fn touches(cells: &[Cell], other: Cell) -> bool {
    cells.iter().any(|cell| cell.0.abs_diff(other.0) + cell.1.abs_diff(other.1) == 1)
}

/// A cage over these cells with a random operator that can make a small target of their digits.
fn cage(solution: &[u8], size: usize, cells: Vec<Cell>, below: &mut impl FnMut(usize) -> usize) -> Cage {
    let digits: Vec<u8> = cells.iter().map(|(row, column)| solution[row * size + column]).collect();
    let target = |operator: &Operator| (0..=5000).find(|target| operator.holds(&digits, *target));
    let fits = |operator: &Operator| operator.cells.contains(&cells.len()) && target(operator).is_some();
    let fitting: Vec<Operator> = operators::TABLE.iter().filter(fits).collect();
    let operator = fitting[below(fitting.len())];
    Cage::new(operator, target(&operator).expect("it fits"), cells)
}

fn latin_square(size: usize, below: &mut impl FnMut(usize) -> usize) -> Vec<u8> {
    let mut shuffled = || {
        let mut order: Vec<usize> = (0..size).collect();
        (1..size).rev().for_each(|last| order.swap(last, below(last + 1)));
        order
    };
    let (rows, columns, digits) = (shuffled(), shuffled(), shuffled());
    let digit = |cell: usize| digits[(rows[cell / size] + columns[cell % size]) % size] as u8 + 1;
    (0..size * size).map(digit).collect()
}

/// A random KenKen with cages of up to five cells.
pub fn kenken(size: usize, below: impl FnMut(usize) -> usize) -> Puzzle {
    random_kenken(size, 5, below)
}

/// Every tuple of so many digits from 0 to 4.
pub fn tuples(width: u32) -> impl Iterator<Item = Vec<u8>> {
    (0..5u32.pow(width)).map(move |code| (0..width).map(|place| (code / 5u32.pow(place) % 5) as u8).collect())
}
