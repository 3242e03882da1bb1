//! The convergence of a run: the measures of a generation, and which generations are recorded.
//!
//! The configuration, the recorder, `convergence.csv`, the exports and the report walk the table of measures: a new measure is
//! an entry of [`MEASURES`].

use kenga_core::budget::Spent;
use kenga_core::fitness::{Term, Terms};
use kenga_core::search::Census;
use kenga_core::spec::Value;

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
    /// Only puzzles have it: a term of their fitness, or the distance from a known solution.
    pub fn is_of_puzzles(&self) -> bool {
        self.name == "distance" || Term::ALL.iter().any(|term| term.name() == self.name)
    }

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
    // The term of groups that are neither row, column nor region, unweighted.
    Measure::count("group", |of| Some(of.terms.group.into())).on_request(),
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
        // A constant function has no `==` of texts; names have no capitals.
        if MEASURES[place].name.eq_ignore_ascii_case(name) {
            return place;
        }
        place += 1;
    }
    panic!("no measure has this name")
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

/// Which generations are recorded. The first and the last of a run always are, unless none is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordEvery {
    /// No generation.
    Never,
    /// Every n generations.
    Generations(u64),
    /// Ten a decade: 1 to 10, then 13, 16, 20, 25, 32, 40, 50, 63, 79, 100 and so on.
    Log,
    /// Those whose best is better than every one before.
    Improvement,
}

impl RecordEvery {
    /// The words of the configuration for what is no number.
    pub(super) const WORDS: &'static [&'static str] = &["log", "improvement"];

    /// Reads a resolved value.
    pub(super) fn of(value: Option<&Value>) -> Self {
        match value {
            Some(Value::Integer(0)) | None => Self::Never,
            Some(Value::Integer(every)) => Self::Generations(every.unsigned_abs()),
            Some(Value::Text(word)) if word == "log" => Self::Log,
            Some(_) => Self::Improvement,
        }
    }

    /// No generation is recorded.
    pub fn is_never(self) -> bool {
        self == Self::Never
    }

    /// The generation may have to be recorded: of improvements only its best tells.
    pub(crate) fn may_record(self, generation: u64) -> bool {
        match self {
            Self::Never => false,
            Self::Generations(every) => generation.is_multiple_of(every),
            Self::Log => is_on_log_scale(generation),
            Self::Improvement => true,
        }
    }
}

/// The generation is the nearest to a whole power of the tenth root of ten.
fn is_on_log_scale(generation: u64) -> bool {
    if generation <= 10 {
        return true;
    }
    let step = (10.0 * (generation as f64).log10()).round();
    (10f64.powf(step / 10.0)).round() as u64 == generation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_scale_has_ten_generations_a_decade() {
        let decade: Vec<u64> =
            (11..=100).filter(|generation| RecordEvery::Log.may_record(*generation)).collect();
        assert_eq!(decade, [13, 16, 20, 25, 32, 40, 50, 63, 79, 100]);
        assert_eq!((1..=1_000_000).filter(|generation| RecordEvery::Log.may_record(*generation)).count(), 60);
    }

    #[test]
    fn generation_zero_is_always_among_them() {
        for every in [RecordEvery::Generations(7), RecordEvery::Log, RecordEvery::Improvement] {
            assert!(every.may_record(0));
        }
        assert!(!RecordEvery::Never.may_record(0));
    }
}
