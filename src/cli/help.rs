//! The help: the commands in groups, and with every command its page of the guide.

use clap::Command;

use super::guide::page;
use kenga_report::wrap;

/// The part of the help in which a command stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    /// What most people need.
    Start,
    Experiments,
    Results,
    Puzzles,
    Tools,
}

impl Group {
    /// In the order of the help.
    const ALL: [Self; 5] = [Self::Start, Self::Experiments, Self::Results, Self::Puzzles, Self::Tools];

    fn heading(self) -> &'static str {
        match self {
            Self::Start => "Start here",
            Self::Experiments => "Experiments",
            Self::Results => "Results",
            Self::Puzzles => "Puzzles",
            Self::Tools => "Tools",
        }
    }
}

/// What the help says of a command beside the command's own words.
pub(super) struct CommandRow {
    pub(super) name: &'static str,
    pub(super) group: Group,
    /// The topic of its page in the guide.
    pub(super) page: &'static str,
}

/// Ends the help of every command, and of those below it, with its page.
pub(super) fn with_pages(mut command: Command, rows: &[CommandRow]) -> Command {
    for row in rows {
        command = command.mut_subcommand(row.name, |below| with_page(below, row.page));
    }
    command
}

fn with_page(command: Command, topic: &'static str) -> Command {
    let mut help = String::new();
    if let Some(written) = command.get_after_help() {
        help += &format!("{}\n\n", written.ansi());
    }
    help += &format!("Guide: kenga guide {topic}");
    if let Some(page) = page(topic) {
        help += &format!("   ({})", page.title());
    }
    command.after_help(help).mut_subcommands(|below| with_page(below, topic))
}

/// Lists the commands of the program in their groups: clap knows no groups of commands.
pub(super) fn with_groups(command: Command, rows: &[CommandRow], width: usize) -> Command {
    let header = *command.get_styles().get_header();
    let literal = *command.get_styles().get_literal();
    let mut template = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for group in Group::ALL {
        template += &format!("\n{header}{}:{header:#}\n", group.heading());
        for row in rows {
            if row.group == group {
                let name = format!("{literal}{}{literal:#}", row.name);
                template += &entry(&name, row.name.len(), &about(&command, row.name), width);
            }
        }
    }
    template += &format!("\n{header}Options:{header:#}\n{{options}}{{after-help}}");
    command.help_template(template)
}

fn about(command: &Command, name: &str) -> String {
    let about = command.find_subcommand(name).and_then(Command::get_about);
    about.map(|words| words.ansi().to_string()).unwrap_or_default()
}

/// The column in which the words about a command begin.
const ABOUT: usize = 15;

/// The least width of these words.
const NARROW: usize = 20;

/// A command, whose name takes `size` columns, with the words about it beside.
fn entry(name: &str, size: usize, about: &str, width: usize) -> String {
    let about = wrap(about, width.saturating_sub(ABOUT).max(NARROW));
    let gap = " ".repeat(ABOUT - 2 - size);
    format!("  {name}{gap}{}\n", about.replace('\n', &format!("\n{}", " ".repeat(ABOUT))))
}
