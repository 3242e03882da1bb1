//! Rank-sum tests: whether values of one sample tend to be larger than those of another.
//!
//! # Two samples: the Mann-Whitney test
//!
//! Sources: H. B. Mann, D. R. Whitney 1947, On a test of whether one of two random variables is stochastically larger
//! than the other, doi:10.1214/aoms/1177730491; the correction for ties, E. L. Lehmann 1975, Nonparametrics,
//! section 1.4.
//!
//! # Two samples within puzzles: the van Elteren test
//!
//! Values are ranked within each puzzle. The rank sum of the first side less its expectation is weighted by 1 / (N + 1) for
//! N values, which is best where the effect is the same on all puzzles, and added up. No puzzle is compared with another.
//! On one puzzle this is the Mann-Whitney test.
//!
//! Sources: P. H. van Elteren 1960, On the combination of independent two-sample tests of Wilcoxon, Bulletin of the
//! International Statistical Institute 37, 351-361; E. L. Lehmann 1975, Nonparametrics, section 3.3.

use super::distribution::{LatticeSum, normal_two_sided};
use super::one_sample::squares_about;

/// Ranks from 1 in the order of the values, and the correction for ties.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ranks {
    /// The rank of each value; equal values, infinite ones among them, share the mean of their ranks.
    pub(crate) ranks: Vec<f64>,
    /// The sum over groups of t equal values of t^3 - t; 0 exactly without ties.
    pub(crate) ties: f64,
}

/// Ranks values, none NaN. O(n log n).
pub(crate) fn ranks(values: &[f64]) -> Ranks {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]));
    let (mut ranks, mut ties, mut start) = (vec![0.0; values.len()], 0.0, 0);
    for equal in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let size = equal.len() as f64;
        let shared = start as f64 + (size + 1.0) / 2.0;
        for &index in equal {
            ranks[index] = shared;
        }
        ties += size * size * size - size;
        start += equal.len();
    }
    Ranks { ranks, ties }
}

/// The ranks of values, from 1; equal values share the mean of their ranks. O(n log n).
pub fn mid_ranks(values: &[f64]) -> Vec<f64> {
    ranks(values).ranks
}

/// The result of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestResult {
    /// The statistic that the test documents.
    pub statistic: f64,
    /// The two-sided p-value, from 0 to 1, never NaN; 1 where the data say nothing.
    pub p: f64,
}

/// The largest size of the smaller sample for which the test is exact, without ties.
const EXACT: usize = 8;

/// The Mann-Whitney U test, two-sided. The statistic is U of the first sample: the pairs in which its value is larger,
/// ties counting half.
///
/// Values are not NaN; infinite ones, failures, tie. Without ties and with 8 values or fewer in one sample the
/// p-value is exact, otherwise normal with corrections for ties and continuity, as in scipy's `auto`; 1 when a
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
    // Rounding leaves a tiny variance when all values are equal.
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
/// subtraction cancels little.
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

/// The most values over all puzzles for which the van Elteren test is exact.
const EXACT_IN_ALL: usize = 100;

/// The most values of one puzzle for which it is.
const EXACT_OF_ONE: usize = 40;

/// The finest grid of scores: steps for one rank.
const FINEST: usize = 420;

/// The van Elteren test, two-sided: `strata[s]` holds the values of both sides on puzzle s, none NaN; infinite ones,
/// failures, tie. The statistic is the weighted sum for the first side, positive where its values are larger.
///
/// Up to 100 values, at most 40 on a puzzle, the p-value is exact given the ties: of all ways to deal the values of each
/// puzzle to the sides, the share at least as far from the expectation. Beyond, it is normal, corrected for ties; 1 without
/// informative puzzles. Cost: O(n log n); exact, some million steps at most.
pub fn van_elteren(strata: &[[&[f64]; 2]]) -> TestResult {
    let strata: Vec<RankedStratum> = strata.iter().filter_map(RankedStratum::new).collect();
    let (mut statistic, mut variance) = (0.0, 0.0);
    let (mut values, mut largest) = (0, 0);
    for one in &strata {
        let weight = 1.0 / (one.all() + 1.0);
        statistic += weight * one.excess();
        variance += weight * weight * one.variance();
        values += one.ranks.len();
        largest = largest.max(one.ranks.len());
    }
    // Rounding leaves a tiny variance when all values are equal.
    if variance <= 1e-12 {
        return TestResult { statistic: 0.0, p: 1.0 };
    }
    let is_small = values <= EXACT_IN_ALL && largest <= EXACT_OF_ONE;
    let p = if is_small { exact_within(&strata) } else { normal_two_sided(statistic / variance.sqrt()) };
    TestResult { statistic, p }
}

/// A puzzle's values, ranked.
struct RankedStratum {
    /// Those of the first side come first.
    ranks: Vec<f64>,
    /// The number of values of the first side.
    first: usize,
}

impl RankedStratum {
    /// `None` where a side has no value.
    fn new(sides: &[&[f64]; 2]) -> Option<Self> {
        if sides[0].is_empty() || sides[1].is_empty() {
            return None;
        }
        Some(Self { ranks: ranks(&sides.concat()).ranks, first: sides[0].len() })
    }

    fn all(&self) -> f64 {
        self.ranks.len() as f64
    }

    /// The rank sum of the first side beyond its expectation.
    fn excess(&self) -> f64 {
        let sum: f64 = self.ranks[..self.first].iter().sum();
        sum - self.first as f64 * (self.all() + 1.0) / 2.0
    }

    /// The variance of the rank sum over all ways to deal the ranks.
    fn variance(&self) -> f64 {
        let (m, all, middle) = (self.first as f64, self.all(), f64::midpoint(self.all(), 1.0));
        m * (all - m) * squares_about(&self.ranks, middle) / (all * (all - 1.0))
    }

    /// Twice each weighted rank, on a grid of whole numbers.
    fn scores(&self, grid: usize) -> Vec<usize> {
        let scale = grid as f64 / (self.all() + 1.0);
        self.ranks.iter().map(|rank| (2.0 * rank * scale).round() as usize).collect()
    }

    /// The probability of every sum of the first side's scores, from 0.
    fn sums(&self, scores: &[usize]) -> Vec<f64> {
        let most: usize = scores.iter().sum();
        let mut ways = vec![vec![0.0; most + 1]; self.first + 1];
        ways[0][0] = 1.0;
        for (dealt, &score) in scores.iter().enumerate() {
            // Downwards, so that what a value is added to has not been given the same value yet.
            for taken in (1..=self.first.min(dealt + 1)).rev() {
                let (before, after) = ways.split_at_mut(taken);
                let (before, after) = (&before[taken - 1], &mut after[0]);
                for sum in score..=most {
                    after[sum] += before[sum - score];
                }
            }
        }
        let mut found = ways.swap_remove(self.first);
        let all: f64 = found.iter().sum();
        for ways in &mut found {
            *ways /= all;
        }
        found
    }
}

/// The exact p-value. Scores stand for weighted ranks, without rounding where one grid fits all puzzles.
fn exact_within(strata: &[RankedStratum]) -> f64 {
    // The least common multiple of the sizes plus 1.
    let mut fit = 1;
    for one in strata {
        let mut common = fit;
        while common % (one.ranks.len() + 1) != 0 {
            common += fit;
        }
        fit = common.min(FINEST);
    }
    let (mut sum, mut seen) = (LatticeSum::default(), 0);
    for one in strata {
        let scores = one.scores(fit);
        seen += scores[..one.first].iter().sum::<usize>();
        sum.add(0, &one.sums(&scores));
    }
    sum.as_far(seen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_close;

    #[test]
    fn equal_values_share_the_mean_of_their_ranks() {
        let inf = f64::INFINITY;
        let found = ranks(&[3.0, inf, 1.0, 3.0, inf, 3.0]);
        assert_eq!(found, Ranks { ranks: vec![3.0, 5.5, 1.0, 3.0, 5.5, 3.0], ties: 24.0 + 6.0 });
        assert_eq!(ranks(&[0.0, -0.0]), Ranks { ranks: vec![1.5, 1.5], ties: 6.0 });
        assert_eq!(ranks(&[]), Ranks { ranks: vec![], ties: 0.0 });
    }

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

    /// Reference values: all ways to deal the ranks, in fractions in Python.
    #[test]
    fn exact_values_are_those_of_all_ways() {
        let inf = f64::INFINITY;
        let three: [[&[f64]; 2]; 3] = [
            [&[1.0, 5.0, 9.0], &[3.0, 4.0, 7.0, 8.0]],
            [&[2.0, 2.0, 6.0], &[2.0, 9.0, 11.0]],
            [&[1.0], &[4.0]],
        ];
        let found = van_elteren(&three);
        assert_close(found.statistic, -0.523_809_523_809_523_8, 1e-12);
        assert_close(found.p, 0.31, 1e-12);
        let tied: [[&[f64]; 2]; 2] =
            [[&[10.0, inf, inf], &[5.0, 7.0, inf, inf]], [&[3.0, 8.0, 20.0], &[1.0, 2.0, 8.0, 4.0]]];
        assert_close(van_elteren(&tied).p, 0.170_612_244_897_959_18, 1e-12);
    }

    /// Reference values: scipy 1.17, stats.rankdata and norm.sf, put together in Python.
    #[test]
    fn large_values_are_those_of_the_normal() {
        for (shift, statistic, p) in [
            (0, 0.147_058_823_529_411_63, 0.951_643_618_534_628_3),
            (9, -5.833_333_333_333_334, 0.016_152_855_627_500_32),
        ] {
            let first =
                |j: u64| -> Vec<f64> { (0..20).map(|i| ((i * 7919 + j * 131) % 101) as f64).collect() };
            let second = |j: u64| -> Vec<f64> {
                (0..30).map(|i| ((i * 104_729 + j * 17) % 101 + shift) as f64).collect()
            };
            let values: Vec<[Vec<f64>; 2]> = (0..6).map(|j| [first(j), second(j)]).collect();
            let strata: Vec<[&[f64]; 2]> = values.iter().map(|[a, b]| [&a[..], &b[..]]).collect();
            let found = van_elteren(&strata);
            assert_close(found.statistic, statistic, 1e-9);
            assert_close(found.p, p, 1e-7);
        }
    }

    #[test]
    fn one_puzzle_is_the_mann_whitney_test() {
        let (first, second) = ([1.0, 5.0, 9.0, 2.5], [3.0, 4.0, 7.0, 8.0, 6.0, 0.0]);
        assert_close(van_elteren(&[[&first, &second]]).p, mann_whitney(&first, &second).p, 1e-12);
    }

    #[test]
    fn easy_and_hard_runs_in_other_numbers_show_nothing() {
        let easy: Vec<f64> = (0..100).map(|i| f64::from(i * 37 % 101)).collect();
        let hard: Vec<f64> = (0..100).map(|i| 1000.0 + f64::from(i * 53 % 101)).collect();
        let found = van_elteren(&[[&easy, &easy[..20]], [&hard[..20], &hard]]);
        assert!(found.p > 0.5, "{found:?}");
        let (one, two) = ([&easy[..], &hard[..20]].concat(), [&easy[..20], &hard].concat());
        assert!(mann_whitney(&one, &two).p < 1e-9, "pooled, the test says nonsense");
    }

    #[test]
    fn puzzles_that_tell_nothing_have_p_1() {
        let inf = [f64::INFINITY; 4];
        let nothing: [&[[&[f64]; 2]]; 4] =
            [&[], &[[&[1.0], &[]]], &[[&inf, &inf]], &[[&[2.0; 90], &[2.0; 90]]]];
        for strata in nothing {
            assert_eq!(van_elteren(strata), TestResult { statistic: 0.0, p: 1.0 });
        }
        assert_eq!(van_elteren(&[[&[1.0], &[2.0]]]).p, 1.0);
    }

    #[test]
    fn one_run_a_puzzle_is_the_sign_test() {
        let (low, high): (&[f64], &[f64]) = (&[1.0], &[2.0]);
        let mut strata = vec![[low, high]; 9];
        strata.push([high, low]);
        assert_close(van_elteren(&strata).p, 22.0 / 1024.0, 1e-12);
    }
}
