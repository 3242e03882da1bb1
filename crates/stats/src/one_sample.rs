//! The mean of a sample, such as one difference for each puzzle, with Student's interval and test.
//!
//! Source: Student 1908, The probable error of a mean, doi:10.1093/biomet/6.1.1.
//!
//! # The test of Kolmogorov and Smirnov: do values come from a distribution that is known?
//!
//! Source: M. A. Stephens 1970, Use of the Kolmogorov-Smirnov, Cramér-von Mises and related statistics without extensive
//! tables, doi:10.1111/j.2517-6161.1970.tb00821.x.

use super::distribution::{normal_two_sided, t_above, t_quantile};
use super::{Estimate, Interval};

/// The mean of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleMean {
    /// The mean with its interval.
    pub mean: Estimate,
    /// The two-sided p-value of the hypothesis that the mean of the population is 0.
    pub p: f64,
}

/// The mean of values; NaN without any.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The sum of the squared distances from a centre.
pub(crate) fn squares_about(values: &[f64], centre: f64) -> f64 {
    values.iter().map(|value| (value - centre).powi(2)).sum()
}

/// The standard error of the mean of two values or more.
pub(crate) fn standard_error(values: &[f64], mean: f64) -> f64 {
    let n = values.len() as f64;
    (squares_about(values, mean) / (n - 1.0) / n).sqrt()
}

/// The mean difference of two shares over puzzles, from -1 to 1, with Student's interval cut at these ends, for the normal
/// quantile `z`; `None` with fewer than two differences.
///
/// Where all n of them are equal to d, the interval is that of `mean_of_equal`, and the p-value the level at which one of its
/// ends is 0. For a setting that solves n puzzles that the other does not this is the p-value of the signs, 2^(1 - n).
pub fn mean_share_difference(differences: &[f64], z: f64) -> Option<SampleMean> {
    let moments = Moments::of(differences)?;
    if moments.vary() {
        let SampleMean { mean: Estimate { value, interval }, p } = moments.student(z);
        let interval = Interval { low: interval.low.max(-1.0), high: interval.high.min(1.0) };
        return Some(SampleMean { mean: Estimate { value, interval }, p });
    }
    let value = moments.mean;
    let mean = mean_of_equal(value, differences.len(), Interval { low: -1.0, high: 1.0 }, z);
    let p = (2.0 * (1.0 + value.abs()).powf(-(differences.len() as f64))).min(1.0);
    Some(SampleMean { mean, p })
}

/// The mean of a sample of two values or more.
struct Moments {
    n: f64,
    mean: f64,
    /// The standard error of the mean.
    error: f64,
}

impl Moments {
    fn of(values: &[f64]) -> Option<Self> {
        if values.len() < 2 || values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let mean = mean(values);
        Some(Self { n: values.len() as f64, mean, error: standard_error(values, mean) })
    }

    /// Whether the values differ by more than rounding.
    fn vary(&self) -> bool {
        self.error > self.mean.abs() * 1e-12
    }

    fn student(&self, z: f64) -> SampleMean {
        let Self { n, mean, error } = *self;
        let half = t_quantile(z, n - 1.0) * error;
        let interval = Interval { low: mean - half, high: mean + half };
        let p = (2.0 * t_above((mean / error).abs(), n - 1.0)).min(1.0);
        SampleMean { mean: Estimate { value: mean, interval }, p }
    }
}

/// The mean of a population of values within `bounds`, of which `n` were seen and are equal, with an interval for the normal
/// quantile `z`.
///
/// Nothing is known of their spread. But if a share q of the population had other values, none of n would show it with
/// probability (1 - q)^n. At the q where this is half of the level that the interval may miss, these other values move the mean
/// by q times the distance to a bound at most: there are the ends.
pub(crate) fn mean_of_equal(value: f64, n: usize, bounds: Interval, z: f64) -> Estimate {
    let unseen = 1.0 - (normal_two_sided(z) / 2.0).powf(1.0 / n as f64);
    let low = value - unseen * (value - bounds.low);
    let high = value + unseen * (bounds.high - value);
    Estimate { value, interval: Interval { low, high } }
}

/// The probability that the distribution of `count` values from a known continuous one differs from it somewhere by at least
/// `distance`, 0 to 1. Of a discrete distribution it is an upper bound.
pub fn kolmogorov_smirnov(distance: f64, count: usize) -> f64 {
    let root = (count as f64).sqrt();
    // Stephens's correction: with it the limit for many values serves for few as well.
    let scaled = (root + 0.12 + 0.11 / root) * distance;
    // The series converges slowly only where the probability is 1 to eight digits.
    if scaled <= 0.3 || scaled.is_nan() {
        return 1.0;
    }
    let mut sum = 0.0;
    for k in 1..=100 {
        let term = (-2.0 * f64::from(k * k) * scaled * scaled).exp();
        sum += if k % 2 == 1 { term } else { -term };
    }
    (2.0 * sum).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Z_95;
    use crate::testing::assert_close;

    /// Reference values: scipy 1.17, stats.ttest_1samp(values, 0) and its confidence_interval(0.95).
    #[test]
    fn differences_of_shares_have_the_interval_of_student_within_their_range() {
        let values = [0.1, 0.25, -0.05, 0.2, 0.0, 0.15];
        let found = mean_share_difference(&values, Z_95).expect("six differences");
        assert_close(found.p, 0.07056563534883996, 1e-9);
        assert_close(found.mean.interval.low, -0.013223149123625377, 1e-9);
        assert_close(found.mean.interval.high, 0.22988981579029205, 1e-9);
        let two = mean_share_difference(&[1.0, 0.8], Z_95).expect("two differences").mean;
        assert_eq!(two.interval.high, 1.0);
        assert_close(two.interval.low, 0.9 - 12.706_204_736_432_095 * 0.1, 1e-9);
        assert_eq!(mean_share_difference(&[1.0], Z_95), None);
    }

    #[test]
    fn equal_differences_of_shares_leave_room_for_puzzles_not_seen() {
        let of = |value: f64, n: usize| mean_share_difference(&vec![value; n], Z_95).expect("differences");
        let none = of(0.0, 6);
        assert_eq!((none.mean.value, none.p), (0.0, 1.0));
        // 0.540_741_873_56^6 = 0.025.
        assert_close(none.mean.interval.high, 1.0 - 0.540_741_873_56, 1e-9);
        assert_eq!(none.mean.interval.low, -none.mean.interval.high);
        for n in 2..40 {
            let all = of(-1.0, n);
            assert_eq!(all.mean.interval.low, -1.0);
            assert_close(all.p, 2.0_f64.powf(1.0 - n as f64), 1e-12);
            for value in [-1.0, -0.7, 0.1, 0.5, 1.0] {
                let found = of(value, n);
                let Interval { low, high } = found.mean.interval;
                assert!((-1.0..=value).contains(&low) && (value..=1.0).contains(&high), "{found:?}");
                assert_eq!(found.p < 0.05, low > 0.0 || high < 0.0, "{found:?}");
            }
        }
    }

    #[test]
    fn one_value_and_infinite_ones_have_no_mean() {
        assert_eq!(mean_share_difference(&[1.0], Z_95), None);
        assert_eq!(mean_share_difference(&[1.0, f64::INFINITY, 0.5], Z_95), None);
    }

    #[test]
    fn critical_values_are_those_of_the_tables() {
        // The asymptotic critical values 1.224, 1.358 and 1.628 of 10, 5 and 1 %.
        for (scaled, p) in [(1.2238, 0.1), (1.3581, 0.05), (1.6276, 0.01)] {
            assert_close(kolmogorov_smirnov(scaled / 1e4, 100_000_000), p, 2e-3);
        }
        // Of 20 values, 0.294 is the critical distance of 5 %.
        assert_close(kolmogorov_smirnov(0.294, 20), 0.05, 0.03);
        assert_eq!([0.0, 1.0].map(|distance| kolmogorov_smirnov(distance, 1_000_000)), [1.0, 0.0]);
    }
}
