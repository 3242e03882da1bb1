//! The terminal: how wide it is and whether it shows colours. The only place that decides either.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::sync::OnceLock;
use std::{env, io};

use clap::{ColorChoice, ValueEnum};
use miette::MietteHandlerOpts;
use textwrap::{WordSeparator, WordSplitter};

use kenga_report::View;

/// Columns where there is no terminal to ask.
const COLUMNS: usize = 80;

/// Lines where there is no terminal to ask.
const LINES: usize = 24;

/// The widest line of help, which is prose.
const READABLE: usize = 110;

/// What `--color` takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ColourChoice {
    /// On a terminal, unless NO_COLOR, CLICOLOR_FORCE, CLICOLOR or TERM says otherwise.
    #[default]
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

/// The choice of the arguments, once they are read.
static CHOICE: OnceLock<ColourChoice> = OnceLock::new();

/// Takes the choice from the arguments before anything reads or prints; gives it in the terms of clap, whose own rules
/// for `auto` are those of [`wanted`].
pub(in crate::cli) fn begin(args: impl Iterator<Item = OsString>) -> ColorChoice {
    let choice = *CHOICE.get_or_init(|| choice(args));
    // A hook that stands already draws errors as well.
    let _ = miette::set_hook(Box::new(|_| {
        // A hyphen may be part of an id or a path, which people copy: lines end at spaces alone.
        let options = MietteHandlerOpts::new()
            .width(columns())
            .break_words(false)
            .word_separator(WordSeparator::AsciiSpace)
            .word_splitter(WordSplitter::NoHyphenation);
        Box::new(options.color(shows_on_stderr()).terminal_links(false).build())
    }));
    match choice {
        ColourChoice::Auto => ColorChoice::Auto,
        ColourChoice::Always => ColorChoice::Always,
        ColourChoice::Never => ColorChoice::Never,
    }
}

/// Standard output shows colours.
pub(in crate::cli) fn shows_on_stdout() -> bool {
    shows(io::stdout().is_terminal())
}

/// The view of standard output.
pub(in crate::cli) fn view() -> View {
    View { width: columns(), colour: shows_on_stdout() }
}

/// Columns: those that COLUMNS says, else of the terminal that standard output is, else 80.
pub(in crate::cli) fn columns() -> usize {
    let mut columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    if columns.is_none() {
        columns = terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
    }
    columns.filter(|columns| *columns > 0).unwrap_or(COLUMNS)
}

/// Columns and lines of the terminal that standard error is.
pub(in crate::cli) fn size() -> (usize, usize) {
    terminal_size::terminal_size_of(io::stderr())
        .map_or((COLUMNS, LINES), |(width, height)| (usize::from(width.0), usize::from(height.0)))
}

/// Columns of help.
pub(in crate::cli) fn columns_of_help() -> usize {
    columns().min(READABLE)
}

/// Standard error is a terminal that can draw a line anew.
pub(in crate::cli) fn is_watched() -> bool {
    io::stderr().is_terminal() && !is_dumb(&variable)
}

/// The terminal takes escape sequences.
pub(in crate::cli) fn is_screen() -> bool {
    !is_dumb(&variable)
}

/// Standard error shows colours.
pub(in crate::cli) fn shows_on_stderr() -> bool {
    shows(io::stderr().is_terminal())
}

fn shows(is_terminal: bool) -> bool {
    wanted(CHOICE.get().copied().unwrap_or_default(), is_terminal, &variable)
}

/// Whether colours are wanted: by the argument, else by the environment, else on a terminal that has them.
fn wanted(choice: ColourChoice, is_terminal: bool, variable: &dyn Fn(&str) -> Option<String>) -> bool {
    // An empty variable says nothing.
    let [no_color, force, clicolor] =
        ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"].map(|name| variable(name).unwrap_or_default());
    match choice {
        ColourChoice::Always => true,
        ColourChoice::Never => false,
        ColourChoice::Auto if !no_color.is_empty() => false,
        ColourChoice::Auto if !force.is_empty() && force != "0" => true,
        ColourChoice::Auto if clicolor == "0" => false,
        ColourChoice::Auto => is_terminal && !is_dumb(variable),
    }
}

/// A terminal that takes no escape sequences; on Unix such as gives no name too.
fn is_dumb(variable: &dyn Fn(&str) -> Option<String>) -> bool {
    variable("TERM").map_or(cfg!(unix), |name| name == "dumb")
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok()
}

/// The value of the last `--color`; one that is not known is refused later.
fn choice(args: impl Iterator<Item = OsString>) -> ColourChoice {
    let mut args =
        args.take_while(|argument| argument != "--").filter_map(|argument| argument.into_string().ok());
    // clap has not read them yet: what it refuses is told in colours too.
    let mut choice = ColourChoice::default();
    while let Some(argument) = args.next() {
        let value = match argument.strip_prefix("--color") {
            Some("") => args.next(),
            Some(rest) => rest.strip_prefix('=').map(str::to_owned),
            None => None,
        };
        choice = value.and_then(|value| ColourChoice::from_str(&value, false).ok()).unwrap_or(choice);
    }
    choice
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_argument_beats_the_environment_which_beats_the_terminal() {
        let with = |set: &[(&str, &str)], choice, is_terminal| {
            let find =
                |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
            wanted(choice, is_terminal, &find)
        };
        let xterm = ("TERM", "xterm");
        let auto = ColourChoice::Auto;
        assert!(with(&[xterm], auto, true));
        assert!(!with(&[xterm], auto, false));
        assert!(!with(&[("TERM", "dumb")], auto, true));
        assert!(!with(&[xterm, ("NO_COLOR", "1")], auto, true));
        assert!(with(&[xterm, ("NO_COLOR", "")], auto, true));
        assert!(with(&[("CLICOLOR_FORCE", "1"), ("TERM", "dumb")], auto, false));
        assert!(!with(&[("CLICOLOR_FORCE", "0")], auto, false));
        assert!(!with(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], auto, false));
        assert!(!with(&[xterm, ("CLICOLOR", "0")], auto, true));
        assert!(with(&[("NO_COLOR", "1"), ("TERM", "dumb")], ColourChoice::Always, false));
        assert!(!with(&[xterm, ("CLICOLOR_FORCE", "1")], ColourChoice::Never, true));
    }

    #[test]
    fn the_choice_is_read_before_the_other_arguments() {
        let of = |args: &[&str]| choice(args.iter().map(OsString::from));
        assert_eq!(of(&["kenga", "list", "--color", "always"]), ColourChoice::Always);
        assert_eq!(of(&["kenga", "--color=never", "list"]), ColourChoice::Never);
        assert_eq!(of(&["kenga", "solve", "--", "--color=never"]), ColourChoice::Auto);
        assert_eq!(of(&["kenga", "--color", "sometimes"]), ColourChoice::Auto);
    }
}
