//! What the features of puzzles say of the running time of settings: tables, words and figures.

mod figures;
mod tables;
mod words;

pub(crate) use figures::figures;
pub(crate) use tables::{NamedTable, details, overview, tables};
pub(crate) use words::{budgets_differ, headline, remarks};
