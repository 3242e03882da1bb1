//! The command line: one file per command, and the only place that prints.

mod check;
mod clean;
mod compare;
mod convert;
mod exit;
mod experiment;
mod export;
mod givens;
mod input;
mod list;
mod ordered;
mod output;
mod partitions;
mod plot;
mod progress;
mod report;
mod run;
mod signals;
mod sink;
mod solve;
mod studied;
mod sweep;
mod validate;
mod wanted;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use exit::finish;

/// A laboratory for genetic algorithms and other metaheuristics that knows the answer.
#[derive(Parser)]
#[command(name = "kenga", version, about, max_term_width = 110, propagate_version = true)]
#[command(after_help = "Examples:
  kenga run --config configs/ga.toml         make an experiment
  kenga validate results/ga                  check what it claims
  kenga export results/ga --to csv           its runs as a table for R or pandas
  kenga report results/ga -o ga.html         look at it
  kenga solve puzzles/original/6x6.txt       solve a puzzle exactly
  kenga list selection                       what a configuration can name
  kenga partitions sum 20 --cells 4          which digits make a sum

Exit codes: 0 done; 1 done, and the answer is no; 2 bad usage or input; 3 undecided within the limits.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Args),
    Sweep(sweep::Args),
    Compare(compare::Args),
    Solve(solve::Args),
    Check(check::Args),
    Validate(validate::Args),
    Export(export::Args),
    Report(report::Args),
    Plot(plot::Args),
    Convert(convert::Args),
    Partitions(partitions::Args),
    List(list::Args),
}

/// Runs the program on the arguments of the process and says how it ended.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    finish(match cli.command {
        Command::Run(args) => run::run(&args),
        Command::Sweep(args) => sweep::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Plot(args) => plot::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Partitions(args) => partitions::run(&args),
        Command::List(args) => list::run(&args),
    })
}
