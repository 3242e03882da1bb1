//! How often what kenga says is wrong: experiments of which the truth is known are drawn, and compared as `kenga compare --json`
//! compares them. Of each design some are written as results folders, too, and the program must say the same about them. Choices
//! of races, areas, restarts and importance are asked of the program alone.
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
mod truth;

use std::collections::BTreeMap;

use design::{CALLS, Design};
use folder::{Place, SlotRuns, ask, plan, puzzle_id, runner, write};
use kenga::report::compare::as_json;
use kenga::stats::Observed;
use kenga::study::{Block, Groups, Metric, Question, RunValue, SettingSample, compare};
use rayon::prelude::*;
use serde_json::Value;
use tally::{CLAIMS, COVERAGES, Claim, Column, Tally, percent, rate};
use truth::{Difference, Truth, sign};

/// Simulations of a design unless another number is given.
const SIMULATIONS: u64 = 400;

/// One in so many is asked of the program, too.
const ASKED: u64 = 200;

fn main() {
    // Cargo adds flags of its own.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let number = words.iter().find_map(|word| word.parse().ok());
    let filter = words.iter().find(|word| word.parse::<u64>().is_err());
    let simulations: u64 = number.unwrap_or(SIMULATIONS);
    let has = |name: &str| filter.is_none_or(|filter| name.contains(filter.as_str()));

    println!("{simulations} folders of each design; in percent, nominal 5 and 95.\n");
    let mut tallies: Vec<(Design, Tally)> = Vec::new();
    for design in designs::designs().into_iter().filter(|design| has(design.name)) {
        let truth = Truth::new(&design);
        let each = (0..simulations).into_par_iter().map(|seed| simulate(&design, &truth, seed));
        let tally = each.reduce(Tally::default, Tally::plus);
        eprintln!(
            "{}: {}; {}",
            design.name,
            tally.in_words(&CLAIMS, simulations),
            tally.in_words(&COVERAGES, simulations)
        );
        tallies.push((design, tally));
    }
    for columns in [&CLAIMS[..], &COVERAGES] {
        print(&tallies, columns, simulations);
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

/// Prints a table of designs, and below those whose names begin alike all of them together.
fn print(tallies: &[(Design, Tally)], columns: &[Column], simulations: u64) {
    if tallies.is_empty() {
        return;
    }
    let headings: Vec<&str> = columns.iter().map(|column| column.heading()).collect();
    println!("| design | {} |", headings.join(" | "));
    println!("|---{}|", "|---".repeat(columns.len()));
    let section = |design: &Design| design.name.split(',').next().unwrap_or_default();
    for alike in tallies.chunk_by(|a, b| section(&a.0) == section(&b.0)) {
        let mut sum = Tally::default();
        for (design, tally) in alike {
            println!("| {} | {} |", design.name, tally.in_words(columns, simulations));
            sum = sum.plus(tally.clone());
        }
        if let [(first, _), _, ..] = alike {
            let count = alike.len() as u64;
            let figures = sum.without_powers().in_words(columns, count * simulations);
            println!("| **{}: {count} designs together** | {figures} |", section(first));
        }
    }
    println!();
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

/// Draws an experiment of which the truth is known, and compares its settings.
fn simulate(design: &Design, truth: &Truth<'_>, seed: u64) -> Tally {
    let (runs, difficulty) = design.draw(seed);
    let answer = compared(design, &runs);
    if seed.is_multiple_of(ASKED) {
        let program = asked(design, &runs, seed);
        for key in ["order", "pairs", "settings", "overall_p"] {
            assert_eq!(answer[key], program[key], "{}, {seed}: {key}", design.name);
        }
    }
    let mut tally = Tally::default();
    let sides: BTreeMap<String, usize> = (0..design.sides).map(|side| (value(side), side)).collect();
    let mut claims = Claims::default();
    for pair in list(&answer, "pairs") {
        let [first, second] = ["first", "second"].map(|name| sides[pair[name].as_str().expect("a name")]);
        // Both are compared up to the smaller budget.
        let limit = design.budget(first).min(design.budget(second));
        let [a, b] = [first, second].map(|side| truth.these(side, &difficulty[side], limit));
        let [kind_a, kind_b] = [first, second].map(|side| truth.kind(side, limit));
        let (these, kind) = (Difference::new(a, b), Difference::new(kind_a, kind_b));
        claims.take(design, pair, &these, &kind);
        note_intervals(&mut tally, design, pair, &these, &kind);
    }
    claims.note(&mut tally);
    if design.sides > 2 && !answer["overall_p"].is_null() {
        tally.note(Column::Overall, is_low(&answer["overall_p"]));
    }
    if let [claim] = &claims.shown[..]
        && design.ratio != 1.0
        && claim.truth != 0
    {
        // The reference comes first.
        tally.note_power(Column::First, claim.truth > 0);
    }
    note_first_side(&mut tally, design, &answer, truth, &difficulty[0]);
    tally
}

/// The families of the puzzles, as their `meta` names them.
fn families(design: &Design) -> Groups {
    let family = |puzzle: usize| (puzzle_id(puzzle), format!("f{}", puzzle / design.family));
    Groups { name: "family".to_owned(), families: (0..design.puzzles).map(family).collect() }
}

/// What the comparison of these runs says as JSON.
fn compared(design: &Design, folders: &[SlotRuns]) -> Value {
    let mut sides = vec![Vec::new(); design.sides];
    for (slot, runs) in design.slots().iter().zip(folders) {
        let budget = design.calls(slot.side) as f64;
        let mut outcomes = runs.0.iter();
        for replicate in 0..slot.replicates as u64 {
            for puzzle in &slot.puzzles {
                for (variant, outcome) in (0..slot.copies).zip(&mut outcomes) {
                    let solved = outcome.fitness == 0;
                    let (observed, budget) = match design.metric {
                        Metric::BestFitness => (Observed::solved(f64::from(outcome.fitness)), f64::INFINITY),
                        _ => (Observed { spent: outcome.calls as f64, solved }, budget),
                    };
                    let fitness = f64::from(outcome.fitness);
                    let run = RunValue { solved, fitness, variant, ..RunValue::new(observed, budget) };
                    let seed = design.seed(slot.side) as u64;
                    sides[slot.side]
                        .push((Block { puzzle: puzzle_id(*puzzle).into(), seed, replicate }, run));
                }
            }
        }
    }
    let samples = sides
        .into_iter()
        .enumerate()
        .map(|(side, runs)| SettingSample::new(&value(side), &value(side), runs));
    let samples: Vec<SettingSample> = samples.collect();
    let baseline = value(0);
    let mut question =
        Question::plain(design.metric, 0.05).from_baseline(design.has_baseline.then_some(&*baseline));
    if design.is_grouped {
        question = question.in_groups(families(design));
    }
    let text = as_json(&compare(&samples, &question).expect("settings that can be compared")).to_string();
    serde_json::from_str(&text).expect("JSON")
}

/// What the program says about the same runs in results folders.
fn asked(design: &Design, folders: &[SlotRuns], seed: u64) -> Value {
    let place = Place::new(&format!("{}-{seed}", design.name.replace([' ', ',', '%'], "")));
    let mut paths = Vec::new();
    for (number, (slot, runs)) in design.slots().iter().zip(folders).enumerate() {
        let plan = plan(&config(design, slot), &slot.puzzles, design.family);
        let path = place.join(&format!("f{number}"));
        write(&path, &plan, &runner(&plan), runs, false);
        paths.push(path);
    }
    let baseline = value(0);
    let mut arguments = vec!["compare", "--by", SIDE, "--metric", design.metric.name()];
    if design.has_baseline {
        arguments.extend(["--baseline", &baseline]);
    }
    if design.is_grouped {
        arguments.extend(["--group", "family"]);
    }
    ask(&arguments, &paths)
}

/// A list in an answer.
fn list<'a>(answer: &'a Value, key: &str) -> &'a [Value] {
    answer[key].as_array().map_or(&[], Vec::as_slice)
}

fn is_low(p: &Value) -> bool {
    p.as_f64().is_some_and(|p| p < 0.05)
}

/// What is claimed about the pairs of a folder.
#[derive(Default)]
struct Claims {
    shown: Vec<Claim>,
    share: Vec<Claim>,
    per_run: Vec<Claim>,
    next: Vec<Claim>,
    next_share: Vec<Claim>,
    /// The sentence that what is shown holds for the kind, too.
    kind: Vec<Claim>,
    /// Whether settings are called equivalent that are not.
    is_falsely_equivalent: bool,
}

impl Claims {
    fn take(&mut self, design: &Design, pair: &Value, these: &Difference, kind: &Difference) {
        let is_tested = pair["cannot_tell"].is_null();
        let number = |value: &Value| value.as_f64().unwrap_or(f64::INFINITY);
        let next = &pair["next_puzzle"];
        let is_time = design.metric == Metric::Calls;
        let ([cost, share, spent], [kind_cost, kind_share, _]) = (these.signs(design), kind.signs(design));
        let better = if pair["second_is_better"] == true { -1 } else { 1 };
        self.shown.push(Claim { is_made: pair["shown"] == true, sign: better, truth: cost });
        let has_share = !pair["share_p_holm"].is_null() && (is_time || design.is_null());
        if has_share {
            let is_made = is_tested && is_low(&pair["share_p_holm"]);
            self.share.push(Claim {
                is_made,
                sign: sign(number(&pair["share_difference"]["value"])),
                truth: share,
            });
        }
        if is_time {
            let [first, second] = [0, 1].map(|side| number(&pair["per_run"][side]));
            let is_made = is_tested && is_low(&pair["per_run_p_holm"]);
            self.per_run.push(Claim { is_made, sign: sign((second / first).ln()), truth: spent });
            let is_equivalent = is_tested && is_low(&pair["equivalence_p_holm"]);
            self.is_falsely_equivalent |= is_equivalent && these.ratio.ln().abs() >= 1.25_f64.ln();
        }
        if next.is_object() {
            let larger = match next["ratio"].is_object() {
                true => sign(number(&next["ratio"]["value"]).ln()),
                false => sign(number(&next["a12"]["value"]) - 0.5),
            };
            self.next.push(Claim { is_made: is_low(&next["p_holm"]), sign: larger, truth: kind_cost });
            self.kind.push(Claim { is_made: next["shown"] == true, sign: larger, truth: kind_cost });
            if is_time || design.is_null() {
                let sign = sign(number(&next["share_difference"]["value"]));
                self.next_share.push(Claim {
                    is_made: is_low(&next["share_p_holm"]),
                    sign,
                    truth: kind_share,
                });
            }
        }
    }

    fn note(&self, tally: &mut Tally) {
        let columns = [
            (Column::Shown, &self.shown),
            (Column::Share, &self.share),
            (Column::PerRun, &self.per_run),
            (Column::Next, &self.next),
            (Column::NextShares, &self.next_share),
        ];
        for (column, claims) in columns {
            tally.note_claims(column, claims);
        }
        // The clauses of the headline; of values it has none about shares.
        let shares: &[Claim] = if self.per_run.is_empty() { &[] } else { &self.share };
        let mut clauses = self.shown.iter().chain(shares).chain(&self.per_run).chain(&self.kind);
        tally.note(Column::Any, clauses.any(Claim::is_false) || self.is_falsely_equivalent);
    }
}

/// The intervals of differences.
fn note_intervals(tally: &mut Tally, design: &Design, pair: &Value, these: &Difference, kind: &Difference) {
    if design.is_null() {
        tally.covers(Column::A12Covered, &pair["a12"]["interval_95"], 0.5);
    }
    if design.metric != Metric::Calls {
        return;
    }
    let next = &pair["next_puzzle"];
    tally.covers(Column::RatioCovered, &pair["ratio"]["interval_95"], these.ratio);
    tally.covers(Column::DifferenceCovered, &pair["share_difference"]["interval_95"], these.share);
    tally.covers(Column::NextRatioCovered, &next["ratio"]["interval_95"], kind.ratio);
    tally.covers(Column::NextDifferenceCovered, &next["share_difference"]["interval_95"], kind.share);
}

/// The numbers of the first side, on puzzles of these difficulties.
fn note_first_side(
    tally: &mut Tally,
    design: &Design,
    answer: &Value,
    truth: &Truth<'_>,
    difficulty: &[f64],
) {
    if design.metric == Metric::BestFitness {
        return;
    }
    let side =
        list(answer, "settings").iter().find(|side| side["name"] == *value(0)).expect("the first side");
    let budget = design.budget(0);
    let (these, kind) = (truth.these(0, difficulty, budget), truth.kind(0, budget));
    tally.covers(Column::ShareCovered, &side["share_95"], these.solved);
    tally.covers(Column::NextShareCovered, &side["share_95_next_puzzle"], kind.solved);
    if design.puzzles == 1 && design.copies == 1 && these.solved > 0.5 {
        tally.covers(
            Column::MedianCovered,
            &side["median"]["interval_95"],
            design.law(0, 0).quantile(0.5) * CALLS,
        );
    }
    tally.covers(Column::ExpectedCovered, &side["expected"]["interval_95"], these.cost() * CALLS);
    tally.covers(Column::Par10Covered, &side["par10"]["interval_95"], these.par10(budget) * CALLS);
    tally.covers(Column::NextPar10Covered, &side["par10_95_next_puzzle"], kind.par10(budget) * CALLS);
}
