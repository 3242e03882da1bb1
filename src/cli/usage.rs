//! What is wrong with the arguments, said as kenga says all that is wrong.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};
use kenga_core::text::meant;
use miette::{Report, miette};

/// The error of the parser in kenga's form: what is wrong, what may be meant, and which help says more.
pub(super) fn report(error: &Error, command_line: &Command, args: &[OsString]) -> Report {
    let (path, command) = named(command_line, args);
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
    {
        return no_command(name, &path, command);
    }
    let rendered = quoted(error);
    let mut paragraphs = rendered.trim().split("\n\n");
    let message = sentence(paragraphs.next().unwrap_or_default());
    // clap has one text; kenga's errors say what is wrong, then what to do.
    let (message, values) = match message.split_once(" [possible values: ") {
        Some((message, values)) => (message.to_owned(), values.strip_suffix(']')),
        None => (message, None),
    };
    let mut help = Vec::new();
    for paragraph in paragraphs {
        if let Some(tip) = paragraph.trim().strip_prefix("tip: ") {
            help.push(match tip.split_once(" exists: ") {
                Some((_, similar)) => format!("did you mean {}?", sentence(similar)),
                None => sentence(tip),
            });
        }
    }
    help.extend(values.map(|values| format!("one of {values}")));
    if error.kind() == ErrorKind::MissingRequiredArgument
        && let Some(example) = first_example(command)
    {
        help.push(format!("such as `{example}`"));
    }
    help.push(format!("`{path} --help` shows all options"));
    miette!(help = help.join("\n"), "{}", message.strip_prefix("error: ").unwrap_or(&message))
}

/// The first example in the help of a command, without the words about it.
fn first_example(command: &Command) -> Option<String> {
    let help = command.get_after_help()?.to_string();
    let line = help.lines().find(|line| line.trim_start().starts_with("kenga "))?;
    line.trim_start().split("   ").next().map(|example| example.trim_end().to_owned())
}

/// The command that arguments name, with its words.
fn named<'a>(command_line: &'a Command, args: &[OsString]) -> (String, &'a Command) {
    let mut path = command_line.get_name().to_owned();
    let mut command = command_line;
    for argument in args.iter().skip(1).filter_map(|argument| argument.to_str()) {
        if let Some(below) = command.find_subcommand(argument) {
            path += &format!(" {argument}");
            command = below;
        }
    }
    (path, command)
}

/// The error of a command that is not there, with the nearest one.
fn no_command(name: &str, path: &str, command: &Command) -> Report {
    let is_file = name.ends_with(".toml") || std::path::Path::new(name).is_file();
    // People leave the command out, or think that `sweep` takes a configuration.
    if is_file && path == "kenga sweep" {
        let help = format!(
            "`kenga run {name}` runs the sweep of a configuration; `kenga sweep plan {name}` plans it first, to run it in shards"
        );
        return miette!(help = help, "`{name}` is no command of `{path}`");
    }
    if is_file {
        let help =
            "name the command too: `kenga run FILE` runs an experiment, `kenga solve FILE` solves puzzles";
        return miette!(help = help, "`{name}` is no command");
    }
    let mut help = format!("`{path} --help` lists the commands");
    if let Some(meant) = meant(name, command.get_subcommands().map(Command::get_name)) {
        help = format!("did you mean `{meant}`? {help}");
    }
    miette!(help = help, "`{path}` has no command `{name}`")
}

/// The text of an error without colours, with what it quotes in backticks.
fn quoted(error: &Error) -> String {
    let mut text = error.render().to_string();
    for (_, value) in error.context() {
        let values = match value {
            ContextValue::String(value) => std::slice::from_ref(value),
            ContextValue::Strings(values) => values.as_slice(),
            _ => &[],
        };
        for value in values {
            text = text.replace(&format!("'{value}'"), &format!("`{value}`"));
        }
    }
    text
}

/// Lines as one.
fn sentence(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
