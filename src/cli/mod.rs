//! The command line: one file per command, and the only place that prints.

mod check;
mod convert;
mod exit;
mod input;
mod ordered;
mod output;
mod progress;
mod signals;
mod solve;
mod wanted;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use exit::finish;

/// A laboratory for genetic algorithms and other metaheuristics that knows the answer.
#[derive(Parser)]
#[command(name = "kenga", version, about, max_term_width = 110, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Solve(solve::Args),
    Check(check::Args),
    Convert(convert::Args),
}

/// Runs the program on the arguments of the process and says how it ended.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    finish(match cli.command {
        Command::Solve(args) => solve::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Convert(args) => convert::run(&args),
    })
}
