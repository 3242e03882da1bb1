//! The terminal taken over, and given back however the program ends.

use std::io::{self, IsTerminal, Stdout, stdin, stdout};
use std::panic;
use std::sync::Once;

use miette::{Report, miette};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use crate::cli::io::terminal::is_screen;

/// A terminal that is drawn on, until it is dropped.
pub(super) struct ScreenGuard {
    pub(super) terminal: Terminal<CrosstermBackend<Stdout>>,
}

/// Says what to do where there is no terminal to draw on.
///
/// # Errors
/// Where standard output or input is no terminal, or one that takes no escape sequences.
pub(super) fn check() -> Result<(), Report> {
    let help =
        "`kenga run` makes the runs of a configuration, and `kenga plot` draws those of a folder as text";
    if !stdout().is_terminal() || !stdin().is_terminal() {
        return Err(miette!(
            help = help,
            "kenga watch needs a terminal: standard input and output are not one"
        ));
    }
    if !is_screen() {
        return Err(miette!(
            help = help,
            "kenga watch needs a terminal that can be drawn on: TERM says this one cannot"
        ));
    }
    Ok(())
}

impl ScreenGuard {
    /// Takes the terminal over; a panic gives it back before it says anything.
    pub(super) fn begin() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let before = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                give_back();
                before(panic);
            }));
        });
        enable_raw_mode()?;
        // From here on it is given back.
        let guard = Terminal::new(CrosstermBackend::new(stdout())).map(|terminal| Self { terminal });
        match guard.and_then(|guard| execute!(stdout(), EnterAlternateScreen, Hide).map(|()| guard)) {
            Ok(guard) => Ok(guard),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }
}

impl Drop for ScreenGuard {
    fn drop(&mut self) {
        give_back();
    }
}

/// What fails here has no one left to be told.
fn give_back() {
    let _ = execute!(stdout(), LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}
