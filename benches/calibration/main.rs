//! How often what kenga says is wrong: its comparisons, intervals, races, restarts and importance on simulated experiments
//! of which the truth is known.
//!
//! ```text
//! cargo bench --bench calibration                        the tables of docs/statistics.md
//! cargo bench --bench calibration -- 2000 puzzles        2000 simulations of the designs whose name has "puzzles"
//! ```
//!
//! The same arguments give the same tables on any number of threads.

mod choices;
mod design;
mod law;

use design::Design;
use kenga::stats::{Estimate, Interval, Z_95, wilson};
use kenga::study::{Metric, Question, compare};
use law::Law;
use rayon::prelude::*;

/// Simulations of a design unless another number is given.
const SIMULATIONS: u64 = 400;

fn main() {
    // Cargo adds flags of its own.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let number = words.iter().find_map(|word| word.parse().ok());
    let filter = words.iter().find(|word| word.parse::<u64>().is_err());
    let simulations: u64 = number.unwrap_or(SIMULATIONS);
    let has = |name: &str| filter.is_none_or(|filter| name.contains(filter.as_str()));

    println!("{simulations} simulations a design; in percent, nominal 5 and 95.\n");
    println!(
        "| design | shown | cannot tell | overall | shares shown | ratio | A12 | difference | share | next | median | ERT | PAR-10 | next |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for design in designs().iter().filter(|design| has(design.name)) {
        let kind = design.truth_of_kind();
        let found = (0..simulations).into_par_iter().map(|seed| simulate(design, kind, seed));
        println!("| {} | {} |", design.name, found.reduce(Tally::default, Tally::plus).in_words());
    }
    println!("\n| choice | wrong |\n|---|---|");
    for (name, wrong) in choices::CHOICES.iter().filter(|(name, _)| has(name)) {
        let count = (0..simulations).into_par_iter().filter(|seed| wrong(*seed)).count() as u64;
        println!("| {name} | {} |", rate([count, simulations]));
    }
}

/// Every design of the table.
fn designs() -> Vec<Design> {
    let plain = Design::PLAIN;
    let even = |a: usize| [[a, a], [a, a]];
    let many = Design { puzzles: 10, runs: even(5), spread: 1.0, ..plain };
    let single = Design { puzzles: 30, runs: even(1), spread: 1.0, ..plain };
    let alone = Design { is_paired: false, ..plain };
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
    ]
}

/// Of how many simulations something holds.
type Count = [u64; 2];

/// What simulations have found, in the order of the columns.
#[derive(Clone, Default)]
struct Tally([Count; 13]);

impl Tally {
    fn note(&mut self, column: usize, holds: bool) {
        self.0[column][0] += u64::from(holds);
        self.0[column][1] += 1;
    }

    fn covers(&mut self, column: usize, found: Option<Interval>, truth: f64) {
        // Rounding is no miss.
        let far = 1e-9 * truth.abs().max(1.0);
        if let Some(ends) = found {
            self.note(column, ends.low - far <= truth && truth <= ends.high + far);
        }
    }

    fn plus(mut self, other: Self) -> Self {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            own[0] += other[0];
            own[1] += other[1];
        }
        self
    }

    fn in_words(&self) -> String {
        let column =
            |(place, count): (usize, &Count)| if place == 0 { rate(*count) } else { percent(*count) };
        self.0.iter().enumerate().map(column).collect::<Vec<_>>().join(" | ")
    }
}

fn percent([holds, all]: Count) -> String {
    if all == 0 { "–".to_owned() } else { format!("{:.1}", 100.0 * holds as f64 / all as f64) }
}

/// A rate with the interval that so many simulations leave.
fn rate(count: Count) -> String {
    let Interval { low, high } = wilson(count[0], count[1], Z_95);
    format!("{} ({:.1} to {:.1})", percent(count), 100.0 * low, 100.0 * high)
}

/// Draws an experiment of a kind of which the truth is known, and asks `compare`.
fn simulate(design: &Design, kind: [f64; 3], seed: u64) -> Tally {
    let (samples, difficulty) = design.draw(seed);
    let baseline = design.has_baseline.then(|| samples[0].name.clone());
    let question = Question::plain(design.metric, 0.05).from_baseline(baseline.as_deref());
    let found = compare(&samples, &question).expect("there are runs");
    let mut tally = Tally::default();
    let can_tell = found.pairs.iter().any(|pair| pair.untold.is_none());
    tally.note(0, found.pairs.iter().any(|pair| pair.is_shown(0.05)));
    tally.note(1, !can_tell);
    if let Some(test) = found.overall.filter(|_| design.sides > 2) {
        tally.note(2, test.p < 0.05);
    }
    tally.note(3, found.pairs.iter().any(|pair| pair.is_share_shown(0.05)));
    let ends = |estimate: Option<Estimate>| estimate.map(|one| one.interval);
    for pair in &found.pairs {
        // Sides with an odd number take `ratio` times as long.
        let factor = |side: usize| if side % 2 == 1 { design.ratio } else { 1.0 };
        tally.covers(4, ends(pair.ratio), factor(pair.second) / factor(pair.first));
        if design.ratio == 1.0 {
            tally.covers(5, Some(pair.a12.interval), 0.5);
            tally.covers(6, Some(pair.share.interval), 0.0);
        }
    }
    let [share, ert, par10] = design.truth(&difficulty);
    let [share_next, _, par10_next] = kind;
    let side = &found.sides[0];
    tally.covers(7, Some(side.share.interval), share);
    tally.covers(8, side.share_next, share_next);
    if let Some(median) = design.median() {
        tally.covers(9, side.median.map(|found| found.interval), median);
    }
    tally.covers(10, ends(side.ert), ert);
    tally.covers(11, ends(side.par10), par10);
    tally.covers(12, side.par10_next, par10_next);
    tally
}
