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
    ("a parameter of 6 levels that does nothing rises above chance", rises),
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
    let budget = law.quantile(0.8);
    let mut setting = || {
        let mut one = || {
            let time = law.quantile(rng.unit());
            if time <= budget { Observed::solved(time) } else { Observed::failed(budget) }
        };
        let runs: Vec<Observed> = (0..runs).map(|_| one()).collect();
        restart_test(&runs, budget, Z_95).map_or(1.0, |found| found.p)
    };
    holm(&(0..8).map(|_| setting()).collect::<Vec<_>>()).iter().any(|p| *p < 0.05)
}

fn rises(seed: u64) -> bool {
    let mut rng = rng(seed, "importance");
    let settings: Vec<usize> = (0..30).flat_map(|cell| [cell / 5, cell % 5]).collect();
    let responses: Vec<f64> = (0..30).map(|cell| rng.unit() + (cell % 5) as f64).collect();
    let found = importance(&[6, 5], &settings, &responses).expect("the grid is full");
    let chance = importance_by_chance(&[6, 5], &settings, &responses, 199, &mut |n| rng.below(n));
    found.main[0] > chance.expect("the grid is full").main[0]
}
