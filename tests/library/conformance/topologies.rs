//! Topologies name islands that exist, and join all of them that they say they join.

use kenga::search::algorithms::{ALGORITHMS, recipe};
use kenga::search::operators::topology::TOPOLOGY;
use kenga::spec::Value;

use kenga_testing::setup::{named, resolve, settings, spec};
use kenga_testing::topology::{all_targets, build};

fn text(word: &str) -> Value {
    Value::Text(word.to_owned())
}

/// The islands that migrants of island 0 reach, over others.
fn reached(targets: &[Vec<usize>]) -> usize {
    let mut reached = vec![0];
    let mut next = 0;
    while next < reached.len() {
        let fresh: Vec<usize> =
            targets[reached[next]].iter().copied().filter(|to| !reached.contains(to)).collect();
        reached.extend(fresh);
        next += 1;
    }
    reached.len()
}

#[test]
fn topologies_that_join_islands_join_all_of_them() {
    for setting in settings(&TOPOLOGY).iter().filter(|s| !["isolated", "edges"].contains(&s.name.as_str())) {
        let topology = build(setting);
        for islands in (1..=20).filter(|islands| topology.check(*islands).is_ok()) {
            let targets = all_targets(&*topology, islands);
            assert_eq!(reached(&targets), islands, "{} of {islands}", setting.name);
        }
    }
}

#[test]
fn every_exchange_goes_both_ways() {
    for name in ["bidirectional_ring", "torus", "hypercube", "star", "complete"] {
        let topology = build(&resolve(&TOPOLOGY, &spec(name, &[])));
        for islands in (1..=20).filter(|islands| topology.check(*islands).is_ok()) {
            let targets = all_targets(&*topology, islands);
            for (from, to) in
                targets.iter().enumerate().flat_map(|(from, to)| to.iter().map(move |to| (from, *to)))
            {
                assert!(targets[to].contains(&from), "{name} {from}-{to} of {islands}");
            }
        }
    }
}

#[test]
fn islands_that_a_topology_cannot_join_are_refused() {
    let pairs = |pair: &str| Value::Spec(spec("edges", &[("pairs", Value::List(vec![text(pair)]))]));
    for (count, topology, said) in [
        (6, text("hypercube"), "a `hypercube` links a power of two of islands, and `count` is 6"),
        (2, pairs("0-2"), "`0-2` in `pairs` names island 2, and `count` is 2: the last one is 1"),
        (2, pairs("1-1"), "`1-1` in `pairs` lets an island send to itself"),
        (2, pairs("x"), "`x` in `pairs` is not a pair of islands"),
    ] {
        let mut setting = spec("islands", &[("count", Value::Integer(count))]);
        setting.set(named("topology", topology));
        let refused = recipe(&resolve(&ALGORITHMS, &setting)).map(drop).expect_err(said);
        assert_eq!(refused.to_string(), said);
    }
}
