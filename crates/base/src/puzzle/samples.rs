//! Random KenKens for tests and benches.

use super::operators::{self, Operator};
use super::{Cage, Position, Puzzle, Square, are_neighbours, indices, position};

/// A KenKen with random connected cages of up to `most` cells and random operators, whose targets a hidden Latin square
/// makes. `below(n)` draws from 0 to `n - 1`.
pub fn random_kenken(size: usize, most: usize, mut below: impl FnMut(usize) -> usize) -> Puzzle {
    let solution = latin_square(size, &mut below);
    let mut free: Vec<Position> = (0..size * size).map(|cell| position(cell, size)).collect();
    let mut cages = Vec::new();
    // Cages grow from a random free cell; one that is shut in stays small.
    while !free.is_empty() {
        let mut cells = vec![free.swap_remove(below(free.len()))];
        for _ in 0..below(most) {
            let mut neighbours = Vec::new();
            for (index, cell) in free.iter().enumerate() {
                if cells.iter().any(|other| are_neighbours(*other, *cell)) {
                    neighbours.push(index);
                }
            }
            if !neighbours.is_empty() {
                cells.push(free.swap_remove(neighbours[below(neighbours.len())]));
            }
        }
        cages.push(cage(&solution, size, cells, &mut below));
    }
    Square::kenken(size, cages).build().expect("random cages are sound")
}

/// A cage over these cells with a random operator that can make a small target of their digits.
fn cage(solution: &[u8], size: usize, cells: Vec<Position>, below: &mut dyn FnMut(usize) -> usize) -> Cage {
    let digits: Vec<u8> = indices(&cells, size).iter().map(|cell| solution[*cell]).collect();
    let mut fitting: Vec<(Operator, i64)> = Vec::new();
    for operator in operators::TABLE.iter() {
        if operator.cells.contains(&cells.len())
            && let Some(target) = (0..=5000).find(|target| operator.holds(&digits, *target))
        {
            fitting.push((operator, target));
        }
    }
    let (operator, target) = fitting[below(fitting.len())];
    Cage::new(operator, target, cells)
}

fn latin_square(size: usize, below: &mut dyn FnMut(usize) -> usize) -> Vec<u8> {
    let rows = shuffled(size, below);
    let columns = shuffled(size, below);
    let digits = shuffled(size, below);
    let mut square = Vec::with_capacity(size * size);
    for row in &rows {
        for column in &columns {
            square.push(digits[(row + column) % size] as u8 + 1);
        }
    }
    square
}

fn shuffled(size: usize, below: &mut dyn FnMut(usize) -> usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..size).collect();
    let mut last = size;
    while last > 1 {
        last -= 1;
        order.swap(last, below(last + 1));
    }
    order
}

/// A random KenKen with cages of up to five cells.
pub fn kenken(size: usize, below: impl FnMut(usize) -> usize) -> Puzzle {
    random_kenken(size, 5, below)
}

/// Every tuple of so many digits from 0 to 4.
pub fn tuples(width: u32) -> impl Iterator<Item = Vec<u8>> {
    (0..5u32.pow(width)).map(move |code| (0..width).map(|place| (code / 5u32.pow(place) % 5) as u8).collect())
}
