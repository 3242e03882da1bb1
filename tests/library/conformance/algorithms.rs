//! Algorithms stay within their budgets, tell the truth, and repeat themselves.

use std::sync::Arc;

use kenga::budget::Budget;
use kenga::search::algorithms::{ALGORITHMS, recipe};
use kenga::search::encodings::of_puzzles;
use kenga::search::operators::topology::TOPOLOGY;
use kenga::spec::Value;

use kenga_testing::kenken;
use kenga_testing::setup::{resolve, settings, spec};
use kenga_testing::{BUDGETS, Field, check_populations, genetic, with};

fn text(word: &str) -> Value {
    Value::Text(word.to_owned())
}

#[test]
fn genetic_keeps_every_budget_when_it_refuses_duplicates() {
    for encoding in of_puzzles() {
        let setting = with(&genetic(encoding.name), "duplicates", text("refuse"));
        check_populations(&Field::new(kenken(4, 3)), &setting);
    }
}

#[test]
fn genetic_solves_small_puzzles_under_every_encoding() {
    for encoding in of_puzzles() {
        for size in 1..=3 {
            let setting = genetic(encoding.name);
            let (outcome, _) = Field::new(kenken(size, 3)).run(&setting, 20_000, None);
            assert_eq!(outcome.best.fitness, 0, "{} {size}: {outcome:?}", encoding.name);
        }
    }
}

#[test]
fn islands_keep_every_budget_on_any_number_of_threads() {
    let pool = Arc::new(rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("three threads"));
    let field = Field::new(kenken(5, 3));
    let mut topologies = settings(&TOPOLOGY);
    topologies.dedup_by(|later, first| later.name == first.name);
    for (topology, encoding) in topologies.iter().flat_map(|t| of_puzzles().into_iter().map(move |e| (t, e)))
    {
        let island = with(&genetic(encoding.name), "population", Value::Integer(20));
        let common = [
            ("topology", Value::Spec(topology.clone())),
            ("island", Value::Spec(island)),
            ("interval", Value::Integer(55)),
        ];
        let joined = TOPOLOGY.build(topology).expect("sound edges");
        let least =
            |from: usize| (from..).find(|count| joined.check(*count).is_ok()).expect("some can be joined");
        for (count, migrants) in [(1, 1), (2, 0), (least(3), 2), (least(5), 30)] {
            let count = count as i64;
            let setting = with(&spec("islands", &common), "count", Value::Integer(count));
            let setting = with(&setting, "migrants", Value::Integer(migrants));
            for budget in BUDGETS {
                let alone = field.run(&setting, budget, None);
                assert_eq!(alone, field.run(&setting, budget, Some(&pool)), "{setting:?} {budget}");
                let budget = Budget { evaluations: Some(budget), ..Budget::default() };
                assert_eq!(alone, field.generations_within(&setting, budget), "{setting:?} {budget:?}");
            }
        }
    }
}

#[test]
fn an_island_without_a_whole_population_is_not_shown() {
    // Three islands of 20 share 59 evaluations: the third makes 19 individuals.
    let genetic = spec("genetic", &[("population", Value::Integer(20))]);
    let setting = spec("islands", &[("count", Value::Integer(3)), ("island", Value::Spec(genetic))]);
    let (_, shown) = Field::new(kenken(6, 3)).run(&setting, 59, None);
    assert_eq!(shown.len(), 1);
    assert!(shown[0].1.worst() < u32::MAX);
}

#[test]
fn islands_of_islands_are_refused() {
    let genetic = spec("genetic", &[("population", Value::Integer(9))]);
    let inner = spec(
        "islands",
        &[("count", Value::Integer(2)), ("interval", Value::Integer(40)), ("island", Value::Spec(genetic))],
    );
    let outer = spec(
        "islands",
        &[("count", Value::Integer(3)), ("interval", Value::Integer(90)), ("island", Value::Spec(inner))],
    );
    let refused = recipe(&resolve(&ALGORITHMS, &outer)).map(drop).expect_err("no population to migrate from");
    assert!(refused.to_string().contains("`islands` has no population"), "{refused}");
}
