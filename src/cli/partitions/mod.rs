//! `kenga partitions`: the table, or its length, for people and for programs.
//!
//! `{"query":{…},"multisets":[[…]…],"count":…,"complete":…}`, written while it grows; with `--count` without the lists.
//! `complete` is false when a signal ended it, and an unknown count is then null.

mod query;

use std::fmt::Write;

use clap::builder::TypedValueParser;
use miette::Report;

use super::io::exit::{CommandResult, Exit, print_note};
use super::io::input::{one_of, read_whole, whole};
use super::io::output::Output;
use super::io::progress::Counter;
use super::io::signals;
use kenga_core::puzzle::operators::Fold;
use query::{Request, query_report};

/// List the sets of digits that make a sum or a product
///
/// One set per line, digits ascending, in lexicographic order; a digit may occur several times unless --distinct forbids
/// it. Without a number of cells every partition of N is listed, into parts of 1 or more for a sum, 2 or more for a
/// product. With one, digits go from 1 to 9 unless --min and --max say otherwise.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Sum or product [default with --puzzle: the cage's operator]
    #[arg(value_name = "sum|product", required_unless_present = "puzzle", hide_possible_values = true)]
    #[arg(value_parser = one_of(FOLDS, |(name, _)| [name, ""]).map(|(_, fold)| fold))]
    operation: Option<Fold>,
    /// Its value [default with --puzzle: the cage's target]
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
    /// Digits to leave out
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
    read_whole(text.trim()).ok_or_else(|| "expected digits with commas between, such as `8,9`".to_owned())
}

/// Operations by name.
const FOLDS: [(&str, Fold); 2] = [("sum", Fold::Sum), ("product", Fold::Product)];

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
Exit code: 0 at least one, 1 none, 2 bad usage or bad input.";

pub(super) fn run(args: &Args) -> CommandResult {
    let Some(request) = query::of(args)? else { return Ok(Exit::BadInput) };
    let interrupt = signals::interrupt()?;
    let mut cut = || interrupt.is_raised();
    let mut output = Output::lock();
    let found = if args.count {
        let _progress = Counter::start("counting", None);
        write_count(&request, args.json, &mut output, &mut cut)?
    } else {
        let counter = Counter::unless(output.is_terminal(), "sets found");
        write_list(&request, args.json, &mut output, &mut cut, &counter)?
    };
    output.flush()?;
    Ok(match (interrupt.signal(), found) {
        (0, true) => Exit::Done,
        (0, false) => {
            // Standard output is empty: that is the table of no sets.
            explain_none(args, &request);
            Exit::No
        }
        (signal, _) => Exit::Signal(signal),
    })
}

/// An empty table is silent on standard output; this note says which digits were tried.
fn explain_none(args: &Args, request: &Request) {
    if !args.count && !args.json {
        print_note(&format!("none: {}", request.describe()));
    }
}

/// Lists the multisets as they are found; says whether there is any.
fn write_list(
    request: &Request,
    as_json: bool,
    output: &mut Output,
    cut: &mut dyn FnMut() -> bool,
    counter: &Counter,
) -> Result<bool, Report> {
    let mut line = String::new();
    let mut count = 0u128;
    let whole = each(request, cut, &mut |parts| {
        line.clear();
        match (as_json, count) {
            (false, _) => {}
            (true, 0) => line = opened(request),
            (true, _) => line.push(','),
        }
        push(&mut line, parts, as_json);
        output.write(&line)?;
        count += 1;
        counter.advance();
        // The first is shown at once.
        if count == 1 { output.flush() } else { Ok(()) }
    })?;
    if as_json {
        let open = if count == 0 { opened(request) } else { String::new() };
        output.write(&format!("{open}],\"count\":{count},\"complete\":{whole}}}\n"))?;
    }
    Ok(count > 0)
}

/// Writes how many there are; says whether there is any.
fn write_count(
    request: &Request,
    as_json: bool,
    output: &mut Output,
    cut: &mut dyn FnMut() -> bool,
) -> Result<bool, Report> {
    let count = counted(request, cut)?;
    let known = count.map_or("null".to_owned(), |count| count.to_string());
    if as_json {
        let whole = count.is_some();
        output
            .write(&format!("{{\"query\":{},\"count\":{known},\"complete\":{whole}}}\n", request.json()))?;
    } else if count.is_some() {
        output.write(&format!("{known}\n"))?;
    }
    Ok(count != Some(0))
}

/// How many there are; nothing when it was cut short. Those that fit a shape are counted one by one.
fn counted(request: &Request, cut: &mut dyn FnMut() -> bool) -> Result<Option<u128>, Report> {
    if request.shape.is_none() {
        return request.query.count(cut).map_err(query_report);
    }
    let mut count = 0u128;
    let whole = each(request, cut, &mut |_| {
        count += 1;
        Ok(())
    })?;
    Ok(whole.then_some(count))
}

/// Hands every multiset that fits to `take`; says whether it was not cut short.
fn each(
    request: &Request,
    cut: &mut dyn FnMut() -> bool,
    take: &mut dyn FnMut(&[u64]) -> Result<(), Report>,
) -> Result<bool, Report> {
    let mut multisets = request.query.multisets().map_err(query_report)?;
    while let Some(parts) = multisets.next(cut) {
        match request.shape.as_ref().map_or(Some(true), |shape| shape.fits(parts, cut)) {
            Some(true) => take(parts)?,
            Some(false) => {}
            None => return Ok(false),
        }
    }
    Ok(!cut())
}

fn opened(request: &Request) -> String {
    format!("{{\"query\":{},\"multisets\":[", request.json())
}

fn push(line: &mut String, parts: &[u64], as_json: bool) {
    let (open, close) = if as_json { ("[", "]") } else { ("", "\n") };
    *line += open;
    for (index, part) in parts.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        write!(line, "{comma}{part}").expect("a string can be written to");
    }
    *line += close;
}
