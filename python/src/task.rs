//! A run that Python asks for evaluations.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use kenga::budget::{Budget, Guard, Spent, StopReason};
use kenga::experiment::{Config, ConfigDraft};
use kenga::fitness::{CageMeasure, Fitness, Halted, Objective, Scale, Term};
use kenga::problem::Problem;
use kenga::rng::StreamKey;
use kenga::search::algorithms::Session as Run;
use kenga::search::encodings::ENCODINGS;
use kenga::search::{Census, Observer, Task};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value as Json;

use crate::error::{WRITTEN, error, report};
use crate::puzzle::Puzzle;

/// A run.
#[pyclass(module = "kenga._kenga")]
pub(crate) struct Session {
    run: Run,
    problem: Problem,
    budget: Budget,
    measure: CageMeasure,
    weights: [u32; Term::ALL.len()],
    log: Log,
    /// The genomes of a request: a copy, which no other thread can change meanwhile.
    digits: Vec<u8>,
    /// A problem of the user's own; `None` on a puzzle.
    instance: Option<Instance>,
}

/// An instance of a problem of the user's own, whose function Python calls.
struct Instance {
    id: String,
    /// The options of the function as JSON.
    options: String,
    scale: Scale,
    values: Arc<GivenValues>,
}

/// The values that Python has computed for the genomes of a request, in their order.
#[derive(Default)]
struct GivenValues(Mutex<VecDeque<f64>>);

impl GivenValues {
    fn replace(&self, values: impl Iterator<Item = f64>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = values.collect();
    }
}

impl Objective for GivenValues {
    fn evaluate(&self, _genomes: &[u8], values: &mut [f64]) -> Result<(), Halted> {
        let mut given = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for value in values {
            *value = given.pop_front().ok_or_else(|| Halted::failed("Python has given too few values"))?;
        }
        Ok(())
    }
}

/// The generations that were logged, column by column.
#[derive(Default)]
struct Log {
    counts: [Vec<i64>; 4],
    measures: [Vec<f64>; 4],
}

/// The columns of the log that are whole numbers.
const COUNTS: [&str; 4] = ["generation", "evaluations", "best", "worst"];

/// The other columns of the log.
const MEASURES: [&str; 4] = ["mean", "std", "diversity", "entropy"];

impl Observer for Log {
    fn wants(&self, _generation: u64) -> bool {
        true
    }

    fn observe(&mut self, spent: Spent, census: &Census) {
        let (best, worst) = (census.best().into(), census.worst().into());
        let counts = [spent.generations as i64, spent.evaluations as i64, best, worst];
        let measures = [census.mean(), census.std(), census.diversity(), census.entropy()];
        for (column, count) in self.counts.iter_mut().zip(counts) {
            column.push(count);
        }
        for (column, measure) in self.measures.iter_mut().zip(measures) {
            column.push(measure);
        }
    }
}

impl Session {
    fn digit(&self, rank: u8) -> i64 {
        self.problem.values()[usize::from(rank)].into()
    }

    /// A run with a fitness, as a configuration describes it.
    fn start(
        config: &Config,
        problem: Problem,
        fitness: Arc<Fitness>,
        key: StreamKey,
        bounded: bool,
    ) -> PyResult<Self> {
        let evaluations = config.budget.evaluations.filter(|_| bounded);
        let budget = Budget { evaluations, ..config.budget };
        let task = Task::new(Arc::clone(&fitness), key, budget, Guard::default());
        let encoding = ENCODINGS.build(config.algorithm().spec("encoding"))(fitness).map_err(error)?;
        Ok(Self {
            run: Run::new(encoding, None, &task),
            problem,
            budget,
            measure: config.measure,
            weights: Term::ALL.map(|term| config.weights.of(term)),
            log: Log::default(),
            digits: Vec::new(),
            instance: None,
        })
    }

    /// Keeps the values of the genomes of a request until the run asks for them; nothing changes where one has no fitness.
    fn give(&self, values: &PyReadonlyArray1<'_, f64>) -> PyResult<()> {
        let Some(Instance { scale, values: given, .. }) = &self.instance else { return Ok(()) };
        let values = values.as_array();
        for value in values {
            scale.fitness(*value).map_err(error)?;
        }
        given.replace(values.iter().copied());
        Ok(())
    }

    /// Takes the genomes of a request over; says whether there are any.
    fn take(&mut self, genomes: &PyReadonlyArray2<'_, u8>) -> PyResult<bool> {
        let (genes, genomes) = (self.problem.cells(), genomes.as_array());
        let found = genomes.ncols();
        if found != genes {
            return Err(error(format!("a genome has {genes} digits, not {found}")));
        }
        self.digits.clear();
        // Absent where the genomes do not lie one after the other.
        match genomes.as_slice() {
            Some(digits) => self.digits.extend_from_slice(digits),
            None => self.digits.extend(genomes.iter()),
        }
        Ok(!self.digits.is_empty())
    }
}

/// Fitness `int32[m]`, and where they were asked for the terms `int32[m, 6]`.
type Evaluated<'py> = (Bound<'py, PyArray1<i32>>, Option<Bound<'py, PyArray2<i32>>>);

/// The best: its fitness, its genome, and the evaluations until it was found.
type Best<'py> = (u32, Bound<'py, PyArray1<i64>>, u64);

/// Genes that hold one of some tuples together: the genes, and the tuples with their length.
type Tuples<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<i64>>);

/// The names of the instances of a problem of the user's own, whose table `[problem]` is in a configuration.
#[pyfunction]
pub(crate) fn instances(config: &str) -> PyResult<Vec<String>> {
    let config = read_config(config)?;
    Ok(config.instances().unwrap_or_default().into_iter().map(|instance| instance.id).collect())
}

/// The configuration of a text that Python has written, which errors do not show.
fn read_config(text: &str) -> PyResult<Config> {
    ConfigDraft::read(WRITTEN, text).and_then(ConfigDraft::finish).map_err(|bad| report(&bad))
}

/// A number of Python's arrays.
fn int32(number: u32) -> PyResult<i32> {
    i32::try_from(number).map_err(|_| error(format!("a fitness of {number} does not fit int32")))
}

#[pymethods]
impl Session {
    /// A run on a puzzle, as a configuration describes it whose algorithm has an encoding; a run that is not `bounded` has
    /// no bound of evaluations.
    #[new]
    fn new(puzzle: &Puzzle, config: &str, replicate: u64, bounded: bool) -> PyResult<Self> {
        let config = read_config(config)?;
        let (fitness, _) = config.fitness(&Problem::compile(&puzzle.0)).map_err(error)?;
        let (problem, fitness) = (fitness.problem().clone(), Arc::new(fitness));
        let key = StreamKey::run(config.seed, &puzzle.0.canonical_text(), replicate);
        Self::start(&config, problem, fitness, key, bounded)
    }

    /// A run on an instance of a problem of the user's own, by its number.
    #[staticmethod]
    fn of_problem(config: &str, instance: usize, replicate: u64, bounded: bool) -> PyResult<Self> {
        let config = read_config(config)?;
        let mut instances = config.instances().unwrap_or_default();
        let (Some(scale), true) =
            (instances.get(instance).and_then(|instance| config.scale(instance)), instance < instances.len())
        else {
            return Err(error(format!("the problem has no instance {instance}")));
        };
        let instance = instances.swap_remove(instance);
        let mut options = config.resolved.spec("problem").spec("options").as_json();
        options.extend(instance.meta.get("options").and_then(Json::as_object).cloned().unwrap_or_default());
        let values = Arc::new(GivenValues::default());
        let problem = Problem::compile(&instance);
        let objective = Arc::clone(&values) as Arc<dyn Objective>;
        let fitness = Arc::new(Fitness::of_objective(problem.clone(), objective, scale));
        let key = StreamKey::run(config.seed, &instance.canonical_text(), replicate);
        let run = Self::start(&config, problem, fitness, key, bounded)?;
        let options = Json::Object(options).to_string();
        Ok(Self { instance: Some(Instance { id: instance.id, options, scale, values }), ..run })
    }

    /// The name of the instance; empty on a puzzle.
    #[getter]
    fn id(&self) -> &str {
        self.instance.as_ref().map_or("", |instance| &instance.id)
    }

    /// The options of the function as JSON; empty on a puzzle.
    #[getter]
    fn options(&self) -> &str {
        self.instance.as_ref().map_or("", |instance| &instance.options)
    }

    /// The value of a fitness, or of a mean of several; `None` on a puzzle.
    fn value(&self, fitness: f64) -> Option<f64> {
        Some(self.instance.as_ref()?.scale.value(fitness))
    }

    /// Counts genomes of a problem of the user's own with their values, as far as the budget reaches; returns their fitness.
    fn count<'py>(
        &mut self,
        py: Python<'py>,
        genomes: PyReadonlyArray2<'py, u8>,
        values: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        self.give(&values)?;
        let mut fitness = Vec::new();
        if self.take(&genomes)? {
            let evaluated = self.run.evaluate(&self.digits, false).map_err(error)?;
            fitness.extend(evaluated.fitness.iter().map(|of_genome| i64::from(*of_genome)));
        }
        Ok(fitness.into_pyarray(py))
    }

    /// What the run draws from: a whole number below 2^32.
    #[getter]
    fn seed(&self) -> u32 {
        self.run.seed()
    }

    #[getter]
    fn cages(&self) -> &'static str {
        self.measure.name()
    }

    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let weights = PyDict::new(py);
        for (term, weight) in Term::ALL.into_iter().zip(self.weights) {
            weights.set_item(term.name(), weight)?;
        }
        Ok(weights)
    }

    /// The cells of the genes, `int64[genes, 2]`.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i64>> {
        let cells = (0..self.problem.cells()).flat_map(|cell| self.problem.row_and_column(cell));
        let flat: Vec<i64> = cells.map(|place| place as i64).collect();
        flat.into_pyarray(py).reshape([self.problem.cells(), 2]).expect("two numbers a cell")
    }

    /// The candidates of every gene.
    #[getter]
    fn candidates<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyArray1<i64>>> {
        let mut all = Vec::new();
        let candidates = &self.run.space().candidates;
        for gene in 0..candidates.genes() {
            let digits: Vec<i64> = candidates.ranks(gene).map(|rank| self.digit(rank)).collect();
            all.push(digits.into_pyarray(py));
        }
        all
    }

    /// The genes that hold every digit once, line by line.
    #[getter]
    fn lines<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyArray1<i64>>> {
        self.run.lines().map(|genes| indices(py, genes)).collect()
    }

    /// The genes that hold a tuple together, with the tuples.
    #[getter]
    fn tuples<'py>(&self, py: Python<'py>) -> Vec<Tuples<'py>> {
        let mut all = Vec::new();
        for (genes, tuples) in self.run.tuples() {
            let mut flat = Vec::new();
            for tuple in tuples {
                flat.extend(tuple.iter().map(|rank| self.digit(*rank)));
            }
            let count = flat.len() / genes.len();
            let tuples = flat.into_pyarray(py).reshape([count, genes.len()]);
            all.push((indices(py, genes), tuples.expect("tuples of one length")));
        }
        all
    }

    /// Evaluates genomes, as far as the budget reaches.
    fn evaluate<'py>(
        &mut self,
        py: Python<'py>,
        genomes: PyReadonlyArray2<'py, u8>,
        with_terms: bool,
    ) -> PyResult<Evaluated<'py>> {
        let (mut fitness, mut terms) = (Vec::new(), with_terms.then(Vec::new));
        if self.take(&genomes)? {
            let (run, digits) = (&mut self.run, &self.digits);
            let evaluated = py.detach(|| run.evaluate(digits, with_terms)).map_err(error)?;
            for of_genome in evaluated.fitness {
                fitness.push(int32(*of_genome)?);
            }
            if let (Some(terms), Some(found)) = (&mut terms, evaluated.terms) {
                for of_genome in found {
                    for term in Term::ALL {
                        terms.push(int32(of_genome.of(term))?);
                    }
                }
            }
        }
        let terms = terms.map(|terms| {
            let count = terms.len() / Term::ALL.len();
            terms
                .into_pyarray(py)
                .reshape([count, Term::ALL.len()])
                .expect("as many numbers as terms for each genome")
        });
        Ok((fitness.into_pyarray(py), terms))
    }

    /// Refuses genomes that the encoding does not have.
    fn check(&mut self, genomes: PyReadonlyArray2<'_, u8>) -> PyResult<()> {
        if self.take(&genomes)? { self.run.check(&self.digits).map_err(error) } else { Ok(()) }
    }

    /// Logs a complete generation, whose number is returned; of a problem of the user's own with its values.
    #[pyo3(signature = (population, values=None))]
    fn log(
        &mut self,
        py: Python<'_>,
        population: PyReadonlyArray2<'_, u8>,
        values: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<u64> {
        self.take(&population)?;
        if let Some(values) = values {
            self.give(&values)?;
        }
        let (run, digits, log) = (&mut self.run, &self.digits, &mut self.log);
        py.detach(|| run.show(digits, log)).map_err(error)
    }

    /// What was logged, by column.
    fn convergence<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for (name, column) in COUNTS.iter().zip(&self.log.counts) {
            columns.set_item(name, column.clone().into_pyarray(py))?;
        }
        for (name, column) in MEASURES.iter().zip(&self.log.measures) {
            columns.set_item(name, column.clone().into_pyarray(py))?;
        }
        Ok(columns)
    }

    fn stop(&mut self) {
        self.run.stop(StopReason::Stalled);
    }

    #[getter]
    fn left(&self) -> Option<u64> {
        self.budget.evaluations.map(|_| self.budget.evaluations_left(&self.run.spent()))
    }

    #[getter]
    fn done(&self) -> Option<&'static str> {
        self.run.stopped().map(StopReason::name)
    }

    #[getter]
    fn evaluations(&self) -> u64 {
        self.run.spent().evaluations
    }

    #[getter]
    fn best<'py>(&self, py: Python<'py>) -> Option<Best<'py>> {
        let best = Some(self.run.best()).filter(|best| !best.is_none())?;
        let genome: Vec<i64> = best.ranks.iter().map(|rank| self.digit(*rank)).collect();
        Some((best.fitness, genome.into_pyarray(py), best.at.evaluations))
    }
}

/// Genes as indices.
fn indices<'py>(py: Python<'py>, genes: &[u16]) -> Bound<'py, PyArray1<i64>> {
    genes.iter().map(|gene| i64::from(*gene)).collect::<Vec<_>>().into_pyarray(py)
}
