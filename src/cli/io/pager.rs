//! Long texts on a terminal, in the reader's pager.

use std::env;
use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};

use super::exit::{CommandResult, Exit};
use super::output::print;
use super::progress::interrupt;
use super::terminal;
use kenga_core::text::{painted, printable};

/// Shows a text: on a terminal in the pager that PAGER names, else in less; elsewhere, and without a pager, as it is.
///
/// # Errors
/// A report when it cannot be written.
pub(in crate::cli) fn show(text: &str) -> CommandResult {
    let is_terminal = std::io::stdout().is_terminal();
    if is_terminal && terminal::is_screen() && paged(text) {
        return Ok(Exit::Done);
    }
    print(text)
}

/// Has a pager show the text; says whether one has started.
fn paged(text: &str) -> bool {
    let pager = env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    let mut words = pager.split_whitespace();
    let Some(program) = words.next() else { return false };
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped());
    if env::var_os("LESS").is_none() {
        // End at once where the text fits on the screen, show colours, and leave the text on the screen.
        command.env("LESS", "FRX");
    }
    // Ctrl-C is the pager's: kenga waits for it.
    let _ = interrupt();
    let Ok(mut child) = command.spawn() else { return false };
    if let Some(mut stdin) = child.stdin.take() {
        let text = if terminal::shows_on_stdout() { painted(text) } else { printable(text) };
        // A reader who leaves the pager early closes the pipe.
        let _ = stdin.write_all(text.as_bytes());
    }
    let _ = child.wait();
    true
}
