//! `kenga transform`: puzzles turned, with rows and columns in another order, with other digits; the same puzzles.

use std::path::PathBuf;

use miette::{Report, miette};

use super::convert::write_all;
use super::io::exit::{CommandResult, Exit, print_error};
use super::io::input::{self, PuzzleId, one_of, whole};
use super::io::output::Destination;
use super::io::progress::end_at_signal;
use kenga_core::puzzle::Puzzle;
use kenga_core::rng::StreamKey;
use kenga_craft::symmetry::{Names, Refusal, Turn, random, relabelled, reordered, turned};
use kenga_report::answers::OutputFormat;

/// Turn puzzles, exchange rows and columns, rename digits
///
/// Only what leaves a puzzle the same but for the places and names of things; anything else is refused. Changes are made in
/// the order of this help. Solutions go with their puzzles; ids and notes stay, and the note `transform` says what was done.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Puzzles: one in any known format, or many as JSON lines, Keen game IDs, Sudoku lines; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    changes: Changes,
    /// One of all changes that a puzzle allows, at random, each as likely as any other
    #[arg(long, conflicts_with = "Changes")]
    random: bool,
    /// The seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1, requires = "random", conflicts_with = "Changes", value_parser = whole(0..=u64::MAX))]
    seed: u64,
    /// The format to write
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    #[arg(value_parser = one_of(OutputFormat::all(), |format| [format.name(), format.about()]), hide_possible_values = true)]
    to: OutputFormat,
    /// Only the puzzle with this id
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE", alias = "output")]
    out: Option<PathBuf>,
    /// Overwrite FILE if it exists
    #[arg(long, requires = "out")]
    force: bool,
}

/// What to change.
#[derive(clap::Args)]
#[group(multiple = true)]
struct Changes {
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
  kenga transform corpus.jsonl --random --seed 7 -o shuffled.jsonl

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
    let known = [("90", 1), ("180", 2), ("270", 3)];
    let found = known.iter().find(|(degrees, _)| *degrees == text);
    found.map(|(_, quarters)| *quarters).ok_or_else(|| "expected 90, 180 or 270".to_owned())
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
    let lines = numbers(text).into_iter().map(|line: usize| line.checked_sub(1)).collect::<Option<Vec<_>>>();
    let lines = lines.filter(|lines| !lines.is_empty());
    lines
        .map(Order)
        .ok_or_else(|| "expected the numbers of all lines in their new order, as in 2,1,3".to_owned())
}

fn names(text: &str) -> Result<Names, String> {
    if text == "complement" {
        return Ok(Names::Complement);
    }
    let names = Some(numbers(text)).filter(|names| !names.is_empty());
    let expected = || "expected complement, or the new names of all digits in ascending order, as in 3,1,2";
    names.map(Names::Of).ok_or_else(|| expected().to_owned())
}

/// The numbers of a list; none when one of them is none.
fn numbers<T: std::str::FromStr>(text: &str) -> Vec<T> {
    let words = text.split([',', ' ']).filter(|word| !word.is_empty());
    words.map(|word| word.parse().ok()).collect::<Option<_>>().unwrap_or_default()
}

impl Changes {
    /// The turn that all of the options are together.
    fn turn(&self) -> Turn {
        let transposition = self.transpose.then_some(Turn::TRANSPOSE);
        let quarters = (0..self.rotate.unwrap_or(0)).map(|_| Turn::QUARTER);
        let mirrors = self.mirror.iter().map(|mirror| match mirror {
            Mirror::Rows => Turn::MIRROR_ROWS,
            Mirror::Columns => Turn::MIRROR_COLUMNS,
        });
        transposition.into_iter().chain(quarters).chain(mirrors).fold(Turn::default(), Turn::then)
    }

    fn of(&self, puzzle: &Puzzle) -> Result<Puzzle, Refusal> {
        let is_turned = self.transpose || self.rotate.is_some() || !self.mirror.is_empty();
        let mut image = if is_turned { turned(puzzle, self.turn())? } else { puzzle.clone() };
        if self.rows.is_some() || self.columns.is_some() {
            let order = |order: &Option<Order>| order.as_ref().map(|order| order.0.clone());
            image = reordered(&image, order(&self.rows).as_deref(), order(&self.columns).as_deref())?;
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
        words.extend(self.rotate.map(|quarters| format!("--rotate {}", 90 * u16::from(quarters))));
        words.extend(self.mirror.iter().map(|mirror| match mirror {
            Mirror::Rows => "--mirror rows".to_owned(),
            Mirror::Columns => "--mirror columns".to_owned(),
        }));
        for (option, order) in [("--rows", &self.rows), ("--columns", &self.columns)] {
            words.extend(
                order.as_ref().map(|order| format!("{option} {}", list(order.0.iter().map(|line| line + 1)))),
            );
        }
        words.extend(self.relabel.as_ref().map(|names| match names {
            Names::Complement => "--relabel complement".to_owned(),
            Names::Of(names) => format!("--relabel {}", list(names)),
        }));
        words.join(" ")
    }
}

fn list(numbers: impl IntoIterator<Item = impl ToString>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(",")
}

pub(super) fn run(args: &Args) -> CommandResult {
    end_at_signal()?;
    let words = if args.random { format!("--random --seed {}", args.seed) } else { args.changes.words() };
    if words.is_empty() {
        let help = "say what: --transpose, --rotate, --mirror, --rows, --columns, --relabel, --random";
        return Err(miette!(help = help, "there is nothing to change"));
    }
    let mut input = input::puzzles(&args.files);
    let mut wanted = PuzzleId::new(args.id.as_deref());
    let mut refused = Exit::Done;
    let puzzles = (&mut input).filter(|puzzle| wanted.accepts(puzzle)).filter_map(|puzzle| {
        let image = changed(&puzzle, args).map_err(|refusal| refuse(&puzzle, &refusal));
        let noted = |image| noted(image, &words);
        image.map(noted).map_err(|report| (print_error(&report), refused = Exit::BadInput)).ok()
    });
    let mut destination = Destination::new(args.out.as_deref(), args.force)?;
    let exit = write_all(puzzles, args.to, &mut destination)?;
    wanted.found(&input)?;
    destination.finish()?;
    Ok(exit.and(refused).and(input.exit()))
}

fn changed(puzzle: &Puzzle, args: &Args) -> Result<Puzzle, Refusal> {
    if !args.random {
        return args.changes.of(puzzle);
    }
    let key = StreamKey::run(args.seed, &puzzle.canonical_text(), 0).child("transform");
    Ok(random(puzzle, &mut key.rng()))
}

/// The puzzle with a note of what was done to it, after any earlier one.
fn noted(mut puzzle: Puzzle, words: &str) -> Puzzle {
    let before = puzzle.meta.get("transform").and_then(|note| note.as_str()).map(|note| format!("{note}, "));
    puzzle.meta.insert("transform".to_owned(), (before.unwrap_or_default() + words).into());
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
