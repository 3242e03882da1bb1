//! What a problem of the user's own is, and every algorithm on some.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::budget::{Budget, Guard, StopReason};
use crate::fitness::{Fitness, Halted, Objective, Scale};
use crate::problem::Problem;
use crate::puzzle::Puzzle;
use crate::rng::StreamKey;
use crate::search::algorithms::{ALGORITHMS, recipe};
use crate::search::encodings::{ENCODINGS, encoding_of_genomes};
use crate::search::{RunOutcome, Task, run};
use crate::spec::{Catalog, Named, Place, Spec, Value};

/// What a genome is worth.
type ValueOf = fn(&[u8]) -> f64;

/// Counts what it measures, and takes no genome that the problem does not have. Halts after so many.
struct Counted {
    shape: GenomeShape,
    value: ValueOf,
    measured: AtomicU64,
    most: u64,
}

impl Objective for Counted {
    fn evaluate(&self, genomes: &[u8], values: &mut [f64]) -> Result<(), Halted> {
        let (genes, ranges) = (self.shape.genes(), self.shape.ranges());
        assert_eq!(genomes.len(), genes * values.len());
        for (genome, value) in genomes.chunks_exact(genes).zip(values) {
            let is_within = |(value, [least, most]): (&u8, &[u8; 2])| least <= value && value <= most;
            assert!(genome.iter().zip(&ranges).all(is_within), "{genome:?}");
            if let GenomeShape::Permutations(lengths) = &self.shape {
                let mut rest = genome;
                for length in lengths {
                    let (line, others) = rest.split_at(*length);
                    let mut sorted = line.to_vec();
                    sorted.sort_unstable();
                    assert!(sorted.iter().copied().eq(0..=(*length - 1) as u8), "{genome:?}");
                    rest = others;
                }
            }
            if self.measured.fetch_add(1, Ordering::Relaxed) >= self.most {
                return Err(Halted::failed("enough"));
            }
            *value = (self.value)(genome);
        }
        Ok(())
    }
}

/// The genes that are not one.
fn zeros(genome: &[u8]) -> f64 {
    genome.iter().filter(|gene| **gene != 1).count() as f64
}

/// The numbers that are not in their place.
fn displaced(genome: &[u8]) -> f64 {
    genome.iter().enumerate().filter(|(place, number)| *place != usize::from(**number)).count() as f64
}

/// Sets the encoding of an algorithm, and of those that it is made of.
fn encoded(name: &str, encoding: &str) -> Spec {
    let mut spec = Spec::named(name);
    let text = |text: &str| Value::Text(text.to_owned());
    let mut set = |key: &str, value: Value| spec.set(Named::new(key, value, Place::default()));
    match name {
        "islands" => set("island", Value::Spec(encoded("genetic", encoding))),
        "portfolio" => set("stages", Value::List(vec![Value::Spec(encoded("annealing", encoding))])),
        "memetic" => {
            set("encoding", text(encoding));
            set("improve", Value::Spec(encoded("hill_climbing", encoding)));
        }
        _ => set("encoding", text(encoding)),
    }
    spec
}

/// The outcome of a run of an algorithm, and how many genomes were measured.
fn outcome(name: &str, shape: &GenomeShape, value: ValueOf, most: u64) -> (RunOutcome, u64) {
    let spec = encoded(name, encoding_of_genomes(shape));
    let spec = ALGORITHMS.resolve(&spec, Place::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let recipe = recipe(&spec).unwrap_or_else(|error| panic!("{name}: {error}"));
    let puzzle = Puzzle::of_genome(shape.clone()).expect("a sound shape");
    let objective = Arc::new(Counted { shape: shape.clone(), value, measured: 0.into(), most });
    let scale = Scale { reference: 0.0, is_optimum: true, resolution: None, maximise: false };
    let shared = Arc::clone(&objective) as Arc<dyn Objective>;
    let fitness = Arc::new(Fitness::of_objective(Problem::compile(&puzzle), shared, scale));
    let budget = Budget { evaluations: Some(3000), moves: Some(3000), ..Budget::default() };
    let task = Task::new(fitness, StreamKey::run(1, "own", 0), budget, Guard::default());
    let mut algorithm = recipe.start(&task).unwrap_or_else(|error| panic!("{name}: {error}"));
    let outcome = run(&mut *algorithm, &mut ());
    (outcome, objective.measured.load(Ordering::Relaxed))
}

/// Those that work on an encoding and need no program; what has none is tried with it.
fn algorithms(encoding: &str) -> Vec<&'static str> {
    let encoding = ENCODINGS.member(encoding).expect("a known encoding");
    let members = ALGORITHMS.members().into_iter();
    let names = members.filter(|member| member.works_on(encoding)).map(|member| member.name);
    names.filter(|name| *name != "program").collect()
}

#[test]
fn every_algorithm_searches_values_and_permutations() {
    let shapes: [(GenomeShape, ValueOf); 4] = [
        (GenomeShape::Values(vec![[0, 1]; 12]), zeros),
        (GenomeShape::Values(vec![[0, 255], [1, 1], [1, 40], [0, 1]]), zeros),
        (GenomeShape::Permutations(vec![7]), displaced),
        (GenomeShape::Permutations(vec![40, 1, 3]), displaced),
    ];
    for (shape, value) in &shapes {
        let names = algorithms(encoding_of_genomes(shape));
        assert!(names.len() >= 8, "{names:?}");
        for name in names {
            let (outcome, measured) = outcome(name, shape, *value, u64::MAX);
            assert_eq!(f64::from(outcome.best.fitness), value(&outcome.best.ranks), "{name} {shape:?}");
            // The log asks for the worth of where a search stands, which no algorithm learns.
            let spent = outcome.spent.calls();
            assert!(measured <= spent + spent / 100 + 12, "{name} {shape:?}: {measured} of {spent}");
            assert_ne!(outcome.stop, StopReason::Failed);
        }
    }
}

#[test]
fn a_run_whose_objective_halts_has_failed() {
    for shape in [GenomeShape::Values(vec![[0, 9]; 30]), GenomeShape::Permutations(vec![60])] {
        for name in algorithms(encoding_of_genomes(&shape)) {
            for most in [0, 1, 250] {
                let (outcome, _) = outcome(name, &shape, |genome| 1.0 + f64::from(genome[0]), most);
                assert_eq!(outcome.stop, StopReason::Failed, "{name} after {most}");
                assert!(outcome.best.is_none() == (most == 0) || most == 1, "{name} after {most}");
                // What has not been answered is no evaluation.
                assert!(outcome.spent.evaluations <= most + 1, "{name} after {most}: {:?}", outcome.spent);
            }
        }
    }
}

#[test]
fn members_that_need_constraints_are_refused() {
    let text = |text: &str| Value::Text(text.to_owned());
    for (name, key, value) in [
        ("genetic", "mutation", "conflict"),
        ("genetic", "crossover", "conflict"),
        ("genetic", "crossover", "cage"),
        ("genetic", "weights", "saw"),
        ("breakout", "encoding", "values"),
    ] {
        let mut spec = Spec::named(name);
        spec.set(Named::new("encoding", text("values"), Place::default()));
        spec.set(Named::new(key, text(value), Place::default()));
        let resolved = ALGORITHMS.resolve(&spec, Place::default()).expect("known names");
        let error = recipe(&resolved).expect_err("it needs constraints").to_string();
        assert!(error.contains("`values`"), "{error}");
    }
}

fn problem(keys: &[(&str, Value)]) -> Spec {
    let mut spec = Spec::named("program");
    let command = Value::List(vec![Value::Text("a".to_owned())]);
    for (key, value) in [("command", command)].iter().chain(keys) {
        spec.set(Named::new(*key, value.clone(), Place::default()));
    }
    OBJECTIVES.resolve(&spec, Place::default()).expect("known keys")
}

fn list(numbers: &[i64]) -> Value {
    Value::List(numbers.iter().map(|number| Value::Integer(*number)).collect())
}

fn table(values: &[(&str, Value)]) -> Value {
    let mut spec = Spec::default();
    for (key, value) in values {
        spec.set(Named::new(*key, value.clone(), Place::default()));
    }
    Value::Spec(spec)
}

#[test]
fn instances_have_options_and_genomes_of_their_own() {
    let small = table(&[("seed", Value::Integer(3)), ("optimum", Value::Real(1.5))]);
    let large = table(&[("permutation", Value::Integer(40))]);
    let all = table(&[("small", small), ("large", large)]);
    let found = instances(&problem(&[("permutation", Value::Integer(12)), ("instances", all)]));
    let found = found.expect("sound instances");
    assert_eq!(found[0].id, "small");
    assert_eq!((found[0].optimum, found[0].options["seed"].as_i64()), (Some(1.5), Some(3)));
    let lengths = [&found[0], &found[1]].map(|instance| instance.shape.genes());
    assert_eq!((lengths, found[1].optimum), ([12, 40], None));
}

#[test]
fn genomes_are_said_once() {
    let of = |keys: &[(&str, Value)]| instances(&problem(keys)).map(|all| all[0].shape.clone());
    let bits = of(&[("genes", Value::Integer(3)), ("values", list(&[0, 1]))]);
    assert_eq!(bits, Ok(GenomeShape::Values(vec![[0, 1]; 3])));
    let ranges = Value::List(vec![list(&[0, 9]), list(&[5, 255])]);
    assert_eq!(of(&[("values", ranges)]), Ok(GenomeShape::Values(vec![[0, 9], [5, 255]])));
    assert_eq!(of(&[("permutations", list(&[3, 4]))]), Ok(GenomeShape::Permutations(vec![3, 4])));
    for (keys, said) in [
        (vec![], "its genomes are not said"),
        (vec![("genes", Value::Integer(3))], "`genes` needs `values`"),
        (vec![("values", list(&[0, 1]))], "`values` of all genes need `genes`"),
        (vec![("genes", Value::Integer(3)), ("values", list(&[0, 256]))], "`values` is [0,256]"),
        (vec![("permutation", Value::Integer(3)), ("permutations", list(&[3]))], "said twice"),
        (vec![("permutation", Value::Integer(3)), ("maximise", Value::Flag(true))], "counts down"),
    ] {
        let error = of(&keys).expect_err("a bad problem").to_string();
        assert!(error.contains(said), "{error}");
    }
}
