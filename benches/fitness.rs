//! What fitness costs: in full, on permutations, and by difference.
//!
//! `cargo bench --bench fitness`. Items are evaluations or moves; genomes and changes differ from call to call.

use divan::Bencher;
use divan::counter::ItemsCount;

use std::sync::Arc;

use kenga::fitness::{CageMeasure, Fitness, Guide, Invariants, Scratch, Tally, Weights};
use kenga::problem::Problem;
use kenga::rng::{RunRng, StreamKey};

const SIZES: [usize; 6] = [4, 6, 9, 12, 16, 25];
/// Genomes, or changes, a call of the benched function.
const BATCH: usize = 64;

fn main() {
    divan::main();
}

fn rng() -> RunRng {
    StreamKey::run(1, "bench", 0).rng()
}

fn fitness(size: usize, measure: CageMeasure) -> Fitness {
    let problem = Problem::compile(&kenga_testing::kenken(size, 1));
    Fitness::new(problem, Weights::ORIGINAL, measure).expect("small weights")
}

/// Genomes whose lines are permutations.
fn genomes(size: usize) -> Vec<Vec<u8>> {
    let mut rng = rng();
    let mut genome = || {
        let mut genome: Vec<u8> = (0..size * size).map(|cell| (cell % size) as u8).collect();
        genome.chunks_mut(size).for_each(|line| rng.shuffle(line));
        genome
    };
    (0..BATCH).map(|_| genome()).collect()
}

fn full(bencher: Bencher, size: usize, measure: CageMeasure, evaluate: fn(&Fitness, &[u8]) -> u32) {
    let (fitness, genomes) = (fitness(size, measure), genomes(size));
    bencher
        .counter(ItemsCount::new(BATCH))
        .bench(|| genomes.iter().map(|genome| evaluate(&fitness, genome)).sum::<u32>());
}

#[divan::bench(args = SIZES)]
fn evaluate_binary(bencher: Bencher, size: usize) {
    full(bencher, size, CageMeasure::Binary, Fitness::evaluate);
}

#[divan::bench(args = SIZES)]
fn evaluate_gap(bencher: Bencher, size: usize) {
    full(bencher, size, CageMeasure::Gap, Fitness::evaluate);
}

/// Many at a time.
fn each(bencher: Bencher, size: usize, measure: CageMeasure) {
    let (fitness, genomes) = (fitness(size, measure), genomes(size).concat());
    let (mut values, mut scratch) = ([0; BATCH], Scratch::default());
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| {
        fitness.evaluate_each(&genomes, &mut values, &mut scratch);
        values
    });
}

#[divan::bench(args = SIZES)]
fn evaluate_each_binary(bencher: Bencher, size: usize) {
    each(bencher, size, CageMeasure::Binary);
}

#[divan::bench(args = SIZES)]
fn evaluate_each_gap(bencher: Bencher, size: usize) {
    each(bencher, size, CageMeasure::Gap);
}

#[divan::bench(args = SIZES)]
fn evaluate_permuted_binary(bencher: Bencher, size: usize) {
    full(bencher, size, CageMeasure::Binary, Fitness::evaluate_permuted);
}

#[divan::bench(args = SIZES)]
fn evaluate_permuted_gap(bencher: Bencher, size: usize) {
    full(bencher, size, CageMeasure::Gap, Fitness::evaluate_permuted);
}

/// Moves on one genome: `difference` gets the tally, a cell, another cell, and a digit.
fn moves(bencher: Bencher, size: usize, difference: fn(&Tally, usize, usize, u8) -> i64) {
    let (fitness, mut rng) = (Arc::new(fitness(size, CageMeasure::Binary)), rng());
    let invariants = Invariants::none(fitness.problem());
    let mut tally = Tally::new(fitness, Guide::PLAIN, &invariants);
    tally.place(&genomes(size)[0]);
    let cells = size * size;
    let mut change = || (rng.pair(cells), rng.below(size) as u8);
    let changes: Vec<((usize, usize), u8)> = (0..BATCH).map(|_| change()).collect();
    let sum = || {
        let one =
            |((first, second), digit): &((usize, usize), u8)| difference(&tally, *first, *second, *digit);
        changes.iter().map(one).sum::<i64>()
    };
    bencher.counter(ItemsCount::new(BATCH)).bench(sum);
}

#[divan::bench(args = SIZES)]
fn change(bencher: Bencher, size: usize) {
    moves(bencher, size, |tally, first, _, digit| tally.change(first, digit));
}

#[divan::bench(args = SIZES)]
fn swap(bencher: Bencher, size: usize) {
    moves(bencher, size, |tally, first, second, _| tally.swap(first, second));
}
