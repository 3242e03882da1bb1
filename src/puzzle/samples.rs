//! Random puzzles for tests.

use super::operators::{self, Operator, TABLE};
use super::{Cage, Puzzle, Square};

/// A KenKen with random connected cages of up to five cells and random operators, whose targets a hidden Latin square
/// makes. `below(n)` draws from 0 to `n - 1`.
pub(crate) fn kenken(size: usize, mut below: impl FnMut(usize) -> usize) -> Puzzle {
    let grid = latin_square(size, &mut below);
    let mut free: Vec<(usize, usize)> = (0..size * size).map(|cell| (cell / size, cell % size)).collect();
    let mut cages = Vec::new();
    while !free.is_empty() {
        let mut cells = vec![free.swap_remove(below(free.len()))];
        for _ in 0..below(5) {
            let near = |cell: &(usize, usize)| {
                cells.iter().any(|c| c.0.abs_diff(cell.0) + c.1.abs_diff(cell.1) == 1)
            };
            let neighbours: Vec<usize> = (0..free.len()).filter(|index| near(&free[*index])).collect();
            if !neighbours.is_empty() {
                cells.push(free.swap_remove(neighbours[below(neighbours.len())]));
            }
        }
        let digits: Vec<u8> = cells.iter().map(|(row, column)| grid[row * size + column]).collect();
        let operator = TABLE[below(TABLE.len())];
        cages.push(clue_for(operator, &digits, cells));
    }
    Square::kenken(size, cages).build().expect("random cages are sound")
}

fn clue_for(operator: Operator, digits: &[u8], cells: Vec<(usize, usize)>) -> Cage {
    let sum = || operators::find("+").expect("a known operator");
    let fits = operator.cells.contains(&digits.len());
    let operator = if fits { operator } else { sum() };
    match (0..=10_000).find(|target| operator.holds(digits, *target)) {
        Some(target) => Cage::new(operator, target, cells),
        None => Cage::new(sum(), digits.iter().map(|digit| i64::from(*digit)).sum(), cells),
    }
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
