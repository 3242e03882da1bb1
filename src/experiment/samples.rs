//! The convergence of a run in little memory: of every row what has changed since the row before.

use super::Sample;
use crate::fitness::Terms;

/// The numbers of a sample.
const NUMBERS: usize = 15;

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

fn numbers(sample: &Sample) -> [u64; NUMBERS] {
    let Sample { generation, evaluations, moves, best, worst, terms, distance, .. } = *sample;
    let Terms { count, row, column, region, cage } = terms;
    let [best, worst, count, row, column, region, cage] =
        [best, worst, count, row, column, region, cage].map(u64::from);
    let distance = distance.map_or(0, |cells| u64::from(cells) + 1);
    let [mean, std, diversity, entropy] =
        [sample.mean, sample.std, sample.diversity, sample.entropy].map(f64::to_bits);
    [
        generation,
        evaluations,
        moves,
        best,
        worst,
        count,
        row,
        column,
        region,
        cage,
        distance,
        mean,
        std,
        diversity,
        entropy,
    ]
}

/// The sample that [`numbers`] are of.
fn sample(numbers: [u64; NUMBERS]) -> Sample {
    let [
        generation,
        evaluations,
        moves,
        best,
        worst,
        count,
        row,
        column,
        region,
        cage,
        distance,
        mean,
        std,
        diversity,
        entropy,
    ] = numbers;
    let [best, worst, count, row, column, region, cage] =
        [best, worst, count, row, column, region, cage].map(|number| number as u32);
    let [mean, std, diversity, entropy] = [mean, std, diversity, entropy].map(f64::from_bits);
    Sample {
        generation,
        evaluations,
        moves,
        best,
        mean,
        worst,
        std,
        diversity,
        terms: Terms { count, row, column, region, cage },
        distance: distance.checked_sub(1).map(|cells| cells as u32),
        entropy,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    /// A row of a genetic algorithm at this generation.
    fn row(generation: u64, shares: [f64; 4]) -> Sample {
        let [mean, std, diversity, entropy] = shares;
        let (best, distance) = (20 - (generation / 900) as u32, Some(7));
        let terms = Terms { count: 0, row: 3, column: 4, region: 0, cage: best / 10 };
        let (evaluations, worst) = (80 * (generation + 1), 90);
        Sample {
            generation,
            evaluations,
            moves: 0,
            best,
            mean,
            worst,
            std,
            diversity,
            terms,
            distance,
            entropy,
        }
    }

    #[test]
    fn samples_come_out_as_they_went_in_to_the_last_bit() {
        let ends = [0.0, -0.0, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE, 1.0, f64::MAX];
        let mut rng = StreamKey::run(1, "samples", 0).rng();
        let mut real = || ends[rng.below(ends.len())];
        let mut all: Vec<Sample> =
            (0..500).map(|generation| row(generation, std::array::from_fn(|_| real()))).collect();
        let most = u32::MAX;
        let terms = Terms { count: most, row: most, column: most, region: most, cage: most };
        all.push(Sample { evaluations: u64::MAX, moves: u64::MAX, best: 0, worst: most, terms, ..all[3] });
        all.push(Sample { distance: None, ..all[4] });
        all.push(Sample { distance: Some(most), generation: u64::MAX, ..all[5] });
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
            let [mean, std] = [0; 2].map(|_| 20.0 + 30.0 * rng.unit());
            samples.push(&row(generation, [mean, std, rng.unit(), rng.unit()]));
        }
        assert!(samples.bytes.len() < 55 * 10_000, "{}", samples.bytes.len());
    }
}
