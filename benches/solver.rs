//! The exact solver on fixed puzzles of growing size: `cargo bench --bench solver`.
//!
//! Puzzles up to 16x16 are random partitions of a random Latin square from a fixed seed, so every run times the same
//! work; the 25x25 is a file, with small cages and several solutions. `learning` is another file, a 12x12 on which the
//! plain search gives up.

use divan::{Bencher, black_box};
use kenga::budget::Interrupt;
use kenga::problem::Problem;
use kenga::puzzle::operators::{self, Operator};
use kenga::puzzle::{Cage, Puzzle, Square, formats};
use kenga::rng::{RunRng, StreamKey};
use kenga::solver::{Limits, propagate, solve};

const SIZES: [usize; 6] = [4, 6, 9, 12, 16, 25];

const LARGEST: &str = include_str!("../puzzles/large-25x25.json");

const HARD: &str = include_str!("../puzzles/hard-12x12.json");

/// Conflicts after which the solver learns.
const PATIENCE: u64 = 2000;

fn main() {
    divan::main();
}

fn square(n: usize, rng: &mut RunRng) -> Vec<Vec<u8>> {
    let (mut rows, mut columns): (Vec<usize>, Vec<usize>) = ((0..n).collect(), (0..n).collect());
    rng.shuffle(&mut rows);
    rng.shuffle(&mut columns);
    let digit = |row: usize, column: usize| ((row + column) % n) as u8 + 1;
    rows.iter().map(|row| columns.iter().map(|column| digit(*row, *column)).collect()).collect()
}

/// Dominoes and pairs of dominoes: cages of two to four cells along the rows.
fn shapes(n: usize, rng: &mut RunRng) -> Vec<Vec<(usize, usize)>> {
    let mut shapes = Vec::new();
    for row in 0..n {
        let mut column = 0;
        while column < n {
            let width = (1 + rng.below(2)).min(n - column);
            let from_above = row > 0 && column > 0 && rng.coin(0.6);
            let cells = (column..column + width).map(|column| (row, column));
            match shapes.iter_mut().find(|shape: &&mut Vec<(usize, usize)>| {
                from_above && shape.len() < 3 && shape.contains(&(row - 1, column))
            }) {
                Some(shape) => shape.extend(cells),
                None => shapes.push(cells.collect()),
            }
            column += width;
        }
    }
    shapes
}

fn operator(values: &[u8], rng: &mut RunRng) -> (Operator, i64) {
    let symbols: &[&str] = if values.len() == 2 { &["+", "*", "-", "/"] } else { &["+", "*"] };
    loop {
        let operator = operators::find(symbols[rng.below(symbols.len())]).expect("a known operator");
        if let Some(target) = (0..100_000).find(|target| operator.holds(values, *target)) {
            return (operator, target);
        }
    }
}

fn read(text: &str) -> Puzzle {
    formats::read("bench", text.as_bytes()).remove(0).expect("a sound puzzle")
}

fn puzzle(n: usize) -> Puzzle {
    if n == 25 {
        return read(LARGEST);
    }
    let mut rng = StreamKey::run(1, "bench", n as u64).rng();
    let square = square(n, &mut rng);
    let cage = |cells: Vec<(usize, usize)>, rng: &mut RunRng| {
        let values: Vec<u8> = cells.iter().map(|&(row, column)| square[row][column]).collect();
        let (operator, target) = operator(&values, rng);
        Cage::new(operator, target, cells)
    };
    let cages = shapes(n, &mut rng).into_iter().map(|cells| cage(cells, &mut rng)).collect();
    Square::kenken(n, cages).build().expect("a sound puzzle")
}

/// Groups into flat arrays.
#[divan::bench(args = SIZES)]
fn compile(bencher: Bencher<'_, '_>, n: usize) {
    let puzzle = puzzle(n);
    bencher.bench(|| Problem::compile(black_box(&puzzle)));
}

/// Tables and the first fixpoint.
#[divan::bench(args = SIZES)]
fn root(bencher: Bencher<'_, '_>, n: usize) {
    let problem = Problem::compile(&puzzle(n));
    bencher.bench(|| propagate(black_box(&problem)));
}

fn search(bencher: Bencher<'_, '_>, n: usize, solutions: u64) {
    let problem = Problem::compile(&puzzle(n));
    let limits = Limits { solutions, nodes: Some(20_000), ..Limits::default() };
    bencher.bench(|| solve(black_box(&problem), &limits, &Interrupt::default(), &mut |_| ()));
}

/// A solution, and whether it is the only one.
#[divan::bench(args = SIZES)]
fn proof(bencher: Bencher<'_, '_>, n: usize) {
    search(bencher, n, 2);
}

/// Up to a thousand solutions.
#[divan::bench(args = SIZES)]
fn count(bencher: Bencher<'_, '_>, n: usize) {
    search(bencher, n, 1000);
}

/// Clause learning, with the conflicts before it begins.
#[divan::bench(sample_count = 20)]
fn learning(bencher: Bencher<'_, '_>) {
    let problem = Problem::compile(&read(HARD));
    let solve = || solve(black_box(&problem), &Limits::default(), &Interrupt::default(), &mut |_| ());
    assert!(solve().failures > PATIENCE, "the plain search does not solve it");
    bencher.bench(solve);
}
