//! `kenga completions`: what a shell needs to complete commands and options.

use clap_complete::{Shell, generate};

use super::command_line;
use super::io::exit::CommandResult;
use super::io::output::print;

/// Print the completions of a shell
///
/// Covers every command, option and value that is one of a list.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga completions bash > ~/.local/share/bash-completion/completions/kenga
  kenga completions zsh > ~/.zfunc/_kenga
  kenga completions fish > ~/.config/fish/completions/kenga.fish
  kenga completions powershell >> $PROFILE")]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let mut script = Vec::new();
    generate(args.shell, &mut command_line(), "kenga", &mut script);
    print(&String::from_utf8_lossy(&script))
}
