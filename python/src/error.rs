//! Errors: kenga's messages as Python exceptions.

use std::fmt::Display;

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(kenga, Error, PyValueError, "What kenga refuses, and why.");

/// An exception with a plain message.
pub(crate) fn error(message: impl Display) -> PyErr {
    Error::new_err(message.to_string())
}

/// An exception with all that kenga knows of an error: its message, the place in a text, causes, and what would help.
pub(crate) fn report(error: &dyn Diagnostic) -> PyErr {
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
