//! The command line: one file per command, and the only place that prints.

mod check;
mod clean;
mod compare;
mod completions;
mod convert;
mod exit;
mod experiment;
mod export;
mod givens;
mod input;
mod list;
mod man;
mod number;
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
mod terminal;
mod validate;
mod wanted;

use std::env;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::text::printable;
use exit::{Exit, finish};
use terminal::Colour;

/// A laboratory for genetic algorithms and other metaheuristics that knows the answer.
#[derive(Parser)]
#[command(name = "kenga", version, about, propagate_version = true)]
#[command(after_help = "Examples:
  kenga run --config configs/ga.toml         make an experiment
  kenga validate results/ga                  check what it claims
  kenga export results/ga --to csv           its runs as a table for R or pandas
  kenga report results/ga -o ga.html         look at it
  kenga solve puzzles/original/6x6.txt       solve a puzzle exactly
  kenga list selection                       what a configuration can name
  kenga partitions sum 20 --cells 4          which digits make a sum

Tables and help are as wide as the terminal; elsewhere 80 columns, or COLUMNS.
Colours follow NO_COLOR, CLICOLOR_FORCE, CLICOLOR and TERM unless --color is
given. Where standard error is no terminal, work that takes long prints a line
there every 10 s; KENGA_PROGRESS sets the seconds, 0 for none.

Exit codes: 0 done; 1 done, and the answer is no; 2 bad usage or input;
3 undecided within the limits; 130 after Ctrl-C; 143 after SIGTERM.")]
struct Cli {
    /// When to use colours: auto, always or never
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    #[arg(hide_default_value = true, hide_possible_values = true, display_order = 900)]
    color: Colour,
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
    Completions(completions::Args),
    Man(man::Args),
}

/// Runs the program on the arguments of the process and says how it ended.
pub fn main() -> ExitCode {
    let colour = terminal::begin(env::args_os());
    match parse(env::args_os().collect(), colour) {
        Ok(cli) => finish(run(cli.command)),
        Err(told) => end(&told),
    }
}

/// Reads the arguments. What is told of them quotes them, so that it is told of [`printable`] ones.
fn parse(args: Vec<OsString>, colour: ColorChoice) -> Result<Cli, clap::Error> {
    let read = |args: Vec<OsString>| {
        let command = Cli::command().color(colour).term_width(terminal::columns_of_help());
        command.try_get_matches_from(args).and_then(|matches| Cli::from_arg_matches(&matches))
    };
    let shown =
        args.iter().map(|argument| printable(&argument.to_string_lossy()).into_owned().into()).collect();
    read(args).map_err(|told| match read(shown) {
        Err(told) => told,
        Ok(_) => clap::Error::raw(told.kind(), printable(&told.render().to_string())),
    })
}

fn run(command: Command) -> exit::CommandResult {
    match command {
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
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}

/// Prints help or the version, or what is wrong with the arguments.
fn end(told: &clap::Error) -> ExitCode {
    let printed = told.print().and_then(|()| std::io::stdout().flush());
    match printed {
        // Standard error that is gone leaves the exit code.
        _ if told.use_stderr() => ExitCode::from(Exit::BadInput.code()),
        printed => finish(printed.map(|()| Exit::Done).map_err(output::unwritable)),
    }
}
