//! What kenga chooses or advises where there is nothing to choose: races, and the restarts and importance of
//! `kenga report --json`.

use kenga::experiment::{Race, RaceRules};
use kenga::rng::{RunRng, StreamKey};
use serde_json::Value;

use super::design::CALLS;
use super::folder::{Outcome, Place, SlotRuns, ask, plan, runner, write};
use super::law::Law;

/// A choice, and whether it goes wrong with a seed.
pub struct Choice {
    pub name: &'static str,
    pub is_wrong: fn(u64) -> bool,
}

pub const CHOICES: &[Choice] = &[
    Choice { name: "a race of 2 equal settings drops one, 100 blocks", is_wrong: |seed| drops(seed, 2, 100) },
    Choice { name: "a race of 4 equal settings drops some, 50 blocks", is_wrong: |seed| drops(seed, 4, 50) },
    Choice {
        name: "a report of 8 settings without memory advises a restart, 50 runs each",
        is_wrong: |seed| advises(seed, 8, 1, 50, Law::Exponential),
    },
    Choice {
        name: "a report of 8 settings without memory on 6 puzzles advises a restart, 50 runs each",
        is_wrong: |seed| advises(seed, 8, 6, 50, Law::Exponential),
    },
    Choice {
        name: "a report of 8 settings that restarts harm advises one, 50 runs each",
        is_wrong: |seed| advises(seed, 8, 1, 50, Law::Weibull),
    },
    Choice {
        name: "a report of 8 settings without memory advises a restart, 20 runs each",
        is_wrong: |seed| advises(seed, 8, 1, 20, Law::Exponential),
    },
    Choice {
        name: "a report of one setting without memory advises a restart, 50 runs",
        is_wrong: |seed| advises(seed, 1, 1, 50, Law::Exponential),
    },
    Choice {
        name: "a parameter of 6 levels without effect exceeds its floor beside one with effect",
        is_wrong: |seed| exceeds(seed, &[6, 5], true, 1),
    },
    Choice {
        name: "of 3 parameters without effect at least one exceeds its floor",
        is_wrong: |seed| exceeds(seed, &[4, 3, 3], false, 1),
    },
    Choice {
        name: "of 3 pairs without effect at least one exceeds its floor",
        is_wrong: |seed| exceeds(seed, &[4, 3, 3], false, 2),
    },
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

/// A sweep of a genetic algorithm.
struct Swept {
    axes: String,
    settings: usize,
    puzzles: usize,
    replicates: usize,
    budget: u64,
}

impl Swept {
    /// What `kenga report --json` says of a sweep with these outcomes.
    fn report(&self, seed: u64, what: &str, mut outcome: impl FnMut(usize) -> Outcome) -> Value {
        let config = format!(
            r#"seed = 1
replicates = {}
budget.evaluations = {}
record.every = 0
[algorithm]
name = "genetic"
encoding = "rows"
crossover = {{ name = "row", rate = 0.9 }}
mutation = {{ name = "row_swap", rate = 0.1 }}
[sweep]
{}"#,
            self.replicates, self.budget, self.axes
        );
        let plan = plan(&config, &(0..self.puzzles).collect::<Vec<usize>>());
        let mut runs = SlotRuns::default();
        for _ in 0..self.replicates * self.puzzles {
            runs.0.extend((0..self.settings).map(&mut outcome));
        }
        let place =
            Place::new(&format!("{what}-{}-{}-{}-{seed}", self.settings, self.puzzles, self.replicates));
        let folder = place.join("swept");
        write(&folder, &plan, &runner(&plan), &runs);
        ask(&["report"], &[folder])
    }
}

/// The values of an axis of a sweep.
fn axis(key: &str, levels: usize, value: impl Fn(usize) -> String) -> String {
    let values: Vec<String> = (0..levels).map(value).collect();
    format!("\"{key}\" = [{}]\n", values.join(", "))
}

/// The run of a law with 80 % within the budget.
fn run_of(law: Law, rng: &mut RunRng, factor: f64) -> Outcome {
    let budget = (law.quantile(0.8) * CALLS) as u64;
    let calls = (law.quantile(rng.unit()) * factor * CALLS).ceil().max(1.0) as u64;
    Outcome { fitness: u32::from(calls > budget), calls: calls.min(budget) }
}

fn advises(seed: u64, settings: usize, puzzles: usize, runs: usize, law: Law) -> bool {
    let mut rng = rng(seed, "restart");
    let swept = Swept {
        axes: axis("algorithm.population", settings, |level| (10 + 2 * level).to_string()),
        settings,
        puzzles,
        replicates: runs,
        budget: (law.quantile(0.8) * CALLS) as u64,
    };
    let found = swept.report(seed, &format!("restart-{law:?}"), |_| run_of(law, &mut rng, 1.0));
    // Whether or not the gain is large enough to follow.
    super::list(&found, "restarts").iter().any(|one| one["p_holm"].as_f64().is_some_and(|p| p < 0.05))
}

/// Whether in a sweep over a grid some of the parameters without effect, or of the pairs, exceeds its floor for PAR-10. With
/// `has_effect` the last parameter has one.
fn exceeds(seed: u64, levels: &[usize], has_effect: bool, of: usize) -> bool {
    let mut rng = rng(seed, "importance");
    let last = levels[levels.len() - 1];
    let rate = |level: usize| format!("0.{}", level + 1);
    let keys = ["algorithm.population", "algorithm.crossover.rate", "algorithm.mutation.rate"];
    let mut axes = axis(keys[0], levels[0], |level| (10 + 2 * level).to_string());
    for (key, levels) in keys[1..].iter().zip(&levels[1..]) {
        axes += &axis(key, *levels, rate);
    }
    let swept = Swept {
        axes,
        settings: levels.iter().product(),
        puzzles: 1,
        replicates: 10,
        budget: (Law::Exponential.quantile(0.8) * CALLS) as u64,
    };
    let found = swept.report(seed, &format!("importance-{of}"), |setting| {
        let factor = if has_effect { 1.0 + (setting % last) as f64 } else { 1.0 };
        run_of(Law::Exponential, &mut rng, factor)
    });
    let parts = super::list(&found["importance"][0], "parts");
    assert!(!parts.is_empty(), "{}", found["importance"]);
    let mut without_effect = parts.iter().filter(|part| super::list(part, "parameters").len() == of);
    without_effect.any(|part| {
        let is_last = has_effect && part["parameters"][0].as_str().is_some_and(|name| name != "population");
        part["par10"]["exceeds_floor"] == true && !is_last
    })
}
