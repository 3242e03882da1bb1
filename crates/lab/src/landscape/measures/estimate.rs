//! Estimates from independent samples: shares, medians, and whatever sums decide, with bootstrap intervals.

use kenga_core::budget::Interrupt;
use kenga_core::rng::RunRng;
use kenga_stats::{Bootstrap, Estimate, Interval, Z_95, median, wilson};

use super::{Outcome, Quantity};

/// What bootstrap intervals are drawn with.
pub(super) struct Resampler {
    pub(super) rng: RunRng,
    /// Resamples of an interval.
    pub(super) resamples: usize,
    /// Ends the resampling; there is no estimate then.
    pub(super) interrupt: Interrupt,
}

/// The fewest samples of a bootstrap interval. The percentiles of fewer cover far less than they say.
const FEWEST: usize = 10;

/// A share of independent samples, with Wilson's interval.
pub(super) fn share(of: usize, samples: usize) -> Outcome {
    if samples == 0 {
        return Outcome { estimate: None, samples };
    }
    let interval = wilson(of as u64, samples as u64, Z_95);
    Outcome { estimate: Some(Estimate { value: of as f64 / samples as f64, interval }), samples }
}

/// The median of independent samples of which those at infinity are censored; empty where the median is itself.
pub(super) fn median_of(samples: &[f64]) -> Outcome {
    let estimate = median(samples).filter(|found| found.value.is_finite());
    Outcome { estimate, samples: samples.len() }
}

/// The mean of independent samples.
pub(super) fn mean(samples: &[f64], quantity: &Quantity, with: &mut Resampler) -> Outcome {
    let units: Vec<[f64; 1]> = samples.iter().map(|value| [*value]).collect();
    from_sums(&units, quantity, with, |[sum], units| sum / units)
}

/// The ratio of two means of independent samples.
pub(super) fn ratio(samples: &[[f64; 2]], quantity: &Quantity, with: &mut Resampler) -> Outcome {
    from_sums(samples, quantity, with, |[above, below], _| above / below)
}

/// Pearson's correlation of independent pairs.
pub(super) fn correlation(pairs: &[[f64; 2]], quantity: &Quantity, with: &mut Resampler) -> Outcome {
    let count = pairs.len().max(1) as f64;
    // Sums of differences from the means lose fewer digits than sums of the values.
    let x_mean = pairs.iter().map(|pair| pair[0]).sum::<f64>() / count;
    let y_mean = pairs.iter().map(|pair| pair[1]).sum::<f64>() / count;
    let mut units: Vec<[f64; 5]> = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let (x, y) = (pair[0] - x_mean, pair[1] - y_mean);
        units.push([x, y, x * x, y * y, x * y]);
    }
    from_sums(&units, quantity, with, |[x, y, xx, yy, xy], units| {
        let (x_spread, y_spread) = (xx - x * x / units, yy - y * y / units);
        let scale = (x_spread * y_spread).sqrt();
        if x_spread > 1e-9 && y_spread > 1e-9 { (xy - x * y / units) / scale } else { f64::NAN }
    })
}

/// A statistic of the sums over independent samples and of their number, with the bootstrap interval over the
/// samples; NaN where it is undefined. Of fewer than 10 samples the interval is the range of the quantity.
///
/// A resample for which it is undefined counts as the least value of the quantity or as the greatest, in turns, so that
/// intervals are never too narrow for it. Values are kept within the range of the quantity, which rounding may leave.
pub(super) fn from_sums<const K: usize>(
    samples: &[[f64; K]],
    quantity: &Quantity,
    with: &mut Resampler,
    statistic: impl Fn([f64; K], f64) -> f64,
) -> Outcome {
    let units = samples.len() as f64;
    from_counts(samples.len(), quantity, with, |counts| {
        let mut sums = [0.0; K];
        for (sample, count) in samples.iter().zip(counts) {
            for (sum, value) in sums.iter_mut().zip(sample) {
                *sum += value * f64::from(*count);
            }
        }
        statistic(sums, units)
    })
}

/// As [`from_sums`], for a statistic of how often each sample counts.
pub(super) fn from_counts(
    samples: usize,
    quantity: &Quantity,
    with: &mut Resampler,
    statistic: impl Fn(&[u32]) -> f64,
) -> Outcome {
    let (low, high) = quantity.range;
    let value = statistic(&vec![1; samples]);
    if samples == 0 || !value.is_finite() {
        return Outcome { estimate: None, samples };
    }
    let clamped = value.clamp(low, high);
    // Resamples of a handful are too much alike: nothing is known but the range.
    if samples < FEWEST {
        let interval = Interval { low, high };
        return Outcome { estimate: Some(Estimate { value: clamped, interval }), samples };
    }
    let mut undefined = 0;
    let Resampler { rng, resamples, interrupt } = with;
    let resample = |counts: &[u32]| {
        if interrupt.is_raised() {
            return None;
        }
        let value = statistic(counts);
        if !value.is_nan() {
            return Some(value.clamp(low, high));
        }
        undefined += 1;
        // Either end in turns, so that no interval is too narrow.
        Some(if undefined % 2 == 0 { low } else { high })
    };
    let bootstrap = Bootstrap { resamples: *resamples, ..Bootstrap::default() };
    let interval = bootstrap.interval_unless_cut(samples, &mut |n| rng.below(n), resample);
    Outcome { estimate: interval.map(|interval| Estimate { value: clamped, interval }), samples }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::landscape::measures::quantity;
    use kenga_core::rng::StreamKey;

    fn of(units: usize, interrupt: &Interrupt) -> Outcome {
        let samples: Vec<f64> = (0..units).map(|unit| if unit == 0 { 0.0 } else { 1.0 }).collect();
        let rng = StreamKey::run(1, "estimate", 0).rng();
        let mut with = Resampler { rng, resamples: 1000, interrupt: interrupt.clone() };
        mean(&samples, &quantity("share", "a share", 0.0, 1.0), &mut with)
    }

    #[test]
    fn a_handful_of_samples_has_the_range_for_an_interval() {
        let interval = |units| of(units, &Interrupt::default()).estimate.expect("a mean").interval;
        assert_eq!(interval(9), Interval { low: 0.0, high: 1.0 });
        let ten = interval(10);
        assert!(ten.low > 0.5 && ten.high <= 1.0, "{ten:?}");
    }

    #[test]
    fn an_interrupt_leaves_no_estimate() {
        let interrupt = Interrupt::default();
        interrupt.raise(2);
        assert_eq!(of(1_000_000, &interrupt).estimate, None);
    }
}
