//! Paired differences: whether they are symmetric about 0.
//!
//! # The signed-rank test
//!
//! Source: F. Wilcoxon 1945, Individual comparisons by ranking methods, doi:10.2307/3001968.

use super::distribution::normal_two_sided;
use super::ranks::{TestResult, ranks};

/// The most differences for which the signed-rank test is exact.
const EXACT: usize = 50;

/// First minus second for each pair. Two failures, both infinite, differ by 0; one failure gives an infinite
/// difference, and all of these tie as the largest.
///
/// # Panics
/// When the lengths differ.
pub fn paired_differences(first: &[f64], second: &[f64]) -> Vec<f64> {
    assert_eq!(first.len(), second.len(), "pairs have two values");
    first.iter().zip(second).map(|(a, b)| if a == b { 0.0 } else { a - b }).collect()
}

/// The Wilcoxon signed-rank test, two-sided, of paired differences, none NaN. The statistic is the lesser of the sums
/// of ranks of the positive and of the negative differences; differences of 0 are left out.
///
/// Up to 50 differences other than 0 the p-value is exact given the ties, over all signs; beyond, normal with a correction
/// for ties and none for continuity, as in scipy. 1 without differences other than 0. O(n log n).
pub fn wilcoxon(differences: &[f64]) -> TestResult {
    signed_ranks(differences).0
}

/// The test of [`wilcoxon`], and the sum of the ranks of the positive differences less that of the negative ones: its sign is
/// the direction that the p-value speaks of, which the count of the signs need not have.
pub fn signed_ranks(differences: &[f64]) -> (TestResult, f64) {
    let mut others = differences.to_vec();
    others.retain(|difference| *difference != 0.0);
    let sizes: Vec<f64> = others.iter().map(|difference| difference.abs()).collect();
    let ranked = ranks(&sizes);
    let (mut plus, mut minus) = (0.0, 0.0);
    for (difference, rank) in others.iter().zip(&ranked.ranks) {
        if *difference > 0.0 { plus += rank } else { minus += rank }
    }
    let statistic = f64::min(plus, minus);
    let p = if others.is_empty() {
        1.0
    } else if others.len() <= EXACT {
        exact(&ranked.ranks, statistic)
    } else {
        // The sum of squares of the ranks includes the correction for ties.
        let variance = ranked.ranks.iter().map(|rank| rank * rank).sum::<f64>() / 4.0;
        normal_two_sided((plus - minus) / 2.0 / variance.sqrt())
    };
    (TestResult { statistic, p }, plus - minus)
}

/// Twice the probability that the ranks with positive sign sum to `tail` or less when every sign is a fair coin. Ranks
/// are multiples of a half.
fn exact(ranks: &[f64], tail: f64) -> f64 {
    let doubled: Vec<usize> = ranks.iter().map(|rank| (2.0 * rank) as usize).collect();
    let mut probability = vec![0.0; doubled.iter().sum::<usize>() + 1];
    probability[0] = 1.0;
    for rank in doubled {
        // Downwards, so that every rank is counted once.
        for sum in (0..probability.len()).rev() {
            let with = if sum >= rank { probability[sum - rank] } else { 0.0 };
            probability[sum] = (probability[sum] + with) / 2.0;
        }
    }
    (2.0 * probability[..=(2.0 * tail) as usize].iter().sum::<f64>()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_close;

    /// Reference values: scipy 1.17, stats.wilcoxon(d); those of 14 to 50 differences with ties by enumerating all signs
    /// in Python.
    #[test]
    fn results_are_those_of_scipy() {
        for (differences, (statistic, p)) in [
            (
                &[6.0, 8.0, 14.0, 16.0, 23.0, 24.0, 28.0, 29.0, 41.0, -48.0, 49.0, 56.0, 60.0, -67.0, 75.0],
                (24.0, 0.041_259_765_625),
            ),
            (&[1.0, 2.0, 3.0], (0.0, 0.25)),
            (&[0.0, 1.0, -2.0, 3.0, 4.5, -0.5, 0.0, 7.0], (4.0, 0.218_75)),
            (&[1.0, 1.0, -1.0, 2.0, 2.0, 3.0, -4.0, 5.0, 5.0, 5.0], (9.0, 0.066_406_25)),
            (
                &[
                    -3.0, 1.0, 1.0, 0.0, 0.0, 2.0, 2.0, 2.0, -1.0, 4.0, 4.0, 6.0, -7.0, 8.0, 0.0, 9.0, 10.0,
                    11.0, -2.0, 3.0,
                ],
                (29.0, 0.022_598_266_601_562_5),
            ),
            (&[5.0, 5.0, 5.0, 5.0], (0.0, 0.125)),
        ] as [(&[f64], (f64, f64)); _]
        {
            let found = wilcoxon(differences);
            assert_eq!(found.statistic, statistic);
            assert_close(found.p, p, 1e-9);
            let turned: Vec<f64> = differences.iter().map(|d| -d).collect();
            assert_eq!(wilcoxon(&turned), found);
        }
    }

    /// Reference values: scipy 1.17, as above, of (i * 7919 mod 101) - shift.
    #[test]
    fn large_samples_are_those_of_scipy() {
        let values =
            |n: i64, shift: i64| -> Vec<f64> { (0..n).map(|i| (i * 7919 % 101 - shift) as f64).collect() };
        for (n, shift, p) in [
            (90, 50, 0.774_568_949_518_083_4),
            (1000, 49, 0.317_740_483_041_935_7),
            (1000, 47, 0.001_971_722_237_907_788),
            (51, 20, 5.434_224_640_622_961e-07),
        ] {
            assert_close(wilcoxon(&values(n, shift)).p, p, 1e-8);
        }
    }

    #[test]
    fn data_that_tell_nothing_have_p_1() {
        assert_eq!(wilcoxon(&[]), TestResult { statistic: 0.0, p: 1.0 });
        assert_eq!(wilcoxon(&[0.0; 100]).p, 1.0);
        assert_eq!(wilcoxon(&[-4.0]).p, 1.0);
    }

    #[test]
    fn two_failures_differ_by_nothing() {
        let inf = f64::INFINITY;
        let found = paired_differences(&[inf, inf, 2.0, 5.0], &[inf, 3.0, inf, 4.0]);
        assert_eq!(found, [0.0, inf, -inf, 1.0]);
    }
}
