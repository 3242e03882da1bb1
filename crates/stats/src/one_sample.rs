//! The mean of a sample, such as one difference for each puzzle, with Student's interval and test.
//!
//! Source: Student 1908, The probable error of a mean, doi:10.1093/biomet/6.1.1.

use super::distribution::{t_above, t_quantile};
use super::{Estimate, Interval};

/// The mean of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleMean {
    /// The mean with its interval.
    pub mean: Estimate,
    /// The two-sided p-value of the hypothesis that the mean of the population is 0.
    pub p: f64,
}

/// The mean of `values` with Student's interval for the normal quantile `z`; `None` with fewer than two values, or where one
/// is not finite. Where all values are equal, nothing is known of their spread: the interval is unbounded unless they are
/// 0, and the p-value is that of the signs alone.
pub fn sample_mean(values: &[f64], z: f64) -> Option<SampleMean> {
    if values.len() < 2 || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let error = (squares / (n - 1.0) / n).sqrt();
    if error <= mean.abs() * 1e-12 {
        return Some(without_spread(mean, n));
    }
    let half = t_quantile(z, n - 1.0) * error;
    let interval = Interval { low: mean - half, high: mean + half };
    let p = (2.0 * t_above((mean / error).abs(), n - 1.0)).min(1.0);
    Some(SampleMean { mean: Estimate { value: mean, interval }, p })
}

/// The mean of `n` equal values.
fn without_spread(mean: f64, n: f64) -> SampleMean {
    let interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
    let p = if mean == 0.0 { 1.0 } else { 2.0_f64.powf(1.0 - n) };
    SampleMean { mean: Estimate { value: mean, interval }, p }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Z_95;
    use crate::testing::assert_close;

    /// Reference values: scipy 1.17, stats.ttest_1samp(values, 0) and its confidence_interval(0.95).
    #[test]
    fn means_are_those_of_student() {
        let found = sample_mean(&[0.3, -0.1, 0.8, 0.5, 0.2, 0.9], Z_95).expect("six values");
        assert_close(found.mean.value, 0.433_333_333_333_333_3, 1e-12);
        assert_close(found.p, 0.037539602522433664, 1e-9);
        assert_close(found.mean.interval.low, 0.036948465871793845, 1e-9);
        assert_close(found.mean.interval.high, 0.8297182007948729, 1e-9);
    }

    #[test]
    fn equal_values_say_nothing_of_their_spread() {
        let found = sample_mean(&[2.0; 6], Z_95).expect("six values");
        assert_eq!((found.mean.value, found.p), (2.0, 1.0 / 32.0));
        assert_eq!(found.mean.interval.high, f64::INFINITY);
        assert_eq!(sample_mean(&[0.0; 6], Z_95).map(|found| found.p), Some(1.0));
    }

    #[test]
    fn one_value_and_infinite_ones_have_no_mean() {
        assert_eq!(sample_mean(&[1.0], Z_95), None);
        assert_eq!(sample_mean(&[1.0, f64::INFINITY, 2.0], Z_95), None);
    }
}
