//! `kenga explain`: a puzzle solved step by step, as a person does.

use serde_json::{Value, json};

use super::io::exit::{CommandResult, Exit};
use super::io::input::{self, Colors, one_of};
use super::io::output::{print, print_words};
use crate::craft::ladder::{Board, Climb, End, Frame, Step, Tier};
use crate::problem::{Problem, bits};
use crate::puzzle::Puzzle;
use crate::report::plural;

/// Solve a puzzle step by step, and say why
///
/// Takes the cheapest technique that applies until the puzzle is solved. Every step says what it concludes, from which cells and
/// rules, and which digits it excludes. `kenga list technique` shows the techniques.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The puzzle, in any known format; of several, --id chooses one; `-` is standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// The puzzle with this id
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// Use the techniques up to this tier
    #[arg(long, value_name = "TIER", value_parser = one_of(Tier::ALL, |tier| [tier.name(), tier.about()]))]
    up_to: Option<Tier>,
    #[command(flatten)]
    colors: Colors,
    /// Print a JSON object; cells are [row, column] from 0
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  kenga explain puzzle.json                  every step with its reason
  kenga explain corpus.jsonl --id nine --json | jq '.steps[].technique'
  kenga explain puzzle.json --up-to hard     as far as hard techniques lead

Exit code: 0 solved; 1 no technique leads on, or there is no solution; 2 bad
input.";

/// One step with the round that found it.
struct Told {
    step: Step,
    round: u32,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let files = [args.file.clone()];
    let mut input = input::puzzles(&files).with(args.colors, args.id.as_deref());
    let Some(puzzle) = input::one_puzzle(&args.file, args.id.as_deref(), &mut input)? else {
        return Ok(input.exit());
    };
    let problem = Problem::compile(&puzzle);
    let frame = Frame::new(&puzzle, &problem);
    let ceiling = args.up_to.unwrap_or(Tier::Unreasonable).most();
    let mut climb = Climb::new(Board::new(&frame), ceiling).speaking();
    let mut told = Vec::new();
    let end = loop {
        let round = climb.rounds + 1;
        let end = climb.advance(&mut |_, step| {
            told.push(Told { step: step.clone(), round });
        });
        if let Some(end) = end {
            break end;
        }
    };
    let done = match args.json {
        true => print(&as_json(&puzzle, &climb.board, &told, end)),
        false => print_words(&as_text(&puzzle, &told, end)),
    }?;
    let answer = if end == End::Solved { done } else { Exit::No };
    Ok(answer.and(input.exit()))
}

fn as_text(puzzle: &Puzzle, told: &[Told], end: End) -> String {
    let step = |(index, told): (usize, &Told)| {
        let Step { technique, words, .. } = &told.step;
        format!("{:>3}. {words}  [{} {}]\n", index + 1, technique.name, technique.score)
    };
    let steps: String = told.iter().enumerate().map(step).collect();
    format!("{}\n{steps}{}\n", puzzle.id, ending(told, end))
}

fn ending(told: &[Told], end: End) -> String {
    let steps = format!("{} {}", told.len(), plural(told.len() as u64, "step"));
    match end {
        End::Solved => {
            let hardest = told.iter().map(|told| told.step.score()).max().unwrap_or_default();
            format!("solved in {steps}: {}, {hardest}", Tier::of(hardest).name())
        }
        End::Refuted => format!("after {steps}: there is no solution"),
        End::Stuck => format!("after {steps}: no technique leads on"),
    }
}

fn as_json(puzzle: &Puzzle, board: &Board<'_>, told: &[Told], end: End) -> String {
    let cell = |cell: u16| {
        let place = board.frame.problem.place(usize::from(cell));
        json!([place / puzzle.cols(), place % puzzle.cols()])
    };
    let lost = |(at, ranks): &(u16, u32)| {
        let digits: Vec<u8> = bits(*ranks).map(|rank| board.digit(rank)).collect();
        json!({"cell": cell(*at), "digits": digits})
    };
    let step = |told: &Told| {
        let Told { step, round, .. } = told;
        json!({
            "technique": step.technique.name,
            "score": step.score().number(),
            "round": round,
            "fills": step.fills.map(|(at, rank)| json!({"cell": cell(at), "digit": board.digit(rank)})),
            "removes": step.removes.iter().map(lost).collect::<Value>(),
            "cells": step.cells.iter().map(|at| cell(*at)).collect::<Value>(),
            "groups": step.groups.iter().map(|group| json!(board.group(*group))).collect::<Value>(),
            "words": step.words,
        })
    };
    let hardest = told.iter().map(|told| told.step.score()).max().unwrap_or_default();
    let solved = end == End::Solved;
    let object = json!({
        "id": puzzle.id,
        "end": end.name(),
        "score": solved.then(|| hardest.number()),
        "tier": solved.then(|| Tier::of(hardest).name()),
        "steps": told.iter().map(step).collect::<Value>(),
    });
    object.to_string() + "\n"
}
