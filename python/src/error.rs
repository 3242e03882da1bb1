//! Errors: kenga's messages as Python exceptions.

use std::any::Any;
use std::fmt::Display;

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(kenga, Error, PyValueError, "What kenga refuses, and why.");
create_exception!(kenga, InternalError, PyRuntimeError, "A fault of kenga's own.");

/// An exception with a plain message.
pub(crate) fn error(message: impl Display) -> PyErr {
    Error::new_err(message.to_string())
}

/// The exception of a thread that has panicked, which standard error tells more of.
pub(crate) fn internal(panic: &(dyn Any + Send)) -> PyErr {
    let said = if let Some(said) = panic.downcast_ref::<&str>() {
        said
    } else if let Some(said) = panic.downcast_ref::<String>() {
        said
    } else {
        "a thread panicked"
    };
    InternalError::new_err(format!("a fault of kenga's own, please report it: {said}"))
}

/// The name of texts that Python has written from the arguments of a call: errors do not show them.
pub(crate) const WRITTEN: &str = "<arguments>";

/// The names of texts that nobody has written who calls from Python.
const UNSEEN: [&str; 2] = [WRITTEN, "--set"];

/// The place of an error is in a text that the caller has never seen.
fn is_unseen(error: &dyn Diagnostic) -> bool {
    let label = error.labels().and_then(|mut labels| labels.next());
    let Some((text, label)) = error.source_code().zip(label) else { return false };
    let span = text.read_span(label.inner(), 0, 0);
    span.is_ok_and(|span| span.name().is_some_and(|name| UNSEEN.contains(&name)))
}

/// An exception with all that kenga knows of an error: its message, the place in a text, causes, and what would help.
pub(crate) fn report(error: &dyn Diagnostic) -> PyErr {
    if is_unseen(error) {
        let help = error.help().map_or(String::new(), |help| format!("\n{help}"));
        return Error::new_err(format!("{error}{help}"));
    }
    let theme = GraphicalTheme::unicode_nocolor();
    let handler = GraphicalReportHandler::new_themed(theme).with_wrap_lines(false);
    let (message, mut drawn) = (error.to_string(), String::new());
    // The drawing begins with the message.
    match handler.render_report(&mut drawn, error).ok().and_then(|()| drawn.trim_start().split_once('\n')) {
        Some((_, details)) if !details.trim().is_empty() => {
            Error::new_err(format!("{message}\n{}", details.trim_end()))
        }
        _ => Error::new_err(message),
    }
}
