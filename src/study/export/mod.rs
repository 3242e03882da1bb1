//! Results in the formats of other programs: one file per format, one line each in [`TABLE`].
//!
//! A format is a table of rows (`csv`, `json`, `parquet`) or what a program of the field reads (`ioh`, `optuna`). All see
//! the same [`Export`]: the runs of some folders, with the values of every setting by column. Formats never touch the
//! file system: they ask [`Files`] for what they write, and [`Target`] makes that appear whole or not at all.

mod columns;
mod csv;
mod error;
mod ioh;
mod json;
mod optuna;
mod parquet;
mod source;
mod tables;
mod target;

pub use error::ExportError;
pub use source::Export;
pub use target::{Files, Target};

/// A format that another program reads.
pub trait ExportFormat: Sync {
    /// The name by which commands choose it.
    fn name(&self) -> &'static str;

    /// What it is, in a sentence.
    fn about(&self) -> &'static str;

    /// It is a folder of files, not one file.
    fn is_folder(&self) -> bool {
        false
    }

    /// It is a table, so that it can hold the rows of convergence in place of the runs.
    fn is_table(&self) -> bool {
        true
    }

    /// Writes the runs, or of a table the rows that are asked for.
    ///
    /// # Errors
    /// What the folders do not hold, or cannot be written.
    fn write(&self, export: &Export, rows: Rows, files: &mut dyn Files) -> Result<(), ExportError>;
}

/// What the rows of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// A row a run.
    Runs,
    /// A row a recorded generation.
    Convergence,
}

/// Every format.
#[rustfmt::skip]
pub static TABLE: &[&dyn ExportFormat] = &[
    &csv::Csv,
    &json::Json,
    &parquet::Parquet,
    &ioh::Ioh,
    &optuna::Optuna,
];

/// The format of this name.
pub fn find(name: &str) -> Option<&'static dyn ExportFormat> {
    TABLE.iter().copied().find(|format| format.name() == name)
}
