//! `kenga explain`: a puzzle solved step by step, as a person does.
//!
//! **Invariant**: as text and as JSON a step is a line, written when it is found: programs read them.

mod pictures;

use std::path::PathBuf;

use miette::{Report, miette};

use super::io::exit::{CommandResult, Exit, print_note};
use super::io::input::{one_of, whole};
use super::io::output::Destination;
use super::io::progress::Counter;
use super::io::puzzles::{Colors, OnePuzzleArgs};
use super::io::signals;
use super::io::terminal;
use kenga_core::budget::Interrupt;
use kenga_core::problem::Problem;
use kenga_core::puzzle::Puzzle;
use kenga_craft::ladder::{Candidates, End, Frame, Step, Tier, verify};
use kenga_report::answers::{self, Ascent, Summit, word};
use kenga_report::wrap;
use pictures::Pictures;

/// Solve a puzzle step by step, and say why
///
/// Takes the cheapest technique that applies until the puzzle is solved. Every step says what it concludes, from which cells and
/// rules, and which digits it excludes. `kenga list technique` shows the techniques. Each step is written when it is found, on a line
/// of its own, which is wrapped on a terminal alone: a program can read a line as a step.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    puzzle: OnePuzzleArgs,
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
    /// Print a JSON object a step, and one of how it ended; cells are [row, column] from 0
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
  kenga explain puzzle.txt                   every step with its reason
  kenga explain puzzle.txt --format html -o steps.html
  kenga explain puzzle.txt --format svg --step 12 -o step.svg
  kenga explain puzzle.txt --format svg -o steps           a folder of pictures
  kenga explain book.jsonl --id kenken-4-easy-000 --json
  kenga explain puzzle.txt --verify          have each step checked
  kenga explain puzzle.txt --up-to hard      as far as hard techniques lead

Exit code: 0 solved; 1 no technique leads on, there is no solution, or --verify
refutes a step; 2 bad usage or bad input.";

/// Tells of a climb: a line a step at once, or pictures at the end.
struct Teller<'a> {
    args: &'a Args,
    puzzle: &'a Puzzle,
    pictures: Pictures<'a>,
    /// Where lines go; none where pictures are drawn.
    destination: Option<Destination>,
    ascent: Ascent<'a>,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let (puzzle, read) = args.puzzle.read(args.colors)?;
    let Some(puzzle) = puzzle else { return Ok(read) };
    let interrupt = signals::interrupt()?;
    let problem = Problem::compile(&puzzle);
    let frame = Frame::new(&puzzle, &problem).interruptible(&interrupt);
    let mut teller = Teller::new(args, &puzzle)?;
    let summit = climb(args, &frame, &mut teller, &interrupt)?;
    if interrupt.is_raised() {
        return Ok(Exit::Signal(interrupt.signal()));
    }
    let steps = teller.ascent.steps;
    if let Some(step) = args.step.filter(|step| *step > steps) {
        return Err(miette!("there is no step {step}: the explanation has {steps}"));
    }
    let is_right = teller.ascent.verdicts[1] == 0;
    let answer = if summit.end == End::Solved && is_right { Exit::Done } else { Exit::No };
    teller.end(&summit)?;
    Ok(answer.and(read))
}

/// The columns of a step's number.
const NUMBER: &str = "     ";

/// The least width of a step's words.
const NARROW: usize = 20;

/// Climbs to the end, and tells each step.
///
/// # Errors
/// A report when a line cannot be written.
fn climb<'a>(
    args: &Args,
    frame: &'a Frame<'a>,
    teller: &mut Teller<'_>,
    interrupt: &Interrupt,
) -> Result<Summit<'a>, Report> {
    let _progress =
        Counter::unless(teller.destination.as_ref().is_some_and(Destination::is_terminal), "solving");
    answers::climb(frame, args.up_to.unwrap_or(Tier::Unreasonable), interrupt, &mut |candidates, step| {
        let verdict = args.verify.then(|| verify(candidates, step, interrupt));
        teller.step(candidates, step, verdict)
    })
}

impl<'a> Teller<'a> {
    /// Nothing told yet.
    ///
    /// # Errors
    /// A report when the file is there and may not be overwritten.
    fn new(args: &'a Args, puzzle: &'a Puzzle) -> Result<Self, Report> {
        let is_text = args.format.0 == ExplanationFormat::Text;
        let destination = is_text.then(|| Destination::new(args.out.as_deref(), args.force)).transpose()?;
        Ok(Self {
            args,
            puzzle,
            pictures: Pictures::new(puzzle, args.step.map(|step| step - 1), args.format.0),
            destination,
            ascent: Ascent::new(puzzle),
        })
    }

    /// Tells a step, with the solver's answer where it was asked.
    ///
    /// # Errors
    /// A report when the line cannot be written.
    fn step(
        &mut self,
        candidates: &Candidates<'_>,
        step: &Step,
        verdict: Option<Option<bool>>,
    ) -> Result<(), Report> {
        self.ascent.add(step, verdict);
        let follows = verdict.map_or(String::new(), |verdict| format!(", verified: {}", word(verdict)));
        let note = format!("{} {}{follows}", step.technique.name, step.score());
        self.pictures.add(candidates, step, &note);
        let number = self.ascent.steps;
        if self.args.step.is_some_and(|only| only != number) {
            return Ok(());
        }
        let line = if self.args.json {
            format!("{}\n", self.ascent.step_json(candidates, step, verdict))
        } else {
            let room = terminal::columns().saturating_sub(NUMBER.len()).max(NARROW);
            let words = wrap(&format!("{}  [{note}]", step.words), room);
            format!("{}{number:>3}. {}\n", self.heading(), words.replace('\n', &format!("\n{NUMBER}")))
        };
        self.write(&line)
    }

    /// The id above the first line.
    fn heading(&self) -> String {
        if self.ascent.steps == self.args.step.unwrap_or(1) {
            format!("{}\n", self.puzzle.id)
        } else {
            String::new()
        }
    }

    /// Writes lines at once, so that they are there whatever happens to the process.
    fn write(&mut self, lines: &str) -> Result<(), Report> {
        let Some(destination) = &mut self.destination else { return Ok(()) };
        if self.args.json { destination.write(lines) } else { destination.write_words(lines) }?;
        destination.flush()
    }

    /// Tells how it ended, and completes what is written.
    fn end(mut self, summit: &Summit<'_>) -> Result<(), Report> {
        let ending = self.ascent.ending(summit);
        let verified = if self.args.verify { self.verified() } else { String::new() };
        if self.destination.is_some() {
            // No step has named the puzzle yet.
            let id = if self.ascent.steps == 0 { format!("{}\n", self.puzzle.id) } else { String::new() };
            self.write(&if self.args.json {
                format!("{}\n", self.ascent.end_json(summit, self.args.verify))
            } else {
                format!("{id}{ending}\n{verified}")
            })?;
            return self.destination.map_or(Ok(()), Destination::finish);
        }
        if self.args.verify {
            // Pictures have no room for it.
            print_note(verified.trim_end());
        }
        let Self { args, puzzle, pictures, .. } = self;
        let drawn = match (args.format.0, pictures.only()) {
            (ExplanationFormat::Svg, Some(picture)) => picture,
            (ExplanationFormat::Svg, None) => {
                return pictures.write_folder(args.out.as_deref(), args.force);
            }
            _ => {
                let title = format!("{}, step by step", puzzle.id);
                pictures.page(&title, format!("{ending}\n{verified}").trim_end(), &summit.candidates)
            }
        };
        let mut destination = Destination::new(args.out.as_deref(), args.force)?;
        destination.write(drawn)?;
        destination.finish()
    }

    /// What the exact solver says of the steps.
    fn verified(&self) -> String {
        let [right, wrong, unknown] = self.ascent.verdicts;
        format!(
            "the exact solver: {right} follow from the rules they name, {wrong} do not, {unknown} undecided\n"
        )
    }
}
