//! `kenga solve`: one puzzle in full, many a line each in parallel, or every solution as it is found.
//!
//! **Invariant**: lines come in the order of the files, whatever the number of threads; JSON is written while it grows.

mod animate;
mod scenes;
mod text;
#[cfg(feature = "terminal")]
mod watch;

use std::iter::once;

use miette::{Report, miette};
use signal_hook::consts::SIGTERM;

use super::experiment::Jobs;
use super::io::exit::{CommandResult, Exit, print_error};
use super::io::input::{seconds, whole};
use super::io::output::Output;
use super::io::progress::Counter;
use super::io::puzzles::{Colors, PuzzleArgs};
use super::io::signals;
use animate::{AnimationArgs, animate};
use kenga_core::budget::Interrupt;
use kenga_core::puzzle::{Grid, Puzzle};
use kenga_core::solver::{Limits, Status};
use kenga_report::answers::{Givens, KEPT, PuzzleAnswer, Solver, json_rows};
use text::SolveTotals;

/// Solve puzzles exactly, and say whether there is one solution
///
/// Finds a solution and proves that there is no other, shows two that differ, or proves that there is none. Many
/// puzzles take one line each, in the order of the files.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    puzzles: PuzzleArgs,
    /// Givens to add to every puzzle before it is solved, by row letter and column number
    #[arg(long, value_name = "A1=3,B2=5")]
    with: Option<Givens>,
    /// Name a smallest set of clues that conflict in a puzzle without solutions
    ///
    /// Givens are clues; the rules of rows, columns and other groups are always kept. The explanation takes what the limits
    /// leave, a million decisions without --node-limit.
    #[arg(long)]
    why: bool,
    /// Count solutions up to N
    #[arg(long, value_name = "N", conflicts_with = "all", value_parser = whole(1..=u64::MAX))]
    count: Option<u64>,
    /// List every solution as it is found, one puzzle after the other
    #[arg(long)]
    all: bool,
    /// Give up on a puzzle after S seconds of wall time
    #[arg(long, value_name = "S", value_parser = seconds)]
    time_limit: Option<f64>,
    /// Give up on a puzzle after N decisions of the search
    #[arg(long, value_name = "N", value_parser = whole(0..=u64::MAX))]
    node_limit: Option<u64>,
    #[command(flatten)]
    colors: Colors,
    #[command(flatten)]
    jobs: Jobs,
    /// Print one JSON object per puzzle; times are microseconds of CPU
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    animation: AnimationArgs,
}

const EXAMPLES: &str = "\
Examples:
  kenga solve puzzle.txt                    its solution; is it the only one?
  kenga solve book.jsonl --id kenken-4-easy-000
  kenga solve book.jsonl --time-limit 5     a line for each, and a summary
  kenga solve puzzle.txt --count 1000       how many solutions, up to 1000
  kenga solve puzzle.txt --all --json       every solution, for a program
  kenga solve puzzle.txt --with A1=3,B2=5   is there one with these digits?
  kenga solve puzzle.txt --why              which clues conflict
  kenga solve graph.col --colors 5          can five colours do?
  kenga solve puzzle.txt --watch            the search, on the terminal
  kenga solve puzzle.txt --animate search.gif   the search as a moving picture

Exit code: 0 every puzzle has a solution, 1 one has none, 2 bad input,
3 undecided within the limits.";

pub(super) fn run(args: &Args) -> CommandResult {
    #[cfg(feature = "terminal")]
    if args.animation.watch {
        // Before standard input is read to its end.
        watch::check_terminal()?;
    }
    let mut input = args.puzzles.read(args.colors);
    let mut misplaced = Exit::Done;
    let mut puzzles =
        input.by_ref().filter_map(|puzzle| add_givens(puzzle, args.with.as_ref(), &mut misplaced));
    // One puzzle is told in full, several a line each.
    let (first, second) = (puzzles.next(), puzzles.next());
    let exit = match (first, second) {
        (None, _) => Exit::Done,
        #[cfg(feature = "terminal")]
        (Some(one), two) if args.animation.watch => {
            watch_all(args, &once(one).chain(two).chain(puzzles).collect::<Vec<_>>())?
        }
        (Some(one), None) if args.animation.animate.is_some() => animate_one(args, &one)?,
        (Some(_), Some(_)) if args.animation.animate.is_some() => {
            return Err(miette!(
                help = "choose one with --id",
                "--animate shows one puzzle, and there are several"
            ));
        }
        (Some(one), None) => solve_one(args, one)?,
        (Some(one), Some(two)) => solve_many(args, once(one).chain(once(two)).chain(puzzles))?,
    };
    let read = input.finish()?;
    Ok(exit.and(read).and(misplaced))
}

/// A puzzle with the givens of `--with`; one that has no place for them is reported and left out.
fn add_givens(puzzle: Puzzle, givens: Option<&Givens>, exit: &mut Exit) -> Option<Puzzle> {
    let Some(givens) = givens else { return Some(puzzle) };
    match givens.add_to(puzzle) {
        Ok(puzzle) => Some(puzzle),
        Err(report) => {
            print_error(&report);
            *exit = Exit::BadInput;
            None
        }
    }
}

fn solve_one(args: &Args, puzzle: Puzzle) -> CommandResult {
    if args.json || args.all {
        return solve_many(args, once(puzzle));
    }
    let interrupt = signals::interrupt()?;
    let answer = {
        let _progress = Counter::start("searching", None);
        solver(args, true, &interrupt).answer(puzzle)
    };
    let mut output = Output::lock();
    output.write_words(&text::heading(&answer))?;
    output.write(&text::drawings(&answer))?;
    output.write_words(&text::costs(&answer))?;
    output.flush()?;
    Ok(exit_of(answer.outcome.status).and(Exit::of(&interrupt)))
}

/// The search as a picture that moves; a signal ends the search, and what was seen is written.
fn animate_one(args: &Args, puzzle: &Puzzle) -> CommandResult {
    let interrupt = signals::interrupt()?;
    let limits = solver(args, false, &interrupt).limits;
    let file = args.animation.animate.as_deref().expect("it was asked for");
    let outcome = {
        let _progress = Counter::start("searching", None);
        animate(&args.animation, file, puzzle, &limits, &interrupt)?
    };
    Ok(exit_of(outcome.status).and(Exit::of(&interrupt)))
}

/// The searches on the terminal, one at a time.
#[cfg(feature = "terminal")]
fn watch_all(args: &Args, puzzles: &[Puzzle]) -> CommandResult {
    let interrupt = signals::interrupt()?;
    let limits = solver(args, false, &interrupt).limits;
    watch::watch(puzzles, &limits, args.animation.speed, &interrupt)
}

fn solve_many(args: &Args, puzzles: impl Iterator<Item = Puzzle> + Send) -> CommandResult {
    let interrupt = signals::interrupt()?;
    let solver = solver(args, args.all && !args.json, &interrupt);
    let mut output = Output::lock();
    let progress = Counter::unless(output.is_terminal(), "puzzles");
    let going = puzzles.take_while(|_| !interrupt.is_raised());
    let exit = if args.all {
        let mut exit = Exit::Done;
        for puzzle in going {
            exit = exit.and(exit_of(list(&solver, puzzle, args.json, &mut output)?.outcome.status));
            progress.advance();
        }
        exit
    } else {
        solve_each(args, &solver, going, &mut output, &progress)?
    };
    drop(progress);
    output.flush()?;
    Ok(exit.and(Exit::of(&interrupt)))
}

fn solver<'a>(args: &'a Args, naming: bool, interrupt: &'a Interrupt) -> Solver<'a> {
    let (solutions, reported) =
        if args.all { (u64::MAX, u64::MAX) } else { (args.count.unwrap_or(2), KEPT as u64) };
    Solver {
        limits: Limits { solutions, reported, nodes: args.node_limit, seconds: args.time_limit },
        counting: args.count.is_some(),
        why: args.why,
        naming,
        with: args.with.as_ref(),
        interrupt,
    }
}

/// What a status means for the exit code.
fn exit_of(status: Status) -> Exit {
    match status {
        Status::Unique | Status::Multiple | Status::Solved => Exit::Done,
        Status::Unsolvable => Exit::No,
        Status::Undecided => Exit::Undecided,
    }
}

/// Solves puzzles on several threads and writes a line for each; for people, a summary after the last.
fn solve_each(
    args: &Args,
    solver: &Solver<'_>,
    puzzles: impl Iterator<Item = Puzzle> + Send,
    output: &mut Output,
    progress: &Counter,
) -> CommandResult {
    let mut exit = Exit::Done;
    let mut summary = SolveTotals::default();
    args.jobs.in_order(
        puzzles,
        solver.interrupt,
        |puzzle| solver.answer(puzzle),
        |answer| {
            exit = exit.and(exit_of(answer.outcome.status));
            if !args.json && summary.is_empty() {
                output.write(&text::columns_of_lines(answer.counting))?;
            }
            summary.add(&answer);
            progress.advance();
            output.write(&if args.json { text::json_line(&answer) } else { text::line(&answer) })
        },
    )?;
    if !args.json {
        output.write_words(&summary.text(solver.interrupt.is_raised()))?;
    }
    Ok(exit)
}

/// An output that fails ends the search through the interrupt, and the command with its error.
fn list(
    solver: &Solver<'_>,
    puzzle: Puzzle,
    as_json: bool,
    output: &mut Output,
) -> Result<PuzzleAnswer, Report> {
    output.write(&if as_json { text::json_open(&puzzle.id) } else { text::open(&puzzle.id) })?;
    let (mut count, mut failure) = (0u64, None);
    let answer = solver.search(puzzle, &mut |grid| {
        if failure.is_some() {
            return;
        }
        if let Err(report) = output.write(&one_solution(&grid(), count, as_json)) {
            failure = Some(report);
            // The output is gone: no later search is wanted either.
            solver.interrupt.raise(SIGTERM as usize);
        }
        count += 1;
    });
    if let Some(report) = failure {
        return Err(report);
    }
    if as_json {
        output.write(&text::json_close(&answer))
    } else {
        output.write_words(&text::close(&answer))
    }?;
    Ok(answer)
}

fn one_solution(grid: &Grid, before: u64, as_json: bool) -> String {
    match (as_json, before) {
        (true, 0) => json_rows(grid).to_string(),
        (true, _) => format!(",{}", json_rows(grid)),
        (false, _) => format!("{grid}\n"),
    }
}
