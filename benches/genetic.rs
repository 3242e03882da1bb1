//! The whole loop of the genetic algorithm, in evaluations a second: the preset `pyevolve` on cells, and the islands of
//! `configs/ga.toml` on rows.
//!
//! `cargo bench --bench genetic`. Items are evaluations.

use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;

use kenga::budget::{Budget, Guard};
use kenga::experiment::{Config, ConfigDraft};
use kenga::fitness::Fitness;
use kenga::problem::Problem;
use kenga::rng::StreamKey;
use kenga::search::{self, Task};

const EVALUATIONS: u64 = 40_000;

fn main() {
    divan::main();
}

fn config(text: &str) -> Config {
    ConfigDraft::read("bench", text).and_then(ConfigDraft::finish).expect("a sound configuration")
}

fn bench(bencher: Bencher, config: &Config, size: usize) {
    let puzzle = kenga_testing::kenken(size, 1);
    let fitness =
        Fitness::new(Problem::compile(&puzzle), config.weights, config.measure).expect("small weights");
    let budget = Budget { evaluations: Some(EVALUATIONS), ..Budget::default() };
    let key = StreamKey::run(1, &puzzle.canonical_text(), 0);
    let task = Task::new(Arc::new(fitness), key, budget, Guard::default());
    bencher.counter(ItemsCount::new(EVALUATIONS)).bench_local(|| {
        let mut algorithm = config.recipe.start(&task).expect("the encoding fits");
        search::run(&mut *algorithm, &mut ())
    });
}

#[divan::bench(args = [4, 6, 9, 16])]
fn pyevolve(bencher: Bencher, size: usize) {
    bench(bencher, &config("preset = \"pyevolve\""), size);
}

#[divan::bench(args = [4, 6, 9, 16])]
fn islands(bencher: Bencher, size: usize) {
    bench(bencher, &config(include_str!("../configs/ga.toml")), size);
}
