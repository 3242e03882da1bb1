//! `kenga explain`: a puzzle solved step by step, as a person does.

mod pictures;

use std::path::PathBuf;

use miette::{Report, miette};
use serde_json::{Value, json};

use super::io::exit::{CommandResult, Exit};
use super::io::input::{self, Colors, one_of, whole};
use super::io::output::{Output, Target};
use super::io::progress::{self, Counter};
use crate::budget::Interrupt;
use crate::craft::ladder::{Candidates, Climb, End, Frame, MOST_WITHOUT_TRIALS, Score, Step, Tier, verify};
use crate::problem::{Problem, bits};
use crate::puzzle::Puzzle;
use crate::report::plural;
use crate::solver::{Limits, Status, solve};
use pictures::Pictures;

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
    /// Show this step alone, counted from 1
    #[arg(long, value_name = "N", value_parser = whole(1..=usize::MAX))]
    step: Option<usize>,
    /// Have the exact solver check that each step follows from the rules that it names
    #[arg(long)]
    verify: bool,
    #[command(flatten)]
    colors: Colors,
    /// What to write: text; html, a page to click through; svg, a picture of --step or a folder with one a step
    #[arg(long, value_name = "FORMAT", default_value = "text", hide_default_value = true, value_parser = one_of(FORMATS, |(_, name, about)| [name, about]))]
    format: (ExplanationFormat, &'static str, &'static str),
    /// Print a JSON object; cells are [row, column] from 0
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write to FILE instead of standard output; svg without --step: to a folder of this name
    #[arg(short, long, value_name = "FILE", alias = "output")]
    out: Option<PathBuf>,
    /// Overwrite what is there
    #[arg(long, requires = "out")]
    force: bool,
}

/// What an explanation is written as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ExplanationFormat {
    Text,
    Html,
    Svg,
}

const FORMATS: [(ExplanationFormat, &str, &str); 3] = [
    (ExplanationFormat::Text, "text", "a line a step"),
    (ExplanationFormat::Html, "html", "one page, a picture a step, to click through"),
    (ExplanationFormat::Svg, "svg", "a picture a step"),
];

const EXAMPLES: &str = "\
Examples:
  kenga explain puzzle.json                  every step with its reason
  kenga explain puzzle.json --format html -o steps.html
  kenga explain puzzle.json --format svg --step 12 -o step.svg
  kenga explain puzzle.json --format svg -o steps          a folder of pictures
  kenga explain corpus.jsonl --id nine --json | jq '.steps[].technique'
  kenga explain puzzle.json --verify         have each step checked
  kenga explain puzzle.json --up-to hard     as far as hard techniques lead

Exit code: 0 solved; 1 no technique leads on, there is no solution, or --verify
refutes a step; 2 bad usage or bad input.";

/// Decisions of the solver for the question how many solutions there are.
const NODES: u64 = 100_000;

/// One step with the round that found it.
struct Told {
    step: Step,
    round: u32,
    /// The solver's answer; none where it was not asked, or could not tell.
    is_implied: Option<bool>,
}

/// A solution in steps.
struct Explanation<'a> {
    puzzle: &'a Puzzle,
    /// The candidates at the end.
    candidates: Candidates<'a>,
    told: Vec<Told>,
    end: End,
    /// What the exact solver says of the puzzle.
    status: Status,
    /// The step to show, from 0; all without one.
    only: Option<usize>,
    /// The solver was asked.
    is_verified: bool,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let files = [args.file.clone()];
    let mut input = input::puzzles(&files).with(args.colors, args.id.as_deref());
    let Some(puzzle) = input::one_puzzle(&args.file, args.id.as_deref(), &mut input)? else {
        return Ok(input.exit());
    };
    let interrupt = progress::interrupt()?;
    let problem = Problem::compile(&puzzle);
    let frame = Frame::new(&puzzle, &problem).interruptible(&interrupt);
    let mut pictures = Pictures::new(&puzzle, args.step.map(|step| step - 1), args.format.0);
    let explanation = climb(args, &frame, &mut pictures, &interrupt);
    if interrupt.is_raised() {
        return Ok(Exit::Signal(interrupt.signal()));
    }
    if let Some(step) = args.step.filter(|step| *step > explanation.told.len()) {
        let steps = explanation.told.len();
        return Err(miette!("there is no step {step}: the explanation has {steps}"));
    }
    explanation.write(args, pictures)?;
    let is_right = explanation.told.iter().all(|told| told.is_implied != Some(false));
    let answer = if explanation.end == End::Solved && is_right { Exit::Done } else { Exit::No };
    Ok(answer.and(input.exit()))
}

/// Climbs to the end, and draws what is wanted on the way.
fn climb<'a>(
    args: &Args,
    frame: &'a Frame<'a>,
    pictures: &mut Pictures<'a>,
    interrupt: &Interrupt,
) -> Explanation<'a> {
    let _progress = Counter::start("solving", None);
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let status = solve(frame.problem, &limits, interrupt, &mut |_| ()).status;
    let most = args.up_to.unwrap_or(Tier::Unreasonable).most();
    // Trials would not end where there is no solution or a second one.
    let ceiling = match status {
        Status::Multiple | Status::Unsolvable => most.min(MOST_WITHOUT_TRIALS),
        _ => most,
    };
    let mut climb = Climb::new(Candidates::new(frame), ceiling).speaking();
    let mut told = Vec::new();
    let end = loop {
        let round = climb.rounds + 1;
        let end = climb.advance(&mut |candidates, step| {
            pictures.add(candidates, step);
            let is_implied = args.verify.then(|| verify(candidates, step, interrupt)).flatten();
            told.push(Told { step: step.clone(), round, is_implied });
        });
        if let Some(end) = end {
            break end;
        }
    };
    let only = args.step.map(|step| step - 1);
    Explanation {
        puzzle: frame.puzzle,
        candidates: climb.candidates,
        told,
        end,
        status,
        only,
        is_verified: args.verify,
    }
}

impl Explanation<'_> {
    fn write(&self, args: &Args, pictures: Pictures<'_>) -> Result<(), Report> {
        let text = match args.format.0 {
            _ if args.json => self.json(),
            ExplanationFormat::Text => self.text(),
            ExplanationFormat::Html => pictures.page(&self.title(), &self.ending(), &self.candidates),
            ExplanationFormat::Svg => match pictures.only() {
                Some(picture) => picture,
                None => return pictures.write_folder(args.out.as_deref(), args.force),
            },
        };
        if args.out.is_none() && args.format.0 == ExplanationFormat::Text && !args.json {
            let mut output = Output::lock();
            output.write_words(&text)?;
            return output.flush();
        }
        let mut target = Target::new(args.out.as_deref(), args.force)?;
        target.write(text.as_bytes())?;
        target.finish()
    }

    fn title(&self) -> String {
        format!("{}, step by step", self.puzzle.id)
    }

    /// The steps to show, with their numbers from 1.
    fn shown(&self) -> impl Iterator<Item = (usize, &Told)> {
        let steps = self.told.iter().enumerate().map(|(index, told)| (index + 1, told));
        steps.filter(|(number, _)| self.only.is_none_or(|only| only + 1 == *number))
    }

    fn text(&self) -> String {
        let step = |(number, told): (usize, &Told)| {
            let Step { technique, words, .. } = &told.step;
            format!("{number:>3}. {words}  [{} {}]\n", technique.name, technique.score)
        };
        let steps: String = self.shown().map(step).collect();
        let verified = if self.is_verified { self.verified() } else { String::new() };
        format!("{}\n{steps}{}\n{verified}", self.puzzle.id, self.ending())
    }

    fn ending(&self) -> String {
        let told = &self.told;
        let steps = format!("{} {}", told.len(), plural(told.len() as u64, "step"));
        match self.end {
            End::Solved => {
                let hardest = self.hardest();
                format!("solved in {steps}: {}, {hardest}", Tier::of(hardest).name())
            }
            End::Refuted => format!("after {steps}: there is no solution"),
            End::Stuck => match self.status {
                Status::Unsolvable => format!("after {steps}: there is no solution"),
                Status::Multiple => {
                    format!("after {steps}: no technique leads on, since there are several solutions")
                }
                _ => format!("after {steps}: no technique leads on"),
            },
        }
    }

    /// What the exact solver says of the steps.
    fn verified(&self) -> String {
        let count = |answer| self.told.iter().filter(|told| told.is_implied == answer).count();
        let (right, wrong, unknown) = (count(Some(true)), count(Some(false)), count(None));
        format!(
            "the exact solver: {right} follow from the rules they name, {wrong} do not, {unknown} undecided\n"
        )
    }

    fn hardest(&self) -> Score {
        self.told.iter().map(|told| told.step.score()).max().unwrap_or_default()
    }

    fn json(&self) -> String {
        let Self { puzzle, candidates, end, .. } = self;
        let cell = |cell: u16| {
            let place = candidates.frame.problem.place(usize::from(cell));
            json!([place / puzzle.cols(), place % puzzle.cols()])
        };
        let lost = |(at, ranks): &(u16, u32)| {
            let digits: Vec<u8> = bits(*ranks).map(|rank| candidates.digit(rank)).collect();
            json!({"cell": cell(*at), "digits": digits})
        };
        let step = |(number, told): (usize, &Told)| {
            let Told { step, round, is_implied } = told;
            json!({
                "step": number,
                "technique": step.technique.name,
                "score": step.score().number(),
                "round": round,
                "fills": step.fills.map(|(at, rank)| json!({"cell": cell(at), "digit": candidates.digit(rank)})),
                "removes": step.removes.iter().map(lost).collect::<Value>(),
                "cells": step.cells.iter().map(|at| cell(*at)).collect::<Value>(),
                "groups": step.groups.iter().map(|group| json!(candidates.group(*group))).collect::<Value>(),
                "words": step.words,
            "verified": is_implied,
            })
        };
        let hardest = self.hardest();
        let solved = *end == End::Solved;
        let object = json!({
            "id": puzzle.id,
            "end": end.name(),
            "status": self.status.name(),
            "score": solved.then(|| hardest.number()),
            "tier": solved.then(|| Tier::of(hardest).name()),
            "steps": self.shown().map(step).collect::<Value>(),
        });
        object.to_string() + "\n"
    }
}
