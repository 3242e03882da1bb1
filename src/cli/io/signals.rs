//! Ctrl-C and SIGTERM: the first asks the work to end in good order, a second kills at once.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{Builder, park_timeout, scope, sleep};
use std::time::Duration;

use miette::{Diagnostic, Report};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use thiserror::Error;

use super::exit::Exit;
use kenga_core::budget::{Clock, Interrupt};
use kenga_lab::results::abandon_drafts;

/// A signal whose handler the system refuses.
#[derive(Debug, Error, Diagnostic)]
#[error("cannot watch for signal {signal}")]
struct Unwatchable {
    signal: i32,
    #[source]
    source: io::Error,
}

/// The interrupt that SIGINT and SIGTERM raise, once a command has asked for it.
static INTERRUPT: OnceLock<Interrupt> = OnceLock::new();

/// The interrupt that SIGINT and SIGTERM raise with their numbers. Called once, when work that may take long begins.
///
/// # Errors
/// A report when the system refuses the handlers.
pub(in crate::cli) fn interrupt() -> Result<Interrupt, Report> {
    let interrupt = INTERRUPT.get_or_init(Interrupt::default).clone();
    let again = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        watch(signal, &interrupt, &again).map_err(|source| Unwatchable { signal, source })?;
    }
    Ok(interrupt)
}

/// Lets SIGINT and SIGTERM end a command that does not look at an interrupt, with their exit codes, and without the drafts
/// of what it writes.
///
/// # Errors
/// A report when the system refuses the handlers.
pub(in crate::cli) fn end_at_signal() -> Result<(), Report> {
    let interrupt = interrupt()?;
    // Where the system starts no thread, a second signal ends the command.
    let _ = Builder::new().spawn(move || {
        while !interrupt.is_raised() {
            sleep(LOOK);
        }
        abandon_drafts();
        #[expect(
            clippy::disallowed_methods,
            reason = "the work cannot be told to end, and what it has written is gone"
        )]
        std::process::exit(i32::from(Exit::Signal(interrupt.signal()).code()));
    });
    Ok(())
}

/// Does work under an interrupt of its own, which is raised with the given one, and after so many seconds of wall time.
pub(in crate::cli) fn within<T>(
    seconds: Option<f64>,
    interrupt: &Interrupt,
    work: impl FnOnce(&Interrupt) -> T,
) -> T {
    if seconds.is_none() {
        return work(interrupt);
    }
    let (clock, limited, is_done) = (Clock::start(), Interrupt::default(), AtomicBool::new(false));
    scope(|scope| {
        // Where the system starts no thread, nothing ends the work.
        let watch = Builder::new().spawn_scoped(scope, || {
            while !interrupt.is_raised() && !clock.past(seconds) {
                park_timeout(LOOK);
                if is_done.load(Ordering::Relaxed) {
                    return;
                }
            }
            limited.raise(Interrupt::ABANDONED);
        });
        let result = work(&limited);
        is_done.store(true, Ordering::Relaxed);
        if let Ok(watch) = watch {
            watch.thread().unpark();
        }
        result
    })
}

/// A signal has come.
pub(super) fn is_raised() -> bool {
    INTERRUPT.get().is_some_and(Interrupt::is_raised)
}

/// How often [`end_at_signal`] looks for a signal.
const LOOK: Duration = Duration::from_millis(20);

/// Registers the handlers. The order matters: the shutdown looks at `again` before the same signal sets it.
fn watch(signal: i32, interrupt: &Interrupt, again: &Arc<AtomicBool>) -> io::Result<()> {
    flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(again))?;
    flag::register(signal, Arc::clone(again))?;
    flag::register_usize(signal, interrupt.cell(), signal as usize)?;
    Ok(())
}
