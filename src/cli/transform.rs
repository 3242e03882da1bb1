//! `kenga transform`: puzzles turned, with rows and columns in another order, with other digits; the same puzzles.

use miette::{Report, miette};

use super::convert::write_all;
use super::io::exit::{CommandResult, print_error};
use super::io::input::{one_of, whole};
use super::io::output::OutputArgs;
use super::io::puzzles::{Colors, PuzzleArgs};
use super::io::signals::end_at_signal;
use kenga_core::puzzle::Puzzle;
use kenga_core::rng::StreamKey;
use kenga_core::text::joined;
use kenga_craft::symmetry::{Names, Refusal, Turn, random, relabelled, reordered, turned};
use kenga_report::answers::OutputFormat;

/// Turn puzzles, exchange rows and columns, rename digits
///
/// Only what leaves a puzzle the same but for the places and names of things; anything else is refused. Changes are made in
/// the order of this help. Solutions go with their puzzles; ids and notes stay, and the note `transform` says what was done.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    changes: RequestedChanges,
    /// One of all changes that a puzzle allows, at random, each as likely as any other
    #[arg(long, conflicts_with = "RequestedChanges")]
    random: bool,
    /// The seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1, requires = "random", conflicts_with = "RequestedChanges", value_parser = whole(0..=u64::MAX))]
    seed: u64,
    /// The format to write
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    #[arg(value_parser = one_of(OutputFormat::all(), |format| [format.name(), format.about()]), hide_possible_values = true)]
    to: OutputFormat,
    #[command(flatten)]
    puzzles: PuzzleArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// What to change.
#[derive(clap::Args)]
#[group(multiple = true)]
struct RequestedChanges {
    /// Make rows of columns
    #[arg(long)]
    transpose: bool,
    /// Turn clockwise by 90, 180 or 270 degrees
    #[arg(long, value_name = "DEGREES", value_parser = quarters)]
    rotate: Option<u8>,
    /// Put the last row first, or the last column: `rows`, `columns`
    #[arg(long, value_name = "LINES", value_parser = mirror)]
    mirror: Vec<Mirror>,
    /// The rows in a new order, `2,1,3`: only where boxes, and nothing else, hold them together
    #[arg(long, value_name = "ORDER", value_parser = order)]
    rows: Option<Order>,
    /// The columns in a new order
    #[arg(long, value_name = "ORDER", value_parser = order)]
    columns: Option<Order>,
    /// Other digits: `complement` makes n+1-d of d where every clue allows it; `3,1,2` names the new 1, 2 and 3 where no clue
    /// depends on digits
    #[arg(long, value_name = "DIGITS", value_parser = names)]
    relabel: Option<Names>,
}

const EXAMPLES: &str = "\
Examples:
  kenga transform puzzle.txt --rotate 90
  kenga transform puzzle.txt --transpose --to keen
  kenga transform killer.json --mirror rows --relabel complement
  kenga transform sudoku.txt --rows 4,5,6,1,2,3,8,7,9
  kenga transform sudoku.txt --relabel 2,3,4,5,6,7,8,9,1
  kenga transform book.jsonl --random --seed 7 -o shuffled.jsonl

Rows and columns of a Latin square change places freely, those of a Sudoku in
their bands and stacks; of other puzzles not, since cages hold cells together.
Sums, means, least and greatest, differences of two cells and signs have
complements; products, quotients and hidden operators have none.

Exit code: 0 all written; 2 bad usage, or a puzzle that cannot be read or does
not allow the change, while the others are written.";

/// Which lines come in reverse.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mirror {
    Rows,
    Columns,
}

/// The old indices of lines in their new order, from 0.
#[derive(Clone)]
struct Order(Vec<usize>);

fn quarters(text: &str) -> Result<u8, String> {
    match text {
        "90" => Ok(1),
        "180" => Ok(2),
        "270" => Ok(3),
        _ => Err("expected 90, 180 or 270".to_owned()),
    }
}

fn mirror(text: &str) -> Result<Mirror, String> {
    match text {
        "rows" => Ok(Mirror::Rows),
        "columns" => Ok(Mirror::Columns),
        _ => Err("expected rows or columns".to_owned()),
    }
}

/// Reads numbers from 1, separated by commas or spaces.
fn order(text: &str) -> Result<Order, String> {
    let lines: Vec<usize> = numbers(text);
    if lines.is_empty() || lines.contains(&0) {
        return Err("expected the numbers of all lines in their new order, as in 2,1,3".to_owned());
    }
    Ok(Order(lines.into_iter().map(|line| line - 1).collect()))
}

fn names(text: &str) -> Result<Names, String> {
    if text == "complement" {
        return Ok(Names::Complement);
    }
    let names = numbers(text);
    if names.is_empty() {
        let expected = "expected complement, or the new names of all digits in ascending order, as in 3,1,2";
        return Err(expected.to_owned());
    }
    Ok(Names::Of(names))
}

/// The numbers of a list; none when one of them is none.
fn numbers<T: std::str::FromStr>(text: &str) -> Vec<T> {
    let words = text.split([',', ' ']).filter(|word| !word.is_empty());
    words.map(str::parse).collect::<Result<_, _>>().unwrap_or_default()
}

impl RequestedChanges {
    /// The turn that all of the options are together.
    fn turn(&self) -> Turn {
        let mut turn = Turn::default();
        if self.transpose {
            turn = turn.then(Turn::TRANSPOSE);
        }
        for _ in 0..self.rotate.unwrap_or(0) {
            turn = turn.then(Turn::QUARTER);
        }
        for mirror in &self.mirror {
            turn = turn.then(match mirror {
                Mirror::Rows => Turn::MIRROR_ROWS,
                Mirror::Columns => Turn::MIRROR_COLUMNS,
            });
        }
        turn
    }

    /// The puzzle with the changes, made in the order of the help.
    fn of(&self, puzzle: &Puzzle) -> Result<Puzzle, Refusal> {
        // Turns come first: the orders of rows and columns are those of the turned puzzle.
        let is_turned = self.transpose || self.rotate.is_some() || !self.mirror.is_empty();
        let mut image = if is_turned { turned(puzzle, self.turn())? } else { puzzle.clone() };
        if self.rows.is_some() || self.columns.is_some() {
            let rows = self.rows.as_ref().map(|order| &*order.0);
            let columns = self.columns.as_ref().map(|order| &*order.0);
            image = reordered(&image, rows, columns)?;
        }
        if let Some(names) = &self.relabel {
            image = relabelled(&image, names)?;
        }
        Ok(image)
    }

    /// The options as they are written.
    fn words(&self) -> String {
        let mut words: Vec<String> = Vec::new();
        if self.transpose {
            words.push("--transpose".to_owned());
        }
        if let Some(quarters) = self.rotate {
            words.push(format!("--rotate {}", 90 * u16::from(quarters)));
        }
        for mirror in &self.mirror {
            words.push(match mirror {
                Mirror::Rows => "--mirror rows".to_owned(),
                Mirror::Columns => "--mirror columns".to_owned(),
            });
        }
        for (option, order) in [("--rows", &self.rows), ("--columns", &self.columns)] {
            if let Some(order) = order {
                let lines: Vec<usize> = order.0.iter().map(|line| line + 1).collect();
                words.push(format!("{option} {}", joined(&lines, ",")));
            }
        }
        match &self.relabel {
            Some(Names::Complement) => words.push("--relabel complement".to_owned()),
            Some(Names::Of(names)) => words.push(format!("--relabel {}", joined(names, ","))),
            None => {}
        }
        words.join(" ")
    }
}

pub(super) fn run(args: &Args) -> CommandResult {
    end_at_signal()?;
    let words = if args.random { format!("--random --seed {}", args.seed) } else { args.changes.words() };
    if words.is_empty() {
        let help = "say what: --transpose, --rotate, --mirror, --rows, --columns, --relabel, --random";
        return Err(miette!(help = help, "there is nothing to change"));
    }
    let mut input = args.puzzles.read(Colors::AS_STATED);
    let mut refused = 0;
    let puzzles = input.by_ref().filter_map(|puzzle| match changed(&puzzle, args) {
        Ok(image) => Some(noted(image, &words)),
        Err(refusal) => {
            print_error(&refuse(&puzzle, &refusal));
            refused += 1;
            None
        }
    });
    let mut destination = args.output.open()?;
    // Puzzles that were changed are no more those of the file.
    let mut written = write_all(puzzles, |_| String::new(), args.to, &mut destination)?;
    written.refused += refused + input.refused();
    let read = input.finish()?;
    written.finish(destination)?;
    Ok(written.exit().and(read))
}

fn changed(puzzle: &Puzzle, args: &Args) -> Result<Puzzle, Refusal> {
    if !args.random {
        return args.changes.of(puzzle);
    }
    // Keyed by the puzzle, so that its place among others does not matter.
    let key = StreamKey::run(args.seed, &puzzle.canonical_text(), 0).child("transform");
    Ok(random(puzzle, &mut key.rng()))
}

/// The puzzle with a note of what was done to it, after any earlier one.
fn noted(mut puzzle: Puzzle, words: &str) -> Puzzle {
    let note = match puzzle.meta.get("transform").and_then(|note| note.as_str()) {
        Some(before) => format!("{before}, {words}"),
        None => words.to_owned(),
    };
    puzzle.meta.insert("transform".to_owned(), note.into());
    puzzle
}

fn refuse(puzzle: &Puzzle, refusal: &Refusal) -> Report {
    let help = match refusal {
        Refusal::Graph => "--random gives its vertices another order, --relabel its colours",
        Refusal::Held { .. } | Refusal::Board => "--transpose, --rotate and --mirror move all cells at once",
        Refusal::Clue { .. } | Refusal::Lopsided { .. } => {
            "`kenga transform --help` says which clues have complements"
        }
        Refusal::Order { .. } | Refusal::Boxes { .. } | Refusal::Diagonals | Refusal::Names { .. } => {
            "`kenga transform --help` shows examples"
        }
    };
    miette!(help = help, "puzzle `{}`: {refusal}", puzzle.id)
}
