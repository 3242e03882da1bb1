//! What kenga chooses, advises or prints where the truth is known: races, the areas of `kenga compare --anytime`, and the
//! restarts and importance of `kenga report --json`.

use kenga::experiment::{Plan, Race, RaceRules};
use kenga::rng::{RunRng, StreamKey};
use serde_json::Value;

use super::design::CALLS;
use super::folder::{Outcome, Place, SlotRuns, ask, plan, runner, write, write_race};
use super::law::{Law, normal};

/// A choice, and whether it goes wrong with a seed.
pub struct Choice {
    pub name: &'static str,
    pub is_wrong: fn(u64) -> bool,
}

pub const CHOICES: &[Choice] = &[
    Choice {
        name: "a race of 2 equal settings drops one, 100 blocks",
        is_wrong: |seed| drops(seed, 2, 100, None),
    },
    Choice {
        name: "a race of 2 equal settings drops one, `last = 100`",
        is_wrong: |seed| drops(seed, 2, 100, Some(100)),
    },
    Choice {
        name: "a race of 4 equal settings drops some, 50 blocks",
        is_wrong: |seed| drops(seed, 4, 50, None),
    },
    Choice {
        name: "a race of 4 equal settings drops some, `last = 50`",
        is_wrong: |seed| drops(seed, 4, 50, Some(50)),
    },
    Choice {
        name: "a race of 8 equal settings drops some, `last = 100`",
        is_wrong: |seed| drops(seed, 8, 100, Some(100)),
    },
    Choice {
        name: "a comparison after a race of 4 equal settings shows a difference, 50 blocks",
        is_wrong: |seed| shows_after_race(seed, "first = 6"),
    },
    Choice {
        name: "a comparison after a race of 4 equal settings shows a difference, `last = 50`",
        is_wrong: |seed| shows_after_race(seed, "last = 50"),
    },
    Choice {
        name: "the AOCC of 20 runs on a puzzle misses the truth",
        is_wrong: |seed| area_misses(seed, 1, 20, false),
    },
    Choice {
        name: "the AOCC of 12 puzzles, 10 runs each, misses that of these puzzles",
        is_wrong: |seed| area_misses(seed, 12, 10, false),
    },
    Choice {
        name: "the AOCC of 12 puzzles, 3 runs each, misses that of these puzzles",
        is_wrong: |seed| area_misses(seed, 12, 3, false),
    },
    Choice {
        name: "the AOCC of 6 puzzles, 10 runs each, misses that of the next puzzle",
        is_wrong: |seed| area_misses(seed, 6, 10, true),
    },
    Choice {
        name: "the AOCC of 12 puzzles, 10 runs each, misses that of the next puzzle",
        is_wrong: |seed| area_misses(seed, 12, 10, true),
    },
    Choice {
        name: "the AOCC of 12 puzzles, 3 runs each, misses that of the next puzzle",
        is_wrong: |seed| area_misses(seed, 12, 3, true),
    },
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
    Choice {
        name: "of 2 parameters without effect at least one exceeds its floor, 2 x 2 settings",
        is_wrong: |seed| exceeds(seed, &[2, 2], false, 1),
    },
    Choice {
        name: "the pair of 2 parameters without effect exceeds its floor, 2 x 2 settings",
        is_wrong: |seed| exceeds(seed, &[2, 2], false, 2),
    },
];

fn rng(seed: u64, what: &str) -> RunRng {
    StreamKey::run(seed, what, 0).rng()
}

fn drops(seed: u64, settings: usize, blocks: u64, last: Option<u64>) -> bool {
    let mut rng = rng(seed, "race");
    let mut race = Race::new(RaceRules { first: 6, last, alpha: 0.05 }, settings, blocks);
    while race.next().is_some() {
        let calls: Vec<f64> =
            race.left().iter().map(|_| Law::Exponential.quantile(rng.unit()) * 1e4).collect();
        race.take(&calls);
    }
    race.left().len() < settings
}

/// Whether `kenga compare` shows a difference after a race of four equal settings over 50 blocks.
fn shows_after_race(seed: u64, rules: &str) -> bool {
    let mut rng = rng(seed, "compared race");
    let method = format!("method = {{ name = \"race\", {rules} }}\n");
    let swept = Swept {
        axes: method + &axis("algorithm.population", 4, |level| (10 + 2 * level).to_string()),
        settings: 4,
        puzzles: 1,
        replicates: 50,
        budget: (Law::Exponential.quantile(0.8) * CALLS) as u64,
        every: 0,
    };
    let plan = swept.plan();
    let place = Place::new(&format!("race-{}-{seed}", rules.len()));
    let folder = place.join("race");
    write_race(&folder, &plan, &runner(&plan), || run_of(Law::Exponential, &mut rng, 1.0));
    let found = ask(&["compare"], &[folder]);
    super::list(&found, "pairs").iter().any(|pair| pair["shown"] == true)
}

/// Whether the interval of the area over the convergence curve, of these puzzles or of the next one, misses the truth. A
/// run has fitness 1 until it solves, so that its area is the part of the budget that is left.
fn area_misses(seed: u64, puzzles: usize, runs: usize, is_next: bool) -> bool {
    let mut rng = rng(seed, "area");
    let law = Law::Exponential;
    let difficulty: Vec<f64> = (0..puzzles).map(|_| normal(&mut rng).exp()).collect();
    let budget = law.quantile(0.8);
    let area = |difficulty: f64| {
        let left =
            |at: usize| (1.0 - law.quantile((at as f64 + 0.5) / 2000.0) * difficulty / budget).max(0.0);
        (0..2000).map(left).sum::<f64>() / 2000.0
    };
    let quantile = |at: usize| kenga::stats::normal_quantile((at as f64 + 0.5) / 200.0);
    let of_kind = || (0..200).map(|at| area(quantile(at).exp())).sum::<f64>() / 200.0;
    let of_these = || difficulty.iter().map(|one| area(*one)).sum::<f64>() / puzzles as f64;
    let truth = if is_next { of_kind() } else { of_these() };
    let swept = Swept {
        axes: axis("algorithm.population", 2, |level| (10 + 2 * level).to_string()),
        settings: 2,
        puzzles,
        replicates: runs,
        budget: (budget * CALLS) as u64,
        every: 1,
    };
    // The second setting never solves, so that all is observed up to the budget.
    let found =
        swept.ask(&["compare", "--anytime", "linear", "--worst", "1"], seed, "area", |puzzle, setting| {
            run_of(law, &mut rng, if setting == 0 { difficulty[puzzle] } else { f64::INFINITY })
        });
    let rows = super::list(&found, "areas");
    let row =
        rows.iter().find(|row| row["setting"] == "population = 10").unwrap_or_else(|| panic!("{rows:?}"));
    let [low, high] = if is_next { ["next_low", "next_high"] } else { ["aocc_low", "aocc_high"] };
    let end = |name: &str| row[name].as_f64().unwrap_or_else(|| panic!("{row}"));
    truth < end(low) - 1e-6 || truth > end(high) + 1e-6
}

/// A sweep of a genetic algorithm.
struct Swept {
    axes: String,
    settings: usize,
    puzzles: usize,
    replicates: usize,
    budget: u64,
    /// Of how many generations one is recorded; 0 for none.
    every: u64,
}

impl Swept {
    fn plan(&self) -> Plan {
        let config = format!(
            r#"seed = 1
replicates = {}
budget.evaluations = {}
record.every = {}
[algorithm]
name = "genetic"
encoding = "rows"
crossover = {{ name = "row", rate = 0.9 }}
mutation = {{ name = "row_swap", rate = 0.1 }}
[sweep]
{}"#,
            self.replicates, self.budget, self.every, self.axes
        );
        plan(&config, &(0..self.puzzles).collect::<Vec<usize>>(), 1)
    }

    /// What a command of kenga says as JSON of a sweep with these outcomes, by puzzle and setting.
    fn ask(
        &self,
        command: &[&str],
        seed: u64,
        what: &str,
        mut outcome: impl FnMut(usize, usize) -> Outcome,
    ) -> Value {
        let plan = self.plan();
        let mut runs = SlotRuns::default();
        for _ in 0..self.replicates {
            for puzzle in 0..self.puzzles {
                runs.0.extend((0..self.settings).map(|setting| outcome(puzzle, setting)));
            }
        }
        let place =
            Place::new(&format!("{what}-{}-{}-{}-{seed}", self.settings, self.puzzles, self.replicates));
        let folder = place.join("swept");
        write(&folder, &plan, &runner(&plan), &runs, self.every > 0);
        ask(command, &[folder])
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
        every: 0,
    };
    let found = swept.ask(&["report"], seed, &format!("restart-{law:?}"), |_, _| run_of(law, &mut rng, 1.0));
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
        every: 0,
    };
    let found = swept.ask(&["report"], seed, &format!("importance-{of}-{}", levels.len()), |_, setting| {
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
