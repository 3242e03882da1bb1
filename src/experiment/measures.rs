//! The measures of a generation: the columns of `convergence.csv` that `[record] columns` may leave out.
//!
//! The configuration, the recorder, the file, the exports and the report walk one table: a measure more is an entry more.

use crate::budget::Spent;
use crate::fitness::Terms;
use crate::search::Census;

/// What measures are taken of: a population and its best individual.
pub(super) struct Generation<'a> {
    pub(super) census: &'a Census,
    /// Terms of the best, unweighted.
    pub(super) terms: Terms,
    /// Cells in which the best differs from the nearest known solution; `None` when none is known.
    pub(super) distance: Option<u32>,
    /// Distinct genomes, where they are counted.
    pub(super) unique: Option<u32>,
}

/// What the values of a measure are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureKind {
    /// Whole numbers from 0, below 2^32.
    Count,
    /// Real numbers.
    Real,
}

/// A measure of a generation.
pub struct Measure {
    /// The name of its column.
    pub name: &'static str,
    /// What its values are.
    pub kind: MeasureKind,
    /// It is recorded only where `[record] columns` names it.
    pub is_optional: bool,
    /// Takes it; `None` where it is unknown.
    get: Get,
}

type Get = fn(&Generation<'_>) -> Option<f64>;

impl Measure {
    const fn real(name: &'static str, get: Get) -> Self {
        Self { name, kind: MeasureKind::Real, is_optional: false, get }
    }

    const fn count(name: &'static str, get: Get) -> Self {
        Self { name, kind: MeasureKind::Count, is_optional: false, get }
    }

    const fn on_request(self) -> Self {
        Self { is_optional: true, ..self }
    }
}

/// Every measure, in the order of the columns.
pub const MEASURES: &[Measure] = &[
    // Of fitness in the population.
    Measure::real("mean", |of| Some(of.census.mean())),
    Measure::count("worst", |of| Some(of.census.worst().into())),
    Measure::real("std", |of| Some(of.census.std())),
    // The mean over cells of the share of pairs of individuals that differ, 0 to 1.
    Measure::real("diversity", |of| Some(of.census.diversity())),
    // The terms of the best, unweighted.
    Measure::count("count", |of| Some(of.terms.count.into())),
    Measure::count("row", |of| Some(of.terms.row.into())),
    Measure::count("column", |of| Some(of.terms.column.into())),
    Measure::count("region", |of| Some(of.terms.region.into())),
    Measure::count("cage", |of| Some(of.terms.cage.into())),
    // Cells in which the best differs from the nearest known solution.
    Measure::count("distance", |of| of.distance.map(f64::from)),
    // The mean over cells of the Shannon entropy of digits, 0 to 1.
    Measure::real("entropy", |of| Some(of.census.entropy())),
    // Distinct genomes in the population.
    Measure::count("unique", |of| of.unique.map(f64::from)).on_request(),
];

/// The names of all measures.
pub(super) static NAMES: [&str; MEASURES.len()] = {
    let mut names = [""; MEASURES.len()];
    let mut place = 0;
    while place < names.len() {
        names[place] = MEASURES[place].name;
        place += 1;
    }
    names
};

/// The place in [`MEASURES`] of the measure of this name.
///
/// # Panics
/// For a name that no measure has; in a constant, so that it does not compile.
pub const fn measure(name: &str) -> usize {
    let mut place = 0;
    while place < MEASURES.len() {
        if is_same(MEASURES[place].name.as_bytes(), name.as_bytes()) {
            return place;
        }
        place += 1;
    }
    panic!("no measure has this name")
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut place = 0;
    while place < a.len() && place < b.len() && a[place] == b[place] {
        place += 1;
    }
    place == a.len() && place == b.len()
}

/// A row of convergence: one generation of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The generation; 0 is the initial population.
    pub generation: u64,
    /// Evaluations spent.
    pub evaluations: u64,
    /// Moves spent.
    pub moves: u64,
    /// Lowest fitness of the population.
    pub best: u32,
    /// The values of all [`MEASURES`]; NaN where one is unknown or left out.
    pub measures: [f64; MEASURES.len()],
}

impl Sample {
    pub(super) fn new(spent: Spent, of: &Generation<'_>) -> Self {
        let mut measures = [0.0; MEASURES.len()];
        for (value, measure) in measures.iter_mut().zip(MEASURES) {
            *value = (measure.get)(of).unwrap_or(f64::NAN);
        }
        let Spent { generations, evaluations, moves, .. } = spent;
        Self { generation: generations, evaluations, moves, best: of.census.best(), measures }
    }

    /// The value of the measure at a [place](measure) in the table, if it is known.
    pub fn value(&self, measure: usize) -> Option<f64> {
        Some(self.measures[measure]).filter(|value| !value.is_nan())
    }

    /// Evaluations and moves spent.
    pub fn calls(&self) -> u64 {
        self.evaluations + self.moves
    }
}
