//! The convergence of a run: the measures of a generation, which generations are recorded, and their samples in little memory.
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

/// The numbers of a sample that are no measures: generation, evaluations, moves and best.
const FIXED: usize = 4;

/// The numbers of a sample.
const NUMBERS: usize = FIXED + MEASURES.len();

/// Samples in the order in which they were taken, 25 to 55 bytes each: numbers as differences from the sample before, in as
/// many bytes as these need.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    bytes: Vec<u8>,
    /// The numbers of the last sample; zeros before the first.
    last: [u64; NUMBERS],
}

impl Samples {
    /// Adds a sample.
    pub(super) fn push(&mut self, sample: &Sample) {
        let numbers = numbers(sample);
        for (number, before) in numbers.iter().zip(self.last) {
            put(&mut self.bytes, number.wrapping_sub(before));
        }
        self.last = numbers;
    }

    /// The last sample, if there is one.
    pub fn last(&self) -> Option<Sample> {
        if self.bytes.is_empty() { None } else { Some(sample(self.last)) }
    }

    /// The samples in their order.
    pub fn iter(&self) -> impl Iterator<Item = Sample> {
        let (mut rest, mut numbers) = (self.bytes.iter(), [0u64; NUMBERS]);
        std::iter::from_fn(move || {
            if rest.as_slice().is_empty() {
                return None;
            }
            for number in &mut numbers {
                *number = number.wrapping_add(take(&mut rest));
            }
            Some(sample(numbers))
        })
    }
}

/// Writes a difference, above or below zero, in 1 to 10 bytes of 7 bits, the lowest first; all but the last have the
/// highest bit (LEB128, after the sign has become the lowest bit).
fn put(bytes: &mut Vec<u8>, difference: u64) {
    let signed = difference.cast_signed();
    let mut rest = (difference << 1) ^ (signed >> 63).cast_unsigned();
    while rest >= 0x80 {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

/// Reads what [`put`] has written.
fn take(bytes: &mut std::slice::Iter<'_, u8>) -> u64 {
    let mut found = 0;
    for (place, byte) in bytes.enumerate() {
        found |= u64::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            break;
        }
    }
    (found >> 1) ^ (found & 1).wrapping_neg()
}

/// The numbers of a sample: counts as they are, unknown ones as 0 and known ones from 1, and the bits of real numbers.
fn numbers(sample: &Sample) -> [u64; NUMBERS] {
    let mut numbers = [0; NUMBERS];
    numbers[..FIXED].copy_from_slice(&[
        sample.generation,
        sample.evaluations,
        sample.moves,
        sample.best.into(),
    ]);
    for ((number, measure), value) in numbers[FIXED..].iter_mut().zip(MEASURES).zip(sample.measures) {
        *number = match measure.kind {
            MeasureKind::Count if value.is_nan() => 0,
            MeasureKind::Count => value as u64 + 1,
            MeasureKind::Real => value.to_bits(),
        };
    }
    numbers
}

/// The sample that [`numbers`] are of.
fn sample(numbers: [u64; NUMBERS]) -> Sample {
    let mut measures = [f64::NAN; MEASURES.len()];
    for ((value, measure), number) in measures.iter_mut().zip(MEASURES).zip(&numbers[FIXED..]) {
        match (measure.kind, number.checked_sub(1)) {
            (MeasureKind::Count, Some(count)) => *value = count as f64,
            (MeasureKind::Count, None) => {}
            (MeasureKind::Real, _) => *value = f64::from_bits(*number),
        }
    }
    let [generation, evaluations, moves, best, ..] = numbers;
    Sample { generation, evaluations, moves, best: best as u32, measures }
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
    use kenga_core::rng::StreamKey;

    /// A row of a genetic algorithm at this generation.
    fn row(generation: u64, mut real: impl FnMut() -> f64) -> Sample {
        let best = 20 - (generation / 900) as u32;
        let measures = std::array::from_fn(|place| match MEASURES[place].kind {
            MeasureKind::Count => f64::from(best / 10 + place as u32),
            MeasureKind::Real => real(),
        });
        Sample { generation, evaluations: 80 * (generation + 1), moves: 0, best, measures }
    }

    #[test]
    fn samples_come_out_as_they_went_in_to_the_last_bit() {
        let ends = [0.0, -0.0, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE, 1.0, f64::MAX];
        let mut rng = StreamKey::run(1, "samples", 0).rng();
        let mut real = || ends[rng.below(ends.len())];
        let mut all: Vec<Sample> = (0..500).map(|generation| row(generation, &mut real)).collect();
        let of_counts = |count: f64, sample: Sample| {
            let mut measures = sample.measures;
            let counts = measures.iter_mut().zip(MEASURES).filter(|(_, of)| of.kind == MeasureKind::Count);
            counts.for_each(|(value, _)| *value = count);
            Sample { measures, ..sample }
        };
        all.push(Sample {
            evaluations: u64::MAX,
            moves: u64::MAX,
            best: 0,
            ..of_counts(u32::MAX.into(), all[3])
        });
        all.push(of_counts(f64::NAN, all[4]));
        all.push(Sample { generation: u64::MAX, best: u32::MAX, ..all[5] });
        let mut samples = Samples::default();
        assert_eq!((samples.iter().count(), samples.last()), (0, None));
        all.iter().for_each(|sample| samples.push(sample));
        let again: Vec<Sample> = samples.iter().collect();
        assert_eq!(again.len(), all.len());
        assert!(again.iter().zip(&all).all(|(again, sample)| numbers(again) == numbers(sample)));
        assert_eq!(samples.last().map(|last| numbers(&last)), all.last().map(numbers));
    }

    #[test]
    fn a_sample_takes_at_most_55_bytes_as_runs_go() {
        let mut rng = StreamKey::run(2, "samples", 0).rng();
        let mut samples = Samples::default();
        for generation in 0..10_000 {
            samples.push(&row(generation, || rng.unit()));
        }
        assert!(samples.bytes.len() < 55 * 10_000, "{}", samples.bytes.len());
    }

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
