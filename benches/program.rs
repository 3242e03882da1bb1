//! Evaluations a second through the pipe of a program: `cargo bench --bench program`.
//!
//! The bench starts itself as the program, which sends one and the same batch again and again and does nothing else, so that
//! what is measured is kenga's side and the pipe.

use std::env;
use std::io::{self, BufRead, Write};
use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use kenga::budget::{Budget, Guard};
use kenga::fitness::{CageMeasure, Fitness, Weights};
use kenga::problem::Problem;
use kenga::puzzle::formats;
use kenga::rng::StreamKey;
use kenga::search::algorithms::{ALGORITHMS, recipe};
use kenga::search::{Task, run};
use kenga::spec::{Catalog, Named, Place, Spec, Value};

/// The first puzzle of this sample with nine rows is run.
const PUZZLES: &[u8] = include_bytes!("../puzzles/keen-sample.jsonl");

const EVALUATIONS: u64 = 200_000;

/// Tells the bench that it is the program; its value is the size of the batch and the form of genomes.
const PROGRAM: &str = "KENGA_BENCH_PROGRAM";

fn main() {
    match env::args().nth(1).filter(|_| env::args().len() == 4) {
        Some(word) if word == PROGRAM => serve(),
        _ => divan::main(),
    }
}

/// The program: argument 2 is the size of a batch, argument 3 the form of a genome.
fn serve() {
    let argument = |index| env::args().nth(index).expect("an argument");
    let batch: usize = argument(2).parse().expect("a number");
    let digits: Vec<String> = (0..81).map(|gene| (gene % 9 + 1).to_string()).collect();
    let genome = match argument(3).as_str() {
        "list" => format!("[{}]", digits.join(",")),
        _ => format!("\"{}\"", digits.concat()),
    };
    let request = format!("{{\"evaluate\":[{}]}}\n", vec![genome; batch].join(","));
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = String::new();
    while input.read_line(&mut line).is_ok_and(|bytes| bytes > 0) && !line.contains("\"done\"") {
        output.write_all(request.as_bytes()).and_then(|()| output.flush()).expect("kenga reads");
        line.clear();
    }
}

#[divan::bench(args = [("list", 1), ("list", 100), ("text", 100), ("text", 1000)], sample_count = 5)]
fn evaluations(bencher: Bencher, (form, batch): (&str, usize)) {
    let puzzles = formats::read("keen", PUZZLES).into_iter().map(|puzzle| puzzle.expect("a sound puzzle"));
    let puzzle = puzzles.into_iter().find(|puzzle| puzzle.rows() == 9).expect("a 9x9");
    let problem = Problem::compile(&puzzle);
    let fitness = Fitness::new(problem, Weights::ORIGINAL, CageMeasure::Binary).expect("small weights");
    let text = |text: &str| Value::Text(text.to_owned());
    let kenga = env::current_exe().expect("a running program").to_string_lossy().into_owned();
    let command = [kenga.as_str(), PROGRAM, &batch.to_string(), form].map(text).to_vec();
    let free = Spec::named("cells").with([Named::new("givens", text("free"), Place::default())]);
    let keys = [("command", Value::List(command)), ("encoding", Value::Spec(free))];
    let values = keys.map(|(key, value)| Named::new(key, value, Place::default()));
    let spec = ALGORITHMS.resolve(&Spec::named("program").with(values), Place::default());
    let recipe = recipe(&spec.expect("a sound spec")).expect("a command");
    let budget = Budget { evaluations: Some(EVALUATIONS), ..Budget::default() };
    let task = Task::new(Arc::new(fitness), StreamKey::run(1, "", 0), budget, Guard::default());
    bencher.counter(ItemsCount::new(EVALUATIONS)).bench_local(|| {
        let mut algorithm = recipe.start(&task).expect("the encoding fits");
        assert_eq!(run(&mut *algorithm, &mut ()).spent.evaluations, EVALUATIONS);
    });
}
