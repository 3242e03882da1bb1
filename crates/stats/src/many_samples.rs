//! Whether any of several samples differs, independent or in blocks, and the correction for many tests.
//!
//! Sources: W. H. Kruskal, W. A. Wallis 1952, Use of ranks in one-criterion variance analysis,
//! doi:10.1080/01621459.1952.10483441; M. Friedman 1937, The use of ranks to avoid the assumption of normality,
//! doi:10.1080/01621459.1937.10503522; S. Holm 1979, A simple sequentially rejective multiple test procedure,
//! Scandinavian Journal of Statistics 6, 65-70.
//!
//! # Average ranks of settings over blocks, and which of them do not differ significantly
//!
//! ```text
//! rank   1        2        3        4
//!        A   B        C         D
//!        ─────────────                 A, B and C lie within one critical difference
//!                     ───────────      so do C and D
//! ```
//!
//! Sources: P. B. Nemenyi 1963, Distribution-free multiple comparisons; J. Demšar 2006, Statistical comparisons of
//! classifiers over multiple data sets, Journal of Machine Learning Research 7, 1-30.

use std::ops::Range;

use super::distribution::{chi_squared_above, normal_quantile, range_quantile, t_quantile};
use super::one_sample::{mean, squares_about};
use super::ranks::{TestResult, ranks};

/// The Kruskal-Wallis test that independent samples have one distribution. The statistic is H, corrected for ties; its
/// p-value is that of chi-squared with one degree of freedom less than samples. Empty samples are ignored; p is 1 with fewer
/// than two others or when all values are equal. O(n log n).
pub fn kruskal_wallis(samples: &[&[f64]]) -> TestResult {
    let ranked = ranks(&samples.concat());
    let n = ranked.ranks.len() as f64;
    let correction = 1.0 - ranked.ties / (n * n * n - n);
    let (mut start, mut between, mut count) = (0, 0.0, 0);
    for sample in samples {
        if sample.is_empty() {
            continue;
        }
        let mean = mean(&ranked.ranks[start..start + sample.len()]);
        between += sample.len() as f64 * (mean - (n + 1.0) / 2.0).powi(2);
        start += sample.len();
        count += 1;
    }
    if count < 2 || correction <= 0.0 {
        return TestResult { statistic: 0.0, p: 1.0 };
    }
    let statistic = 12.0 / (n * (n + 1.0)) * between / correction;
    TestResult { statistic, p: chi_squared_above(statistic, count - 1) }
}

/// The Friedman test that settings rank alike within blocks. `values` holds one row of `settings` values a block. The
/// statistic is chi-squared, corrected for ties, with `settings - 1` degrees of freedom; p is 1 without blocks, with fewer
/// than two settings, or when all values are equal in every block. O(n log settings).
///
/// # Panics
/// When the number of values is no multiple of `settings`.
pub fn friedman(values: &[f64], settings: usize) -> TestResult {
    let RankSums { sums, ties, blocks } = rank_sums(values, settings);
    let (k, n) = (settings as f64, blocks as f64);
    let correction = 1.0 - ties / (k * (k * k - 1.0) * n);
    if settings < 2 || blocks == 0 || correction <= 0.0 {
        return TestResult { statistic: 0.0, p: 1.0 };
    }
    let spread = squares_about(&sums, n * (k + 1.0) / 2.0);
    let statistic = 12.0 / (n * k * (k + 1.0)) * spread / correction;
    TestResult { statistic, p: chi_squared_above(statistic, settings - 1) }
}

/// Settings that are shown to be worse than the best by ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct WorseByRanks {
    /// The p-value of the Friedman test.
    pub p: f64,
    /// The average rank of each setting, from 1.
    pub average: Vec<f64>,
    /// Of each setting, whether it is worse.
    pub is_worse: Vec<bool>,
}

/// The Friedman test with Conover's comparisons with the best: where the test is significant at `alpha`, a setting is worse
/// whose sum of ranks exceeds the least one by more than
/// `t(1 - alpha / 2) sqrt(2 (b A - sum R^2) / ((b - 1) (k - 1)))`, A the sum of all squared ranks, b the blocks, k the
/// settings, t with (b - 1) (k - 1) degrees of freedom. `values` holds one row of `settings` values a block. O(n log settings).
///
/// Source: W. J. Conover 1999, Practical Nonparametric Statistics, section 5.8.
///
/// # Panics
/// When the number of values is no multiple of `settings`.
pub fn worse_by_ranks(values: &[f64], settings: usize, alpha: f64) -> WorseByRanks {
    let RankSums { sums, ties, blocks } = rank_sums(values, settings);
    let (k, b) = (settings as f64, blocks as f64);
    let p = friedman(values, settings).p;
    let average = sums.iter().map(|sum| sum / b.max(1.0)).collect();
    let none = vec![false; settings];
    if settings < 2 || blocks < 2 || p >= alpha {
        return WorseByRanks { p, average, is_worse: none };
    }
    // Ties take (t^3 - t) / 12 from the sum of squares of each group.
    let squares = b * k * (k + 1.0) * (2.0 * k + 1.0) / 6.0 - ties / 12.0;
    let free = (b - 1.0) * (k - 1.0);
    let within = (b * squares - squares_about(&sums, 0.0)).max(0.0);
    let least = t_quantile(normal_quantile(1.0 - alpha / 2.0), free) * (2.0 * within / free).sqrt();
    let best = sums.iter().copied().fold(f64::INFINITY, f64::min);
    let is_worse = sums.iter().map(|sum| sum - best > least).collect();
    WorseByRanks { p, average, is_worse }
}

/// Sums of ranks within blocks.
struct RankSums {
    /// One for each setting.
    sums: Vec<f64>,
    /// The sum of t^3 - t over all ties of all blocks.
    ties: f64,
    blocks: usize,
}

impl RankSums {
    /// The average rank of each setting; the middle rank without blocks.
    fn average(&self) -> Vec<f64> {
        if self.blocks == 0 {
            return vec![(self.sums.len() as f64 + 1.0) / 2.0; self.sums.len()];
        }
        self.sums.iter().map(|sum| sum / self.blocks as f64).collect()
    }

    /// The settings by average rank; of equal ones the first comes first.
    fn order(&self) -> Vec<usize> {
        let average = self.average();
        let mut order: Vec<usize> = (0..average.len()).collect();
        order.sort_by(|&a, &b| average[a].total_cmp(&average[b]));
        order
    }
}

/// Ranks each row of `settings` values.
fn rank_sums(values: &[f64], settings: usize) -> RankSums {
    assert!(settings > 0 || values.is_empty(), "values belong to settings");
    assert!(values.is_empty() || values.len().is_multiple_of(settings), "every block has all settings");
    let mut found = RankSums { sums: vec![0.0; settings], ties: 0.0, blocks: 0 };
    for row in values.chunks_exact(settings.max(1)) {
        let ranked = ranks(row);
        for (sum, rank) in found.sums.iter_mut().zip(&ranked.ranks) {
            *sum += rank;
        }
        found.ties += ranked.ties;
        found.blocks += 1;
    }
    found
}

/// Holm's adjusted p-values, in the order given: where all tests with an adjusted value of at most alpha are called
/// significant, none of them is wrong with probability 1 - alpha. O(n log n).
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    holm_among(p_values, p_values.len())
}

/// [`holm`] for some of `tests` tests; the others count as not significant.
pub fn holm_among(p_values: &[f64], tests: usize) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_unstable_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let (mut adjusted, mut largest) = (vec![0.0; p_values.len()], 0.0_f64);
    for (step, &index) in order.iter().enumerate() {
        largest = largest.max(p_values[index] * (tests - step) as f64).min(1.0);
        adjusted[index] = largest;
    }
    adjusted
}

/// Settings on the line of average ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct RankLine {
    /// The average rank of each setting, from 1 (least value) to their number; the middle rank without blocks.
    pub average: Vec<f64>,
    /// The settings by average rank, the least first.
    pub order: Vec<usize>,
    /// The critical difference: two settings whose average ranks differ by more do differ. Infinite without blocks.
    pub critical_difference: f64,
    /// The maximal groups of two or more settings none of which differ, as ranges of `order`; they may overlap.
    pub cliques: Vec<Range<usize>>,
    /// The Friedman test on the same blocks. Where it is not significant, differences on the line mean little.
    pub friedman: TestResult,
}

/// The settings by average rank, the least first, as [`rank_line`] has them, without what takes long: the critical difference.
///
/// # Panics
/// When the number of values is no multiple of `settings`.
pub fn rank_order(values: &[f64], settings: usize) -> Vec<usize> {
    rank_sums(values, settings).order()
}

/// Ranks settings within blocks (a puzzle and replicate): `values` holds one row of `settings` values a block, less is
/// better, failures infinite; `alpha` is the chance to find a difference where none is. O(n log settings).
///
/// # Panics
/// When the number of values is no multiple of `settings`.
pub fn rank_line(values: &[f64], settings: usize, alpha: f64) -> RankLine {
    let found = rank_sums(values, settings);
    let (average, order) = (found.average(), found.order());
    let critical_difference = critical_difference(settings, found.blocks, alpha);
    let line: Vec<f64> = order.iter().map(|&setting| average[setting]).collect();
    let cliques = cliques(&line, critical_difference);
    RankLine { average, order, critical_difference, cliques, friedman: friedman(values, settings) }
}

/// Nemenyi's critical difference of average ranks of `settings` over `blocks`; infinite without blocks, 0 with fewer
/// than two settings.
fn critical_difference(settings: usize, blocks: usize, alpha: f64) -> f64 {
    if settings < 2 {
        return 0.0;
    }
    if blocks == 0 {
        return f64::INFINITY;
    }
    let k = settings;
    nemenyi_quantile(k, alpha) * ((k * (k + 1)) as f64 / (6.0 * blocks as f64)).sqrt()
}

/// The critical value of the two-tailed Nemenyi test, for two settings or more: the quantile of the studentised range
/// over the root of 2.
fn nemenyi_quantile(settings: usize, alpha: f64) -> f64 {
    range_quantile(alpha, settings) / std::f64::consts::SQRT_2
}

/// The longest stretches of ascending values no two of which are more than `width` apart, of two values or more.
fn cliques(line: &[f64], width: f64) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for start in 0..line.len() {
        let end = line.partition_point(|&value| value - line[start] <= width);
        let new = found.last().is_none_or(|before| before.end < end);
        if end - start > 1 && new {
            found.push(start..end);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_close;

    /// Reference values: R 4.2, `friedman.test` and Conover's formula, whose least difference of sums is 5.1036 here.
    #[test]
    fn the_worse_are_those_of_conover() {
        let values = [
            [1.0, 2.0, 3.0, 4.0],
            [1.5, 1.2, 3.5, 9.0],
            [2.0, 2.0, 5.0, 4.0],
            [1.0, 3.0, 2.5, 8.0],
            [0.5, 1.0, 4.0, 4.0],
            [1.1, 0.9, 2.2, 7.0],
        ];
        let found = worse_by_ranks(&values.concat(), 4, 0.05);
        assert_close(found.p, 0.003_583_413, 1e-6);
        assert_eq!(found.average, [8.5, 10.5, 18.5, 22.5].map(|sum| sum / 6.0));
        assert_eq!(found.is_worse, [false, false, true, true]);
        assert_eq!(worse_by_ranks(&values.concat(), 4, 0.003).is_worse, [false; 4]);
        assert_eq!(worse_by_ranks(&[], 4, 0.05).is_worse, [false; 4]);
    }

    /// Reference values: scipy 1.17, stats.kruskal(...).
    #[test]
    fn independent_samples_are_tested_as_by_scipy() {
        let inf = f64::INFINITY;
        for (samples, statistic, p) in [
            (
                &[&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], &[7.0, 8.0, 9.0]],
                7.200_000_000_000_003,
                0.027_323_722_447_292_52,
            ),
            (
                &[&[1.0, 1.0, 2.0], &[2.0, 3.0, 3.0, 4.0], &[5.0, 5.0]],
                6.778_735_632_183_914,
                0.033_729_993_720_035_22,
            ),
            (&[&[1.0], &[2.0], &[3.0]], 2.0, 0.367_879_441_171_442_45),
            (
                &[&[10.0, 20.0, inf], &[inf, inf, inf, 30.0], &[1.0, 2.0, 3.0, 4.0, inf]],
                5.148_496_240_601_506,
                0.076_211_102_843_145_53,
            ),
        ] as [(&[&[f64]], f64, f64); _]
        {
            let found = kruskal_wallis(samples);
            assert_close(found.statistic, statistic, 1e-12);
            assert_close(found.p, p, 1e-10);
        }
    }

    /// Reference values: scipy 1.17, stats.friedmanchisquare(*columns).
    #[test]
    fn blocks_are_tested_as_by_scipy() {
        let inf = f64::INFINITY;
        for (values, settings, statistic, p) in [
            (&[1.0, 2.0, 3.0, 2.0, 3.0, 1.0, 1.0, 3.0, 2.0, 1.0, 2.0, 3.0], 3, 3.5, 0.173_773_943_450_445_1),
            (
                &[
                    1.0, 1.0, 2.0, 4.0, 2.0, 3.0, 3.0, 3.0, 5.0, inf, inf, 1.0, 1.0, 2.0, 3.0, 4.0, 0.0, 0.0,
                    0.0, 0.0,
                ],
                4,
                5.382_352_941_176_466,
                0.145_847_012_279_302_63,
            ),
            (&[1.0, 2.0, 3.0], 3, 2.0, 0.367_879_441_171_442_45),
        ] as [(&[f64], usize, f64, f64); _]
        {
            let found = friedman(values, settings);
            assert_close(found.statistic, statistic, 1e-12);
            assert_close(found.p, p, 1e-10);
        }
    }

    #[test]
    fn data_that_tell_nothing_have_p_1() {
        let none = TestResult { statistic: 0.0, p: 1.0 };
        assert_eq!(kruskal_wallis(&[]), none);
        assert_eq!(kruskal_wallis(&[&[], &[1.0, 2.0]]), none);
        assert_eq!(kruskal_wallis(&[&[4.0; 9], &[4.0; 3]]), none);
        assert_eq!(kruskal_wallis(&[&[1.0, 2.0, 9.0], &[], &[3.0, 4.0]]).statistic, {
            kruskal_wallis(&[&[1.0, 2.0, 9.0], &[3.0, 4.0]]).statistic
        });
        assert_eq!(friedman(&[], 3), none);
        assert_eq!(friedman(&[], 0), none);
        assert_eq!(friedman(&[1.0, 2.0], 1), none);
        assert_eq!(friedman(&[5.0; 12], 4), none);
    }

    /// Reference values: statsmodels 0.15, multipletests(p, method="holm").
    #[test]
    fn adjusted_values_are_those_of_statsmodels() {
        for (found, expected) in
            holm(&[0.01, 0.04, 0.03, 0.005, 0.6]).into_iter().zip([0.04, 0.09, 0.09, 0.025, 0.6])
        {
            assert_close(found, expected, 1e-12);
        }
        assert_eq!(holm(&[]), [0.0; 0]);
        assert_eq!(holm(&[0.7, 0.8]), [1.0, 1.0]);
    }

    fn clique(only: Range<usize>) -> Vec<Range<usize>> {
        std::iter::once(only).collect()
    }

    /// Table 5 of Demšar 2006, to three decimals.
    #[test]
    fn critical_values_are_those_of_the_table() {
        let at_5 = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164];
        let at_10 = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920];
        for (settings, (at_5, at_10)) in (2..).zip(at_5.into_iter().zip(at_10)) {
            // The table was rounded from tables of the range.
            assert!((nemenyi_quantile(settings, 0.05) - at_5).abs() < 1.5e-3, "{settings}");
            assert!((nemenyi_quantile(settings, 0.10) - at_10).abs() < 1.5e-3, "{settings}");
        }
    }

    /// The example of Demšar 2006, section 3.2.2: four classifiers on 14 data sets.
    #[test]
    fn the_critical_difference_is_that_of_the_example() {
        assert_close(critical_difference(4, 14, 0.05), 1.25, 5e-3);
        assert_close(critical_difference(4, 14, 0.10), 1.12, 5e-3);
    }

    #[test]
    fn cliques_are_maximal_and_may_overlap() {
        assert_eq!(cliques(&[1.0, 1.5, 2.4, 3.5], 1.5), [0..3, 2..4]);
        assert_eq!(cliques(&[1.0, 2.0, 3.0], 5.0), clique(0..3));
        assert!(cliques(&[1.0, 2.0, 3.0], 0.5).is_empty());
        assert_eq!(cliques(&[1.0, 1.0, 3.0, 3.1], 0.5), [0..2, 2..4]);
        assert!(cliques(&[], 1.0).is_empty());
    }

    #[test]
    fn settings_are_ordered_by_average_rank() {
        let inf = f64::INFINITY;
        let rows = [[3.0, 1.0, inf], [5.0, 2.0, inf], [9.0, 4.0, 7.0], [inf, 1.0, inf]].concat();
        let found = rank_line(&rows.repeat(10), 3, 0.05);
        assert_eq!(rank_order(&rows.repeat(10), 3), found.order);
        assert_eq!(found.average, [2.375, 1.0, 2.625]);
        assert_eq!((found.order, found.cliques), (vec![1, 0, 2], clique(1..3)));
        assert!(found.friedman.p < 1e-9);
    }

    #[test]
    fn without_blocks_nothing_can_be_told_apart() {
        let none = rank_line(&[], 3, 0.05);
        assert_eq!((none.average, none.cliques), (vec![2.0; 3], clique(0..3)));
        assert_eq!(rank_order(&[], 3), [0, 1, 2]);
        assert_eq!(none.critical_difference, f64::INFINITY);
        let one = rank_line(&[4.0, 2.0], 1, 0.05);
        assert_eq!((one.average, one.critical_difference), (vec![1.0], 0.0));
        assert_eq!(rank_line(&[], 0, 0.05).order, [0; 0]);
        assert_eq!(rank_line(&[1.0; 8], 4, 0.05).cliques, clique(0..4));
    }
}
