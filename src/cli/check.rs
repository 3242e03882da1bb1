//! `kenga check`: what the referee says of a grid, and whether a partial one can still become a solution.

use miette::Report;
use serde_json::{Value, json};

use super::io::cells::{cell_names, read_grid, refuse_one_input};
use super::io::exit::{CommandResult, Exit};
use super::io::input::{self, Colors, whole};
use super::io::output::{print, print_words};
use super::io::progress::{self, Counter};
use crate::problem::{Domains, Problem};
use crate::puzzle::{Failure, Grid, Puzzle, Verdict, check};
use crate::report::plural;
use crate::solver::{Limits, Status, solve};

/// Say whether a grid solves a puzzle, and if not, which groups fail and why
///
/// If a partial grid breaks no rule, says whether it can still be completed.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The puzzle, in any known format; of several, --id chooses one; `-` is standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// The grid, or `@` and a file that holds it, or `-` for standard input
    ///
    /// Separate rows by `/` or line breaks, cells by spaces; `.` is an empty cell. Rows of one-digit cells need no
    /// spaces. A JSON list of rows is read as well.
    #[arg(long, value_name = "GRID|@FILE|-", allow_hyphen_values = true)]
    grid: String,
    /// The puzzle with this id
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    #[command(flatten)]
    colors: Colors,
    /// Give up on completing a partial grid after N decisions of the search
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = whole(0..=u64::MAX))]
    node_limit: u64,
    /// Print a JSON object; cells are [row, column] from 0
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  kenga check puzzle.txt --grid '4 1 2 3/1 4 3 2/2 3 1 4/3 2 4 1'
  kenga check puzzle.txt --grid 4123/1432/2314/32..    can it be completed?
  kenga check corpus.jsonl --id nine --grid @grid.txt
  kenga solve 4.txt --json | jq -c .solutions[0] | kenga check 4.txt --grid -

Exit code: 0 the grid is a solution, 1 it is not (yet), 2 bad usage or bad
input.";

pub(super) fn run(args: &Args) -> CommandResult {
    let files = [args.file.clone()];
    refuse_one_input(&files, Some(&args.grid))?;
    let mut input = input::puzzles(&files).with(args.colors, args.id.as_deref());
    let Some(puzzle) = input::one_puzzle(&args.file, args.id.as_deref(), &mut input)? else {
        return Ok(input.exit());
    };
    let grid = read_grid(&args.grid, &puzzle)?;
    let verdict = check(&puzzle, &grid);
    let completion = Completion::of(&puzzle, &grid, &verdict, args.node_limit)?;
    let done = match args.json {
        true => print(&as_json(&puzzle, &verdict, completion)),
        false => print_words(&describe(&puzzle, &grid, &verdict, completion)),
    }?;
    let answer = if verdict.is_solution() { done } else { Exit::No };
    Ok(answer.and(input.exit()))
}

/// What is known of the solutions that hold the digits of a grid.
#[derive(Clone, Copy)]
struct Completion {
    /// Whether there is one; `None` when the search gave up.
    is_possible: Option<bool>,
    /// Decisions of the search.
    nodes: u64,
}

impl Completion {
    /// Asks the solver, unless the verdict says it already; Ctrl-C ends the search.
    ///
    /// # Errors
    /// A report when the system refuses to watch for signals.
    fn of(puzzle: &Puzzle, grid: &Grid, verdict: &Verdict, nodes: u64) -> Result<Self, Report> {
        if verdict.is_solution() || !verdict.is_consistent() {
            return Ok(Self { is_possible: Some(verdict.is_solution()), nodes: 0 });
        }
        let problem = Problem::compile(puzzle);
        let problem = problem.restrict(&domains(&problem, puzzle, grid));
        let limits = Limits { solutions: 1, nodes: Some(nodes), ..Limits::default() };
        let _progress = Counter::start("searching", None);
        let outcome = solve(&problem, &limits, &progress::interrupt()?, &mut |_| {});
        let is_possible = match outcome.status {
            Status::Unsolvable => Some(false),
            Status::Undecided => None,
            Status::Unique | Status::Multiple | Status::Solved => Some(true),
        };
        Ok(Self { is_possible, nodes: outcome.nodes })
    }

    /// For people, of a grid that breaks no rule.
    fn words(self) -> String {
        match self.is_possible {
            Some(true) => "it can be completed".to_owned(),
            Some(false) => "no rule is broken so far, but it cannot be completed".to_owned(),
            None => {
                let nodes = format!("{} {}", self.nodes, plural(self.nodes, "node"));
                format!("no rule is broken so far; whether it can be completed is not known within {nodes}")
            }
        }
    }
}

/// One candidate where the grid holds a digit, all where it is empty.
fn domains(problem: &Problem, puzzle: &Puzzle, grid: &Grid) -> Domains {
    let mask = |cell| match grid.get(problem.place(cell)).and_then(|digit| puzzle.digits().rank(digit)) {
        Some(rank) => 1 << rank,
        None => problem.all_digits(),
    };
    Domains((0..problem.cells()).map(mask).collect())
}

/// What the referee found, for people.
fn describe(puzzle: &Puzzle, grid: &Grid, verdict: &Verdict, completion: Completion) -> String {
    let mut text = format!("{}: {}\n", puzzle.id, summary(puzzle, verdict, completion));
    for &cell in &verdict.foreign {
        let digit = grid.get(cell).map_or_else(String::new, |digit| digit.to_string());
        let why = if puzzle.is_black(cell) { "but is black" } else { "which is not a digit of this puzzle" };
        text += &format!("  {} holds {digit}, {why}\n", puzzle.cell_name(cell));
    }
    for Failure { group, reason } in &verdict.failures {
        text += &format!("  {}: {reason}\n", puzzle.group_name(&puzzle.groups()[*group]));
    }
    text
}

fn summary(puzzle: &Puzzle, verdict: &Verdict, completion: Completion) -> String {
    let broken = verdict.foreign.len() + verdict.failures.len();
    let broken = format!("{broken} {}", if broken == 1 { "rule is broken" } else { "rules are broken" });
    match (verdict.missing.len(), verdict.is_consistent()) {
        (0, true) => "the grid is a solution".to_owned(),
        (0, false) => format!("the grid is not a solution: {broken}"),
        (_, true) => {
            format!("the grid is not a solution yet: {}; {}", empty(puzzle, verdict), completion.words())
        }
        (_, false) => format!("the grid is not a solution: {}, and {broken} already", empty(puzzle, verdict)),
    }
}

/// `2 cells are empty (A1 B3)`.
fn empty(puzzle: &Puzzle, verdict: &Verdict) -> String {
    let count = verdict.missing.len();
    let verb = if count == 1 { "cell is" } else { "cells are" };
    format!("{count} {verb} empty ({})", cell_names(puzzle, &verdict.missing))
}

/// What the referee found, as one line of JSON.
fn as_json(puzzle: &Puzzle, verdict: &Verdict, completion: Completion) -> String {
    let cell = |cell: &usize| json!([cell / puzzle.cols(), cell % puzzle.cols()]);
    let cells = |list: &[usize]| list.iter().map(cell).collect::<Value>();
    let failure = |Failure { group, reason }: &Failure| {
        let group = &puzzle.groups()[*group];
        let name = puzzle.group_name(group);
        json!({"group": name, "role": group.role.name(), "cells": cells(&group.cells), "reason": reason})
    };
    let object = json!({
        "id": puzzle.id,
        "solution": verdict.is_solution(),
        "consistent": verdict.is_consistent(),
        "completable": completion.is_possible,
        "missing": cells(&verdict.missing),
        "foreign": cells(&verdict.foreign),
        "failures": verdict.failures.iter().map(failure).collect::<Value>(),
    });
    object.to_string() + "\n"
}
