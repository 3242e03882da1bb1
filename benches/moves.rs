//! Whole local searches, in moves a second: annealing on rows and on cages, and what tabu search scans.
//!
//! `cargo bench --bench moves`. Items are moves: differences computed, made or not.

use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;

use kenga::budget::Guard;
use kenga::experiment::{Config, ConfigDraft};
use kenga::fitness::Fitness;
use kenga::problem::Problem;
use kenga::rng::StreamKey;
use kenga::search::{self, Task};

const SIZES: [usize; 3] = [6, 9, 16];
const MOVES: u64 = 1_000_000;

fn main() {
    divan::main();
}

fn config(algorithm: &str) -> Config {
    let text = format!("budget = {{ moves = {MOVES} }}\nalgorithm = {{ {algorithm} }}");
    ConfigDraft::read("bench", &text).and_then(ConfigDraft::finish).expect("a sound configuration")
}

/// Runs on as many random streams as it takes to make a million moves: small puzzles are solved in fewer.
fn bench(bencher: Bencher, algorithm: &str, size: usize) {
    let (config, puzzle) = (config(algorithm), kenga_testing::kenken(size, 1));
    let fitness =
        Fitness::new(Problem::compile(&puzzle), config.weights, config.measure).expect("small weights");
    let fitness = Arc::new(fitness);
    let run = |seed: u64| {
        let key = StreamKey::run(seed, &puzzle.canonical_text(), 0);
        let (fitness, budget, guard) = (Arc::clone(&fitness), config.budget, Guard::default());
        let task = Task::new(fitness, key, budget, guard);
        search::run(&mut *config.recipe.start(&task).expect("the encoding fits"), &mut ())
    };
    let mut moves = 0;
    let streams: Vec<u64> = (1..)
        .take_while(|seed| {
            moves < MOVES && {
                moves += run(*seed).spent.moves;
                true
            }
        })
        .collect();
    bencher.counter(ItemsCount::new(moves)).bench_local(|| {
        streams.iter().for_each(|seed| {
            run(*seed);
        })
    });
}

#[divan::bench(args = SIZES)]
fn annealing_rows(bencher: Bencher, size: usize) {
    bench(bencher, "name = \"annealing\", encoding = \"rows\"", size);
}

#[divan::bench(args = SIZES)]
fn annealing_cages(bencher: Bencher, size: usize) {
    bench(bencher, "name = \"annealing\", encoding = \"cages\"", size);
}

#[divan::bench(args = SIZES)]
fn tabu_rows(bencher: Bencher, size: usize) {
    bench(bencher, "name = \"tabu\", encoding = \"rows\"", size);
}

#[divan::bench(args = SIZES)]
fn tabu_cages(bencher: Bencher, size: usize) {
    bench(bencher, "name = \"tabu\", encoding = \"cages\"", size);
}
