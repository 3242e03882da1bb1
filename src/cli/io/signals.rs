//! Ctrl-C and SIGTERM: the first asks the work to end in good order, a second kills at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use miette::{Diagnostic, Report};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use thiserror::Error;

use crate::budget::Interrupt;

/// A signal whose handler the system refuses.
#[derive(Debug, Error, Diagnostic)]
#[error("cannot watch for signal {signal}")]
struct Unwatchable {
    signal: i32,
    #[source]
    source: io::Error,
}

/// An interrupt that SIGINT and SIGTERM raise with their numbers. ExperimentArgs for once, when work that may take long begins.
///
/// # Errors
/// A report when the system refuses the handlers.
pub(in crate::cli) fn interrupt() -> Result<Interrupt, Report> {
    let interrupt = Interrupt::default();
    let again = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        watch(signal, &interrupt, &again).map_err(|source| Unwatchable { signal, source })?;
    }
    Ok(interrupt)
}

/// The order matters: the shutdown looks at `again` before the same signal sets it.
fn watch(signal: i32, interrupt: &Interrupt, again: &Arc<AtomicBool>) -> io::Result<()> {
    flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(again))?;
    flag::register(signal, Arc::clone(again))?;
    flag::register_usize(signal, interrupt.cell(), signal as usize)?;
    Ok(())
}
