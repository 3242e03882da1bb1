//! The extension module `kenga._kenga`: what the Python package needs of kenga, in as few items as that takes.
//!
//! Its interface is private. The modules of `python/kenga/` give it its shape, names and documentation.

mod arrow;
mod command;
mod error;
mod experiment;
mod folder;
mod puzzle;
mod task;
mod wait;

use pyo3::prelude::*;

#[pymodule]
fn _kenga(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("Error", module.py().get_type::<error::Error>())?;
    module.add("InternalError", module.py().get_type::<error::InternalError>())?;
    module.add_class::<puzzle::Puzzle>()?;
    module.add_class::<task::Session>()?;
    module.add_class::<experiment::Experiment>()?;
    module.add_class::<puzzle::Reader>()?;
    module.add_function(wrap_pyfunction!(arrow::arrow_stream, module)?)?;
    module.add_function(wrap_pyfunction!(command::main, module)?)?;
    module.add_function(wrap_pyfunction!(command::members, module)?)?;
    module.add_function(wrap_pyfunction!(command::names, module)?)?;
    module.add_function(wrap_pyfunction!(experiment::run_guardian, module)?)?;
    module.add_function(wrap_pyfunction!(folder::runs, module)?)?;
    module.add_function(wrap_pyfunction!(folder::convergence, module)?)?;
    module.add_function(wrap_pyfunction!(folder::settings, module)?)?;
    module.add_function(wrap_pyfunction!(folder::failures, module)?)?;
    module.add_function(wrap_pyfunction!(folder::populations, module)?)?;
    module.add_function(wrap_pyfunction!(folder::describe, module)?)?;
    module.add_function(wrap_pyfunction!(folder::compare, module)?)?;
    module.add_function(wrap_pyfunction!(folder::report_page, module)?)?;
    module.add_function(wrap_pyfunction!(task::instances, module)?)
}
