//! How often a value of one sample is larger than one of another.
//!
//! Sources: A. Vargha, H. D. Delaney 2000, A critique and improvement of the CL common language effect size statistics
//! of McGraw and Wong, doi:10.3102/10769986025002101; R. G. Newcombe 2006, Confidence intervals for an effect size
//! measure based on the Mann-Whitney statistic, part 2, method 5, doi:10.1002/sim.2324.

use super::Interval;
use super::bootstrap::Estimate;
use super::ranks::ranks;

/// Vargha and Delaney's A12: the probability that a value of the first sample is larger than one of the second, ties
/// counting half. 0.5 is no effect; for times, below 0.5 says that the first is faster. Failures, infinite, tie.
///
/// The interval is Newcombe's method 5 for the normal quantile `z`, a score interval that stays within 0 and 1 and is
/// sound for small samples and at both ends. 0.5 with 0 to 1 when a sample is empty. O(n log n).
pub fn a12(first: &[f64], second: &[f64], z: f64) -> Estimate {
    if first.is_empty() || second.is_empty() {
        return Estimate { value: 0.5, interval: Interval { low: 0.0, high: 1.0 } };
    }
    let ranked = ranks(&[first, second].concat());
    let (m, n) = (first.len() as f64, second.len() as f64);
    let u = ranked.ranks[..first.len()].iter().sum::<f64>() - m * (m + 1.0) / 2.0;
    let value = u / (m * n);
    let inside = |theta: f64| (value - theta).powi(2) <= z * z * variance(theta, m, n);
    let interval = Interval {
        low: if value == 0.0 { 0.0 } else { bisect(0.0, value, inside) },
        high: if value == 1.0 { 1.0 } else { bisect(1.0, value, inside) },
    };
    Estimate { value, interval }
}

/// The variance of the estimate where the truth is `theta`: that of exponential samples (J. A. Hanley, B. J. McNeil
/// 1982), with both sample sizes replaced by their mean in the covariance terms.
fn variance(theta: f64, m: f64, n: f64) -> f64 {
    let others = (m + n) / 2.0 - 1.0;
    let covariance = (1.0 - theta) / (2.0 - theta) + theta / (1.0 + theta);
    theta * (1.0 - theta) * (1.0 + others * covariance) / (m * n)
}

/// The border between what is not inside, at `outside`, and what is, near `inner`.
fn bisect(mut outside: f64, mut inner: f64, inside: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..60 {
        let middle = f64::midpoint(outside, inner);
        if inside(middle) { inner = middle } else { outside = middle }
    }
    inner
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Z_95;
    use crate::stats::testing::assert_close;

    /// Reference values: scipy 1.17, mannwhitneyu(...).statistic / (m n) and optimize.brentq on Newcombe's equation.
    #[test]
    fn values_and_intervals_are_those_of_the_equation() {
        let inf = f64::INFINITY;
        for (first, second, value, low, high) in [
            (&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], 0.0, 0.0, 0.498_981_239_298_469_94),
            (
                &[1.0, 5.0, 9.0, 2.5],
                &[3.0, 4.0, 7.0, 8.0, 6.0, 0.0],
                0.458_333_333_333_333_3,
                0.176_687_945_059_741_97,
                0.771_800_338_854_044_4,
            ),
            (
                &[1.0, 2.0, 2.0, 3.0],
                &[2.0, 4.0, 5.0, 5.0, 6.0],
                0.1,
                0.014_013_314_123_908_89,
                0.500_075_967_693_543_3,
            ),
            (&[7.0], &[1.0, 2.0, 3.0, 4.0], 1.0, 0.344_833_082_479_438_8, 1.0),
            (
                &[10.0, 20.0, inf, inf, 40.0],
                &[15.0, inf, inf, inf, inf, inf],
                0.3,
                0.098_985_422_282_668_74,
                0.641_010_117_004_019_8,
            ),
            (
                &[
                    0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0, 22.0, 24.0, 26.0, 28.0,
                    30.0, 32.0, 34.0, 36.0, 38.0,
                ],
                &[10.5, 12.5, 14.5, 16.5, 18.5, 20.5, 22.5, 24.5, 26.5, 28.5],
                0.475,
                0.279_185_838_265_335,
                0.680_047_465_419_013_5,
            ),
            (
                &[26.0, 20.0, 23.0, 3.0, 27.0, 12.0, 17.0, 28.0],
                &[
                    22.25, 0.25, 3.25, 15.25, 10.25, 2.25, 17.25, 16.25, 28.25, 24.25, 25.25, 26.25, 29.25,
                    23.25, 6.25, 4.25, 11.25, 14.25, 20.25, 9.25, 7.25, 18.25, 5.25, 27.25, 12.25, 19.25,
                    1.25, 13.25, 8.25, 21.25,
                ],
                0.65,
                0.425_022_504_170_003_9,
                0.818_131_998_860_719_5,
            ),
            (
                &[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0],
                &[1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 3.0],
                0.26,
                0.128_161_902_549_527_08,
                0.469_545_400_183_682_5,
            ),
        ] as [(&[f64], &[f64], f64, f64, f64); _]
        {
            let found = a12(first, second, Z_95);
            assert_close(found.value, value, 1e-14);
            assert_close(found.interval.low, low, 1e-9);
            assert_close(found.interval.high, high, 1e-9);
            let turned = a12(second, first, Z_95);
            assert_close(turned.interval.low, 1.0 - high, 1e-9);
        }
    }

    #[test]
    fn equal_and_empty_samples_show_no_effect() {
        let none = a12(&[], &[1.0], Z_95);
        assert_eq!(none, Estimate { value: 0.5, interval: Interval { low: 0.0, high: 1.0 } });
        let equal = a12(&[2.0; 50], &[2.0; 50], Z_95);
        assert_eq!(equal.value, 0.5);
        assert!(equal.interval.low > 0.35 && equal.interval.high < 0.65);
    }
}
