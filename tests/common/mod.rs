//! Puzzles for tests and benches.

use kenga::puzzle::operators::{self, Operator};
use kenga::puzzle::{Cage, Puzzle, Square};
use kenga::rng::{RunRng, StreamKey};

type Cell = (usize, usize);

/// A KenKen with random connected cages of up to four cells, whose targets a hidden Latin square makes.
pub fn kenken(size: usize, seed: u64) -> Puzzle {
    let mut rng = StreamKey::run(seed, "test puzzle", size as u64).rng();
    let solution = latin_square(size, &mut rng);
    let mut free: Vec<Cell> = (0..size * size).map(|cell| (cell / size, cell % size)).collect();
    let mut cages = Vec::new();
    while !free.is_empty() {
        let mut cells = vec![free.swap_remove(rng.below(free.len()))];
        for _ in 0..rng.below(4) {
            let neighbours: Vec<usize> =
                (0..free.len()).filter(|index| touches(&cells, free[*index])).collect();
            if !neighbours.is_empty() {
                cells.push(free.swap_remove(neighbours[rng.below(neighbours.len())]));
            }
        }
        cages.push(cage(&solution, size, cells, &mut rng));
    }
    Square::kenken(size, cages).build().expect("random cages are sound")
}

fn touches(cells: &[Cell], other: Cell) -> bool {
    cells.iter().any(|cell| cell.0.abs_diff(other.0) + cell.1.abs_diff(other.1) == 1)
}

/// A cage over these cells with a random operator that can make a small target of their digits.
fn cage(solution: &[u8], size: usize, cells: Vec<Cell>, rng: &mut RunRng) -> Cage {
    let digits: Vec<u8> = cells.iter().map(|(row, column)| solution[row * size + column]).collect();
    let target = |operator: &Operator| (0..=5000).find(|target| operator.holds(&digits, *target));
    let fits = |operator: &&Operator| operator.cells.contains(&cells.len()) && target(operator).is_some();
    let fitting: Vec<Operator> = operators::TABLE.iter().filter(fits).copied().collect();
    let operator = fitting[rng.below(fitting.len())];
    Cage::new(operator, target(&operator).expect("it fits"), cells)
}

fn latin_square(size: usize, rng: &mut RunRng) -> Vec<u8> {
    let mut shuffled = || {
        let mut order: Vec<usize> = (0..size).collect();
        rng.shuffle(&mut order);
        order
    };
    let (rows, columns, digits) = (shuffled(), shuffled(), shuffled());
    let digit = |cell: usize| digits[(rows[cell / size] + columns[cell % size]) % size] as u8 + 1;
    (0..size * size).map(digit).collect()
}
