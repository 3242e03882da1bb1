//! The convergence of a run: which generations are recorded, and their samples in little memory.

use super::{MEASURES, MeasureKind, Sample};
use crate::spec::Value;

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
        (!self.bytes.is_empty()).then(|| sample(self.last))
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
pub enum Every {
    /// No generation.
    Never,
    /// Every n generations.
    Generations(u64),
    /// Ten a decade: 1 to 10, then 13, 16, 20, 25, 32, 40, 50, 63, 79, 100 and so on.
    Log,
    /// Those whose best is better than every one before.
    Improvement,
}

impl Every {
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
    pub fn may_record(self, generation: u64) -> bool {
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
    use crate::rng::StreamKey;

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
        let decade: Vec<u64> = (11..=100).filter(|generation| Every::Log.may_record(*generation)).collect();
        assert_eq!(decade, [13, 16, 20, 25, 32, 40, 50, 63, 79, 100]);
        assert_eq!((1..=1_000_000).filter(|generation| Every::Log.may_record(*generation)).count(), 60);
    }

    #[test]
    fn generation_zero_is_always_among_them() {
        for every in [Every::Generations(7), Every::Log, Every::Improvement] {
            assert!(every.may_record(0));
        }
        assert!(!Every::Never.may_record(0));
    }
}
