//! Average ranks of settings over blocks, and which of them cannot be told apart.
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

use super::friedman;
use super::many_samples::rank_sums;
use super::ranks::TestResult;
use super::studentised_range::range_quantile;

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
    /// The Friedman test on the same blocks. Where it finds nothing, differences on the line mean little.
    pub friedman: TestResult,
}

/// Ranks settings within blocks (a puzzle and replicate): `values` holds one row of `settings` values a block, less is
/// better, failures infinite; `alpha` is the chance to tell apart any two that do not differ. O(n log settings).
///
/// # Panics
/// When the values are no whole number of rows.
pub fn rank_line(values: &[f64], settings: usize, alpha: f64) -> RankLine {
    let found = rank_sums(values, settings);
    let middle = (settings as f64 + 1.0) / 2.0;
    let average: Vec<f64> = found
        .sums
        .iter()
        .map(|sum| if found.blocks > 0 { sum / found.blocks as f64 } else { middle })
        .collect();
    let mut order: Vec<usize> = (0..settings).collect();
    order.sort_by(|&a, &b| average[a].total_cmp(&average[b]));
    let critical_difference = critical_difference(settings, found.blocks, alpha);
    let line: Vec<f64> = order.iter().map(|&setting| average[setting]).collect();
    let cliques = cliques(&line, critical_difference);
    RankLine { average, order, critical_difference, cliques, friedman: friedman(values, settings) }
}

/// Nemenyi's critical difference of average ranks of `settings` over `blocks`; infinite without blocks, 0 with fewer
/// than two settings.
fn critical_difference(settings: usize, blocks: usize, alpha: f64) -> f64 {
    match (settings, blocks) {
        (0 | 1, _) => 0.0,
        (_, 0) => f64::INFINITY,
        (k, n) => nemenyi_quantile(k, alpha) * ((k * (k + 1)) as f64 / (6.0 * n as f64)).sqrt(),
    }
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
    use crate::stats::testing::assert_close;

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
        assert_eq!(found.average, [2.375, 1.0, 2.625]);
        assert_eq!((found.order, found.cliques), (vec![1, 0, 2], clique(1..3)));
        assert!(found.friedman.p < 1e-9);
    }

    #[test]
    fn without_blocks_nothing_can_be_told_apart() {
        let none = rank_line(&[], 3, 0.05);
        assert_eq!((none.average, none.cliques), (vec![2.0; 3], clique(0..3)));
        assert_eq!(none.critical_difference, f64::INFINITY);
        let one = rank_line(&[4.0, 2.0], 1, 0.05);
        assert_eq!((one.average, one.critical_difference), (vec![1.0], 0.0));
        assert_eq!(rank_line(&[], 0, 0.05).order, [0; 0]);
        assert_eq!(rank_line(&[1.0; 8], 4, 0.05).cliques, clique(0..4));
    }
}
