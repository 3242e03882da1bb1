//! Any quantile with an interval from order statistics, as [`super::median`] has for a half.
//!
//! Source: W. J. Conover 1999, Practical Nonparametric Statistics, section 3.2; the definition of the sample quantile,
//! R. J. Hyndman, Y. Fan 1996, Sample quantiles in statistical packages, definition 2, doi:10.2307/2684934.

use super::Interval;
use super::bootstrap::Estimate;
use super::distribution::binomial;

/// The `p`-quantile of values, `p` strictly between 0 and 1, with an interval that holds the true one with at least
/// `level`; `None` without values. Infinite values are censored. An end that the values are too few for is infinite.
///
/// The value is the least that a share `p` of the values does not exceed, or the mean of the two at which the share is
/// reached exactly. O(n log n).
pub fn quantile(values: &[f64], p: f64, level: f64) -> Option<Estimate> {
    if values.is_empty() {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let reached = sorted.len() as f64 * p;
    let whole = reached.round();
    // A product that is whole but for rounding is whole.
    let exact =
        (reached - whole).abs() < 1e-9 * whole.max(1.0) && whole >= 1.0 && (whole as usize) < sorted.len();
    let (low, high) = if exact {
        (sorted[whole as usize - 1], sorted[whole as usize])
    } else {
        let only = sorted[(reached.ceil() as usize).clamp(1, sorted.len()) - 1];
        (only, only)
    };
    let value = if low == high { low } else { f64::midpoint(low, high) };
    Some(Estimate { value, interval: enclosing(&sorted, p, (1.0 - level) / 2.0) })
}

/// From the largest value below which the quantile lies with at most `beyond`, to the least above which it does.
fn enclosing(sorted: &[f64], p: f64, beyond: f64) -> Interval {
    let below = binomial(sorted.len(), p);
    let within = |probabilities: &mut dyn Iterator<Item = &f64>| -> usize {
        let mut sum = 0.0;
        probabilities
            .take_while(|probability| {
                sum += **probability;
                sum <= beyond
            })
            .count()
    };
    let low = within(&mut below.iter());
    let high = within(&mut below.iter().rev());
    Interval {
        low: if low == 0 { f64::NEG_INFINITY } else { sorted[low - 1] },
        high: if high == 0 { f64::INFINITY } else { sorted[sorted.len() - high] },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::median;

    /// Reference values: scipy 1.17, stats.quantile_test(range(1, n + 1), p=p).confidence_interval(0.95).
    #[test]
    fn intervals_are_those_of_scipy() {
        for (n, p, low, high) in [
            (20, 0.25, 2.0, 10.0),
            (20, 0.9, 15.0, f64::INFINITY),
            (10, 0.05, f64::NEG_INFINITY, 3.0),
            (100, 0.1, 5.0, 17.0),
            (200, 0.75, 138.0, 163.0),
            (1000, 0.99, 983.0, 997.0),
        ] {
            let values: Vec<f64> = (1..=n).map(f64::from).collect();
            assert_eq!(
                quantile(&values, p, 0.95).expect("values").interval,
                Interval { low, high },
                "{n} {p}"
            );
        }
    }

    /// Reference values: numpy 2.4, quantile(range(1, 11), p, method="averaged_inverted_cdf").
    #[test]
    fn values_are_those_of_the_second_definition() {
        let values: Vec<f64> = (1..=10).map(f64::from).collect();
        for (p, expected) in
            [(0.05, 1.0), (0.1, 1.5), (0.25, 3.0), (0.3, 3.5), (0.7, 7.5), (0.95, 10.0), (0.99, 10.0)]
        {
            assert_eq!(quantile(&values, p, 0.95).expect("values").value, expected, "{p}");
        }
    }

    #[test]
    fn a_half_is_the_median() {
        for n in [1, 2, 5, 6, 17, 100, 1001] {
            let values: Vec<f64> = (0..n).map(|i| f64::from(i * 7919 % 10_007)).collect();
            let (found, expected) = (quantile(&values, 0.5, 0.95), median(&values));
            let (found, expected) = (found.expect("values"), expected.expect("values"));
            assert_eq!((found.value, found.interval), (expected.value, expected.interval), "{n}");
        }
    }

    #[test]
    fn censored_equal_and_no_values_have_quantiles() {
        let inf = f64::INFINITY;
        assert_eq!(quantile(&[], 0.5, 0.95), None);
        assert_eq!(quantile(&[inf, 1.0], 0.9, 0.95).expect("values").value, inf);
        assert_eq!(quantile(&[inf, 1.0], 0.5, 0.95).expect("values").value, inf);
        let one = quantile(&[4.0], 0.25, 0.95).expect("a value");
        assert_eq!(one, Estimate { value: 4.0, interval: Interval { low: -inf, high: inf } });
        let equal = quantile(&[4.0; 30], 0.25, 0.95).expect("values");
        assert_eq!(equal.interval, Interval { low: 4.0, high: 4.0 });
    }
}
