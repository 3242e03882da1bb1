//! `kenga hint`: the next step in a partly filled grid.

use miette::{Report, miette};
use serde_json::{Value, json};

use super::io::cells::read_grid;
use super::io::exit::{CommandResult, Exit};
use super::io::input::{self, Colors};
use super::io::output::{print, print_words};
use super::io::progress::{self, Counter};
use crate::craft::ladder::{Hint, Step, hint};
use crate::problem::Problem;
use crate::puzzle::{Grid, Puzzle, check};
use crate::text::enumeration;

/// Give a hint for a partly filled grid
///
/// Names the first mistake, if there is one. Else says where to look and what for; --more says all of it: every step up to the
/// next digit, with its reason.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The puzzle, in any known format; of several, --id chooses one; `-` is standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// The grid so far, or `@` and a file that holds it, or `-` for standard input
    ///
    /// Separate rows by `/` or line breaks, cells by spaces; `.` is an empty cell. Without it, the empty grid.
    #[arg(long, value_name = "GRID|@FILE|-", allow_hyphen_values = true)]
    grid: Option<String>,
    /// The whole hint: the steps and the digit
    #[arg(long)]
    more: bool,
    /// The puzzle with this id
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    #[command(flatten)]
    colors: Colors,
    /// Print a JSON object; cells are [row, column] from 0
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  kenga hint puzzle.txt --grid '4 . . ./. . . ./. . . ./. . . .'
  kenga hint puzzle.txt --grid @mine.txt --more

Exit code: 0 a hint, or the grid is solved; 1 a mistake, or no technique leads
on; 2 bad usage or bad input.";

pub(super) fn run(args: &Args) -> CommandResult {
    let files = [args.file.clone()];
    let mut input = input::puzzles(&files).with(args.colors, args.id.as_deref());
    let Some(puzzle) = input::one_puzzle(&args.file, args.id.as_deref(), &mut input)? else {
        return Ok(input.exit());
    };
    let empty = vec![".".repeat(puzzle.cols()); puzzle.rows()].join("/");
    let grid = read_grid(args.grid.as_deref().unwrap_or(&empty), &puzzle)?;
    if let Some(cell) = check(&puzzle, &grid).foreign.first() {
        return Err(foreign_digit(&puzzle, &grid, *cell));
    }
    let problem = Problem::compile(&puzzle);
    let interrupt = progress::interrupt()?;
    let found = {
        let _progress = Counter::start("solving", None);
        hint(&puzzle, &problem, &grid, &interrupt)
    };
    if interrupt.is_raised() {
        return Ok(Exit::Signal(interrupt.signal()));
    }
    let teller = Teller { puzzle: &puzzle, problem: &problem };
    let done = match args.json {
        true => print(&teller.json(&found, args.more)),
        false => print_words(&teller.text(&found, args.more)),
    }?;
    let answer = if matches!(found, Hint::Solved | Hint::Steps(_)) { done } else { Exit::No };
    Ok(answer.and(input.exit()))
}

/// A digit that no solution can have there.
fn foreign_digit(puzzle: &Puzzle, grid: &Grid, cell: usize) -> Report {
    let digit = grid.get(cell).map_or_else(String::new, |digit| digit.to_string());
    let name = puzzle.cell_name(cell);
    if puzzle.is_black(cell) {
        return miette!(help = "write `.` for black cells", "{name} holds {digit}, but is black");
    }
    let digits = enumeration(puzzle.digits().values().iter().map(u8::to_string).collect());
    let help = format!("the digits of puzzle `{}` are {digits}", puzzle.id);
    miette!(help = help, "{name} holds {digit}, which is not a digit of this puzzle")
}

struct Teller<'a> {
    puzzle: &'a Puzzle,
    problem: &'a Problem,
}

impl Teller<'_> {
    fn text(&self, hint: &Hint, more: bool) -> String {
        match hint {
            Hint::Mistake(cell) if more => format!("{} is wrong\n", self.puzzle.cell_name(*cell)),
            Hint::Mistake(cell) => format!("row {} has a mistake\n", cell / self.puzzle.cols() + 1),
            Hint::Contradiction => "the digits contradict each other or a clue\n".to_owned(),
            Hint::Unsolvable => "the puzzle has no solution\n".to_owned(),
            Hint::Solved => "the grid is solved\n".to_owned(),
            Hint::Beyond => {
                "no technique leads on: there may be several solutions; `kenga solve` tells\n".to_owned()
            }
            Hint::Steps(steps) if more => steps.iter().map(|step| format!("{}\n", step.words)).collect(),
            Hint::Steps(steps) => self.nudge(steps),
        }
    }

    /// Where to look, and for what.
    fn nudge(&self, steps: &[Step]) -> String {
        let hardest = steps.iter().max_by_key(|step| step.score()).expect("a hint has a step");
        let groups = hardest.groups.iter().take(2).map(|group| {
            let group = &self.puzzle.groups()[*group];
            self.puzzle.group_name(group)
        });
        let places: Vec<String> = groups.collect();
        let place = match places.as_slice() {
            [] => hardest.cells.iter().map(|cell| self.name(*cell)).collect::<Vec<_>>().join(" and "),
            places => places.join(" and "),
        };
        format!("look at {place}: {}\n", hardest.technique.about)
    }

    fn name(&self, cell: u16) -> String {
        self.puzzle.cell_name(self.problem.place(usize::from(cell)))
    }

    fn json(&self, hint: &Hint, more: bool) -> String {
        let cell = |place: usize| json!([place / self.puzzle.cols(), place % self.puzzle.cols()]);
        let (kind, mistake, steps): (_, _, &[Step]) = match hint {
            Hint::Mistake(place) => ("mistake", Some(cell(*place)), &[]),
            Hint::Contradiction => ("contradiction", None, &[]),
            Hint::Unsolvable => ("unsolvable", None, &[]),
            Hint::Solved => ("solved", None, &[]),
            Hint::Beyond => ("beyond", None, &[]),
            Hint::Steps(steps) => ("step", None, steps),
        };
        let fills = steps.last().and_then(|step| step.fills).map(|(at, rank)| {
            let digit = self.problem.values()[rank as usize];
            json!({"cell": cell(self.problem.place(usize::from(at))), "digit": digit})
        });
        let words = |step: &Step| json!({"technique": step.technique.name, "words": step.words});
        let object = json!({
            "id": self.puzzle.id,
            "hint": kind,
            "mistake": mistake,
            "words": self.text(hint, more).trim_end(),
            "fills": fills.filter(|_| more),
            "steps": steps.iter().filter(|_| more).map(words).collect::<Value>(),
        });
        object.to_string() + "\n"
    }
}
