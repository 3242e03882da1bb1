//! Spearman's rank correlation: whether one number rises with another, whatever the curve.
//!
//! The correlation of the ranks of pairs, where equal values share the mean of their ranks; infinite values are the
//! largest and tie. Under no association every order of one side is as likely as any other: up to 8 pairs all orders are
//! counted; with more, `rho sqrt((n - 2) / (1 - rho^2))` is near Student's distribution with n - 2 degrees of freedom.
//!
//! Sources: C. Spearman 1904, The proof and measurement of association between two things, doi:10.2307/1412159;
//! M. G. Kendall, J. D. Gibbons 1990, Rank Correlation Methods, chapter 4.

use super::distribution::t_above;
use super::one_sample::mean;
use super::ranks::ranks;

/// The most pairs of which all orders are counted.
const FEW: usize = 8;

/// Spearman's correlation of pairs, from -1 to 1; `None` with fewer than 3, or where either side never varies.
pub fn spearman(pairs: &[(f64, f64)]) -> Option<f64> {
    let (first, second) = ranked(pairs);
    if pairs.len() < 3 { None } else { pearson(&first, &second) }
}

/// The chance of a correlation as far from 0 as that of the pairs, where there is no association: two-sided; 1 where there
/// is no correlation.
pub fn spearman_p(pairs: &[(f64, f64)]) -> f64 {
    let Some(rho) = spearman(pairs) else { return 1.0 };
    if pairs.len() <= FEW {
        return exact(pairs, rho);
    }
    let df = pairs.len() as f64 - 2.0;
    let t = rho.abs() * (df / (1.0 - rho * rho).max(f64::MIN_POSITIVE)).sqrt();
    (2.0 * t_above(t, df)).min(1.0)
}

/// The share of all orders of one side that correlate as much.
fn exact(pairs: &[(f64, f64)], rho: f64) -> f64 {
    let (first, mut second) = ranked(pairs);
    let (mut as_far, mut all) = (0u32, 0u32);
    each_order(&mut second, 0, &mut |order| {
        all += 1;
        // An order that correlates exactly as much may come out lower by rounding.
        as_far += u32::from(pearson(&first, order).is_some_and(|other| other.abs() >= rho.abs() - 1e-9));
    });
    f64::from(as_far) / f64::from(all)
}

/// Shows every order of the items from `start` on.
fn each_order(items: &mut [f64], start: usize, see: &mut impl FnMut(&[f64])) {
    if start + 1 >= items.len() {
        return see(items);
    }
    for other in start..items.len() {
        items.swap(start, other);
        each_order(items, start + 1, see);
        items.swap(start, other);
    }
}

/// The ranks of both sides.
fn ranked(pairs: &[(f64, f64)]) -> (Vec<f64>, Vec<f64>) {
    let (first, second): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    (ranks(&first).ranks, ranks(&second).ranks)
}

/// Pearson's correlation; `None` where either side never varies.
fn pearson(first: &[f64], second: &[f64]) -> Option<f64> {
    let (x_mean, y_mean) = (mean(first), mean(second));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y) in first.iter().zip(second) {
        let (x, y) = (x - x_mean, y - y_mean);
        (xx, yy, xy) = (xx + x * x, yy + y * y, xy + x * y);
    }
    if xx > 0.0 && yy > 0.0 { Some((xy / (xx * yy).sqrt()).clamp(-1.0, 1.0)) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_close;

    fn pairs(first: &[f64], second: &[f64]) -> Vec<(f64, f64)> {
        first.iter().copied().zip(second.iter().copied()).collect()
    }

    /// Reference values: ranks in plain Python, Student's distribution by Simpson's rule, orders counted one by one.
    #[test]
    fn results_are_those_of_plain_sums() {
        let x = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0, 5.0, 8.0];
        let y = [2.0, 7.0, 1.0, 8.0, 2.0, 8.0, 1.0, 8.0, 2.0, 8.0, 4.0, 5.0];
        let step: Vec<f64> = (0..12).map(f64::from).collect();
        let near = [1.0, 0.0, 3.0, 2.0, 7.0, 4.0, 5.0, 6.0, 11.0, 8.0, 9.0, 10.0];
        for (first, second, rho, p) in [
            (&x[..], &y[..], 0.141_579_686, 0.660_726_829),
            (&step, &near, 0.902_097_902, 5.997_857e-5),
            (&step[..6], &[2.0, 1.0, 4.0, 3.0, 6.0, 5.0], 0.828_571_429, 42.0 / 720.0),
            (&[1.0, 2.0, 2.0, 4.0, 5.0], &[2.0, 1.0, 4.0, 4.0, 6.0], 0.763_157_895, 24.0 / 120.0),
        ] {
            let pairs = pairs(first, second);
            assert_close(spearman(&pairs).expect("it varies"), rho, 1e-7);
            assert_close(spearman_p(&pairs), p, 1e-5);
        }
    }

    #[test]
    fn infinite_values_tie_as_the_largest() {
        let inf = f64::INFINITY;
        assert_eq!(spearman(&pairs(&[1.0, 2.0, 3.0, 3.0], &[5.0, 6.0, inf, inf])), Some(1.0));
    }

    #[test]
    fn without_variance_nothing_is_known() {
        assert_eq!(spearman(&pairs(&[1.0, 2.0], &[1.0, 2.0])), None);
        assert_eq!(spearman(&pairs(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0])), None);
        assert_eq!(spearman_p(&[]), 1.0);
        assert!(spearman_p(&pairs(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0])) >= 1.0 / 3.0 - 1e-9);
    }
}
