//! How often what kenga says is wrong: experiments of which the truth is known are written as results folders, and the program
//! is asked about them, by `kenga compare --json` and `kenga report --json`.
//!
//! ```text
//! cargo build --release
//! cargo bench -p kenga-benches --bench calibration                       every table, 400 folders of each design; README.md has them
//! cargo bench -p kenga-benches --bench calibration -- 2000 puzzles       2000 of the designs whose name has "puzzles"
//! ```
//!
//! The program is the one that cargo has built for the same profile. The same arguments give the same tables on any number of
//! threads.

mod choices;
mod design;
mod designs;
mod folder;
mod law;
mod races;
mod tally;

use design::{Design, Kind};
use folder::{Place, ask, plan, runner, write};
use kenga::study::Metric;
use rayon::prelude::*;
use serde_json::Value;
use tally::{COVERAGES, Column, DECISIONS, Tally, percent, rate};

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
    for interacts in [false, true] {
        let mut tallies: Vec<(Design, Tally)> = Vec::new();
        for design in designs::designs() {
            if has(design.name) && (design.interaction > 0.0) == interacts {
                let kind = design.kind();
                let found = (0..simulations).into_par_iter().map(|seed| simulate(&design, kind, seed));
                tallies.push((design, found.reduce(Tally::default, Tally::plus)));
            }
        }
        print(&tallies, simulations);
    }
    println!("| decision | wrong |\n|---|---|");
    for choice in choices::CHOICES.iter().filter(|choice| has(choice.name)) {
        let count = (0..simulations).into_par_iter().filter(|seed| (choice.is_wrong)(*seed)).count() as u64;
        println!("| {} | {} |", choice.name, rate([count, simulations], simulations));
    }
    if has(races::NAME) {
        races::print(simulations);
    }
}

/// Prints two tables of designs, and below each all designs of it together: the claims of those without an effect.
fn print(tallies: &[(Design, Tally)], simulations: u64) {
    if tallies.is_empty() {
        return;
    }
    for (columns, without_effect) in [(&DECISIONS[..], true), (&COVERAGES[..], false)] {
        let headings: Vec<&str> = columns.iter().map(|column| column.heading()).collect();
        println!("| design | {} |", headings.join(" | "));
        println!("|---{}|", "|---".repeat(columns.len()));
        let mut all = Tally::default();
        let mut count = 0;
        for (design, tally) in tallies {
            println!("| {} | {} |", design.name, tally.in_words(columns, simulations));
            if !without_effect || design.ratio == 1.0 {
                all = all.plus(tally.clone());
                count += 1;
            }
        }
        let which = if without_effect { "designs without an effect" } else { "designs" };
        println!("| **{count} {which} together** | {} |\n", all.in_words(columns, count * simulations));
    }
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
fn simulate(design: &Design, kind: Kind, seed: u64) -> Tally {
    let place = Place::new(&format!("{}-{seed}", design.name.replace([' ', ',', '%'], "")));
    let (runs, difficulty) = design.draw(seed);
    let mut folders = Vec::new();
    for (number, (slot, runs)) in design.slots().iter().zip(&runs).enumerate() {
        let plan = plan(&config(design, slot), &slot.puzzles);
        let path = place.join(&format!("f{number}"));
        write(&path, &plan, &runner(&plan), runs, false);
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
    note_pairs(&mut tally, design, kind, &found);
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
fn note_pairs(tally: &mut Tally, design: &Design, kind: Kind, found: &Value) {
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
        if design.budgets == 1.0 {
            let next = &pair["next_puzzle"];
            // Of two sides of one kind nothing differs, of others the truth or its opposite.
            let sign = if ratio == 1.0 { 0.0 } else { ratio.ln() / design.ratio.ln() };
            tally.covers(Column::NextRatio, &next["ratio"]["interval_95"], kind.ratio.powf(sign));
            tally.covers(
                Column::NextDifference,
                &next["share_difference"]["interval_95"],
                kind.difference * sign,
            );
        }
    }
}

/// The numbers of the first side.
fn note_first_side(tally: &mut Tally, design: &Design, found: &Value, truth: [f64; 3], kind: Kind) {
    let [share, expected, par10] = truth;
    let side = list(found, "settings").iter().find(|side| side["name"] == *value(0)).expect("the first side");
    if design.metric == Metric::BestFitness {
        return;
    }
    tally.covers(Column::Share, &side["share_95"], share);
    tally.covers(Column::NextShare, &side["share_95_next_puzzle"], kind.share);
    if let Some(median) = design.median() {
        tally.covers(Column::Median, &side["median"]["interval_95"], median * design::CALLS);
    }
    tally.covers(Column::Expected, &side["expected"]["interval_95"], expected * design::CALLS);
    tally.covers(Column::Par10, &side["par10"]["interval_95"], par10 * design::CALLS);
    tally.covers(Column::NextPar10, &side["par10_95_next_puzzle"], kind.par10 * design::CALLS);
}
