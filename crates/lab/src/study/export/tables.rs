//! The tables: one row for each run, or for each recorded generation, with all keys that identify it.

use serde_json::{Map, Value};

use super::columns::{CellKind, ExportColumn, cell_text};
use super::{Export, ExportError, ExportFormat, ExportRows, FileError, Files};
use crate::experiment::{MEASURES, MeasureKind, Sample};
use crate::results::solver_of;
use crate::study::{Runs, StudyFolder};
use kenga_core::text::cell;

/// A run of an export.
struct RunOf<'a> {
    export: &'a Export,
    run: usize,
}

impl<'a> RunOf<'a> {
    fn runs(&self) -> &'a Runs {
        &self.export.study.runs
    }

    fn folder(&self) -> &'a StudyFolder {
        &self.export.study.folders[self.runs().folder[self.run] as usize]
    }

    fn setting(&self) -> usize {
        self.runs().setting[self.run] as usize
    }
}

/// A recorded generation, and the best of its run up to it.
struct SampleOf<'a> {
    sample: &'a Sample,
    best_so_far: u32,
    /// The same in the units of the problem of the user's own.
    value: Option<f64>,
}

/// A column: its name, the type of its cells, and the cell of a row.
type ExportField<F> = (&'static str, CellKind, F);

type OfRun = ExportField<fn(&RunOf<'_>) -> Value>;

type OfSample = ExportField<fn(&SampleOf<'_>) -> Value>;

/// The columns before the swept keys.
const RUN: &[OfRun] = &[
    ("folder", CellKind::Text, |of| of.folder().name.as_str().into()),
    ("run", CellKind::Integer, |of| of.runs().run[of.run].into()),
    ("puzzle", CellKind::Text, |of| (**of.export.study.puzzle_of(of.run)).into()),
    ("setting", CellKind::Integer, |of| of.export.study.settings[of.setting()].setting.into()),
    ("replicate", CellKind::Integer, |of| of.runs().replicate[of.run].into()),
];

/// The next column of a table of runs.
const SEED: &[OfRun] = &[("seed", CellKind::Integer, |of| of.runs().seed[of.run].into())];

/// The columns of a table of runs after the swept keys; the other keys of the configuration follow. `calls` are evaluations
/// and moves.
#[rustfmt::skip]
const OUTCOME: &[OfRun] = &[
    ("solved", CellKind::Flag, |of| of.runs().solved[of.run].into()),
    ("verified", CellKind::Flag, |of| of.runs().verified[of.run].into()),
    ("solved_by", CellKind::Text, |of| of.runs().by_propagation[of.run].map(solver_of).into()),
    ("stop_reason", CellKind::Text, |of| of.runs().stop[of.run].name().into()),
    ("calls_to_solution", CellKind::Integer, |of| of.runs().calls_to_solution(of.run).into()),
    ("calls", CellKind::Integer, |of| of.runs().spent(of.run).into()),
    ("calls_to_best", CellKind::Integer, |of| of.runs().calls_to_best(of.run).into()),
    ("evaluations", CellKind::Integer, |of| of.runs().evaluations[of.run].into()),
    ("moves", CellKind::Integer, |of| of.runs().moves[of.run].into()),
    ("generations", CellKind::Integer, |of| of.runs().generations[of.run].into()),
    ("best_fitness", CellKind::Integer, |of| of.runs().best_fitness[of.run].into()),
    ("evaluations_to_best", CellKind::Integer, |of| of.runs().evaluations_to_best[of.run].into()),
    ("moves_to_best", CellKind::Integer, |of| of.runs().moves_to_best[of.run].into()),
    ("dead_at", CellKind::Integer, |of| of.runs().dead_at[of.run].into()),
    ("distance", CellKind::Integer, |of| of.runs().distance[of.run].into()),
    ("cpu_s", CellKind::Real, |of| of.runs().cpu_s[of.run].into()),
    ("wall_s", CellKind::Real, |of| of.runs().wall_s[of.run].into()),
    ("grid", CellKind::Text, |of| of.runs().grids.get(&of.run).filter(|grid| !grid.is_empty()).map(|grid| &**grid).into()),
];

/// A further column, where runs are about a problem of the user's own: the best in its units.
const VALUE: &[OfRun] = &[("value", CellKind::Real, |of| of.export.study.value(of.run).into())];

/// The same of generations: the best of the run so far.
const VALUE_SO_FAR: &[OfSample] = &[("value", CellKind::Real, |of| of.value.into())];

/// A further column, where some algorithm reports what its runs cost.
const COST: &[OfRun] = &[("cost", CellKind::Real, |of| of.runs().cost[of.run].into())];

/// The columns of a table of generations after the swept keys; the measures follow. `best` is that of the population,
/// `best_so_far` that of the run.
const GENERATION: &[OfSample] = &[
    ("generation", CellKind::Integer, |of| of.sample.generation.into()),
    ("calls", CellKind::Integer, |of| of.sample.calls().into()),
    ("evaluations", CellKind::Integer, |of| of.sample.evaluations.into()),
    ("moves", CellKind::Integer, |of| of.sample.moves.into()),
    ("best", CellKind::Integer, |of| of.sample.best.into()),
    ("best_so_far", CellKind::Integer, |of| of.best_so_far.into()),
];

/// A table whose rows are made one at a time.
pub(super) struct ExportTable<'a> {
    export: &'a Export,
    rows: ExportRows,
    /// The last columns of a run, and of a generation.
    further: [&'static [OfRun]; 2],
    values_so_far: &'static [OfSample],
    /// The places of the measures that have a column.
    measures: Vec<usize>,
    /// The columns.
    pub(super) columns: Vec<ExportColumn>,
}

/// Takes the rows of a table, one after the other.
type TakeRow<'a> = dyn FnMut(&[Value]) -> Result<(), FileError> + 'a;

impl<'a> ExportTable<'a> {
    /// The table of these rows.
    ///
    /// # Errors
    /// [`ExportError::NoConvergence`].
    pub(super) fn new(export: &'a Export, rows: ExportRows) -> Result<Self, ExportError> {
        let (swept, fixed) = (&export.swept.columns, &export.fixed.columns);
        let measures = measures_of(export);
        let settings = export.study.folders.iter().flat_map(|folder| &folder.plan.settings.all);
        let has_costs = settings.into_iter().any(|setting| setting.config.reports_cost);
        let has_values = export.study.folders.iter().any(|folder| folder.plan.config.has_own_problem());
        let (values, values_so_far) = if has_values { (VALUE, VALUE_SO_FAR) } else { (&[][..], &[][..]) };
        let further = [values, if has_costs { COST } else { &[] }];
        let mut all = columns(RUN);
        match rows {
            ExportRows::Runs => {
                all.extend(columns(SEED));
                all.extend_from_slice(swept);
                all.extend(columns(OUTCOME));
                all.extend(further.into_iter().flat_map(columns));
                all.extend_from_slice(fixed);
            }
            ExportRows::Convergence => {
                export.needs_convergence()?;
                all.extend_from_slice(swept);
                all.extend(columns(GENERATION));
                all.extend(columns(values_so_far));
                all.extend(measures.iter().map(|place| measure_column(*place)));
            }
        }
        Ok(Self { export, rows, further, values_so_far, measures, columns: all })
    }

    /// Hands over every row, with a cell for every column.
    ///
    /// # Errors
    /// Those of [`Export::each_sample`], and those of `take`.
    pub(super) fn each(&self, take: &mut TakeRow<'_>) -> Result<(), FileError> {
        match self.rows {
            ExportRows::Runs => self.each_run(take),
            ExportRows::Convergence => {
                for folder in 0..self.export.study.folders.len() {
                    self.each_generation(folder, take)?;
                }
                Ok(())
            }
        }
    }

    fn each_run(&self, take: &mut TakeRow<'_>) -> Result<(), FileError> {
        let export = self.export;
        for run in export.runs() {
            let of = RunOf { export, run };
            let setting = of.setting();
            let mut row = cells(RUN, &of);
            row.extend(cells(SEED, &of));
            row.extend_from_slice(&export.swept.cells[setting]);
            row.extend(cells(OUTCOME, &of));
            row.extend(self.further.iter().flat_map(|fields| cells(fields, &of)));
            row.extend_from_slice(&export.fixed.cells[setting]);
            take(&row)?;
        }
        Ok(())
    }

    fn each_generation(&self, folder: usize, take: &mut TakeRow<'_>) -> Result<(), FileError> {
        let export = self.export;
        let (mut present, mut best_so_far) = (None, u32::MAX);
        export.study.each_sample(folder, |run, sample| {
            if present != Some(run) {
                (present, best_so_far) = (Some(run), u32::MAX);
            }
            best_so_far = best_so_far.min(sample.best);
            let of_run = RunOf { export, run };
            let mut all = cells(RUN, &of_run);
            all.extend_from_slice(&export.swept.cells[of_run.setting()]);
            let value = export.study.scale(run).map(|scale| scale.value(f64::from(best_so_far)));
            let of = SampleOf { sample, best_so_far, value };
            all.extend(cells(GENERATION, &of));
            all.extend(cells(self.values_so_far, &of));
            all.extend(self.measures.iter().map(|place| measured(sample, *place)));
            take(&all)
        })
    }
}

/// The measures that have a column. One that is recorded only on request has it where some folder has it.
fn measures_of(export: &Export) -> Vec<usize> {
    let mut measures = Vec::new();
    for (place, measure) in MEASURES.iter().enumerate() {
        // A column that no folder has would be empty in every row.
        let has_it = export.study.folders.iter().any(|folder| folder.plan.config.keeps(measure));
        if has_it || !measure.is_optional {
            measures.push(place);
        }
    }
    measures
}

fn columns<F>(fields: &[ExportField<F>]) -> Vec<ExportColumn> {
    fields.iter().map(|(name, kind, _)| ExportColumn::new(*name, *kind)).collect()
}

fn cells<T>(fields: &[ExportField<impl Fn(&T) -> Value>], of: &T) -> Vec<Value> {
    fields.iter().map(|(.., cell)| cell(of)).collect()
}

fn measure_column(place: usize) -> ExportColumn {
    let kind = match MEASURES[place].kind {
        MeasureKind::Count => CellKind::Integer,
        MeasureKind::Real => CellKind::Real,
    };
    ExportColumn::new(MEASURES[place].name, kind)
}

fn measured(sample: &Sample, place: usize) -> Value {
    match (sample.value(place), MEASURES[place].kind) {
        (Some(count), MeasureKind::Count) => (count as i64).into(),
        (number, _) => number.into(),
    }
}

/// Comma-separated values with a header (RFC 4180); an unknown cell is empty.
pub(super) const CSV: ExportFormat = ExportFormat {
    name: "csv",
    about: "one table for R, pandas, polars or a spreadsheet: one row per run, with every key of its setting",
    is_folder: false,
    is_table: true,
    write: write_csv,
};

fn write_csv(export: &Export, rows: ExportRows, files: &mut dyn Files) -> Result<(), ExportError> {
    let table = ExportTable::new(export, rows)?;
    files.file("", &mut |out| {
        let mut writer = ::csv::Writer::from_writer(out);
        writer.write_record(table.columns.iter().map(|ExportColumn { name, .. }| name)).map_err(io)?;
        table.each(&mut |row| {
            for field in row {
                match field {
                    Value::String(text) => writer.write_field(&*cell(text)),
                    other => writer.write_field(cell_text(other).unwrap_or_default()),
                }
                .map_err(io)?;
            }
            writer.write_record(None::<&[u8]>).map_err(io)
        })?;
        Ok(writer.flush()?)
    })
}

/// Keeps errors of the system as they are, so that a closed pipe can be recognised.
fn io(error: ::csv::Error) -> FileError {
    FileError::Io(match error.into_kind() {
        ::csv::ErrorKind::Io(error) => error,
        other => std::io::Error::other(format!("{other:?}")),
    })
}

/// JSON lines: one object a row, numbers and flags as such; an unknown cell is null.
pub(super) const JSON: ExportFormat = ExportFormat {
    name: "json",
    about: "the same table as JSON lines: one object per run, with typed values",
    is_folder: false,
    is_table: true,
    write: write_json,
};

fn write_json(export: &Export, rows: ExportRows, files: &mut dyn Files) -> Result<(), ExportError> {
    let table = ExportTable::new(export, rows)?;
    files.file("", &mut |out| {
        table.each(&mut |row| {
            let mut object = Map::new();
            for (column, cell) in table.columns.iter().zip(row) {
                object.insert(column.name.clone(), cell.clone());
            }
            Ok(writeln!(out, "{}", Value::Object(object))?)
        })
    })
}
