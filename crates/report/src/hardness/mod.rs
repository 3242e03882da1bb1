//! What the features of puzzles say of the running time of settings: tables, words and figures.

mod figures;
mod tables;
mod words;

pub use figures::figures;
pub use tables::{NamedTable, details, overview, tables};
pub use words::{budgets_differ, headline, remarks};
