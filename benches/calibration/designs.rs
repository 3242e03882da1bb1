//! The designs of the tables.

use kenga::study::Metric;

use super::design::{Budget, Design};
use super::law::Law;

/// Every design of the table.
pub fn designs() -> Vec<Design> {
    let plain = Design::PLAIN;
    let even = |a: usize| [[a, a], [a, a]];
    let many = Design { puzzles: 10, runs: even(5), spread: 1.0, ..plain };
    let single = Design { puzzles: 30, runs: even(1), spread: 1.0, ..plain };
    let alone = Design { is_paired: false, ..plain };
    let kind = Design { puzzles: 12, spread: 1.0, interaction: 0.5, ..plain };
    vec![
        Design { name: "paired, 5 runs", runs: even(5), ..plain },
        Design { name: "paired, 10 runs", runs: even(10), ..plain },
        Design { name: "paired, 20 runs", ..plain },
        Design { name: "paired, 20 runs, correlation 0.7", correlation: 0.7, ..plain },
        Design { name: "paired, 20 runs, lognormal", laws: all(Law::Lognormal(1.5)), ..plain },
        Design { name: "paired, 20 runs, Weibull", laws: all(Law::Weibull), ..plain },
        Design { name: "paired, 20 runs, a fifth never", laws: all(Law::Mixture), ..plain },
        Design {
            name: "paired, 20 runs of kenga",
            laws: all(Law::Real),
            budget: Budget::Share(0.9),
            ..plain
        },
        Design { name: "paired, 20 runs, many ties", laws: all(Law::Steps), ..plain },
        Design { name: "paired, 20 runs, 95 % solve", budget: Budget::Share(0.95), ..plain },
        Design { name: "paired, 20 runs, 15 % solve", budget: Budget::Share(0.15), ..plain },
        Design { name: "paired, 20 runs, half the time", ratio: 0.5, ..plain },
        Design {
            name: "paired, 20 runs, eight times the budget",
            budget: Budget::Share(0.4),
            budgets: 8.0,
            ..plain
        },
        Design { name: "paired, 20 and 12 runs", runs: [[20, 20], [12, 12]], ..plain },
        Design { name: "paired, 20 runs, best fitness", metric: Metric::BestFitness, ..plain },
        Design { name: "paired, 20 runs, 4 copies of a side", copies: 4, ..plain },
        Design { name: "paired, 20 runs, 3 values of another key", copies: 3, step: Some(1.0), ..plain },
        Design { name: "paired, 20 runs, 6 settings", sides: 6, ..plain },
        Design { name: "paired, 20 runs, 8 settings", sides: 8, ..plain },
        Design { name: "paired, 20 runs, 6 settings, a baseline", sides: 6, has_baseline: true, ..plain },
        Design { name: "paired, 20 runs, 4 settings, two budgets", sides: 4, budgets: 2.0, ..plain },
        Design { name: "paired, 4 puzzles, 10 runs", puzzles: 4, runs: even(10), spread: 1.5, ..plain },
        Design {
            name: "paired, 4 puzzles, 24 and 4 runs",
            puzzles: 4,
            runs: [[24, 4], [24, 4]],
            spread: 1.5,
            ..plain
        },
        Design { name: "paired, 10 puzzles, 5 runs", ..many },
        Design { name: "paired, 10 puzzles, 5 runs, half the time", ratio: 0.5, ..many },
        Design { name: "paired, 30 puzzles, 1 run", ..single },
        Design { name: "paired, 30 puzzles, 1 run, 88 % solve", budget: Budget::Share(0.88), ..single },
        Design { name: "paired, 30 puzzles, 1 run, 3 settings", sides: 3, ..single },
        Design { name: "independent, 5 runs", runs: even(5), ..alone },
        Design { name: "independent, 20 runs", ..alone },
        Design { name: "independent, 20 and 60 runs", runs: [[20, 20], [60, 60]], ..alone },
        Design { name: "independent, 20 runs, many ties", laws: all(Law::Steps), ..alone },
        Design { name: "independent, 20 runs, 15 % solve", budget: Budget::Share(0.15), ..alone },
        Design {
            name: "independent, 20 runs, eight times the budget",
            budget: Budget::Share(0.4),
            budgets: 8.0,
            ..alone
        },
        Design { name: "independent, 20 runs, 4 copies of a side", copies: 4, ..alone },
        Design { name: "independent, 20 runs, 4 settings", sides: 4, ..alone },
        Design {
            name: "independent, 2 puzzles, 100 and 20 runs",
            puzzles: 2,
            runs: [[100, 20], [20, 100]],
            spread: 1.5,
            ..alone
        },
        Design { name: "independent, 10 puzzles, 5 runs", is_paired: false, ..many },
        Design { name: "independent, 10 puzzles, half the time", is_paired: false, ratio: 0.5, ..many },
        Design { name: "independent, 30 puzzles, 1 run", is_paired: false, ..single },
        Design { name: "interaction, 6 puzzles, 1 run", puzzles: 6, runs: even(1), ..kind },
        Design { name: "interaction, 6 puzzles, 10 runs", puzzles: 6, runs: even(10), ..kind },
        Design { name: "interaction, 6 puzzles, 50 runs", puzzles: 6, runs: even(50), ..kind },
        Design { name: "interaction, 12 puzzles, 1 run", runs: even(1), ..kind },
        Design { name: "interaction, 12 puzzles, 5 runs", runs: even(5), ..kind },
        Design { name: "interaction, 12 puzzles, 20 runs", ..kind },
        Design { name: "interaction, 12 puzzles, 50 runs", runs: even(50), ..kind },
        Design { name: "interaction, 12 puzzles, 20 runs, many ties", laws: all(Law::Steps), ..kind },
        Design {
            name: "interaction, 12 puzzles, 20 runs, lognormal",
            laws: all(Law::Lognormal(1.5)),
            ..kind
        },
        Design { name: "interaction, 12 puzzles, 20 runs, 95 % solve", budget: Budget::Share(0.95), ..kind },
        Design { name: "interaction, 12 puzzles, 20 runs, 15 % solve", budget: Budget::Share(0.15), ..kind },
        Design { name: "interaction, 12 puzzles, 20 runs, 4 settings", sides: 4, ..kind },
        Design { name: "interaction, 12 puzzles, 10 runs, 8 settings", sides: 8, runs: even(10), ..kind },
        Design { name: "interaction, 12 puzzles, 20 runs, independent", is_paired: false, ..kind },
        Design { name: "interaction, 12 puzzles of 4 families, 20 runs", family: 3, ..kind },
        Design { name: "interaction, 12 puzzles, 20 runs, half the time", ratio: 0.5, ..kind },
        Design { name: "interaction, 6 puzzles, 20 runs, half the time", puzzles: 6, ratio: 0.5, ..kind },
        Design {
            name: "interaction, 12 puzzles, 20 runs, 95 % solve, half the time",
            ratio: 0.5,
            budget: Budget::Share(0.95),
            ..kind
        },
        Design {
            name: "interaction, 12 puzzles, 20 runs, best fitness",
            metric: Metric::BestFitness,
            ..kind
        },
        Design { name: "interaction, 30 puzzles, 1 run", puzzles: 30, runs: even(1), ..kind },
        Design { name: "interaction, 30 puzzles, 10 runs", puzzles: 30, runs: even(10), ..kind },
    ]
    .into_iter()
    .chain(budgets())
    .chain(further())
    .collect()
}

/// The same law for all runs.
fn all(law: Law) -> [[Law; 2]; 2] {
    [[law; 2]; 2]
}

/// Budgets far above what a run takes: puzzles, runs of each and the budget in mean times.
const BUDGETS: [(&str, usize, usize, f64); 15] = [
    ("budget of 5 times, 1 puzzle, 20 runs", 1, 20, 5.0),
    ("budget of 5 times, 1 puzzle, 100 runs", 1, 100, 5.0),
    ("budget of 5 times, 12 puzzles, 5 runs", 12, 5, 5.0),
    ("budget of 5 times, 12 puzzles, 20 runs", 12, 20, 5.0),
    ("budget of 5 times, 12 puzzles, 100 runs", 12, 100, 5.0),
    ("budget of 30 times, 1 puzzle, 20 runs", 1, 20, 30.0),
    ("budget of 30 times, 1 puzzle, 100 runs", 1, 100, 30.0),
    ("budget of 30 times, 12 puzzles, 5 runs", 12, 5, 30.0),
    ("budget of 30 times, 12 puzzles, 20 runs", 12, 20, 30.0),
    ("budget of 30 times, 12 puzzles, 100 runs", 12, 100, 30.0),
    ("budget of 1000 times, 1 puzzle, 20 runs", 1, 20, 1000.0),
    ("budget of 1000 times, 1 puzzle, 100 runs", 1, 100, 1000.0),
    ("budget of 1000 times, 12 puzzles, 5 runs", 12, 5, 1000.0),
    ("budget of 1000 times, 12 puzzles, 20 runs", 12, 20, 1000.0),
    ("budget of 1000 times, 12 puzzles, 100 runs", 12, 100, 1000.0),
];

fn budgets() -> Vec<Design> {
    let mut designs = Vec::new();
    for (name, puzzles, runs, time) in BUDGETS {
        let spread = if puzzles > 1 { 1.0 } else { 0.0 };
        let budget = Budget::Time(time);
        designs.push(Design { name, puzzles, runs: [[runs; 2]; 2], spread, budget, ..Design::PLAIN });
    }
    designs
}

/// Settings that differ: in their shares, in their laws alone, on some puzzles, or by family.
fn further() -> Vec<Design> {
    let plain = Design::PLAIN;
    let even = |a: usize| [[a, a], [a, a]];
    let of = |puzzles: usize, runs: usize| Design { puzzles, runs: even(runs), ..plain };
    let kind = Design { puzzles: 12, spread: 1.0, interaction: 0.5, ..plain };
    // A run of the odd side takes 2.5 times as long: 60 % of its runs solve.
    let factor = |design| Design { budget: Budget::Share(0.9), ratio: 2.5, ..design };
    let against = |even: Law, odd: Law, design: Design| Design {
        laws: [[even; 2], [odd; 2]],
        budget: Budget::Time(1.0),
        ..design
    };
    let steady = Law::Steady { time: 0.94, fails: 0.0 };
    // The same cost: 0.8459 + 0.086 / 0.914, and 0.09 + 0.45946 / 0.54054.
    let slow = |design| against(steady, Law::Steady { time: 0.845_908, fails: 0.086 }, design);
    let half = |design| against(steady, Law::Quick { mean: 0.09, fails: 0.459_459 }, design);
    let quick = |design| against(steady, Law::Quick { mean: 0.09, fails: 0.086 }, design);
    let [high, low, middle] = [0.9, 0.1, 0.5].map(|share| Law::Uniform { share });
    let joined = |design| Design {
        laws: [[high, low], [middle; 2]],
        budget: Budget::Time(1.0),
        copies: 2,
        step: Some(0.0),
        ..design
    };
    // Families share the ratio of two settings, too.
    let families = Design { is_interaction_of_family: true, ..kind };
    let skewed = |gaps, design| Design { gaps, budget: Budget::Share(0.95), spread: 0.5, ..design };
    let variances = Design {
        laws: [[Law::Lognormal(2.0); 2], [Law::Lognormal(0.5); 2]],
        runs: [[15, 15], [60, 60]],
        budget: Budget::Time(20.0),
        is_paired: false,
        ..plain
    };
    let values =
        Design { laws: all(Law::Lognormal(0.2)), metric: Metric::BestFitness, decades: 6.0, ..of(12, 10) };
    let twice = Design { copies: 2, step: Some(0.0), ..of(1, 40) };
    vec![
        Design { name: "shares 90 and 60 %, 30 puzzles, 3 runs", ..factor(of(30, 3)) },
        Design { name: "shares 90 and 60 %, 100 puzzles, 5 runs", ..factor(of(100, 5)) },
        Design { name: "shares 90 and 60 %, 12 puzzles, 20 runs", ..factor(of(12, 20)) },
        Design { name: "half the time, 100 puzzles, 1 run", ratio: 0.5, spread: 1.0, ..of(100, 1) },
        Design { name: "steady against as costly with 8.6 % failing, 12 puzzles, 5 runs", ..slow(of(12, 5)) },
        Design { name: "steady against as costly with 8.6 % failing, 30 puzzles, 5 runs", ..slow(of(30, 5)) },
        Design {
            name: "steady against as costly with 8.6 % failing, 12 puzzles, 20 runs",
            ..slow(of(12, 20))
        },
        Design { name: "steady against as costly with 46 % failing, 12 puzzles, 5 runs", ..half(of(12, 5)) },
        Design { name: "steady against as costly with 46 % failing, 30 puzzles, 5 runs", ..half(of(30, 5)) },
        Design {
            name: "steady against as costly with 46 % failing, 12 puzzles, 20 runs",
            ..half(of(12, 20))
        },
        Design { name: "steady against quick with 8.6 % failing, 12 puzzles, 5 runs", ..quick(of(12, 5)) },
        Design { name: "steady against quick with 8.6 % failing, 30 puzzles, 5 runs", ..quick(of(30, 5)) },
        Design { name: "steady against quick with 8.6 % failing, 12 puzzles, 20 runs", ..quick(of(12, 20)) },
        Design { name: "joined 90 and 10 % against twice 50 %, 1 puzzle, 40 runs", ..joined(of(1, 40)) },
        Design { name: "joined 90 and 10 % against twice 50 %, 12 puzzles, 5 runs", ..joined(of(12, 5)) },
        Design { name: "joined 90 and 10 % against twice 50 %, 30 puzzles, 5 runs", ..joined(of(30, 5)) },
        Design { name: "joined 90 and 10 % against twice 50 %, 12 puzzles, 20 runs", ..joined(of(12, 20)) },
        Design { name: "families, 12 puzzles of 4, not named", family: 3, ..families },
        Design { name: "families, 12 puzzles of 3, not named", family: 4, ..families },
        Design { name: "families named, 12 puzzles of 4", family: 3, is_grouped: true, ..families },
        Design { name: "families named, 12 puzzles of 3", family: 4, is_grouped: true, ..families },
        Design { name: "gaps in 2 % of the kind, 12 puzzles, 20 runs", ..skewed(0.02, of(12, 20)) },
        Design { name: "gaps in 10 % of the kind, 12 puzzles, 20 runs", ..skewed(0.1, of(12, 20)) },
        Design { name: "gaps in 10 % of the kind, 30 puzzles, 10 runs", ..skewed(0.1, of(30, 10)) },
        Design { name: "nearly all solve, 12 puzzles, 20 runs", budget: Budget::Share(0.998), ..of(12, 20) },
        Design { name: "unequal variance, equal costs, 15 and 60 runs", ratio: 3.420_633, ..variances },
        Design { name: "unequal variance, equal medians, 15 and 60 runs", ..variances },
        Design { name: "values of 6 decades, equal, 12 instances, 10 runs", ..values },
        Design { name: "values of 6 decades, 10 % better, 12 instances, 10 runs", ratio: 0.9, ..values },
        Design {
            name: "values of 6 decades, 20 % better but on the largest, 12 instances, 10 runs",
            ratio: 0.8,
            last_ratio: Some(1.1),
            ..values
        },
        Design {
            name: "power, 40 starts of 2 runs, 68 and 38 %",
            ratio: 2.3835,
            budget: Budget::Share(0.68),
            ..twice
        },
        Design {
            name: "power, 40 starts of 2 runs, 59 and 38 %",
            ratio: 1.8651,
            budget: Budget::Share(0.59),
            ..twice
        },
        Design { name: "power, 20 single pairs, half the time", ratio: 0.5, ..of(1, 20) },
        Design { name: "power, 40 single pairs, half the time", ratio: 0.5, ..of(1, 40) },
        Design {
            name: "power, 20 single pairs, half the time, 95 % solve",
            ratio: 0.5,
            budget: Budget::Share(0.95),
            ..of(1, 20)
        },
    ]
}
