//! What an archipelago shows.

use std::sync::Arc;

use crate::budget::{Budget, Guard, Spent};
use crate::fitness::{CageMeasure, Fitness, Weights};
use crate::problem::Problem;
use crate::puzzle::samples;
use crate::rng::StreamKey;
use crate::search::algorithms::{ALGORITHMS, recipe};
use crate::search::{Census, Observer, Task, run};
use crate::spec::{Catalog, Named, Place, Spec, Value};

/// Keeps every `every`-th generation.
struct Every {
    every: u64,
    seen: Vec<(Spent, Census)>,
}

impl Observer for Every {
    fn wants(&self, generation: u64) -> bool {
        generation.is_multiple_of(self.every)
    }

    fn observe(&mut self, spent: Spent, census: &Census) {
        self.seen.push((spent, census.clone()));
    }
}

fn spec(name: &str, values: &[(&str, Value)]) -> Spec {
    let mut spec = Spec::named(name);
    for (key, value) in values {
        let (key, key_place, value) = ((*key).to_owned(), Place::default(), value.clone());
        spec.set(Named { key, key_place, value, place: key_place });
    }
    spec
}

/// Runs islands of 10 individuals; what was seen, and the last generation as it is at the end.
fn watch(every: u64, evaluations: u64, interval: i64) -> (Vec<(Spent, Census)>, (Spent, Census)) {
    let island = Value::Spec(spec("genetic", &[("population", Value::Integer(10))]));
    let keys = [("count", Value::Integer(3)), ("interval", Value::Integer(interval)), ("island", island)];
    let named = spec("", &[("algorithm", Value::Flag(true))]).values.swap_remove(0);
    let resolved = ALGORITHMS.resolve(&spec("islands", &keys), &named).expect("a sound spec");
    let mut draw = StreamKey::run(5, "islands", 0).rng();
    let problem = Problem::compile(&samples::kenken(6, |n| draw.below(n)));
    let (cells, digits) = (problem.cells(), problem.digits());
    let fitness = Fitness::new(problem, Weights::ORIGINAL, CageMeasure::Binary).expect("small weights");
    let task = Task {
        fitness: Arc::new(fitness),
        key: StreamKey::run(1, "islands", 0),
        budget: Budget { evaluations: Some(evaluations), ..Budget::default() },
        guard: Guard::default(),
        pool: None,
    };
    let recipe = recipe(&resolved).expect("members that fit");
    let mut islands = recipe.start(&task).expect("any puzzle has cells");
    let mut observer = Every { every, seen: Vec::new() };
    run(&mut *islands, &mut observer);
    let mut last = Census::new(cells, digits);
    let complete = islands.census(&mut last);
    (observer.seen, (complete, last))
}

#[test]
fn what_is_shown_does_not_depend_on_what_else_is_shown() {
    // 600 evaluations end the shares exactly on a barrier, 640 just past one.
    for (evaluations, interval) in [(600, 50), (640, 50), (631, 1_000_000), (25, 50)] {
        let (all, last) = watch(1, evaluations, interval);
        let (some, _) = watch(7, evaluations, interval);
        let sevenths = all.iter().filter(|(spent, _)| spent.generations.is_multiple_of(7));
        assert!(sevenths.eq(&some), "{evaluations} evaluations");
        let generations: Vec<u64> = all.iter().map(|(spent, _)| spent.generations).collect();
        assert!(generations.iter().copied().eq(0..generations.len() as u64), "{generations:?}");
        match all.last() {
            Some((spent, census)) => {
                assert_eq!((spent.generations, census), (last.0.generations, &last.1))
            }
            None => assert_eq!(last.1.individuals(), 0),
        }
    }
}
