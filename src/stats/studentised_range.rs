//! The range of normal values, which Nemenyi's critical difference refers to.
//!
//! Source: E. S. Pearson, H. O. Hartley 1942, The probability integral of the range in samples of n observations from a
//! normal population, doi:10.1093/biomet/32.3-4.301.

use std::f64::consts::{PI, SQRT_2};

use statrs::function::erf;

/// Steps of the integral over -8 to 8; the integrand and its derivatives vanish at both ends, so that the trapezoid
/// rule is exact to rounding.
const STEPS: usize = 400;

/// The probability that `k` standard normal values, 2 or more, lie within `range` of each other: the studentised range
/// with infinite degrees of freedom. O(1).
pub(crate) fn range_cdf(range: f64, k: usize) -> f64 {
    let width = 16.0 / STEPS as f64;
    // The density of the largest value, times the probability that all others are at most a range below it.
    let at = |x: f64| normal_density(x) * (normal_cdf(x) - normal_cdf(x - range)).powf(k as f64 - 1.0);
    let sum: f64 = (0..=STEPS).map(|step| at(-8.0 + width * step as f64)).sum();
    (k as f64 * width * sum).min(1.0)
}

/// The range that `k` standard normal values, 2 or more, exceed with probability `alpha`, between 0 and 1.
pub(crate) fn range_quantile(alpha: f64, k: usize) -> f64 {
    let (mut low, mut high) = (0.0, 100.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if range_cdf(middle, k) < 1.0 - alpha { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// The area of the standard normal below `z`.
fn normal_cdf(z: f64) -> f64 {
    0.5 * erf::erfc(-z / SQRT_2)
}

/// The height of the standard normal at `z`.
fn normal_density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::assert_close;

    /// Reference values: scipy 1.17, stats.studentized_range.ppf(1 - alpha, k, inf).
    #[test]
    fn quantiles_are_those_of_scipy() {
        for (alpha, k, expected) in [
            (0.05, 2, 2.771_807_65),
            (0.05, 3, 3.314_493_16),
            (0.05, 5, 3.857_655_51),
            (0.05, 10, 4.474_124_22),
            (0.05, 20, 5.011_688_79),
            (0.05, 50, 5.646_026_03),
            (0.1, 2, 2.326_174_31),
            (0.1, 3, 2.902_380_21),
            (0.1, 5, 3.478_280_55),
            (0.1, 10, 4.129_346_4),
            (0.1, 20, 4.694_104_41),
            (0.1, 50, 5.356_686_88),
            (0.01, 2, 3.642_772_74),
            (0.01, 3, 4.120_303_21),
            (0.01, 5, 4.602_821_04),
            (0.01, 10, 5.156_634_96),
            (0.01, 20, 5.645_214_7),
            (0.01, 50, 6.228_392_61),
        ] {
            assert_close(range_quantile(alpha, k), expected, 1e-6);
        }
    }

    #[test]
    fn ranges_are_certain_at_both_ends() {
        assert_eq!(range_cdf(0.0, 5), 0.0);
        assert_close(range_cdf(50.0, 5), 1.0, 1e-9);
    }
}
