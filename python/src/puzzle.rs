//! Puzzles, grids and the exact solver.

use std::sync::Arc;

use kenga::budget::Interrupt;
use kenga::craft::ladder::{self, Explanation, Score, Tier};
use kenga::problem::Problem;
use kenga::puzzle::formats::{self, Ids};
use kenga::puzzle::{Failure, Grid, check};
use kenga::report::svg;
use kenga::solver::{Limits, solve};
use numpy::{PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

use crate::error::{error, report};
use crate::wait::quietly;

/// What stands for a cell without a digit.
const NO_DIGIT: i16 = -1;

/// A puzzle.
#[pyclass(frozen, module = "kenga._kenga")]
pub(crate) struct Puzzle(pub(crate) Arc<kenga::puzzle::Puzzle>);

impl Puzzle {
    pub(crate) fn new(puzzle: kenga::puzzle::Puzzle) -> Self {
        Self(Arc::new(puzzle))
    }

    fn cell(&self, cell: usize) -> (usize, usize) {
        (cell / self.0.cols(), cell % self.0.cols())
    }

    fn cells(&self, cells: &[usize]) -> Vec<Cell> {
        cells.iter().map(|cell| self.cell(*cell)).collect()
    }

    /// A step for Python.
    fn step(&self, step: &Explanation) -> Step {
        let mut removes = Vec::new();
        for (cell, digits) in &step.removes {
            removes.push((self.cell(*cell), digits.iter().map(|digit| u16::from(*digit)).collect()));
        }
        (
            step.technique.name,
            step.technique.score.number(),
            step.words.clone(),
            step.round,
            step.fills.map(|(cell, digit)| (self.cell(cell), digit)),
            removes,
            self.cells(&step.cells),
            step.groups.iter().map(|group| self.0.group_name(&self.0.groups()[*group])).collect(),
        )
    }

    /// A grid of the puzzle's shape from an array, -1 for no digit.
    fn grid(&self, digits: &PyReadonlyArray2<'_, i16>) -> PyResult<Grid> {
        let digits = digits.as_array();
        let (rows, cols) = (self.0.rows(), self.0.cols());
        if digits.dim() != (rows, cols) {
            let (found, other) = digits.dim();
            return Err(error(format!("the grid has the shape ({found}, {other}), not ({rows}, {cols})")));
        }
        let mut cells = Vec::with_capacity(rows * cols);
        for digit in digits {
            cells.push(match *digit {
                NO_DIGIT => None,
                digit => Some(u8::try_from(digit).map_err(|_| error(format!("{digit} is no digit")))?),
            });
        }
        Ok(Grid::from_cells(rows, cols, cells))
    }
}

/// The cells of a grid, -1 for one without a digit.
fn array<'py>(py: Python<'py>, grid: &Grid) -> Bound<'py, PyArray2<i16>> {
    let cells = grid.cells().iter().map(|cell| cell.map_or(NO_DIGIT, i16::from));
    let flat = numpy::PyArray1::from_iter(py, cells);
    flat.reshape([grid.rows(), grid.cols()]).expect("a grid has rows * cols cells")
}

/// The puzzles of a text, one after the other.
#[pyclass(module = "kenga._kenga")]
pub(crate) struct Reader {
    reader: formats::Reader,
    ids: Ids,
}

#[pymethods]
impl Reader {
    /// A reader of a text; `name` is for errors and for the ids of puzzles that have none.
    #[new]
    fn new(name: &str, text: Vec<u8>) -> Self {
        Self { reader: formats::Reader::new(name, text), ids: Ids::default() }
    }

    fn __iter__(of: Bound<'_, Self>) -> Bound<'_, Self> {
        of
    }

    /// The next puzzle; what is wrong with its record is an exception, and the records after it can still be read.
    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Puzzle>> {
        let (reader, ids) = (&mut self.reader, &mut self.ids);
        py.detach(|| reader.next(ids))
            .transpose()
            .map(|puzzle| puzzle.map(Puzzle::new))
            .map_err(|bad| report(&bad))
    }
}

/// The row and the column of a cell.
type Cell = (usize, usize);

/// A step: technique, score, words, round, the cell that is filled in, candidates that go, and the cells and groups it rests on.
type Step =
    (&'static str, f64, String, u32, Option<(Cell, u8)>, Vec<(Cell, Vec<u16>)>, Vec<Cell>, Vec<String>);

/// A grade: outcome, tier, score, sum of the scores, steps, rounds, and the steps of each technique.
type Grade =
    (&'static str, Option<&'static str>, Option<f64>, Option<f64>, u32, u32, Vec<(&'static str, u32)>);

/// A hint: its kind, the least and all of it in words, the cell of a mistake, and the steps.
type Hint = (&'static str, String, String, Option<Cell>, Vec<Step>);

/// The greatest score of a tier, by its name.
fn ceiling(tier: &str) -> PyResult<Score> {
    Tier::ALL.iter().find(|known| known.name() == tier).map(|tier| tier.most()).ok_or_else(|| {
        let names = Tier::ALL.map(Tier::name).join(", ");
        error(format!("up_to is '{tier}'; known: {names}"))
    })
}

/// What the referee found: whether the grid is a solution, missing and foreign cells, and failures in words.
type Findings = (bool, Vec<(usize, usize)>, Vec<(usize, usize)>, Vec<String>);

#[pymethods]
impl Puzzle {
    #[getter]
    fn id(&self) -> &str {
        &self.0.id
    }

    #[getter]
    fn kind(&self) -> &str {
        self.0.kind.name()
    }

    #[getter]
    fn rows(&self) -> usize {
        self.0.rows()
    }

    #[getter]
    fn cols(&self) -> usize {
        self.0.cols()
    }

    #[getter]
    fn digits(&self) -> Vec<u16> {
        self.0.digits().values().iter().map(|digit| u16::from(*digit)).collect()
    }

    /// The puzzle in a format.
    fn text(&self, format: &str) -> PyResult<String> {
        let Some(found) = formats::find(format) else {
            let written = formats::TABLE.iter().filter(|format| format.is_written());
            let names: Vec<&str> = written.map(|format| format.name).collect();
            return Err(error(format!("there is no format `{format}`; known: {}", names.join(", "))));
        };
        formats::write(&self.0, found).map_err(error)
    }

    /// The text that is the same for equal puzzles, whatever their ids.
    fn canonical(&self) -> String {
        self.0.canonical_text()
    }

    /// Reads a text as a grid of the puzzle's shape.
    fn parse<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyArray2<i16>>> {
        let grid = Grid::parse(text, self.0.rows(), self.0.cols()).map_err(error)?;
        Ok(array(py, &grid))
    }

    /// Judges a grid.
    fn check(&self, digits: PyReadonlyArray2<'_, i16>) -> PyResult<Findings> {
        let verdict = check(&self.0, &self.grid(&digits)?);
        let mut failures = Vec::new();
        for Failure { group, reason } in &verdict.failures {
            failures.push(format!("{}: {reason}", self.0.group_name(&self.0.groups()[*group])));
        }
        Ok((verdict.is_solution(), self.cells(&verdict.missing), self.cells(&verdict.foreign), failures))
    }

    /// Draws the puzzle, and a grid.
    #[pyo3(signature = (digits = None))]
    fn svg(&self, digits: Option<PyReadonlyArray2<'_, i16>>) -> PyResult<String> {
        let grid = digits.map(|digits| self.grid(&digits)).transpose()?;
        Ok(svg(&self.0, grid.as_ref()))
    }

    /// Grades the puzzle with the techniques up to a tier.
    fn grade(&self, py: Python<'_>, up_to: &str) -> PyResult<Grade> {
        let (ceiling, interrupt, puzzle) = (ceiling(up_to)?, Interrupt::default(), &self.0);
        let grade = quietly(py, &interrupt, || {
            ladder::grade(puzzle, &Problem::compile(puzzle), ceiling, &interrupt)
        })?;
        let solved = grade.end == ladder::End::Solved;
        Ok((
            grade.outcome(),
            solved.then(|| grade.tier().name()),
            solved.then(|| grade.score.number()),
            solved.then_some(grade.sum as f64 / 10.0),
            grade.steps,
            grade.rounds,
            grade.techniques.iter().map(|(technique, count)| (technique.name, *count)).collect(),
        ))
    }

    /// The steps to the solution with the techniques up to a tier.
    fn explain(&self, py: Python<'_>, up_to: &str) -> PyResult<Vec<Step>> {
        let (ceiling, interrupt, puzzle) = (ceiling(up_to)?, Interrupt::default(), &self.0);
        quietly(py, &interrupt, || {
            let mut steps = Vec::new();
            let mut keep = |step| steps.push(self.step(&step));
            ladder::explain(puzzle, &Problem::compile(puzzle), ceiling, &interrupt, &mut keep);
            steps
        })
    }

    /// What helps with a grid.
    fn hint(&self, py: Python<'_>, digits: PyReadonlyArray2<'_, i16>) -> PyResult<Hint> {
        let (grid, interrupt, puzzle) = (self.grid(&digits)?, Interrupt::default(), &self.0);
        let hint =
            quietly(py, &interrupt, || ladder::hint(puzzle, &Problem::compile(puzzle), &grid, &interrupt))?;
        let (mistake, steps) = match &hint {
            ladder::Hint::Mistake(cell) => (Some(self.cell(*cell)), Vec::new()),
            ladder::Hint::Steps(steps) => (None, steps.iter().map(|step| self.step(step)).collect()),
            _ => (None, Vec::new()),
        };
        Ok((hint.name(), hint.nudge(puzzle), hint.words(puzzle), mistake, steps))
    }

    /// Solves the puzzle: status, solutions, their number, whether that is exact, decisions, seconds of CPU time.
    fn solve<'py>(
        &self,
        py: Python<'py>,
        count: u64,
        keep: usize,
        nodes: Option<u64>,
        seconds: Option<f64>,
    ) -> PyResult<Answer<'py>> {
        let (interrupt, puzzle) = (Interrupt::default(), Arc::clone(&self.0));
        let limits = Limits { solutions: count, reported: keep as u64, nodes, seconds };
        let (outcome, solutions) = quietly(py, &interrupt, || {
            let (problem, mut solutions) = (Problem::compile(&puzzle), Vec::new());
            let outcome = solve(&problem, &limits, &interrupt, &mut |ranks| {
                if solutions.len() < keep {
                    solutions.push(problem.grid(ranks));
                }
            });
            (outcome, solutions)
        })?;
        let solutions = solutions.iter().map(|grid| array(py, grid)).collect();
        let status = outcome.status.name();
        let found = i64::try_from(outcome.count).map_err(PyOverflowError::new_err)?;
        let cpu_s = outcome.compile_s + outcome.search_s;
        Ok((status, solutions, found, outcome.count_is_exact, outcome.nodes, cpu_s))
    }
}

/// What the solver found; see [`Puzzle::solve`].
type Answer<'py> = (&'static str, Vec<Bound<'py, PyArray2<i16>>>, i64, bool, u64, f64);
