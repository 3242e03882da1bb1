//! `kenga partitions`.

mod cage;
mod table;
mod wish;

use clap::ValueEnum;

use super::exit::{CommandResult, Exit};
use super::number::{read, whole};
use super::output::Output;
use super::progress::Counter;
use super::signals;
use crate::puzzle::operators::Fold;

use wish::Wish;

/// List the sets of digits that make a sum or a product
///
/// One set a line, digits ascending, in lexicographic order; a digit may occur several times unless --distinct forbids
/// it. Without a number of cells every partition of N is listed, into parts of 1 or more for a sum, 2 or more for a
/// product. With one, digits go from 1 to 9 unless --min and --max say otherwise.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// What the digits make; with --puzzle the cage's own operator unless given
    #[arg(value_name = "sum|product", required_unless_present = "puzzle", hide_possible_values = true)]
    operation: Option<Operation>,
    /// The sum or product; with --puzzle the cage's own target unless given
    #[arg(value_name = "N", required_unless_present = "puzzle", value_parser = whole(0..=u64::MAX))]
    number: Option<u64>,
    /// How many digits
    #[arg(long, value_name = "K", value_parser = whole(0..=usize::MAX))]
    cells: Option<usize>,
    /// The least digit [default: 1; of a product without a number of cells 2; of a cage the puzzle's least]
    #[arg(long, value_name = "DIGIT", value_parser = whole(0..=u64::MAX))]
    min: Option<u64>,
    /// The greatest digit [default: N; with a number of cells 9; of a cage the puzzle's greatest]
    #[arg(long, value_name = "DIGIT", value_parser = whole(0..=u64::MAX))]
    max: Option<u64>,
    /// No digit twice
    #[arg(long)]
    distinct: bool,
    /// Digits that do not occur
    #[arg(long, value_name = "DIGITS", value_delimiter = ',', value_parser = digit)]
    without: Vec<u64>,
    /// The cells of a cage: only sets that fit it without two equal digits in a row or column
    ///
    /// Rows end at `/`; in each, letters name the columns: `AB/AC` is A and B of the first row, A and C of the second.
    #[arg(long, value_name = "ROWS", conflicts_with_all = ["cells", "puzzle"])]
    shape: Option<String>,
    /// A puzzle, in any known format, with the cage; `-` is standard input
    #[arg(long, value_name = "FILE", requires = "cage", conflicts_with = "cells")]
    puzzle: Option<String>,
    /// The cage of the puzzle that holds this cell: only sets that the rows, columns and other groups let it hold
    #[arg(long, value_name = "CELL", requires = "puzzle")]
    cage: Option<String>,
    /// The puzzle with this id
    #[arg(long, value_name = "ID", requires = "puzzle")]
    id: Option<String>,
    /// Print how many there are, and nothing else
    #[arg(long)]
    count: bool,
    /// Print a JSON object: the query and a list of lists, or the count
    #[arg(long)]
    json: bool,
}

fn digit(text: &str) -> Result<u64, String> {
    read(text.trim()).ok_or_else(|| "expected digits with commas between, such as `8,9`".to_owned())
}

/// What digits are put together to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Operation {
    Sum,
    Product,
}

const EXAMPLES: &str = "\
Examples:
  kenga partitions sum 20 --cells 4 --distinct     no digit twice
  kenga partitions product 4050 --cells 5          five digits of 1 to 9
  kenga partitions product 72                      all factorisations
  kenga partitions sum 100 --count                 190569292, not listed
  kenga partitions sum 7 --shape AB/AC             a cage of four cells
  kenga partitions --puzzle puzzle.txt --cage A1   the cage that holds A1
  kenga partitions sum 23 --puzzle kakuro.txt --cage A2

The empty set is a line without digits: the one partition of the sum 0 and the
product 1.
Exit code: 0 there are some, 1 there is none, 2 bad usage or bad input.";

impl Operation {
    fn fold(self) -> Fold {
        match self {
            Self::Sum => Fold::Sum,
            Self::Product => Fold::Product,
        }
    }

    fn of(fold: Fold) -> Self {
        match fold {
            Fold::Sum => Self::Sum,
            Fold::Product => Self::Product,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Product => "product",
        }
    }
}

pub(super) fn run(args: &Args) -> CommandResult {
    let wish = match wish::of(args) {
        Ok(Some(wish)) => wish,
        Ok(None) => return Ok(Exit::BadInput),
        Err(report) => return Err(report),
    };
    let interrupt = signals::interrupt()?;
    let mut cut = || interrupt.is_raised();
    let mut output = Output::lock();
    let found = match args.count {
        true => {
            let _progress = Counter::start("counting", None);
            table::count(&wish, args.json, &mut output, &mut cut)?
        }
        false => table::list(&wish, args.json, &mut output, &mut cut)?,
    };
    output.flush()?;
    Ok(match (interrupt.signal(), found) {
        (0, true) => Exit::Done,
        (0, false) => {
            explain_none(args, &wish);
            Exit::No
        }
        (signal, _) => Exit::Signal(signal),
    })
}

/// An empty table is silent on standard output; somebody who reads it may want to know which digits were tried.
fn explain_none(args: &Args, wish: &Wish) {
    if !args.count && !args.json {
        super::exit::print_note(&format!("none: {}", wish.in_words()));
    }
}
