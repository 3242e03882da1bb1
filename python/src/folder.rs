//! Results folders as columns, compared and reported.

use std::ffi::{CString, OsString};
use std::path::{Path, PathBuf};

use kenga::budget::Interrupt;
use kenga::cli::comparison;
use kenga::experiment::{MEASURES, MeasureKind, Setting, on_all_cores};
use kenga::report::answers::{all_failed, study_of};
use kenga::report::{FigureOptions, report as make_report};
use kenga::results::{ConvergenceRow, FailureRow, PopulationRow, Reading, ResultsError, RunRow, read_plan};
use kenga::spec::Value;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::error::{error, report};
use crate::puzzle::Puzzle;
use crate::wait::quietly;

/// The width of a comparison in words, in characters.
const WIDTH: usize = 120;

/// A column of a table.
enum Column {
    Count(Vec<i64>),
    Real(Vec<f64>),
    Flag(Vec<bool>),
    Text(Vec<Option<String>>),
}

/// A table by column.
type Columns = Vec<(String, Column)>;

/// The columns as a dict of arrays; texts are lists.
fn dict<'py>(py: Python<'py>, columns: Columns) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, column) in columns {
        match column {
            Column::Count(column) => dict.set_item(name, column.into_pyarray(py)),
            Column::Real(column) => dict.set_item(name, column.into_pyarray(py)),
            Column::Flag(column) => dict.set_item(name, column.into_pyarray(py)),
            Column::Text(column) => dict.set_item(name, column),
        }?;
    }
    Ok(dict)
}

/// Reads something of a folder on another thread.
fn read<'py, T: Send>(py: Python<'py>, work: impl FnOnce() -> Result<T, ResultsError> + Send) -> PyResult<T> {
    quietly(py, &Interrupt::default(), work)?.map_err(|bad| report(&bad))
}

/// Reads columns of a folder; a warning says which rows are not used.
fn read_columns<'py>(
    py: Python<'py>,
    folder: &Path,
    work: impl FnOnce(&Reading) -> Result<Columns, ResultsError> + Send,
) -> PyResult<Bound<'py, PyDict>> {
    let (columns, note) = read(py, || {
        let reading = Reading::open(folder)?;
        let note = reading.rows.note();
        Ok((work(&reading)?, note))
    })?;
    if let Some(note) = note {
        warn(py, &format!("{}: {note}", shown(folder)))?;
    }
    dict(py, columns)
}

/// Warns the caller of the function of `folder.py` that calls this.
fn warn(py: Python<'_>, text: &str) -> PyResult<()> {
    let text = CString::new(text.replace('\0', "\u{fffd}")).expect("it has no zero");
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 2)
}

/// Columns of rows, each by its name and what it is of a row.
struct Rows<'a, T>(&'a [T]);

impl<T> Rows<'_, T> {
    fn count(&self, name: &str, of: impl Fn(&T) -> u64) -> (String, Column) {
        (name.to_owned(), Column::Count(self.0.iter().map(|row| of(row) as i64).collect()))
    }

    /// Numbers that may be unknown.
    fn known(&self, name: &str, of: impl Fn(&T) -> Option<f64>) -> (String, Column) {
        (name.to_owned(), Column::Real(self.0.iter().map(|row| of(row).unwrap_or(f64::NAN)).collect()))
    }

    fn flag(&self, name: &str, of: impl Fn(&T) -> bool) -> (String, Column) {
        (name.to_owned(), Column::Flag(self.0.iter().map(of).collect()))
    }

    /// Texts; an empty one is unknown.
    fn text(&self, name: &str, of: impl Fn(&T) -> &str) -> (String, Column) {
        (name.to_owned(), Column::Text(self.0.iter().map(|row| known(of(row))).collect()))
    }
}

/// A text; an empty one is unknown.
fn known(text: &str) -> Option<String> {
    if text.is_empty() { None } else { Some(text.to_owned()) }
}

/// A count as a number that may be unknown.
fn real(count: Option<u64>) -> Option<f64> {
    count.map(|count| count as f64)
}

/// The finished runs of a folder: the columns of `runs.csv`, then those of `timing.csv`, and of `costs.csv` and
/// `terms.csv` where they are there.
#[pyfunction]
pub(crate) fn runs<'py>(py: Python<'py>, folder: PathBuf) -> PyResult<Bound<'py, PyDict>> {
    read_columns(py, &folder, |reading| {
        let plan = &reading.plan;
        let mut rows: Vec<RunRow> = Vec::new();
        reading.rows.each(|row| rows.push(row))?;
        // Without readable timing the times are unknown.
        let timing = reading.rows.timing().unwrap_or_default();
        let of = Rows(&rows);
        let mut columns = vec![
            of.count("run", |row| row.run),
            of.text("puzzle", |row| &row.puzzle),
            of.count("setting", |row| row.setting),
            of.count("replicate", |row| row.replicate),
        ];
        for (place, key) in plan.settings.keys.iter().enumerate() {
            let settings: Vec<usize> = rows.iter().map(|row| row.setting as usize).collect();
            columns.push((key.clone(), swept(&plan.settings.all, place, &settings)));
        }
        columns.extend([
            of.flag("solved", RunRow::is_success),
            of.flag("verified", |row| row.verified),
            of.text("solved_by", |row| row.solved_by.as_deref().unwrap_or("")),
            of.count("evaluations", |row| row.evaluations),
            of.count("moves", |row| row.moves),
            of.count("generations", |row| row.generations),
            of.known("best_fitness", |row| row.best_fitness.map(f64::from)),
            of.known("evaluations_to_best", |row| real(row.evaluations_to_best)),
            of.known("moves_to_best", |row| real(row.moves_to_best)),
            of.text("stop_reason", |row| &row.stop_reason),
            of.known("dead_at", |row| real(row.dead_at)),
            of.known("distance", |row| row.distance.map(f64::from)),
            of.text("grid", |row| &row.grid),
            of.known("cpu_s", |row| timing.get(&row.run).map(|timing| timing.cpu_s)),
            of.known("wall_s", |row| timing.get(&row.run).map(|timing| timing.wall_s)),
        ]);
        if plan.config.has_own_problem() {
            columns.push(of.known("value", |row| plan.value(row.run, row.best_fitness)));
        }
        if plan.reports_cost() {
            let costs = reading.rows.costs(plan)?;
            columns.push(of.known("cost", |row| costs.get(&row.run).copied()));
        }
        for (name, terms) in reading.rows.terms(plan)? {
            columns.push(of.known(&format!("terms.{name}"), |row| terms.get(&row.run).copied()));
        }
        Ok(columns)
    })
}

/// The values of the swept key at a place, for some settings by their numbers: numbers or flags where all settings have them,
/// else labels.
fn swept(all: &[Setting], place: usize, settings: &[usize]) -> Column {
    let (mut counts, mut reals, mut flags) = (Vec::new(), Vec::new(), Vec::new());
    for setting in all {
        match &setting.values[place] {
            Some(Value::Integer(number)) => {
                counts.push(*number);
                reals.push(*number as f64);
            }
            Some(Value::Real(number)) => reals.push(*number),
            Some(Value::Flag(flag)) => flags.push(*flag),
            Some(_) => {}
            // A setting may not have the key; of numbers NaN says so.
            None => reals.push(f64::NAN),
        }
    }
    if counts.len() == all.len() {
        return Column::Count(settings.iter().map(|setting| counts[*setting]).collect());
    }
    if reals.len() == all.len() {
        return Column::Real(settings.iter().map(|setting| reals[*setting]).collect());
    }
    if flags.len() == all.len() {
        return Column::Flag(settings.iter().map(|setting| flags[*setting]).collect());
    }
    Column::Text(settings.iter().map(|setting| known(&all[*setting].labels[place])).collect())
}

/// The recorded generations of a folder: the columns of `convergence.csv`.
#[pyfunction]
pub(crate) fn convergence<'py>(py: Python<'py>, folder: PathBuf) -> PyResult<Bound<'py, PyDict>> {
    read_columns(py, &folder, |reading| {
        let plan = &reading.plan;
        let mut rows: Vec<ConvergenceRow> = Vec::new();
        reading.rows.each(|row| rows.push(row))?;
        let of = Rows(&rows);
        let mut columns = vec![
            of.count("run", |row| row.run),
            of.count("generation", |row| row.sample.generation),
            of.count("evaluations", |row| row.sample.evaluations),
            of.count("moves", |row| row.sample.moves),
            of.count("best", |row| row.sample.best.into()),
        ];
        if plan.config.has_own_problem() {
            columns.push(of.known("value", |row| plan.value(row.run, Some(row.sample.best))));
        }
        for (place, measure) in MEASURES.iter().enumerate() {
            if !plan.config.keeps(measure) {
                continue;
            }
            let is_whole = matches!(measure.kind, MeasureKind::Count);
            let is_known = rows.iter().all(|row| row.sample.value(place).is_some());
            columns.push(if is_whole && is_known && measure.name != "distance" {
                of.count(measure.name, |row| row.sample.value(place).unwrap_or_default() as u64)
            } else {
                of.known(measure.name, |row| row.sample.value(place))
            });
        }
        Ok(columns)
    })
}

/// The settings of a folder with their swept keys.
#[pyfunction]
pub(crate) fn settings<'py>(py: Python<'py>, folder: PathBuf) -> PyResult<Bound<'py, PyDict>> {
    let columns = read(py, || {
        let settings = read_plan(&folder)?.0.settings;
        let all: Vec<usize> = (0..settings.all.len()).collect();
        let mut columns = vec![Rows(&all).count("setting", |setting| *setting as u64)];
        for (place, key) in settings.keys.iter().enumerate() {
            columns.push((key.clone(), swept(&settings.all, place, &all)));
        }
        Ok(columns)
    })?;
    dict(py, columns)
}

/// The runs of a folder that failed: the columns of `failures.csv`.
#[pyfunction]
pub(crate) fn failures<'py>(py: Python<'py>, folder: PathBuf) -> PyResult<Bound<'py, PyDict>> {
    read_columns(py, &folder, |reading| {
        let mut rows: Vec<FailureRow> = Vec::new();
        if reading.plan.can_fail() {
            reading.rows.each(|row| rows.push(row))?;
        }
        let of = Rows(&rows);
        Ok(vec![
            of.count("run", |row| row.run),
            of.text("puzzle", |row| &row.puzzle),
            of.count("setting", |row| row.setting),
            of.count("replicate", |row| row.replicate),
            of.text("reason", |row| &row.reason),
            of.text("stderr", |row| &row.stderr),
        ])
    })
}

/// A table, the digits of all its genomes, one after the other, and where each genome ends among them.
type Individuals<'py> = (Bound<'py, PyDict>, Bound<'py, PyArray1<u8>>, Bound<'py, PyArray1<i64>>);

/// The individuals of the whole populations of a folder: the columns of `populations.csv`, and their genomes.
#[pyfunction]
pub(crate) fn populations<'py>(py: Python<'py>, folder: PathBuf) -> PyResult<Individuals<'py>> {
    let (mut digits, mut ends) = (Vec::new(), Vec::new());
    let columns = read_columns(py, &folder, |reading| {
        let mut rows: Vec<PopulationRow> = Vec::new();
        if !reading.plan.config.record_populations.is_never() {
            reading.rows.each(|row: PopulationRow| {
                digits.extend(row.digits().unwrap_or_default());
                ends.push(digits.len() as i64);
                rows.push(row);
            })?;
        }
        let of = Rows(&rows);
        Ok(vec![
            of.count("run", |row| row.run),
            of.count("generation", |row| row.generation),
            of.count("island", |row| row.island as u64),
            of.count("fitness", |row| row.fitness.into()),
            of.text("genome", |row| &row.genome),
        ])
    })?;
    Ok((columns, digits.into_pyarray(py), ends.into_pyarray(py)))
}

/// What a folder is: its puzzles, the number of its planned runs, whether all have ended, and the configuration of each
/// setting as JSON.
#[pyfunction]
pub(crate) fn describe(py: Python<'_>, folder: PathBuf) -> PyResult<(Vec<Puzzle>, u64, bool, Vec<String>)> {
    let Reading { plan, rows, .. } = read(py, || Reading::open(&folder))?;
    let mut configs = Vec::new();
    for setting in &plan.settings.all {
        configs.push(serde_json::Value::Object(setting.config.resolved.as_json()).to_string());
    }
    let runs = plan.runs();
    Ok((plan.puzzles.into_iter().map(Puzzle::new).collect(), runs, rows.has_ended, configs))
}

/// What `kenga compare` says on its arguments: as JSON, and in words.
#[pyfunction]
pub(crate) fn compare(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<(String, String)> {
    let texts = quietly(py, &Interrupt::default(), || {
        comparison(arguments, WIDTH).map_err(|bad| report(bad.as_ref()))
    })??;
    for note in texts.notes {
        warn(py, &note)?;
    }
    Ok((texts.json, texts.words))
}

/// The page of a report, and its figures by name.
type Page<'py> = (String, Vec<(String, Bound<'py, PyBytes>)>);

/// The report on some folders.
#[pyfunction]
pub(crate) fn report_page<'py>(
    py: Python<'py>,
    folders: Vec<PathBuf>,
    by: Vec<String>,
    title: Option<&str>,
) -> PyResult<Page<'py>> {
    let (notes, made) = quietly(py, &Interrupt::default(), || {
        let (study, by) = study_of(&folders, &by).map_err(|bad| report(bad.as_ref()))?;
        let made =
            on_all_cores(|| make_report(&study, &by, title, FigureOptions::default())).ok_or_else(|| {
                if let Some(failed) = all_failed(&study) {
                    return error(failed.to_string());
                }
                let names: Vec<String> = folders.iter().map(|folder| shown(folder)).collect();
                error(format!("{}: no run has ended", names.join(", ")))
            })?;
        Ok::<_, PyErr>((study.partial().collect::<Vec<String>>(), made))
    })??;
    for note in notes {
        warn(py, &note)?;
    }
    let mut figures = Vec::new();
    for figure in made.figures {
        figures.push((figure.name, PyBytes::new(py, &figure.bytes)));
    }
    Ok((made.page, figures))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
