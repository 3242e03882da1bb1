//! The designs of the tables.

use kenga::study::Metric;

use super::design::Design;
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
        Design { name: "paired, 20 runs, lognormal", law: Law::Lognormal, ..plain },
        Design { name: "paired, 20 runs, Weibull", law: Law::Weibull, ..plain },
        Design { name: "paired, 20 runs, a fifth never", law: Law::Mixture, ..plain },
        Design { name: "paired, 20 runs of kenga", law: Law::Real, share: 0.9, ..plain },
        Design { name: "paired, 20 runs, many ties", law: Law::Steps, ..plain },
        Design { name: "paired, 20 runs, 95 % solve", share: 0.95, ..plain },
        Design { name: "paired, 20 runs, 15 % solve", share: 0.15, ..plain },
        Design { name: "paired, 20 runs, half the time", ratio: 0.5, ..plain },
        Design { name: "paired, 20 runs, eight times the budget", share: 0.4, budgets: 8.0, ..plain },
        Design { name: "paired, 20 and 12 runs", runs: [[20, 20], [12, 12]], ..plain },
        Design { name: "paired, 20 runs, best fitness", metric: Metric::BestFitness, ..plain },
        Design { name: "paired, 20 runs, 4 copies of a side", copies: 4, ..plain },
        Design { name: "paired, 20 runs, 3 values of another key", copies: 3, is_swept: true, ..plain },
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
        Design { name: "paired, 30 puzzles, 1 run, 88 % solve", share: 0.88, ..single },
        Design { name: "paired, 30 puzzles, 1 run, 3 settings", sides: 3, ..single },
        Design { name: "independent, 5 runs", runs: even(5), ..alone },
        Design { name: "independent, 20 runs", ..alone },
        Design { name: "independent, 20 and 60 runs", runs: [[20, 20], [60, 60]], ..alone },
        Design { name: "independent, 20 runs, many ties", law: Law::Steps, ..alone },
        Design { name: "independent, 20 runs, 15 % solve", share: 0.15, ..alone },
        Design { name: "independent, 20 runs, eight times the budget", share: 0.4, budgets: 8.0, ..alone },
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
        Design { name: "interaction, 12 puzzles, 20 runs, many ties", law: Law::Steps, ..kind },
        Design { name: "interaction, 12 puzzles, 20 runs, lognormal", law: Law::Lognormal, ..kind },
        Design { name: "interaction, 12 puzzles, 20 runs, 95 % solve", share: 0.95, ..kind },
        Design { name: "interaction, 12 puzzles, 20 runs, 15 % solve", share: 0.15, ..kind },
        Design { name: "interaction, 12 puzzles, 20 runs, 4 settings", sides: 4, ..kind },
        Design { name: "interaction, 12 puzzles, 10 runs, 8 settings", sides: 8, runs: even(10), ..kind },
        Design { name: "interaction, 12 puzzles, 20 runs, independent", is_paired: false, ..kind },
        Design { name: "interaction, 12 puzzles of 4 families, 20 runs", family: 3, ..kind },
        Design { name: "interaction, 12 puzzles, 20 runs, half the time", ratio: 0.5, ..kind },
        Design { name: "interaction, 6 puzzles, 20 runs, half the time", puzzles: 6, ratio: 0.5, ..kind },
        Design {
            name: "interaction, 12 puzzles, 20 runs, 95 % solve, half the time",
            ratio: 0.5,
            share: 0.95,
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
}
