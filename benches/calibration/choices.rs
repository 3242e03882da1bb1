//! What kenga chooses or advises where there is nothing to choose: races, restarts, importance.

use kenga::experiment::{Race, RaceRules};
use kenga::rng::{RunRng, StreamKey};
use kenga::stats::{Observed, Z_95, holm, importance, importance_by_chance, restart_test};

use super::law::Law;

/// A choice, and whether it goes wrong with a seed.
type Choice = (&'static str, fn(u64) -> bool);

pub const CHOICES: &[Choice] = &[
    ("a race of 2 settings that are alike drops one, 100 blocks", |seed| drops(seed, 2, 100)),
    ("a race of 4 settings that are alike drops some, 50 blocks", |seed| drops(seed, 4, 50)),
    ("a report of 8 settings without memory advises a restart, 50 runs each", |seed| {
        advises(seed, 50, Law::Exponential)
    }),
    ("a report of 8 settings that restarts harm advises one, 50 runs each", |seed| {
        advises(seed, 50, Law::Weibull)
    }),
    ("a report of 8 settings without memory advises a restart, 20 runs each", |seed| {
        advises(seed, 20, Law::Exponential)
    }),
    ("a report of one setting without memory advises a restart, 50 runs", |seed| {
        advice(&mut rng(seed, "restart"), 50, Law::Exponential) < 0.05
    }),
    ("a parameter of 6 levels that does nothing rises above chance", |seed| rises(seed, &[6, 5]).0),
    ("of 3 parameters that do nothing some rises above chance", |seed| rises(seed, &[4, 3, 3]).1),
];

fn rng(seed: u64, what: &str) -> RunRng {
    StreamKey::run(seed, what, 0).rng()
}

fn drops(seed: u64, settings: usize, blocks: u64) -> bool {
    let mut rng = rng(seed, "race");
    let mut race = Race::new(RaceRules { first: 6, alpha: 0.05 }, settings, blocks);
    while race.next().is_some() {
        let calls: Vec<f64> =
            race.left().iter().map(|_| Law::Exponential.quantile(rng.unit()) * 1e4).collect();
        race.take(&calls);
    }
    race.left().len() < settings
}

fn advises(seed: u64, runs: usize, law: Law) -> bool {
    let mut rng = rng(seed, "restart");
    let all: Vec<f64> = (0..8).map(|_| advice(&mut rng, runs, law)).collect();
    holm(&all).iter().any(|p| *p < 0.05)
}

/// The p-value that restarts gain nothing on runs of a law.
fn advice(rng: &mut RunRng, runs: usize, law: Law) -> f64 {
    let budget = law.quantile(0.8);
    let mut one = || {
        let time = law.quantile(rng.unit());
        if time <= budget { Observed::solved(time) } else { Observed::failed(budget) }
    };
    let runs: Vec<Observed> = (0..runs).map(|_| one()).collect();
    restart_test(&runs, budget, Z_95).map_or(1.0, |found| found.p)
}

/// On a grid of which only the last of two parameters does anything: whether the first rises above chance, and whether any
/// that does nothing does.
fn rises(seed: u64, levels: &[usize]) -> (bool, bool) {
    let mut rng = rng(seed, "importance");
    let cells: usize = levels.iter().product();
    let level =
        |cell: usize, factor: usize| cell / levels[factor + 1..].iter().product::<usize>() % levels[factor];
    let settings: Vec<usize> = (0..cells)
        .flat_map(|cell| (0..levels.len()).map(move |factor| (cell, factor)))
        .map(|(cell, factor)| level(cell, factor))
        .collect();
    let matters = levels.len() == 2;
    let response = |cell: usize| if matters { level(cell, 1) as f64 } else { 0.0 };
    let responses: Vec<f64> = (0..cells).map(|cell| rng.unit() + response(cell)).collect();
    let found = importance(levels, &settings, &responses).expect("the grid is full");
    let chance = importance_by_chance(levels, &settings, &responses, 199, &mut |n| rng.below(n));
    let floor = chance.expect("the grid is full").main;
    let above = |factor: &usize| found.main[*factor] > floor[*factor];
    (above(&0), (0..levels.len()).filter(|factor| !matters || *factor == 0).any(|factor| above(&factor)))
}
