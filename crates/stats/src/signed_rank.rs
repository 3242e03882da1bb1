//! Paired differences: whether they are symmetric about 0, and by how much the values differ.
//!
//! # The signed-rank test
//!
//! Source: F. Wilcoxon 1945, Individual comparisons by ranking methods, doi:10.2307/3001968.
//!
//! # The Hodges-Lehmann shift: the median of the means of all pairs of differences
//!
//! Sources: J. L. Hodges, E. L. Lehmann 1963, Estimates of location based on rank tests, doi:10.1214/aoms/1177704172;
//! the interval, M. Hollander, D. A. Wolfe, E. Chicken 2013, Nonparametric Statistical Methods, section 3.3,
//! doi:10.1002/9781119196037.

use super::Interval;
use super::distribution::normal_two_sided;
use super::estimate::Estimate;
use super::rank_sum::{TestResult, ranks};

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

/// Replaces an infinite difference: larger than any finite one, and two of opposite sign average to 0.
const BEYOND: f64 = 1e300;

/// The Hodges-Lehmann shift of paired differences, with the interval that the signed-rank test does not reject at the
/// normal quantile `z` (large-sample ranks). From minus to plus infinity when the differences are
/// too few for `z`: fewer than 6 for 95 %.
///
/// Infinite differences, one of two failed, may make the value or an end infinite; opposite ones average to 0. `None`
/// without differences. O(n log n): means are counted, not listed.
pub fn hodges_lehmann(differences: &[f64], z: f64) -> Option<Estimate> {
    if differences.is_empty() {
        return None;
    }
    let mut sorted: Vec<f64> = differences.iter().map(|d| d.clamp(-BEYOND, BEYOND)).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let means = sorted.len() * (sorted.len() + 1) / 2;
    let low = mean_of_rank(&sorted, means.div_ceil(2));
    let high = mean_of_rank(&sorted, means / 2 + 1);
    let value = if low == high { low } else { f64::midpoint(low, high) };
    let rank = n * (n + 1.0) / 4.0 - z * (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt();
    // Below rank 1 the test rejects no shift at all, however large.
    let mut interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
    if rank >= 1.0 {
        interval.low = unclamp(mean_of_rank(&sorted, rank as usize));
        interval.high = unclamp(mean_of_rank(&sorted, means + 1 - rank as usize));
    }
    Some(Estimate { value: unclamp(value), interval })
}

fn unclamp(value: f64) -> f64 {
    if value.abs() > BEYOND / 10.0 { value.signum() * f64::INFINITY } else { value }
}

/// The `rank`-th smallest, from 1, of the means (d_i + d_j) / 2 with i <= j: the least number that as many reach.
fn mean_of_rank(sorted: &[f64], rank: usize) -> f64 {
    // Halves the range of bit patterns, not of values: 64 steps end at the mean itself, near 0 as well as near
    // the largest.
    let (mut low, mut high) = (key(sorted[0]), key(sorted[sorted.len() - 1]));
    while low < high {
        let middle = low + (high - low) / 2;
        if means_up_to(sorted, unkey(middle)) >= rank { high = middle } else { low = middle + 1 }
    }
    unkey(low)
}

/// How many means are `value` or less. O(n).
fn means_up_to(sorted: &[f64], value: f64) -> usize {
    let (mut found, mut end) = (0, sorted.len());
    for (start, &smaller) in sorted.iter().enumerate() {
        // A larger `smaller` has fewer partners, so that `end` only ever moves down.
        while end > start && f64::midpoint(smaller, sorted[end - 1]) > value {
            end -= 1;
        }
        if end <= start {
            break;
        }
        found += end - start;
    }
    found
}

/// An integer with the order of the floating-point numbers.
fn key(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

fn unkey(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Z_95;
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

    /// The slow way: all means, sorted.
    fn listed(values: &[f64]) -> Vec<f64> {
        let mut means: Vec<f64> = (0..values.len())
            .flat_map(|i| (i..values.len()).map(move |j| (i, j)))
            .map(|(i, j)| f64::midpoint(values[i], values[j]))
            .collect();
        means.sort_unstable_by(f64::total_cmp);
        means
    }

    #[test]
    fn counted_means_are_those_listed() {
        let mut values: Vec<f64> = (0..23).map(|i| f64::from(i * 17 % 23) - 9.5).collect();
        values.extend([0.0, 0.25, -3.5, -3.5]);
        let means = listed(&values);
        values.sort_unstable_by(f64::total_cmp);
        for (index, &mean) in means.iter().enumerate() {
            assert_eq!(mean_of_rank(&values, index + 1), mean);
        }
    }

    /// Reference values: numpy 2.4, median and order statistics of all means.
    #[test]
    fn shifts_are_those_of_all_means() {
        let darwin =
            [49.0, -67.0, 8.0, 16.0, 6.0, 23.0, 28.0, 41.0, 14.0, 29.0, 56.0, 24.0, 75.0, 60.0, -48.0];
        let found = hodges_lehmann(&darwin, Z_95).expect("differences");
        assert_eq!(found.value, 25.0);
        assert_eq!(found.interval, Interval { low: 0.5, high: 42.0 });
    }

    #[test]
    fn a_hundred_thousand_differences_are_no_trouble() {
        let values: Vec<f64> = (0..100_000).map(|i| f64::from(i * 7919 % 100_003)).collect();
        let found = hodges_lehmann(&values, Z_95).expect("differences");
        assert!((found.value - 50_000.0).abs() < 50.0);
        assert!(found.interval.high - found.interval.low < 500.0);
    }

    #[test]
    fn failures_are_beyond_all_differences() {
        let inf = f64::INFINITY;
        assert_eq!(hodges_lehmann(&[], Z_95), None);
        let worse = hodges_lehmann(&[inf; 8], Z_95).expect("differences");
        assert_eq!(worse, Estimate { value: inf, interval: Interval { low: inf, high: inf } });
        assert_eq!(hodges_lehmann(&[-inf; 8], Z_95).expect("differences").value, -inf);
        assert_eq!(hodges_lehmann(&[inf, -inf], Z_95).expect("differences").value, 0.0);
        assert_eq!(
            hodges_lehmann(&[5.0; 9], Z_95).expect("values").interval,
            Interval { low: 5.0, high: 5.0 }
        );
    }
}
