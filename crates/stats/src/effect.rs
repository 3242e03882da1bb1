//! A12, and means over puzzles of values from 0 to 1.
//!
//! # A12: how often a value of one sample is larger than one of another
//!
//! Sources: A. Vargha, H. D. Delaney 2000, A critique and improvement of the CL common language effect size statistics
//! of McGraw and Wong, doi:10.3102/10769986025002101; R. G. Newcombe 2006, Confidence intervals for an effect size
//! measure based on the Mann-Whitney statistic, part 2, method 5, doi:10.1002/sim.2324.
//!
//! # The mean over puzzles, about these puzzles and about the next one
//!
//! Every puzzle counts alike. A share solved is the mean of zeros and ones, PAR-10 over ten budgets the mean of penalised
//! times, A12 a mean of comparisons. One interval serves all three: Wilson's, with the variance v of one value in place of
//! p (1 - p), and with the number of values N that gives the mean its variance:
//!
//! ```text
//! (N p + z^2 / 2 ± z sqrt(N v + z^2 / 4)) / (N + z^2)
//! ```
//!
//! *These* puzzles: N is k^2 / sum of 1 / n_s, and v the mean variance within the k puzzles. Each of
//! these is at least that with one value more that varies like all puzzles together, which matters where runs are few. A
//! puzzle with one run takes the variance of all puzzles together, which is too wide where they differ. For one puzzle of zeros and ones this is Wilson's
//! interval.
//!
//! The *next* puzzle of the kind: the puzzles are the sample, N is their number and v the variance of their means. An event
//! that none of k puzzles showed may still occur on one in k: 102 puzzles that are all solved bound the share of others at
//! some 3 %. Where puzzles hardly differ the centre lies too near to 1/2, so the interval also contains Student's and that of
//! these puzzles.
//!
//! Sources: E. B. Wilson 1927, doi:10.1080/01621459.1927.10502953; for strata, X. Yan, X. G. Su 2010, Stratified Wilson
//! and Newcombe confidence intervals for multiple binomial proportions, doi:10.1198/sbr.2009.0049; the variance of A12,
//! E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson 1988, doi:10.2307/2531595.

use std::cmp::Ordering;

use super::distribution::{boundary, t_quantile};
use super::one_sample::{mean, squares_about};
use super::ranks::ranks;
use super::{Estimate, Interval};

/// Vargha and Delaney's A12: the probability that a value of the first sample is larger than one of the second, ties
/// counting half. 0.5 is no effect; for times, the first is faster below 0.5. Failures are infinite and tie.
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
    let is_inside = |theta: f64| (value - theta).powi(2) <= z * z * variance(theta, m, n);
    let low = if value == 0.0 { 0.0 } else { boundary(0.0, value, 60, is_inside) };
    let high = if value == 1.0 { 1.0 } else { boundary(1.0, value, 60, is_inside) };
    Estimate { value, interval: Interval { low, high } }
}

/// The variance of the estimate where the truth is `theta`: that of exponential samples (J. A. Hanley, B. J. McNeil
/// 1982), with both sample sizes replaced by their mean in the covariance terms.
fn variance(theta: f64, m: f64, n: f64) -> f64 {
    let others = (m + n) / 2.0 - 1.0;
    let covariance = (1.0 - theta) / (2.0 - theta) + theta / (1.0 + theta);
    theta * (1.0 - theta) * (1.0 + others * covariance) / (m * n)
}

/// A mean over puzzles with its two intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverPuzzles {
    /// The mean of the means of the puzzles.
    pub value: f64,
    /// For the mean that more runs on these puzzles would show.
    pub these: Interval,
    /// For the mean over all puzzles of the kind, of which these are a sample.
    pub next: Interval,
}

impl OverPuzzles {
    /// The mean with the interval about these puzzles.
    pub fn on_these(&self) -> Estimate {
        Estimate { value: self.value, interval: self.these }
    }
}

/// The mean over puzzles of values from 0 to 1: `strata[s]` holds the independent values of puzzle s, one or more, of
/// runs or of blocks of runs. For the normal quantile `z`; `None` without a puzzle.
pub fn mean_over_puzzles(strata: &[impl AsRef<[f64]>], z: f64) -> Option<OverPuzzles> {
    let mut parts = Vec::new();
    for values in strata {
        let values = values.as_ref();
        if !values.is_empty() {
            let n = values.len() as f64;
            let square = values.iter().map(|value| value * value).sum::<f64>() / n;
            parts.push(PuzzleMoments { n, mean: mean(values), square });
        }
    }
    over(&parts, z)
}

/// A12 over puzzles: the probability that a value of the first is larger than one of the second on the same puzzle, ties
/// counting half. Of one puzzle the interval is that of [`a12`]; `None` where no puzzle has values of both.
pub fn a12_over_puzzles(strata: &[[impl AsRef<[f64]>; 2]], z: f64) -> Option<OverPuzzles> {
    let (mut parts, mut last) = (Vec::new(), None);
    for sides in strata {
        let [first, second] = sides.each_ref().map(AsRef::as_ref);
        if !first.is_empty() && !second.is_empty() {
            parts.push(comparisons(first, second));
            last = Some([first, second]);
        }
    }
    let mut found = over(&parts, z)?;
    if let ([_], Some([first, second])) = (&parts[..], last) {
        found.these = a12(first, second, z).interval;
    }
    Some(found)
}

/// Student's interval of the mean over puzzles from the spread within each, for the normal quantile `z`. It is the one that holds
/// where values lie close together at one end of their range, to which Wilson's interval is drawn. Unbounded if all puzzles
/// together have a single value.
pub fn student_over_puzzles(strata: &[impl AsRef<[f64]>], z: f64) -> Interval {
    let count = strata.len() as f64;
    let all: Vec<f64> = strata.iter().flat_map(AsRef::as_ref).copied().collect();
    let value = strata.iter().map(|values| mean(values.as_ref())).sum::<f64>() / count;
    let spread = squares_about(&all, mean(&all)) / (all.len() as f64 - 1.0);
    let (mut variance, mut freedom) = (0.0, 0.0);
    for values in strata {
        let values = values.as_ref();
        let n = values.len() as f64;
        // A single value shows no spread within its puzzle.
        let within = if n > 1.0 { squares_about(values, mean(values)) / (n - 1.0) } else { spread };
        variance += within / n / (count * count);
        freedom += n - 1.0;
    }
    let freedom = if freedom > 0.0 { freedom } else { all.len() as f64 - 1.0 };
    let half = if freedom > 0.0 { t_quantile(z, freedom) * variance.sqrt() } else { f64::INFINITY };
    Interval { low: value - half, high: value + half }
}

/// The moments of the values of one puzzle.
struct PuzzleMoments {
    /// Independent values.
    n: f64,
    mean: f64,
    /// The mean of their squares.
    square: f64,
}

/// A12 of a puzzle as the mean of as many values as the smaller sample has. They vary so that their mean has the variance of
/// A12.
fn comparisons(first: &[f64], second: &[f64]) -> PuzzleMoments {
    // In order, so that each value is compared by two searches and not with all values.
    let [sorted_first, sorted_second] = [first, second].map(sorted);
    let of_first: Vec<f64> =
        first.iter().map(|value| share(&sorted_second, *value, Ordering::Less)).collect();
    let of_second: Vec<f64> =
        second.iter().map(|value| share(&sorted_first, *value, Ordering::Greater)).collect();
    let mean = mean(&of_first);
    let n = first.len().min(second.len()) as f64;
    // `PuzzleMoments::variance` corrects for one degree of freedom.
    let own = (variance_of_mean(&of_first, mean) + variance_of_mean(&of_second, mean)) * (n - 1.0);
    PuzzleMoments { n, mean, square: mean * mean + own }
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

/// The share of ascending values that stand on this side of another, ties counting half.
fn share(sorted: &[f64], other: f64, side: Ordering) -> f64 {
    let less = sorted.partition_point(|value| value.total_cmp(&other) == Ordering::Less);
    let ties = sorted[less..].partition_point(|value| value.total_cmp(&other) == Ordering::Equal);
    let count = if side == Ordering::Less { less } else { sorted.len() - less - ties };
    (count as f64 + ties as f64 / 2.0) / sorted.len() as f64
}

fn variance_of_mean(values: &[f64], mean: f64) -> f64 {
    squares_about(values, mean) / (values.len() as f64 - 1.0).max(1.0) / values.len() as f64
}

/// The mean over puzzles with its intervals; `None` without a puzzle.
fn over(parts: &[PuzzleMoments], z: f64) -> Option<OverPuzzles> {
    if parts.is_empty() {
        return None;
    }
    let count = parts.len() as f64;
    let value = mean_over(parts, |part| part.mean);
    let square = mean_over(parts, |part| part.square);
    let all = (square - value * value).max(0.0);
    // `count / inverse` values that vary by `within` give the mean the variance that the puzzles, with their
    // own numbers of runs, give it.
    let inverse = mean_over(parts, |part| 1.0 / part.n);
    let within = mean_over(parts, |part| part.variance(value, square, all) / part.n) / inverse;
    let these = wilson(value, count / inverse, within.min(all), z);
    let between = (mean_over(parts, |part| part.mean * part.mean) - value * value).max(0.0);
    let next = wilson(value, count, between, z);
    let freedom = (count - 1.0).max(1.0);
    let half = t_quantile(z, freedom) * (between / freedom).sqrt();
    let low = next.low.min(these.low).min(value - half).max(0.0);
    let high = next.high.max(these.high).max(value + half).min(1.0);
    Some(OverPuzzles { value, these, next: Interval { low, high } })
}

fn mean_over(parts: &[PuzzleMoments], of: impl Fn(&PuzzleMoments) -> f64) -> f64 {
    parts.iter().map(of).sum::<f64>() / parts.len() as f64
}

impl PuzzleMoments {
    /// The variance of one value within the puzzle: the unbiased one, or that with one value more that varies like `all`
    /// puzzles together, whichever is larger.
    fn variance(&self, mean: f64, square: f64, all: f64) -> f64 {
        if self.n <= 1.0 {
            return all;
        }
        let own = (self.square - self.mean * self.mean) * self.n / (self.n - 1.0);
        let wider_mean = (self.n * self.mean + mean) / (self.n + 1.0);
        let wider_square = (self.n * self.square + square) / (self.n + 1.0);
        own.max(wider_square - wider_mean.powi(2))
    }
}

/// Wilson's interval of the mean of `n` values between 0 and 1 with this variance.
fn wilson(mean: f64, n: f64, variance: f64, z: f64) -> Interval {
    let (denominator, centre) = (n + z * z, n * mean + z * z / 2.0);
    let half = z * (n * variance + z * z / 4.0).sqrt();
    // Rounding could move an end away from 0 or 1.
    let low = if mean <= 0.0 { 0.0 } else { ((centre - half) / denominator).max(0.0) };
    let high = if mean >= 1.0 { 1.0 } else { ((centre + half) / denominator).min(1.0) };
    Interval { low, high }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Z_95;
    use crate::testing::assert_close;

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

    fn share(solved: usize, runs: usize) -> Vec<f64> {
        (0..runs).map(|run| f64::from(u8::from(run < solved))).collect()
    }

    fn found(strata: &[Vec<f64>]) -> OverPuzzles {
        mean_over_puzzles(strata, Z_95).expect("a puzzle")
    }

    #[test]
    fn one_puzzle_of_zeros_and_ones_is_wilsons() {
        let (own, known) = (found(&[share(7, 20)]), crate::wilson(7, 20, Z_95));
        assert_close(own.these.low, known.low, 1e-12);
        assert_close(own.these.high, known.high, 1e-12);
        assert!(own.next.low < 0.15 && own.next.high > 0.85, "one puzzle tells little of the next");
    }

    #[test]
    fn one_run_a_puzzle_is_wilson_over_all_runs() {
        let strata: Vec<Vec<f64>> = (0..30).map(|puzzle| share(usize::from(puzzle < 21), 1)).collect();
        let (own, known) = (found(&strata), crate::wilson(21, 30, Z_95));
        assert_close(own.these.low, known.low, 1e-12);
        assert_close(own.these.high, known.high, 1e-12);
        assert!(own.next.low <= own.these.low && own.these.high <= own.next.high);
    }

    #[test]
    fn all_of_many_puzzles_solved_bounds_the_unsolvable_ones() {
        let own = found(&vec![share(10, 10); 102]);
        assert_eq!((own.value, own.these.high, own.next.high), (1.0, 1.0, 1.0));
        assert!((0.0037..0.0038).contains(&(1.0 - own.these.low)), "{own:?}");
        assert!((0.036..0.037).contains(&(1.0 - own.next.low)), "{own:?}");
        let mut all_but_one = vec![share(10, 10); 101];
        all_but_one.push(share(9, 10));
        assert!((found(&all_but_one).next.low - own.next.low).abs() < 0.002, "one run more changes little");
    }

    #[test]
    fn puzzles_that_differ_are_known_better_than_their_runs_together() {
        let own = found(&[vec![share(20, 20); 5], vec![share(0, 20); 5]].concat());
        let pooled = crate::wilson(100, 200, Z_95);
        assert_eq!(own.value, 0.5);
        assert!(own.these.high - own.these.low < 0.6 * (pooled.high - pooled.low), "{own:?}");
        assert!(own.next.high - own.next.low > 0.4, "{own:?}");
    }

    #[test]
    fn nothing_is_ever_nan() {
        assert_eq!(mean_over_puzzles(&[] as &[[f64; 0]], Z_95), None);
        assert_eq!(mean_over_puzzles(&[[]], Z_95), None);
        assert_eq!(a12_over_puzzles(&[[vec![1.0], vec![]]], Z_95), None);
        for strata in [vec![vec![1.0]], vec![vec![0.0]; 3], vec![vec![0.5, 0.5], vec![1.0]]] {
            let own = found(&strata);
            for end in [own.these.low, own.these.high, own.next.low, own.next.high] {
                assert!((0.0..=1.0).contains(&end), "{own:?}");
            }
            assert!(own.these.low <= own.value && own.value <= own.these.high, "{own:?}");
        }
    }

    #[test]
    fn a12_of_one_run_a_puzzle_is_as_wide_as_the_signs_of_as_many() {
        let (low, high): (&[f64], &[f64]) = (&[1.0], &[f64::INFINITY]);
        let strata = [vec![[high, low]; 12], vec![[low, high]; 8]].concat();
        let own = a12_over_puzzles(&strata, Z_95).expect("puzzles");
        let known = crate::wilson(12, 20, Z_95);
        assert_close(own.value, 0.6, 1e-12);
        assert_close(own.these.low, known.low, 1e-12);
        let one = a12_over_puzzles(&[[vec![1.0, 4.0, 9.0], vec![2.0, 3.0]]], Z_95).expect("a puzzle");
        assert_eq!(one.these, a12(&[1.0, 4.0, 9.0], &[2.0, 3.0], Z_95).interval);
    }
}
