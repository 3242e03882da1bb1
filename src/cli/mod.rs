//! The command line: one file per command, and the only place that prints.
//!
//! A new command is a file with `Args` and `run`, and a line in `commands!` below with its group in the help and its page of
//! the guide; its help, its page of the manual and its completions follow from these. `io` has what commands share: input, output, progress and how they end.
//!
//! **Invariant**: data goes to standard output and everything else to standard error, so that a pipe holds data alone; a file
//! appears when all of it is written; the exit codes are those of the help. Words for people may change freely, JSON and
//! columns of CSV only by growing.

mod bundle;
mod canonical;
mod check;
mod compare;
mod completions;
mod convert;
mod draw;
mod experiment;
mod explain;
mod export;
mod features;
mod generate;
mod grade;
mod guide;
mod help;
mod hint;
mod init;
mod landscape;
mod list;
mod man;
mod partitions;
mod plot;
mod report;
mod run;
#[cfg(feature = "terminal")]
mod screen;
#[cfg(feature = "serve")]
mod serve;
mod solve;
mod study;
mod sweep;
mod transform;
mod tune;
mod usage;
mod validate;
#[cfg(feature = "terminal")]
mod watch;

/// What commands read, where they write, how they end, and what they show meanwhile.
mod io {
    pub(super) mod cells;
    pub(super) mod data;
    pub(super) mod exit;
    pub(super) mod input;
    pub(super) mod output;
    pub(super) mod pager;
    pub(super) mod progress;
    pub(super) mod puzzles;
    pub(super) mod signals;
    pub(super) mod terminal;
}

use std::env;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use std::sync::OnceLock;

use crate::extensions::Extensions;
use clap::error::ErrorKind;
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};
use help::{CommandRow, Group};
use io::exit::{CommandResult, Exit, finish};
use io::output;
use io::terminal::{self, ColourChoice};
use kenga_core::search::algorithms::run_guardian;
use kenga_core::text::printable;
use kenga_report::View;
use miette::Report;

#[doc(hidden)]
pub use compare::ComparisonTexts;

/// A laboratory for genetic algorithms and other metaheuristics that knows the answer.
#[derive(Parser)]
#[command(name = "kenga", version, about, propagate_version = true)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{ENVIRONMENT}"))]
struct Cli {
    /// When to use colours: auto, always or never
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    #[arg(hide_default_value = true, hide_possible_values = true, display_order = 900)]
    color: ColourChoice,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  kenga init first --for sweep && cd first   a folder to start from
  kenga run sweep.toml                       run the sweep in it
  kenga compare results/sweep                which setting is better?
  kenga report results/sweep -o sweep.html   one page of tables and figures
  kenga generate --kind killer | kenga solve -
  kenga guide compare                        the page about a command

`kenga COMMAND --help` shows every option of a command, with examples.";

const ENVIRONMENT: &str = "\
Tables and help are as wide as the terminal; elsewhere 80 columns, or COLUMNS.
Colours follow NO_COLOR, CLICOLOR_FORCE, CLICOLOR and TERM unless --color is
given. If standard error is not a terminal, long work prints a line there every
10 s; KENGA_PROGRESS sets the seconds, 0 for none.

Exit codes: 0 done; 1 done, and the answer is no; 2 bad usage or input;
3 undecided within the limits; 130 after Ctrl-C; 143 after SIGTERM.";

/// What every command is made of: its arguments, `Args`, and `run`, in a file of its own; its group in the help, and its page
/// of the guide.
macro_rules! commands {
    ($($(#[$feature:meta])? $name:ident: $module:ident, $group:ident, $page:literal;)*) => {
        #[derive(Subcommand)]
        enum Command {
            $($(#[$feature])? $name($module::Args),)*
        }

        /// Every command, in the order of the help.
        static COMMANDS: &[CommandRow] = &[
            $($(#[$feature])? CommandRow { name: stringify!($module), group: Group::$group, page: $page },)*
        ];

        fn run(command: &Command) -> CommandResult {
            match command {
                $($(#[$feature])? Command::$name(args) => $module::run(args),)*
            }
        }
    };
}

commands! {
    Init: init, Start, "index";
    Run: run, Start, "sweeps";
    Compare: compare, Start, "sweeps";
    Report: report, Start, "report";
    Solve: solve, Start, "solver";
    Generate: generate, Start, "craft";
    Sweep: sweep, Experiments, "sweeps";
    Tune: tune, Experiments, "tune";
    #[cfg(feature = "terminal")]
    Watch: watch, Experiments, "watch";
    Landscape: landscape, Experiments, "landscape";
    Validate: validate, Results, "folder";
    Plot: plot, Results, "report";
    Export: export, Results, "report";
    Bundle: bundle, Results, "report";
    Study: study, Results, "features";
    Check: check, Puzzles, "formats";
    Grade: grade, Puzzles, "techniques";
    Explain: explain, Puzzles, "techniques";
    Hint: hint, Puzzles, "techniques";
    Draw: draw, Puzzles, "craft";
    Convert: convert, Puzzles, "formats";
    Transform: transform, Puzzles, "craft";
    Canonical: canonical, Puzzles, "craft";
    Features: features, Puzzles, "features";
    Partitions: partitions, Puzzles, "craft";
    Guide: guide, Tools, "index";
    List: list, Tools, "configuration";
    #[cfg(feature = "serve")]
    Serve: serve, Tools, "serve";
    Completions: completions, Tools, "index";
    Man: man, Tools, "index";
}

/// The command line, with all that its help says.
fn command_line() -> clap::Command {
    help::with_pages(Cli::command(), COMMANDS)
}

/// The only argument of a kenga that kills what is left of programs when the kenga that has started it is gone.
const GUARDIAN: &str = "--guardian";

/// The command that starts this kenga where that is not its own program, such as `python -m kenga`.
static COMMAND: OnceLock<Vec<OsString>> = OnceLock::new();

/// Runs kenga on the arguments of the process and says how it ended.
pub fn main() -> ExitCode {
    main_with(&Extensions::new())
}

/// Runs kenga with further members in its tables on the arguments of the process, and says how it ended: with exit code 2,
/// before anything is read, when a member has no sound name of its own.
///
/// It may be called again, with the same members or others: the tables keep those that they have.
pub fn main_with(extensions: &Extensions) -> ExitCode {
    ExitCode::from(run_on(extensions, env::args_os().collect()))
}

/// Runs kenga inside another program on arguments without a program's name, and returns the exit code. `command` starts
/// this kenga in a process of its own: the words before the arguments.
///
/// A process calls it once. Signals should have the handlers that they have in a new process.
#[doc(hidden)]
pub fn main_within(command: Vec<OsString>, arguments: Vec<OsString>) -> u8 {
    // Whoever calls it again means the same kenga.
    let _ = COMMAND.set(command);
    let mut all = vec![OsString::from("kenga")];
    all.extend(arguments);
    let code = run_on(&Extensions::new(), all);
    // Only a program that is Rust's own flushes it at its end. Standard output that is closed is no error.
    let _ = std::io::stdout().flush();
    code
}

/// What `kenga compare` says on arguments without a program's name, in words that are `columns` wide. Nothing is printed.
///
/// # Errors
/// Arguments that are none, and why the settings cannot be compared.
#[doc(hidden)]
pub fn comparison(arguments: Vec<OsString>, columns: usize) -> Result<ComparisonTexts, Report> {
    let mut all = vec![OsString::from("kenga"), OsString::from("compare")];
    all.extend(arguments);
    let view = View { width: columns, colour: false };
    match parse(&all, ColorChoice::Never) {
        Ok(Cli { command: Command::Compare(args), .. }) => compare::texts(&args, &view),
        Ok(_) => Err(Report::msg("these are no arguments of `kenga compare`")),
        Err(told) => Err(usage::report(&told, &command_line(), &all)),
    }
}

/// Runs kenga on arguments, the name of the program first, and returns the exit code.
fn run_on(extensions: &Extensions, args: Vec<OsString>) -> u8 {
    if args[1.min(args.len())..] == [GUARDIAN] {
        run_guardian(std::io::stdin().lock());
        return Exit::Done.code();
    }
    let colour = terminal::begin(args.iter().cloned());
    if let Err(error) = extensions.install() {
        return finish(Err(Report::msg(error)));
    }
    match parse(&args, colour) {
        Ok(cli) => finish(run(&cli.command)),
        Err(told) => end(&told, &args, colour),
    }
}

/// The words that start this kenga once more, before its arguments.
///
/// # Errors
/// What the system says where it does not tell the file of the program.
fn own_command() -> std::io::Result<Vec<OsString>> {
    match COMMAND.get() {
        Some(command) => Ok(command.clone()),
        None => Ok(vec![env::current_exe()?.into()]),
    }
}

fn parse(args: &[OsString], colour: ColorChoice) -> Result<Cli, clap::Error> {
    let width = terminal::columns_of_help();
    let command = help::with_groups(with_negative_numbers(command_line()), COMMANDS, width);
    let command = command.color(colour).term_width(width);
    Cli::from_arg_matches(&command.try_get_matches_from(args)?)
}

/// The command with options that take `-1` for a value, which they then refuse with the numbers that they expect.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|arg| {
        let takes_a_value = !arg.is_positional() && arg.get_action().takes_values();
        if takes_a_value { arg.allow_negative_numbers(true) } else { arg }
    });
    command.mut_subcommands(with_negative_numbers)
}

/// Prints help or the version, or what is wrong with the arguments.
fn end(told: &clap::Error, args: &[OsString], colour: ColorChoice) -> u8 {
    if told.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // Standard error that is gone leaves the exit code.
        let _ = told.print();
        return Exit::BadInput.code();
    }
    if told.use_stderr() {
        // The error quotes the arguments: it is made once more of what is printable in them.
        let mut shown: Vec<OsString> = Vec::new();
        for argument in args {
            shown.push(printable(&argument.to_string_lossy()).into_owned().into());
        }
        let again = parse(&shown, colour).err();
        return finish(Err(usage::report(again.as_ref().unwrap_or(told), &command_line(), &shown)));
    }
    let printed = told.print().and_then(|()| std::io::stdout().flush());
    finish(printed.map(|()| Exit::Done).map_err(output::unwritable))
}
