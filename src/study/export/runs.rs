//! The runs as a tidy table: one row a run, with everything that tells it from the others.

use super::Export;
use super::columns::{Cell, Column, Kind, Table, TakeRow};
use super::target::FileError;
use crate::study::StudyRun;

/// Columns before the swept keys.
const BEFORE: [(&str, Kind); 6] = [
    ("folder", Kind::Text),
    ("run", Kind::Integer),
    ("puzzle", Kind::Text),
    ("setting", Kind::Integer),
    ("replicate", Kind::Integer),
    ("seed", Kind::Integer),
];

/// Columns behind them; then come the other keys of the configuration. `calls` are evaluations and moves.
const BEHIND: [(&str, Kind); 18] = [
    ("solved", Kind::Flag),
    ("verified", Kind::Flag),
    ("solved_by", Kind::Text),
    ("stop_reason", Kind::Text),
    ("calls_to_solution", Kind::Integer),
    ("calls", Kind::Integer),
    ("calls_to_best", Kind::Integer),
    ("evaluations", Kind::Integer),
    ("moves", Kind::Integer),
    ("generations", Kind::Integer),
    ("best_fitness", Kind::Integer),
    ("evaluations_to_best", Kind::Integer),
    ("moves_to_best", Kind::Integer),
    ("dead_at", Kind::Integer),
    ("distance", Kind::Integer),
    ("cpu_s", Kind::Real),
    ("wall_s", Kind::Real),
    ("grid", Kind::Text),
];

/// The table.
pub(super) struct Runs<'a> {
    export: &'a Export,
    columns: Vec<Column>,
}

impl<'a> Runs<'a> {
    pub(super) fn new(export: &'a Export) -> Self {
        let named = |columns: &[(&str, Kind)]| -> Vec<Column> {
            columns.iter().map(|(name, kind)| Column::new(*name, *kind)).collect()
        };
        let keys = [&export.swept.columns, &export.fixed.columns];
        let columns = [named(&BEFORE), keys[0].clone(), named(&BEHIND), keys[1].clone()].concat();
        Self { export, columns }
    }

    fn row(&self, setting: usize, run: &StudyRun) -> Vec<Cell> {
        let source = self.export.study.settings[setting].source;
        let row = &run.row;
        let to_best = row.evaluations_to_best + row.moves_to_best;
        let text = |text: &str| Cell::Text(text.to_owned());
        let before = [
            text(&self.export.folders[source]),
            Cell::count(row.run),
            text(&row.puzzle),
            Cell::count(row.setting),
            Cell::count(row.replicate),
            Cell::count(self.export.study.sources[source].plan.config.seed),
        ];
        let behind = [
            Cell::Flag(row.solved),
            Cell::Flag(row.verified),
            Cell::known(row.solved_by.as_deref(), text),
            text(&row.stop_reason),
            Cell::known(row.solved.then_some(to_best), Cell::count),
            Cell::count(row.evaluations + row.moves),
            Cell::count(to_best),
            Cell::count(row.evaluations),
            Cell::count(row.moves),
            Cell::count(row.generations),
            Cell::Integer(row.best_fitness.into()),
            Cell::count(row.evaluations_to_best),
            Cell::count(row.moves_to_best),
            Cell::known(row.dead_at, Cell::count),
            Cell::known(row.distance, |distance| Cell::Integer(distance.into())),
            Cell::known(run.cpu_s, Cell::Real),
            Cell::known(self.export.wall_s.get(&(source, row.run)).copied(), Cell::Real),
            text(&row.grid),
        ];
        let (swept, fixed) = (&self.export.swept.cells[setting], &self.export.fixed.cells[setting]);
        [&before[..], swept, &behind, fixed].concat()
    }
}

impl Table for Runs<'_> {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn each(&self, take: &mut TakeRow<'_>) -> Result<(), FileError> {
        self.export.runs().into_iter().try_for_each(|(setting, run)| take(&self.row(setting, run)))
    }
}
