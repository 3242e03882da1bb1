//! The extension module `kenga._kenga`: what the Python package needs of kenga, in as few items as that takes.
//!
//! Its interface is private. The modules of `python/kenga/` give it its shape, names and documentation.

mod error;
mod puzzle;
mod task;
mod wait;

use pyo3::prelude::*;

#[pymodule]
fn _kenga(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("Error", module.py().get_type::<error::Error>())?;
    module.add_class::<puzzle::Puzzle>()?;
    module.add_class::<task::Session>()
}
