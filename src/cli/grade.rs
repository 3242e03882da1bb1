//! `kenga grade`: how hard puzzles are for a person.

use miette::Report;

use super::experiment::Jobs;
use super::io::exit::{CommandResult, Exit};
use super::io::input::{one_of, seconds};
use super::io::output::Output;
use super::io::progress::Counter;
use super::io::puzzles::{Colors, PuzzleArgs};
use super::io::signals;
use kenga_craft::ladder::{Grade, Tier};
use kenga_report::answers::{GRADE_SECONDS, GradedPuzzle};
use kenga_report::plural;

/// Say how hard puzzles are for a person
///
/// Solves them technique by technique, the cheapest first. The score of a puzzle is that of the hardest technique that it needs,
/// and its tier goes by the score: easy below 2.0, normal below 3.0, hard below 5.0, extreme below 6.0, else unreasonable.
/// `kenga list technique` shows the techniques with their scores, `kenga explain` the steps of one puzzle.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    puzzles: PuzzleArgs,
    /// Use the techniques up to this tier; a harder puzzle is `beyond`
    #[arg(long, value_name = "TIER", value_parser = one_of(Tier::ALL, |tier| [tier.name(), tier.about()]))]
    up_to: Option<Tier>,
    /// Give up on a puzzle after S seconds of wall time
    #[arg(long, value_name = "S", value_parser = seconds, default_value_t = GRADE_SECONDS)]
    time_limit: f64,
    #[command(flatten)]
    colors: Colors,
    #[command(flatten)]
    jobs: Jobs,
    /// Print one JSON object per puzzle
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  kenga grade puzzle.txt                      its tier and its techniques
  kenga grade book.jsonl                      a line for each, and a summary
  kenga grade book.jsonl --json | jq -r .tier | sort | uniq -c
  kenga grade book.jsonl --up-to extreme      the first four tiers

Exit code: 0 every puzzle has a grade; 1 one has no or several solutions, or is
beyond the techniques; 2 bad input; 3 one was not graded in time.";

pub(super) fn run(args: &Args) -> CommandResult {
    let mut input = args.puzzles.read(args.colors);
    let interrupt = signals::interrupt()?;
    let mut output = Output::lock();
    let counter = Counter::unless(output.is_terminal(), "puzzles");
    let ceiling = args.up_to.unwrap_or(Tier::Unreasonable);
    let mut totals = GradeTotals::default();
    args.jobs.in_order(
        input.by_ref(),
        &interrupt,
        |puzzle| GradedPuzzle::of(&puzzle, ceiling, args.time_limit, &interrupt),
        |graded| {
            // What an interrupt has cut short says nothing.
            if interrupt.is_raised() {
                return Ok(());
            }
            counter.advance();
            if !args.json && totals.number() == 0 {
                output.write(&heading())?;
            }
            totals.write(graded, args.json, &mut output)
        },
    )?;
    drop(counter);
    if !args.json && totals.number() > 0 {
        output.write_words(&totals.text(args.time_limit))?;
    }
    output.flush()?;
    let read = input.finish()?;
    Ok(totals.exit().and(Exit::of(&interrupt)).and(read))
}

/// What stands above the lines.
fn heading() -> String {
    format!("{:<24} {:<12} {:>5}  {:>5}  {}\n", "puzzle", "tier", "score", "steps", "hardest technique")
}

/// The puzzle on a line.
fn line(graded: &GradedPuzzle) -> String {
    let GradedPuzzle { id, grade } = graded;
    let (tier, id) = (graded.tier(), within(id, 24));
    if !graded.is_solved() {
        return format!("{id:<24} {tier}\n");
    }
    let hardest = grade.hardest().map_or("", |technique| technique.name);
    let (score, steps) = (grade.score.to_string(), grade.steps);
    format!("{id:<24} {tier:<12} {score:>5}  {steps:>5}  {hardest}\n")
}

/// What a puzzle without a tier is.
const STATUSES: [&str; 4] = ["multiple", "unsolvable", "undecided", "beyond"];

/// What was graded so far.
#[derive(Default)]
struct GradeTotals {
    /// Puzzles by tier or status, in the order in which these first came.
    counts: Vec<(&'static str, u64)>,
    /// The first, whole, as long as it is the only one.
    first: Option<GradedPuzzle>,
    has_unsolved: bool,
    undecided: u64,
}

impl GradeTotals {
    fn write(&mut self, graded: GradedPuzzle, as_json: bool, output: &mut Output) -> Result<(), Report> {
        let text = if as_json { format!("{}\n", graded.json()) } else { line(&graded) };
        self.has_unsolved |= !graded.is_solved();
        self.undecided += u64::from(graded.is_undecided());
        match self.counts.iter_mut().find(|(name, _)| *name == graded.tier()) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((graded.tier(), 1)),
        }
        // A single puzzle is told in full at the end.
        self.first = Some(graded).filter(|_| self.number() == 1);
        output.write(&text)
    }

    fn number(&self) -> u64 {
        self.counts.iter().map(|(_, count)| count).sum()
    }

    /// Of one puzzle its techniques; of many how many are in each tier. Then what to do about those that took too long.
    fn text(&self, seconds: f64) -> String {
        let mut text = self.table();
        if self.undecided > 0 {
            let (number, were) = (self.undecided, if self.undecided == 1 { "was" } else { "were" });
            let puzzles = plural(number, "puzzle");
            text += &format!(
                "{number} {puzzles} {were} not graded within {seconds} s: --time-limit takes longer\n"
            );
        }
        text
    }

    fn table(&self) -> String {
        if let Some(graded) = &self.first {
            return techniques(&graded.grade);
        }
        let mut words = Vec::new();
        for name in Tier::ALL.map(Tier::name).into_iter().chain(STATUSES) {
            if let Some((_, count)) = self.counts.iter().find(|(counted, _)| *counted == name) {
                words.push(format!("{count} {name}"));
            }
        }
        let number = self.number();
        format!("{number} {}: {}\n", plural(number, "puzzle"), words.join(", "))
    }

    fn exit(&self) -> Exit {
        if self.undecided > 0 {
            Exit::Undecided
        } else if self.has_unsolved {
            Exit::No
        } else {
            Exit::Done
        }
    }
}

/// A name in at most so many characters, an ellipsis for the rest.
fn within(name: &str, room: usize) -> String {
    match name.char_indices().nth(room) {
        None => name.to_owned(),
        Some(_) => name.chars().take(room - 1).chain(['…']).collect(),
    }
}

fn techniques(grade: &Grade) -> String {
    let mut lines = String::new();
    for (technique, count) in &grade.techniques {
        let (score, steps) = (technique.score.to_string(), plural(u64::from(*count), "step"));
        lines += &format!("  {:<18} {score:>4}  {count:>4} {steps}\n", technique.name);
    }
    lines
}
