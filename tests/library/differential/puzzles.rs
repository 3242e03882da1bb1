//! Random puzzles of every kind, most with a solution, some with a clue that spoils it.

use kenga::puzzle::operators::{self, Operator};
use kenga::puzzle::{Cage, Coloring, Entry, Futoshiki, Kakuro, Kind, Magic, Puzzle, Queens, Square};
use kenga::rng::{RunRng, StreamKey};

type Cell = (usize, usize);
type Solution = Vec<Vec<u8>>;

/// The random numbers of one puzzle.
pub fn rng(name: &str, index: u64) -> RunRng {
    StreamKey::run(1, name, index).rng()
}

/// Digits for a puzzle of this size: mostly 1 up, now and then 0 up, the primes, or some with gaps.
fn digits(size: usize, rng: &mut RunRng) -> Vec<u8> {
    let primes = [2, 3, 5, 7, 11, 13, 17, 19, 23];
    match rng.below(6) {
        0 => (0..size as u8).collect(),
        1 => primes[..size].to_vec(),
        2 => (0..size as u8).map(|rank| rank * 2 + rank / 3).collect(),
        _ => (1..=size as u8).collect(),
    }
}

/// A Latin square: a cyclic one with its rows, columns and digits shuffled.
fn square(digits: &[u8], rng: &mut RunRng) -> Solution {
    let size = digits.len();
    let (mut rows, mut columns): (Vec<usize>, Vec<usize>) = ((0..size).collect(), (0..size).collect());
    let mut symbols = digits.to_vec();
    rng.shuffle(&mut rows);
    rng.shuffle(&mut columns);
    rng.shuffle(&mut symbols);
    rows.iter().map(|row| columns.iter().map(|column| symbols[(row + column) % size]).collect()).collect()
}

/// A Sudoku square: each row a shift of the first, in an order that keeps boxes of `shape` sound.
fn boxed_square((high, wide): Cell, digits: &[u8], rng: &mut RunRng) -> Solution {
    let size = high * wide;
    let mut symbols = digits.to_vec();
    rng.shuffle(&mut symbols);
    let shift = |row: usize| row % high * wide + row / high;
    (0..size).map(|row| (0..size).map(|column| symbols[(shift(row) + column) % size]).collect()).collect()
}

/// A partition of the grid into connected cages of at most `most` cells.
fn layout(size: usize, most: usize, rng: &mut RunRng) -> Vec<Vec<Cell>> {
    let mut free: Vec<Cell> = (0..size * size).map(|cell| (cell / size, cell % size)).collect();
    let touches = |a: Cell, b: Cell| a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1;
    let mut shapes = Vec::new();
    while !free.is_empty() {
        let mut shape = vec![free.swap_remove(rng.below(free.len()))];
        for _ in 0..rng.below(most) {
            let near = |index: &usize| shape.iter().any(|cell| touches(*cell, free[*index]));
            let near: Vec<usize> = (0..free.len()).filter(near).collect();
            if !near.is_empty() {
                shape.push(free.swap_remove(near[rng.below(near.len())]));
            }
        }
        shapes.push(shape);
    }
    shapes
}

/// What an operator makes of digits, where it makes anything.
fn target(operator: Operator, digits: &[u8]) -> Option<i64> {
    let numbers: Vec<i64> = digits.iter().map(|digit| i64::from(*digit)).collect();
    let product = numbers.iter().try_fold(1_i64, |product, number| product.checked_mul(*number));
    let power = numbers[0].checked_pow(numbers[numbers.len() - 1] as u32);
    let large = [product, power].into_iter().flatten();
    (0..=300).chain(large).chain(301..=3000).find(|target| operator.holds(digits, *target))
}

/// A cage with a random operator whose target the square makes.
pub fn cage(cells: Vec<Cell>, square: &Solution, rng: &mut RunRng) -> Cage {
    let digits: Vec<u8> = cells.iter().map(|(row, column)| square[*row][*column]).collect();
    let all: Vec<Operator> = operators::TABLE.iter().collect();
    loop {
        let operator = all[rng.below(all.len())];
        let made = if operator.cells.contains(&cells.len()) { target(operator, &digits) } else { None };
        if let Some(target) = made {
            return Cage { repeats: rng.coin(0.9), ..Cage::new(operator, target, cells) };
        }
    }
}

/// Changes a clue: a little, to that of another, or beyond anything.
fn perturb(cages: &mut [Cage], rng: &mut RunRng) {
    let index = rng.below(cages.len());
    let other = cages[rng.below(cages.len())].target;
    let target = &mut cages[index].target;
    *target = match rng.below(8) {
        0 => i64::MAX,
        1 => 1 << 32 | *target,
        2 => 0,
        3 | 4 => other,
        5 => *target + 1,
        6 => (*target - 1).max(0),
        _ => target.saturating_mul(2),
    };
}

/// A KenKen of this size with cages of at most `most` cells, and a third of its digits printed.
pub fn half_solved(size: usize, most: usize, rng: &mut RunRng) -> Puzzle {
    let digits: Vec<u8> = (1..=size as u8).collect();
    let square = square(&digits, rng);
    let givens: Vec<(usize, u8)> = givens(&square, 0.3, rng)
        .into_iter()
        .map(|(row, column, digit)| (row * size + column, digit))
        .collect();
    let shapes = layout(size, most, rng);
    kenken_of(shapes, digits, &square, rng).with_givens(&givens)
}

/// A KenKen of this size with cages of at most `most` cells.
pub fn kenken(size: usize, most: usize, rng: &mut RunRng) -> Puzzle {
    let digits = digits(size, rng);
    let square = square(&digits, rng);
    let shapes = layout(size, most, rng);
    kenken_of(shapes, digits, &square, rng)
}

/// A KenKen over these cages.
pub fn kenken_of(shapes: Vec<Vec<Cell>>, digits: Vec<u8>, square: &Solution, rng: &mut RunRng) -> Puzzle {
    let mut cages: Vec<Cage> = shapes.into_iter().map(|shape| cage(shape, square, rng)).collect();
    if rng.coin(0.4) {
        perturb(&mut cages, rng);
    }
    Square { digits: Some(digits.clone()), ..Square::kenken(digits.len(), cages) }
        .build()
        .expect("a sound KenKen")
}

/// A KenKen of 1 to the size over these cages.
pub fn plain(shapes: Vec<Vec<Cell>>, size: usize, rng: &mut RunRng) -> Puzzle {
    let digits: Vec<u8> = (1..=size as u8).collect();
    let square = square(&digits, rng);
    kenken_of(shapes, digits, &square, rng)
}

/// Digits of a square printed in about `share` of the cells, one of them perhaps wrong.
fn givens(square: &Solution, share: f64, rng: &mut RunRng) -> Vec<(usize, usize, u8)> {
    let size = square.len();
    let mut givens = Vec::new();
    for (row, column) in (0..size * size).map(|cell| (cell / size, cell % size)) {
        if rng.coin(share) {
            givens.push((row, column, square[row][column]));
        }
    }
    if rng.coin(0.3) && !givens.is_empty() {
        let index = rng.below(givens.len());
        givens[index].2 = square[rng.below(size)][rng.below(size)];
    }
    givens
}

/// A Sudoku or, with cages, a Killer; with boxes of this shape.
pub fn sudoku(shape: Cell, killer: bool, rng: &mut RunRng) -> Puzzle {
    let size = shape.0 * shape.1;
    let digits = digits(size, rng);
    let square = boxed_square(shape, &digits, rng);
    let share = if killer { 0.1 } else { 0.3 + 0.2 * rng.unit() };
    let givens = givens(&square, share, rng);
    let sudoku = Square { digits: Some(digits), givens, ..Square::sudoku(size, shape) };
    if !killer {
        return sudoku.build().expect("a sound Sudoku");
    }
    let plus = operators::find("+").expect("a known operator");
    let sum = |cells: Vec<Cell>| {
        let target = cells.iter().map(|(row, column)| i64::from(square[*row][*column])).sum();
        Cage { repeats: false, ..Cage::new(plus, target, cells) }
    };
    let mut cages: Vec<Cage> = layout(size, 4, rng).into_iter().map(sum).collect();
    cages.retain(|_| rng.coin(0.9));
    if rng.coin(0.4) && !cages.is_empty() {
        perturb(&mut cages, rng);
    }
    Square { kind: Kind::Killer, cages, ..sudoku }.build().expect("a sound Killer")
}

/// A Latin square with some digits printed.
pub fn latin(size: usize, rng: &mut RunRng) -> Puzzle {
    let digits = digits(size, rng);
    let square = square(&digits, rng);
    let givens = givens(&square, 0.4, rng);
    let latin = Square { digits: Some(digits), givens, ..Square::latin(size) };
    latin.build().expect("a sound Latin square")
}

/// A random graph with about as many colours as it needs; now and then some vertices are coloured.
pub fn coloring(vertices: usize, rng: &mut RunRng) -> Puzzle {
    let density = [0.1, 0.3, 0.5, 0.9][rng.below(4)];
    let pairs = (0..vertices).flat_map(|high| (0..high).map(move |low| (low, high)));
    let edges: Vec<Cell> = pairs.filter(|_| rng.coin(density)).collect();
    let colors = (density * vertices as f64 / 2.5) as usize + 1 + rng.below(3);
    let (_, cols) = Coloring::shape(vertices);
    let given = |vertex: usize| (vertex / cols, vertex % cols, 1 + rng.below(colors) as u8);
    let first = [0, vertices / 2, vertices - 1];
    let givens = if vertices.is_multiple_of(4) { first.map(given).to_vec() } else { Vec::new() };
    Coloring { givens, ..Coloring::new(vertices, colors, edges) }.build().expect("a sound graph")
}

/// A Futoshiki with some signs and digits, one of them perhaps wrong.
pub fn futoshiki(size: usize, rng: &mut RunRng) -> Puzzle {
    let digits = digits(size, rng);
    let square = square(&digits, rng);
    let mut less = Vec::new();
    for (row, column) in (0..size * size).map(|cell| (cell / size, cell % size)) {
        for other in [(row, column + 1), (row + 1, column)] {
            if other.0 < size && other.1 < size && rng.coin(0.35) {
                let grows = square[row][column] < square[other.0][other.1];
                let pair = if grows { [(row, column), other] } else { [other, (row, column)] };
                less.push(if rng.coin(0.01) { [pair[1], pair[0]] } else { pair });
            }
        }
    }
    let givens = givens(&square, 0.15, rng);
    Futoshiki { digits: Some(digits), givens, ..Futoshiki::new(size, less) }
        .build()
        .expect("a sound Futoshiki")
}

/// A magic square of size 3 with some digits printed, most of them those of a solution.
pub fn magic(rng: &mut RunRng) -> Puzzle {
    let solution: Solution = vec![vec![2, 7, 6], vec![9, 5, 1], vec![4, 3, 8]];
    let givens = givens(&solution, 0.2, rng);
    Magic { givens, ..Magic::new(3) }.build().expect("a sound magic square")
}

/// Queens, one of them placed.
pub fn queens(size: usize, rng: &mut RunRng) -> Puzzle {
    let givens = vec![(0, rng.below(size), rng.below(size) as u8 + 1)];
    Queens { givens, ..Queens::new(size) }.build().expect("a sound board")
}

/// A Kakuro whose white cells are drawn, with a clue for every run of two or more.
pub fn kakuro(rows: usize, cols: usize, rng: &mut RunRng) -> Puzzle {
    let digits: Vec<u8> =
        if rng.coin(0.8) { (1..=9).collect() } else { (0..10).map(|rank| rank * 2).collect() };
    let square = square(&digits, rng);
    let white: Vec<bool> = (0..rows * cols).map(|_| rng.coin(0.7)).collect();
    let is_white = |(row, column): Cell| row < rows && column < cols && white[row * cols + column];
    let mut entries = Vec::new();
    for (row, column) in (0..rows * cols).map(|cell| (cell / cols, cell % cols)) {
        for (down, across) in [(1, 0), (0, 1)] {
            let behind = (row.wrapping_sub(down), column.wrapping_sub(across));
            let line = (0..).map(|step| (row + step * down, column + step * across));
            let cells: Vec<Cell> = line.take_while(|cell| is_white(*cell)).collect();
            if cells.len() > 1 && !is_white(behind) {
                let target = cells.iter().map(|(row, column)| i64::from(square[*row][*column])).sum();
                entries.push(Entry { target, cells });
            }
        }
    }
    if rng.coin(0.4) && !entries.is_empty() {
        let index = rng.below(entries.len());
        entries[index].target += 1 + rng.below(9) as i64;
    }
    let in_entry = |cell: &Cell| entries.iter().any(|entry| entry.cells.contains(cell));
    let printed = (0..rows * cols).map(|cell| (cell / cols, cell % cols)).filter(|_| rng.coin(0.15));
    let givens = printed.filter(in_entry).map(|(row, column)| (row, column, square[row][column])).collect();
    let kakuro = Kakuro { digits: Some(digits), givens, ..Kakuro::new((rows, cols), entries.clone()) };
    kakuro.build().expect("a sound Kakuro")
}
