//! Genomes of an algorithm that is elsewhere, checked and evaluated in batches: `cargo bench --bench session`.
//!
//! This is what a function in Python waits for, without Python. Items are evaluations at 9x9.

use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use kenga::budget::{Budget, Guard};
use kenga::fitness::{CageMeasure, Fitness, Weights};
use kenga::problem::Problem;
use kenga::puzzle::formats;
use kenga::rng::StreamKey;
use kenga::search::Task;
use kenga::search::algorithms::Session;
use kenga::search::encodings::{AnyEncoding, Encoding, Rows, TupleEncoding};

const PUZZLE: &[u8] = include_bytes!("../puzzles/throughput-9x9.json");

fn main() {
    divan::main();
}

fn encoding(name: &str, fitness: &Arc<Fitness>) -> AnyEncoding {
    let fitness = Arc::clone(fitness);
    match name {
        "cells" => AnyEncoding::Tuples(TupleEncoding::of_cells(fitness, true)),
        "cages" => AnyEncoding::Tuples(TupleEncoding::of_cages(fitness)),
        _ => AnyEncoding::Rows(Rows::new(fitness).expect("it has lines")),
    }
}

/// A batch of starts of the encoding, in digits.
fn starts(encoding: &AnyEncoding, count: usize, key: &StreamKey) -> Vec<u8> {
    let (space, mut rng) = (encoding.space(), key.rng());
    let mut genomes = vec![0; count * space.genes()];
    for genome in genomes.chunks_exact_mut(space.genes()) {
        match encoding {
            AnyEncoding::Tuples(encoding) => encoding.init(genome, &mut rng),
            AnyEncoding::Rows(encoding) => encoding.init(genome, &mut rng),
        }
    }
    genomes.iter().map(|rank| space.problem().values()[usize::from(*rank)]).collect()
}

#[divan::bench(args = ["cells", "rows", "cages"], consts = [10, 1000])]
fn evaluations<const BATCH: usize>(bencher: Bencher, name: &str) {
    let puzzle = formats::read("9x9", PUZZLE).remove(0).expect("a sound puzzle");
    let fitness = Fitness::new(Problem::compile(&puzzle), Weights::ORIGINAL, CageMeasure::Binary);
    let fitness = Arc::new(fitness.expect("small weights"));
    let (encoding, key) = (encoding(name, &fitness), StreamKey::run(1, "", 0));
    let genomes = starts(&encoding, BATCH, &key);
    let task = Task::new(fitness, key, Budget::default(), Guard::default());
    let mut session = Session::new(encoding, None, &task);
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| {
        let answer = session.evaluate(&genomes, false).expect("genomes of the encoding");
        assert_eq!(answer.fitness.len(), BATCH);
    });
}
