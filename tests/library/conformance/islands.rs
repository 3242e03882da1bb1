//! Islands that differ: what may stand together, and that the threads decide nothing.

use std::sync::Arc;

use kenga::budget::{Budget, Guard, Spent};
use kenga::rng::StreamKey;
use kenga::search::algorithms::{ALGORITHMS, recipe};
use kenga::search::{Algorithm, Census, Migration, Observer, RunOutcome, Task, run};
use kenga::spec::{Named, Place, Spec, Value};

use kenga_testing::kenken;
use kenga_testing::setup::{fitness, named, resolve, spec};

fn text(word: &str) -> Value {
    Value::Text(word.to_owned())
}

fn on(encoding: &str, name: &str, values: &[(&str, Value)]) -> Value {
    Value::Spec(spec(name, &[&[("encoding", text(encoding))], values].concat()))
}

fn genetic(encoding: &str) -> Value {
    let values = match encoding {
        "cages" => [("crossover", text("cage")), ("mutation", text("redraw"))],
        _ => [("crossover", text("row")), ("mutation", text("swap"))],
    };
    on(encoding, "genetic", &[&values[..], &[("population", Value::Integer(20))]].concat())
}

/// A genetic algorithm, two local searches and a portfolio on one encoding.
fn mixture(encoding: &str) -> Vec<Value> {
    let short = [("generation", Value::Integer(50))];
    let stages = Value::List(vec![on(encoding, "tabu", &short), on(encoding, "annealing", &short)]);
    let portfolio = spec("portfolio", &[("stages", stages), ("calls", Value::Integer(200))]);
    vec![
        genetic(encoding),
        on(encoding, "tabu", &short),
        on(encoding, "annealing", &short),
        Value::Spec(portfolio),
    ]
}

fn islands(count: i64, islands: Vec<Value>, others: &[(&str, Value)]) -> Spec {
    let mut setting = spec("islands", others);
    setting.set(named("count", Value::Integer(count)));
    setting.set(named("interval", Value::Integer(100)));
    setting.set(named("islands", Value::List(islands)));
    setting
}

/// Hears of generations and migrants.
#[derive(Default, PartialEq, Eq, Debug)]
struct Log {
    passed: Vec<(Spent, u32)>,
    migrants: Vec<Migration>,
}

impl Observer for Log {
    fn wants(&self, _generation: u64) -> bool {
        true
    }

    fn observe(&mut self, _spent: Spent, census: &Census) {
        assert!(census.worst() < u32::MAX, "only what was evaluated is shown");
    }

    fn passed(&mut self, spent: Spent, best: u32) {
        self.passed.push((spent, best));
    }

    fn migrated(&mut self, migration: &Migration) {
        self.migrants.push(*migration);
    }
}

fn outcome(setting: &Spec, pool: Option<&Arc<rayon::ThreadPool>>) -> (RunOutcome, Log) {
    made(setting, pool, |algorithm, log| run(algorithm, log))
}

/// As [`outcome`], a generation at a time.
fn advanced(setting: &Spec) -> (RunOutcome, Log) {
    made(setting, None, |algorithm, log| {
        algorithm.start(log);
        let stop = std::iter::repeat_with(|| algorithm.step_one_generation(log)).flatten().next();
        let (best, stop) = (algorithm.best().clone(), stop.expect("it goes on until it stops"));
        RunOutcome { best, spent: algorithm.spent(), stop }
    })
}

fn made(
    setting: &Spec,
    pool: Option<&Arc<rayon::ThreadPool>>,
    go: impl FnOnce(&mut dyn Algorithm, &mut Log) -> RunOutcome,
) -> (RunOutcome, Log) {
    let puzzle = kenken(6, 3);
    let fitness = fitness(&puzzle);
    let budget = Budget { evaluations: Some(2000), moves: Some(4000), ..Budget::default() };
    let key = StreamKey::run(1, &puzzle.canonical_text(), 0);
    let task = Task::new(Arc::clone(&fitness), key, budget, Guard::default());
    let task = Task { pool: pool.cloned(), ..task };
    let recipe = recipe(&resolve(&ALGORITHMS, setting)).expect("islands that go together");
    let mut algorithm = recipe.start(&task).expect("a KenKen has lines");
    let mut log = Log::default();
    let outcome = go(&mut *algorithm, &mut log);
    let (spent, best) = (outcome.spent, &outcome.best);
    assert!(spent.evaluations <= 2000 && spent.moves <= 4000, "{spent:?}");
    assert_eq!(best.fitness, fitness.evaluate(&best.ranks));
    (outcome, log)
}

#[test]
fn islands_that_differ_end_alike_on_any_number_of_threads() {
    let pool = Arc::new(rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("three threads"));
    for encoding in ["cells", "rows", "cages"] {
        for (select, replace) in [("best", "worst"), ("random", "random"), ("tournament", "worst_if_better")]
        {
            let policy =
                [("select", text(select)), ("replace", text(replace)), ("migrants", Value::Integer(3))];
            let setting = islands(6, mixture(encoding), &policy);
            let (alone, log) = outcome(&setting, None);
            assert_eq!((&alone, &log), (&outcome(&setting, None).0, &outcome(&setting, None).1));
            let (beside, other) = outcome(&setting, Some(&pool));
            assert_eq!((&alone, &log), (&beside, &other), "{encoding} {select} {replace}");
            let (slowly, other) = advanced(&setting);
            let spent = |log: &Log| log.passed.iter().map(|(spent, _)| *spent).collect::<Vec<_>>();
            assert_eq!((alone, spent(&log), log.migrants), (slowly, spent(&other), other.migrants));
        }
    }
}

#[test]
fn migrants_go_where_the_topology_says_and_are_told_of_in_order() {
    let (_, log) = outcome(&islands(4, vec![genetic("cells")], &[("migrants", Value::Integer(2))]), None);
    assert!(!log.migrants.is_empty());
    for migrant in &log.migrants {
        assert_eq!(migrant.to, (migrant.from + 1) % 4, "a ring");
        assert!(migrant.fitness < u32::MAX && migrant.barrier > 0);
    }
    let place = |m: &Migration| (m.barrier, m.from);
    assert!(log.migrants.windows(2).all(|pair| place(&pair[0]) <= place(&pair[1])));
    assert!(log.migrants.windows(2).all(|pair| pair[0].spent.evaluations <= pair[1].spent.evaluations));
    let of_first = log.migrants.iter().take_while(|m| m.barrier == 1).count();
    assert_eq!(of_first, 4 * 2);
}

#[test]
fn a_local_search_walks_on_from_a_migrant() {
    let short = [("generation", Value::Integer(50))];
    let searches = vec![on("cages", "annealing", &short), on("cages", "tabu", &short)];
    let (_, together) = outcome(&islands(2, searches.clone(), &[]), None);
    let (_, apart) = outcome(&islands(2, searches, &[("topology", text("isolated"))]), None);
    assert!(!together.migrants.is_empty() && apart.migrants.is_empty());
    assert_ne!(together.passed, apart.passed);
}

fn refusal(setting: &Spec) -> Option<String> {
    recipe(&resolve(&ALGORITHMS, setting)).err().map(|error| error.to_string())
}

#[test]
fn genomes_go_only_where_they_are_valid() {
    let two = || vec![genetic("cells"), genetic("cages")];
    let said = refusal(&islands(2, two(), &[])).expect("cells send to cages");
    assert_eq!(
        said,
        "island 0 sends genomes of the encoding `cells, givens = fixed` to island 1, where they are not valid under `cages`"
    );
    assert_eq!(refusal(&islands(2, two(), &[("migrants", Value::Integer(0))])), None);
    assert_eq!(refusal(&islands(2, two(), &[("topology", text("isolated"))])), None);
    let edges = |pair: &str| Value::Spec(spec("edges", &[("pairs", Value::List(vec![text(pair)]))]));
    assert_eq!(refusal(&islands(4, two(), &[("topology", edges("0-2"))])), None);
    assert!(refusal(&islands(4, two(), &[("topology", edges("0-3"))])).is_some());
    let free = Value::Spec(spec("cells", &[("givens", text("free"))]));
    let others = vec![genetic("cells"), Value::Spec(spec("genetic", &[("encoding", free)]))];
    assert!(refusal(&islands(2, others, &[])).expect("givens differ").contains("givens = free"));
    let stages = Value::List(vec![on("cages", "tabu", &[]), on("rows", "tabu", &[])]);
    let portfolio = Value::Spec(spec("portfolio", &[("stages", stages)]));
    assert!(refusal(&islands(2, vec![portfolio], &[])).is_some(), "its stages differ");
}

#[test]
fn islands_are_said_once_and_are_no_more_than_they_count() {
    let three = || vec![genetic("cells"), genetic("cells"), genetic("cells")];
    let said = refusal(&islands(2, three(), &[])).expect("one too many");
    assert_eq!(said, "`islands` lists 3 algorithms, and `count` is 2");
    let mut both = islands(3, three(), &[]);
    let place = Place { start: 7, ..Place::default() };
    both.set(Named::new("island", genetic("cells"), place));
    let said = refusal(&both).expect("said twice");
    assert_eq!(said, "`island` and `islands` both name the algorithms of the islands");
}
