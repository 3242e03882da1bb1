//! Whether values of one sample tend to be larger than those of another when both belong to puzzles.
//!
//! Values are ranked within each puzzle; the rank sum of the first side, less its expectation, is weighed by
//! 1 / (N + 1) for N values, which is best where the effect is alike on all puzzles, and summed. No puzzle is compared
//! with another. One puzzle alone is the Mann-Whitney test.
//!
//! Sources: P. H. van Elteren 1960, On the combination of independent two-sample tests of Wilcoxon, Bulletin of the
//! International Statistical Institute 37, 351-361; E. L. Lehmann 1975, Nonparametrics, section 3.3.

use super::distribution::{LatticeSum, normal_two_sided};
use super::ranks::{TestResult, ranks};

/// The most values over all puzzles, and of one, for which the test is exact.
const EXACT: (usize, usize) = (100, 40);

/// The grid of scores is no finer than one rank in so many.
const FINEST: usize = 420;

/// The van Elteren test, two-sided: `strata[s]` holds the values of both sides on puzzle s, none NaN; infinite ones,
/// failures, tie. The statistic is the weighed sum for the first side, positive where its values are larger.
///
/// Up to 100 values, at most 40 on a puzzle, the p-value is exact given the ties: the share of all ways to deal the
/// values of each puzzle to the sides that lie as far from the expectation. Beyond, it is normal, corrected for ties. 1
/// where nothing tells. Cost: O(n log n); exact, some million steps at most.
pub fn van_elteren(strata: &[[&[f64]; 2]]) -> TestResult {
    let strata: Vec<Stratum> = strata.iter().filter_map(Stratum::new).collect();
    let (statistic, variance) = strata.iter().fold((0.0, 0.0), |(sum, variance), one| {
        let weight = 1.0 / (one.all() + 1.0);
        (sum + weight * one.excess(), variance + weight * weight * one.variance())
    });
    // Rounding leaves a hair of variance when all values are equal.
    if variance <= 1e-12 {
        return TestResult { statistic: 0.0, p: 1.0 };
    }
    let sizes = || strata.iter().map(|one| one.ranks.len());
    let is_small = sizes().sum::<usize>() <= EXACT.0 && sizes().all(|size| size <= EXACT.1);
    let p = if is_small { exact(&strata) } else { normal_two_sided(statistic / variance.sqrt()) };
    TestResult { statistic, p }
}

/// A puzzle's values, ranked.
struct Stratum {
    /// Of all values, those of the first side first.
    ranks: Vec<f64>,
    /// How many the first side has.
    first: usize,
}

impl Stratum {
    /// `None` where a side has no value.
    fn new(sides: &[&[f64]; 2]) -> Option<Self> {
        let whole = sides.iter().all(|side| !side.is_empty());
        whole.then(|| Self { ranks: ranks(&sides.concat()).ranks, first: sides[0].len() })
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
        let squares: f64 = self.ranks.iter().map(|rank| (rank - middle).powi(2)).sum();
        m * (all - m) * squares / (all * (all - 1.0))
    }

    /// Twice each rank, weighed, on a grid of whole numbers.
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
            for taken in (1..=self.first.min(dealt + 1)).rev() {
                let (before, after) = ways.split_at_mut(taken);
                let (before, after) = (&before[taken - 1], &mut after[0]);
                (score..=most).for_each(|sum| after[sum] += before[sum - score]);
            }
        }
        let found = ways.swap_remove(self.first);
        let all: f64 = found.iter().sum();
        found.iter().map(|ways| ways / all).collect()
    }
}

/// The exact p-value: scores stand for weighed ranks, without rounding where one grid fits all puzzles.
fn exact(strata: &[Stratum]) -> f64 {
    let fit = strata.iter().map(|one| one.ranks.len() + 1).fold(1, |a, b| (a / gcd(a, b) * b).min(FINEST));
    let (mut sum, mut seen) = (LatticeSum::default(), 0);
    for one in strata {
        let scores = one.scores(fit);
        seen += scores[..one.first].iter().sum::<usize>();
        sum.add(0, &one.sums(&scores));
    }
    sum.as_far(seen)
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::mann_whitney;
    use crate::stats::testing::assert_close;

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
    fn data_that_tell_nothing_have_p_1() {
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
