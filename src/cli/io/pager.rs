//! Long texts on a terminal, in the reader's pager.

use std::env;
use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::SIGINT;
use signal_hook::flag;
use signal_hook::low_level::unregister;

use super::exit::{CommandResult, Exit};
use super::output::print;
use super::terminal;
use kenga_core::text::{painted, printable};

/// Shows a text: on a terminal in the pager that PAGER names, else in less; elsewhere, and without a pager, as it is.
///
/// # Errors
/// A report when it cannot be written.
pub(in crate::cli) fn show(text: &str) -> CommandResult {
    if !std::io::stdout().is_terminal() || !terminal::is_screen() {
        return print(text);
    }
    // Ctrl-C is the pager's, however often: kenga waits for it.
    let is_interrupted = Arc::new(AtomicBool::new(false));
    let handler = flag::register(SIGINT, Arc::clone(&is_interrupted));
    let is_shown = paged(text);
    if let Ok(handler) = handler {
        unregister(handler);
    }
    if is_shown {
        Ok(Exit::Done)
    } else if is_interrupted.load(Ordering::Relaxed) {
        Ok(Exit::Signal(SIGINT as usize))
    } else {
        print(text)
    }
}

/// Has a pager show the text; says whether it has done so, as its exit status tells: less ends with 0 wherever its reader
/// leaves it.
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
    let Ok(mut child) = command.spawn() else { return false };
    if let Some(mut stdin) = child.stdin.take() {
        let text = if terminal::shows_on_stdout() { painted(text) } else { printable(text) };
        // A reader who leaves the pager early closes the pipe.
        let _ = stdin.write_all(text.as_bytes());
    }
    child.wait().is_ok_and(|status| status.success())
}
