//! The convergence as a tidy table: one row a recorded generation, with the run that it belongs to.

use super::columns::{Cell, Column, Kind, Table, TakeRow};
use super::samples::Owner;
use super::target::FileError;
use super::{Export, ExportError};
use crate::results::ConvergenceRow;

/// Columns before the swept keys.
const BEFORE: [(&str, Kind); 5] = [
    ("folder", Kind::Text),
    ("run", Kind::Integer),
    ("puzzle", Kind::Text),
    ("setting", Kind::Integer),
    ("replicate", Kind::Integer),
];

/// Columns behind them. `best` is that of the population, `best_so_far` that of the run up to here.
const BEHIND: [(&str, Kind); 17] = [
    ("generation", Kind::Integer),
    ("calls", Kind::Integer),
    ("evaluations", Kind::Integer),
    ("moves", Kind::Integer),
    ("best", Kind::Integer),
    ("best_so_far", Kind::Integer),
    ("mean", Kind::Real),
    ("worst", Kind::Integer),
    ("std", Kind::Real),
    ("diversity", Kind::Real),
    ("count", Kind::Integer),
    ("row", Kind::Integer),
    ("column", Kind::Integer),
    ("region", Kind::Integer),
    ("cage", Kind::Integer),
    ("distance", Kind::Integer),
    ("entropy", Kind::Real),
];

/// The table.
pub(super) struct Convergence<'a> {
    export: &'a Export,
    columns: Vec<Column>,
}

impl<'a> Convergence<'a> {
    /// The table of the folders' convergence.
    ///
    /// # Errors
    /// [`ExportError::NoConvergence`].
    pub(super) fn new(export: &'a Export) -> Result<Self, ExportError> {
        export.needs_convergence()?;
        let named = |columns: &[(&str, Kind)]| -> Vec<Column> {
            columns.iter().map(|(name, kind)| Column::new(*name, *kind)).collect()
        };
        Ok(Self { export, columns: [named(&BEFORE), export.swept.columns.clone(), named(&BEHIND)].concat() })
    }

    fn row(&self, (setting, run): Owner<'_>, sample: &ConvergenceRow, best_so_far: u32) -> Vec<Cell> {
        let integer = |number: u32| Cell::Integer(number.into());
        let before = [
            Cell::Text(self.export.folders[self.export.study.settings[setting].source].clone()),
            Cell::count(run.row.run),
            Cell::Text(run.row.puzzle.clone()),
            Cell::count(run.row.setting),
            Cell::count(run.row.replicate),
        ];
        let behind = [
            Cell::count(sample.generation),
            Cell::count(sample.evaluations + sample.moves),
            Cell::count(sample.evaluations),
            Cell::count(sample.moves),
            integer(sample.best),
            integer(best_so_far),
            Cell::known(sample.mean, Cell::Real),
            Cell::known(sample.worst, integer),
            Cell::known(sample.std, Cell::Real),
            Cell::known(sample.diversity, Cell::Real),
            Cell::known(sample.count, integer),
            Cell::known(sample.row, integer),
            Cell::known(sample.column, integer),
            Cell::known(sample.region, integer),
            Cell::known(sample.cage, integer),
            Cell::known(sample.distance, integer),
            Cell::known(sample.entropy, Cell::Real),
        ];
        [&before[..], &self.export.swept.cells[setting], &behind].concat()
    }
}

impl Table for Convergence<'_> {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn each(&self, take: &mut TakeRow<'_>) -> Result<(), FileError> {
        for source in 0..self.export.study.sources.len() {
            let mut best = (None, u32::MAX);
            self.export.each_sample(source, &mut |owner, sample| {
                if best.0 != Some(sample.run) {
                    best = (Some(sample.run), u32::MAX);
                }
                best.1 = best.1.min(sample.best);
                take(&self.row(owner, &sample, best.1))
            })?;
        }
        Ok(())
    }
}
