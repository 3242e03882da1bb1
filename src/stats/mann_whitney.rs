//! Whether values of one sample tend to be larger than those of another.
//!
//! Sources: H. B. Mann, D. R. Whitney 1947, On a test of whether one of two random variables is stochastically larger
//! than the other, doi:10.1214/aoms/1177730491; the correction for ties, E. L. Lehmann 1975, Nonparametrics,
//! section 1.4.

use super::distribution::normal_two_sided;
use super::ranks::{TestResult, ranks};

/// The larger of the smaller samples for which the test is exact, without ties.
const EXACT: usize = 8;

/// The Mann-Whitney U test, two-sided. The statistic is U of the first sample: the pairs in which its value is larger,
/// ties counting half.
///
/// Values are not NaN; the infinite ones, failures, tie. Without ties and with 8 values or fewer in one sample the
/// p-value is exact, otherwise normal with corrections for ties and continuity (what scipy's `auto` does); 1 when a
/// sample is empty or all values are equal. O(n log n); exact, O(8 m n) with m at most 8.
pub fn mann_whitney(first: &[f64], second: &[f64]) -> TestResult {
    let ranked = ranks(&[first, second].concat());
    let (m, n) = (first.len() as f64, second.len() as f64);
    let statistic = ranked.ranks[..first.len()].iter().sum::<f64>() - m * (m + 1.0) / 2.0;
    let least = first.len().min(second.len());
    if ranked.ties == 0.0 && least <= EXACT {
        let tail = statistic.min(m * n - statistic) as usize;
        return TestResult { statistic, p: exact(least, first.len().max(second.len()), tail) };
    }
    let all = m + n;
    let variance = m * n / 12.0 * ((all + 1.0) - ranked.ties / (all * (all - 1.0)));
    // Rounding leaves a hair of variance when all values are equal.
    if variance <= 1e-9 * m * n {
        return TestResult { statistic, p: 1.0 };
    }
    let distance = ((statistic - m * n / 2.0).abs() - 0.5).max(0.0);
    TestResult { statistic, p: normal_two_sided(distance / variance.sqrt()) }
}

/// Twice the probability that U is `tail` or less, for `m` and `n` values without ties, `tail` at most half of m n.
///
/// The arrangements with each U are the coefficients of the Gaussian binomial of m + n over m, multiplied up one factor
/// (1 - q^(n + i)) / (1 - q^i) at a time; only those up to the middle are needed, and they grow, so that the
/// subtraction loses nothing that matters.
fn exact(m: usize, n: usize, tail: usize) -> f64 {
    let half = m * n / 2;
    let mut counts = vec![0.0; half + 1];
    counts[0] = 1.0;
    let mut all = 1.0;
    for i in 1..=m {
        for u in (n + i..=half).rev() {
            counts[u] -= counts[u - n - i];
        }
        for u in i..=half {
            counts[u] += counts[u - i];
        }
        all *= (n + i) as f64 / i as f64;
    }
    let below: f64 = counts[..=tail].iter().sum();
    (2.0 * below / all).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::assert_close;

    /// Reference values: scipy 1.17, stats.mannwhitneyu(first, second).
    #[test]
    fn results_are_those_of_scipy() {
        let inf = f64::INFINITY;
        for (first, second, statistic, p) in [
            (&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], 0.0, 0.1),
            (&[1.0, 5.0, 9.0, 2.5], &[3.0, 4.0, 7.0, 8.0, 6.0, 0.0], 11.0, 0.914_285_714_285_714_3),
            (&[1.0, 2.0, 2.0, 3.0], &[2.0, 4.0, 5.0, 5.0, 6.0], 2.0, 0.060_568_860_202_657_45),
            (&[7.0], &[1.0, 2.0, 3.0, 4.0], 4.0, 0.4),
            (&[10.0, 20.0, inf, inf, 40.0], &[15.0, inf, inf, inf, inf, inf], 9.0, 0.244_816_721_148_377_16),
            (
                &[
                    0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0, 22.0, 24.0, 26.0, 28.0,
                    30.0, 32.0, 34.0, 36.0, 38.0,
                ],
                &[10.5, 12.5, 14.5, 16.5, 18.5, 20.5, 22.5, 24.5, 26.5, 28.5],
                95.0,
                0.843_065_714_927_702_4,
            ),
            (
                &[26.0, 20.0, 23.0, 3.0, 27.0, 12.0, 17.0, 28.0],
                &[
                    22.25, 0.25, 3.25, 15.25, 10.25, 2.25, 17.25, 16.25, 28.25, 24.25, 25.25, 26.25, 29.25,
                    23.25, 6.25, 4.25, 11.25, 14.25, 20.25, 9.25, 7.25, 18.25, 5.25, 27.25, 12.25, 19.25,
                    1.25, 13.25, 8.25, 21.25,
                ],
                156.0,
                0.208_091_683_923_103_1,
            ),
            (
                &[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0],
                &[1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 3.0],
                58.5,
                0.010_644_951_262_550_884,
            ),
        ] as [(&[f64], &[f64], f64, f64); _]
        {
            let found = mann_whitney(first, second);
            assert_eq!(found.statistic, statistic);
            assert_close(found.p, p, 1e-9);
            assert_close(mann_whitney(second, first).p, p, 1e-9);
        }
    }

    /// Reference values: scipy 1.17, as above, of i * 7919 mod 10007 for i below m against those for the next n, shifted.
    #[test]
    fn large_samples_are_those_of_scipy() {
        let values = |from: u64, to: u64, shift: f64| -> Vec<f64> {
            (from..to).map(|i| (i * 7919 % 10007) as f64 + shift).collect()
        };
        for (m, n, shift, statistic, p) in [
            (8, 2000, 0.5, 8320.0, 0.848_081_680_290_529_9),
            (3, 5000, 4000.5, 2870.0, 0.063_194_765_640_501_21),
            (300, 400, 500.0, 54_102.0, 0.025_916_879_562_566_393),
            (4000, 5000, 20.5, 9_967_600.0, 0.791_374_544_972_969_7),
        ] {
            let found = mann_whitney(&values(0, m, 0.0), &values(m, m + n, shift));
            assert_eq!(found.statistic, statistic);
            assert_close(found.p, p, 1e-9);
        }
        assert!(mann_whitney(&values(0, 50_000, 0.0), &values(50_000, 100_000, 0.0)).p > 0.5);
    }

    #[test]
    fn data_that_tell_nothing_have_p_1() {
        assert_eq!(mann_whitney(&[], &[1.0]).p, 1.0);
        assert_eq!(mann_whitney(&[], &[]).p, 1.0);
        assert_eq!(mann_whitney(&[2.0], &[1.0]), TestResult { statistic: 1.0, p: 1.0 });
        assert_eq!(mann_whitney(&[3.0; 20], &[3.0; 30]).p, 1.0);
        assert_eq!(
            mann_whitney(&[f64::INFINITY; 3], &[f64::INFINITY; 4]),
            TestResult { statistic: 6.0, p: 1.0 }
        );
    }
}
