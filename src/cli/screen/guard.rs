//! The terminal taken over, and given back however the program ends.

use std::io::{self, IsTerminal, Stdout, stdin, stdout};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fs, panic};

use miette::{IntoDiagnostic, Report, WrapErr, miette};
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::{Frame, Terminal};

use crate::cli::io::terminal::is_screen;

/// A terminal that is drawn on, until it is dropped.
pub(in crate::cli) struct ScreenGuard {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

/// A panic has given the terminal back: nothing may be drawn any more.
static IS_LOST: AtomicBool = AtomicBool::new(false);

/// Says what to do where there is no terminal to draw on and to take keys from. Keys come from the terminal itself where
/// standard input is something else.
///
/// # Errors
/// Where standard output is no terminal, or one that takes no escape sequences, or there is none to take keys from.
pub(in crate::cli) fn check(command: &str, help: &str) -> Result<(), Report> {
    let why = if !stdout().is_terminal() {
        "a terminal: standard output is not one"
    } else if !is_screen() {
        "a terminal that can be drawn on: TERM says this one cannot"
    } else if !has_keys() {
        "a terminal to take keys from: there is none"
    } else {
        return Ok(());
    };
    Err(miette!(help = help, "{command} needs {why}"))
}

/// There is a terminal to take keys from.
fn has_keys() -> bool {
    // Puzzles may come on standard input: keys are then read from the terminal itself.
    stdin().is_terminal() || cfg!(unix) && fs::File::open("/dev/tty").is_ok()
}

impl ScreenGuard {
    /// Takes the terminal over; a panic gives it back before it says anything.
    ///
    /// # Errors
    /// What the terminal refuses.
    pub(in crate::cli) fn begin() -> Result<Self, Report> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let before = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                // The message of the panic must not be drawn over.
                IS_LOST.store(true, Ordering::Relaxed);
                give_back();
                before(panic);
            }));
        });
        Self::take().into_diagnostic().wrap_err("the terminal cannot be taken over")
    }

    fn take() -> io::Result<Self> {
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

    /// Draws the whole screen anew.
    ///
    /// # Errors
    /// What the terminal refuses.
    pub(in crate::cli) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> Result<(), Report> {
        if !IS_LOST.load(Ordering::Relaxed) {
            self.terminal.draw(draw).into_diagnostic()?;
        }
        Ok(())
    }
}

impl Drop for ScreenGuard {
    fn drop(&mut self) {
        if !IS_LOST.load(Ordering::Relaxed) {
            give_back();
        }
    }
}

/// What fails here has no one left to be told.
fn give_back() {
    let _ = execute!(stdout(), LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// Run by the test below, on a terminal of its own.
    #[test]
    #[ignore = "takes the terminal over and panics"]
    fn a_thread_panics_while_the_screen_is_drawn_on() {
        let mut screen = ScreenGuard::begin().expect("a terminal");
        let draw = |frame: &mut Frame<'_>| frame.render_widget("words on the screen", frame.area());
        screen.draw(draw).expect("it can be drawn on");
        let ended = thread::spawn(|| panic!("it goes wrong")).join();
        assert!(ended.is_err());
        screen.draw(draw).expect("nothing is drawn");
    }

    #[test]
    fn a_panic_gives_the_terminal_back_and_is_read_on_it() {
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("tmux is missing: a panic is not tested on a terminal");
            return;
        }
        let socket = format!("kenga-panic-{}", std::process::id());
        let tmux = |args: &[&str]| {
            let ended = Command::new("tmux").args(["-L", &socket, "-f", "/dev/null"]).args(args).output();
            String::from_utf8_lossy(&ended.expect("there is a tmux").stdout).into_owned()
        };
        let program = std::env::current_exe().expect("this program");
        let test = "a_thread_panics_while_the_screen_is_drawn_on --ignored --nocapture";
        let line = format!(
            "stty -g > /dev/null; before=$(stty -g); {} {test}; test \"$before\" = \"$(stty -g)\" && echo do''ne",
            program.display()
        );
        tmux(&["new-session", "-d", "-x", "120", "-y", "40", "sh"]);
        tmux(&["send-keys", "-l", &line]);
        tmux(&["send-keys", "Enter"]);
        let mut shown = String::new();
        for _ in 0..600 {
            shown = tmux(&["capture-pane", "-p"]);
            if shown.contains("done") {
                break;
            }
            thread::sleep(Duration::from_millis(50));
        }
        tmux(&["kill-server"]);
        assert!(shown.contains("it goes wrong") && shown.contains("done"), "{shown}");
        assert!(!shown.contains("words on the screen"), "{shown}");
    }
}
