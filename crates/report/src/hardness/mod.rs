//! What the features of puzzles say of the running time of settings: tables, words and figures.
//!
//! **Invariant**: the names of tables and of their columns are those of the files that `--out` writes. Words and looks may
//! change freely.

mod figures;
mod tables;
mod words;

pub use figures::figures;
pub use tables::{NamedTable, details, overview, tables};
pub use words::{budgets_differ, headline, remarks};
