//! How often what kenga says is wrong: experiments of which the truth is known are written as results folders, and the program
//! is asked about them, by `kenga compare --json` and `kenga report --json`.
//!
//! ```text
//! cargo build --release
//! cargo bench -p kenga-benches --bench calibration                       the tables of docs/statistics.md
//! cargo bench -p kenga-benches --bench calibration -- 2000 puzzles       2000 of the designs whose name has "puzzles"
//! ```
//!
//! The same arguments give the same tables on any number of threads.

mod choices;
mod design;
mod folder;
mod law;
mod races;

use design::Design;
use folder::{Place, ask, plan, runner, write};
use kenga::stats::{Interval, Z_95, wilson};
use kenga::study::Metric;
use law::Law;
use rayon::prelude::*;
use serde_json::Value;

/// Simulations of a design unless another number is given.
const SIMULATIONS: u64 = 400;

fn main() {
    // Cargo adds flags of its own.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let number = words.iter().find_map(|word| word.parse().ok());
    let filter = words.iter().find(|word| word.parse::<u64>().is_err());
    let simulations: u64 = number.unwrap_or(SIMULATIONS);
    let has = |name: &str| filter.is_none_or(|filter| name.contains(filter.as_str()));

    println!("{simulations} folders of each design; in percent, nominal 5 and 95.\n");
    let mut tallies: Vec<(Design, Tally)> = Vec::new();
    for design in designs().into_iter().filter(|design| has(design.name)) {
        let kind = design.truth_of_kind();
        let found = (0..simulations).into_par_iter().map(|seed| simulate(&design, kind, seed));
        tallies.push((design, found.reduce(Tally::default, Tally::plus)));
    }
    let tables = [&DECISIONS[..], &COVERAGES[..]];
    for columns in tables.into_iter().filter(|_| !tallies.is_empty()) {
        println!(
            "| design | {} |",
            columns.iter().map(|column| column.heading()).collect::<Vec<_>>().join(" | ")
        );
        println!("|---{}|", "|---".repeat(columns.len()));
        for (design, tally) in &tallies {
            println!("| {} | {} |", design.name, tally.in_words(columns));
        }
        println!();
    }
    println!("| decision | wrong |\n|---|---|");
    for choice in choices::CHOICES.iter().filter(|choice| has(choice.name)) {
        let count = (0..simulations).into_par_iter().filter(|seed| (choice.is_wrong)(*seed)).count() as u64;
        println!("| {} | {} |", choice.name, rate([count, simulations]));
    }
    if has(races::NAME) {
        races::print(simulations);
    }
}

/// Every design of the table.
fn designs() -> Vec<Design> {
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
        Design { name: "interaction, 12 puzzles, 20 runs, independent", is_paired: false, ..kind },
        Design { name: "interaction, 12 puzzles of 4 families, 20 runs", family: 3, ..kind },
        Design { name: "interaction, 12 puzzles, 20 runs, half the time", ratio: 0.5, ..kind },
        Design { name: "interaction, 30 puzzles, 1 run", puzzles: 30, runs: even(1), ..kind },
        Design { name: "interaction, 30 puzzles, 10 runs", puzzles: 30, runs: even(10), ..kind },
    ]
}

/// Of how many simulations something holds.
type Count = [u64; 2];

/// A column of a table.
#[derive(Clone, Copy)]
enum Column {
    Shown,
    CannotTell,
    Overall,
    SharesShown,
    NextShown,
    NextSharesShown,
    Ratio,
    A12,
    Difference,
    NextRatio,
    NextDifference,
    Share,
    NextShare,
    Median,
    Expected,
    Par10,
    NextPar10,
}

/// The columns of what is claimed, and of what intervals cover.
const DECISIONS: [Column; 6] = [
    Column::Shown,
    Column::SharesShown,
    Column::NextShown,
    Column::NextSharesShown,
    Column::Overall,
    Column::CannotTell,
];
const COVERAGES: [Column; 11] = [
    Column::Ratio,
    Column::A12,
    Column::Difference,
    Column::NextRatio,
    Column::NextDifference,
    Column::Share,
    Column::NextShare,
    Column::Median,
    Column::Expected,
    Column::Par10,
    Column::NextPar10,
];

impl Column {
    fn heading(self) -> &'static str {
        match self {
            Self::Shown => "shown",
            Self::CannotTell => "cannot tell",
            Self::Overall => "overall",
            Self::SharesShown => "shares",
            Self::NextShown => "next puzzle",
            Self::NextSharesShown => "next, shares",
            Self::Ratio => "ratio",
            Self::A12 => "A12",
            Self::Difference => "difference",
            Self::NextRatio => "next ratio",
            Self::NextDifference => "next difference",
            Self::Share => "share",
            Self::NextShare => "next share",
            Self::Median => "median",
            Self::Expected => "ERT",
            Self::Par10 => "PAR-10",
            Self::NextPar10 => "next PAR-10",
        }
    }
}

/// How many columns there are.
const COLUMNS: usize = Column::NextPar10 as usize + 1;

/// What simulations have found, by column.
#[derive(Clone)]
struct Tally([Count; COLUMNS]);

impl Default for Tally {
    fn default() -> Self {
        Self([[0; 2]; COLUMNS])
    }
}

impl Tally {
    fn note(&mut self, column: Column, holds: bool) {
        let count = &mut self.0[column as usize];
        count[0] += u64::from(holds);
        count[1] += 1;
    }

    /// Notes whether an interval, two numbers, covers the truth. A missing end is infinite.
    fn covers(&mut self, column: Column, ends: &Value, truth: f64) {
        // Rounding is no miss, nor is that of times to whole calls.
        let far = 1e-6 * truth.abs().max(1.0);
        if let Some(ends) = ends.as_array() {
            let low = ends[0].as_f64().unwrap_or(f64::NEG_INFINITY);
            let high = ends[1].as_f64().unwrap_or(f64::INFINITY);
            self.note(column, low - far <= truth && truth <= high + far);
        }
    }

    fn plus(mut self, other: Self) -> Self {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            own[0] += other[0];
            own[1] += other[1];
        }
        self
    }

    fn in_words(&self, columns: &[Column]) -> String {
        let mut words = Vec::new();
        for column in columns {
            let count = self.0[*column as usize];
            let has_ends = matches!(column, Column::Shown | Column::NextShown | Column::NextSharesShown);
            words.push(if has_ends { rate(count) } else { percent(count) });
        }
        words.join(" | ")
    }
}

fn percent([holds, all]: Count) -> String {
    if all == 0 { "–".to_owned() } else { format!("{:.1}", 100.0 * holds as f64 / all as f64) }
}

/// A rate with the interval that so many simulations leave.
fn rate(count: Count) -> String {
    if count[1] == 0 {
        return "–".to_owned();
    }
    let Interval { low, high } = wilson(count[0], count[1], Z_95);
    format!("{} ({:.1} to {:.1})", percent(count), 100.0 * low, 100.0 * high)
}

/// The key by which sides are told apart, and the value of one.
const SIDE: &str = "algorithm.mutation.rate";

fn value(side: usize) -> String {
    format!("{}", (side + 1) as f64 / 10.0)
}

/// The configuration of a folder.
fn config(design: &Design, slot: &folder::Slot) -> String {
    let populations: Vec<String> = (0..slot.copies).map(|copy| (10 + 10 * copy).to_string()).collect();
    let swept = match slot.copies {
        1 => String::new(),
        _ => format!("[sweep]\n\"algorithm.population\" = [{}]\n", populations.join(", ")),
    };
    format!(
        r#"seed = {}
replicates = {}
budget.evaluations = {}
record.every = 0
[algorithm]
name = "genetic"
encoding = "rows"
population = 10
mutation = {{ name = "row_swap", rate = {} }}
{swept}"#,
        design.seed(slot.side),
        slot.replicates,
        design.calls(slot.side),
        value(slot.side)
    )
}

/// Writes an experiment of which the truth is known, and asks `kenga compare`.
fn simulate(design: &Design, kind: [f64; 3], seed: u64) -> Tally {
    let place = Place::new(&format!("{}-{seed}", design.name.replace([' ', ',', '%'], "")));
    let (runs, difficulty) = design.draw(seed);
    let mut folders = Vec::new();
    for (number, (slot, runs)) in design.slots().iter().zip(&runs).enumerate() {
        let plan = plan(&config(design, slot), &slot.puzzles);
        let path = place.join(&format!("f{number}"));
        write(&path, &plan, &runner(&plan), runs);
        folders.push(path);
    }
    let baseline = value(0);
    let mut arguments = vec!["compare", "--by", SIDE, "--metric", design.metric.name()];
    if design.has_baseline {
        arguments.extend(["--baseline", &baseline]);
    }
    let found = ask(&arguments, &folders);
    let mut tally = Tally::default();
    note_decisions(&mut tally, design, &found);
    note_pairs(&mut tally, design, &found);
    note_first_side(&mut tally, design, &found, design.truth(&difficulty), kind);
    tally
}

/// A list in an answer.
fn list<'a>(found: &'a Value, key: &str) -> &'a [Value] {
    found[key].as_array().map_or(&[], Vec::as_slice)
}

/// What the comparison claims.
fn note_decisions(tally: &mut Tally, design: &Design, found: &Value) {
    let pairs = list(found, "pairs");
    let is_low = |p: &Value| p.as_f64().is_some_and(|p| p < 0.05);
    tally.note(Column::Shown, pairs.iter().any(|pair| pair["shown"] == true));
    tally.note(Column::CannotTell, pairs.iter().all(|pair| !pair["cannot_tell"].is_null()));
    if design.sides > 2 && !found["overall_p"].is_null() {
        tally.note(Column::Overall, is_low(&found["overall_p"]));
    }
    let tells = |pair: &&Value| pair["cannot_tell"].is_null();
    tally.note(Column::SharesShown, pairs.iter().filter(tells).any(|pair| is_low(&pair["share_p_holm"])));
    let next: Vec<&Value> =
        pairs.iter().map(|pair| &pair["next_puzzle"]).filter(|next| next.is_object()).collect();
    if !next.is_empty() {
        tally.note(Column::NextShown, next.iter().any(|next| is_low(&next["p_holm"])));
        tally.note(Column::NextSharesShown, next.iter().any(|next| is_low(&next["share_p_holm"])));
    }
}

/// The intervals of differences. Where sides interact with puzzles, the truth is known of the kind alone.
fn note_pairs(tally: &mut Tally, design: &Design, found: &Value) {
    for pair in list(found, "pairs") {
        // Sides with an odd number take `ratio` times as long.
        let factor = |name: &Value| {
            let is_odd = (0..design.sides).any(|side| side % 2 == 1 && *name == *value(side));
            if is_odd { design.ratio } else { 1.0 }
        };
        let ratio = factor(&pair["second"]) / factor(&pair["first"]);
        if design.interaction == 0.0 {
            tally.covers(Column::Ratio, &pair["ratio"]["interval_95"], ratio);
            if design.ratio == 1.0 {
                tally.covers(Column::A12, &pair["a12"]["interval_95"], 0.5);
                tally.covers(Column::Difference, &pair["share_difference"]["interval_95"], 0.0);
            }
        }
        if design.ratio == 1.0 && design.budgets == 1.0 {
            let next = &pair["next_puzzle"];
            tally.covers(Column::NextRatio, &next["ratio"]["interval_95"], 1.0);
            tally.covers(Column::NextDifference, &next["share_difference"]["interval_95"], 0.0);
        }
    }
}

/// The numbers of the first side.
fn note_first_side(tally: &mut Tally, design: &Design, found: &Value, truth: [f64; 3], kind: [f64; 3]) {
    let [share, expected, par10] = truth;
    let [share_next, _, par10_next] = kind;
    let side = list(found, "settings").iter().find(|side| side["name"] == *value(0)).expect("the first side");
    if design.metric == Metric::BestFitness {
        return;
    }
    tally.covers(Column::Share, &side["share_95"], share);
    tally.covers(Column::NextShare, &side["share_95_next_puzzle"], share_next);
    if let Some(median) = design.median() {
        tally.covers(Column::Median, &side["median"]["interval_95"], median * design::CALLS);
    }
    tally.covers(Column::Expected, &side["expected"]["interval_95"], expected * design::CALLS);
    tally.covers(Column::Par10, &side["par10"]["interval_95"], par10 * design::CALLS);
    tally.covers(Column::NextPar10, &side["par10_95_next_puzzle"], par10_next * design::CALLS);
}
