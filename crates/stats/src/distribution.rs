//! Tail areas and quantiles of the distributions that the tests use.
//!
//! # The range of normal values, for Nemenyi's critical difference
//!
//! Source: E. S. Pearson, H. O. Hartley 1942, The probability integral of the range in samples of n observations from a
//! normal population, doi:10.1093/biomet/32.3-4.301.

use std::f64::consts::{PI, SQRT_2};

use statrs::function::{beta, erf, gamma};

/// The standard normal quantile of `p` from 0 to 1; infinite at the ends.
pub fn normal_quantile(p: f64) -> f64 {
    -SQRT_2 * erf::erfc_inv(2.0 * p)
}

/// The area of both tails of the standard normal beyond `z`.
pub(crate) fn normal_two_sided(z: f64) -> f64 {
    erf::erfc(z.abs() / SQRT_2).min(1.0)
}

/// The quantile of Student's distribution with the same tail areas as `z` has in the normal one.
pub(crate) fn t_quantile(z: f64, df: f64) -> f64 {
    let tail = normal_two_sided(z).clamp(f64::MIN_POSITIVE, 1.0);
    let x = beta::inv_beta_reg(df / 2.0, 0.5, tail);
    if x > 0.0 { (df * (1.0 - x) / x).sqrt() } else { f64::INFINITY }
}

/// The value that Fisher's F with `k` and `n` degrees of freedom exceeds with probability `alpha`, above 0.
pub(crate) fn f_quantile_above(alpha: f64, k: f64, n: f64) -> f64 {
    let x = beta::inv_beta_reg(n / 2.0, k / 2.0, alpha);
    if x > 0.0 { n * (1.0 - x) / (k * x) } else { f64::INFINITY }
}

/// The quantile of `p` of the beta distribution.
pub(crate) fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    beta::inv_beta_reg(a, b, p)
}

/// The area of Student's distribution above `t`.
pub(crate) fn t_above(t: f64, df: f64) -> f64 {
    let tail = beta::beta_reg(df / 2.0, 0.5, df / (df + t * t)) / 2.0;
    if t >= 0.0 { tail } else { 1.0 - tail }
}

/// The area of the chi-squared distribution with `df` degrees of freedom above `x`; 1 for 0 degrees.
pub(crate) fn chi_squared_above(x: f64, df: usize) -> f64 {
    if x <= 0.0 || df == 0 { 1.0 } else { gamma::gamma_ur(df as f64 / 2.0, x / 2.0) }
}

/// The probabilities of `low..=high` from their ratios: `ratio(i)` is that of `i + 1` to `i`, falling from above 1 to
/// below 1. Products start at the mode, so that nothing overflows; far tails become 0.
pub(crate) fn unimodal(low: usize, high: usize, ratio: impl Fn(usize) -> f64) -> Vec<f64> {
    // The ratio falls and passes 1 once: that is the mode, and halving finds it.
    let (mut first, mut last) = (low, high);
    while first < last {
        let middle = usize::midpoint(first, last);
        if ratio(middle) > 1.0 { first = middle + 1 } else { last = middle }
    }
    let mode = first - low;
    let mut weights = vec![1.0; high - low + 1];
    for i in mode + 1..weights.len() {
        weights[i] = weights[i - 1] * ratio(low + i - 1);
    }
    for i in (0..mode).rev() {
        weights[i] = weights[i + 1] / ratio(low + i);
    }
    let total: f64 = weights.iter().sum();
    for weight in &mut weights {
        *weight /= total;
    }
    weights
}

/// The probabilities of 0 to `n` successes in `n` trials that succeed with `p`, strictly between 0 and 1.
pub(crate) fn binomial(n: usize, p: f64) -> Vec<f64> {
    unimodal(0, n, |i| (n - i) as f64 / (i + 1) as f64 * p / (1.0 - p))
}

/// Tails of sums with at most this probability are dropped.
const NEGLIGIBLE: f64 = 1e-18;

/// The distribution of a sum of independent whole numbers, added one at a time.
#[derive(Clone, Debug)]
pub(crate) struct LatticeSum {
    low: usize,
    probabilities: Vec<f64>,
}

impl Default for LatticeSum {
    /// The empty sum: 0.
    fn default() -> Self {
        Self { low: 0, probabilities: vec![1.0] }
    }
}

impl LatticeSum {
    /// Adds a number that takes `low`, `low + 1`, ... with these probabilities.
    pub(crate) fn add(&mut self, low: usize, probabilities: &[f64]) {
        let mut sum = vec![0.0; self.probabilities.len() + probabilities.len() - 1];
        for (shift, &one) in probabilities.iter().enumerate() {
            if one <= 0.0 {
                continue;
            }
            for (total, &other) in sum[shift..].iter_mut().zip(&self.probabilities) {
                *total += one * other;
            }
        }
        // Without the cut the width would grow with every puzzle, though nearly all of it is close to 0.
        let first = sum.iter().position(|one| *one > NEGLIGIBLE).unwrap_or(0);
        let last = sum.iter().rposition(|one| *one > NEGLIGIBLE).unwrap_or(0);
        self.low += low + first;
        self.probabilities = sum[first..=last].to_vec();
    }

    /// The two-sided mid-p of `seen`: twice the smaller tail, which counts half of the probability of `seen`.
    pub(crate) fn mid_p(&self, seen: usize) -> f64 {
        let place = seen.saturating_sub(self.low).min(self.probabilities.len() - 1);
        let here = self.probabilities[place] / 2.0;
        let below: f64 = self.probabilities[..place].iter().sum();
        let above: f64 = self.probabilities[place + 1..].iter().sum();
        (2.0 * (below.min(above) + here)).min(1.0)
    }
}

/// Steps of the integral over -8 to 8; the integrand and its derivatives vanish at both ends, so that the trapezoid
/// rule is exact to rounding.
const STEPS: usize = 400;

/// The probability that `k` standard normal values, 2 or more, lie within `range` of each other: the studentised range
/// with infinite degrees of freedom. O(1).
pub(crate) fn range_cdf(range: f64, k: usize) -> f64 {
    let width = 16.0 / STEPS as f64;
    let mut sum = 0.0;
    for step in 0..=STEPS {
        let x = -8.0 + width * step as f64;
        // The density of the largest value, times the probability that all others are at most a range below it.
        sum += normal_density(x) * (normal_cdf(x) - normal_cdf(x - range)).powf(k as f64 - 1.0);
    }
    (k as f64 * width * sum).min(1.0)
}

/// The range that `k` standard normal values, 2 or more, exceed with probability `alpha`, between 0 and 1.
pub(crate) fn range_quantile(alpha: f64, k: usize) -> f64 {
    let (mut low, mut high) = (0.0, 100.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if range_cdf(middle, k) < 1.0 - alpha { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// The boundary between `outside`, which is not inside, and `inside`, which is, after so many halvings.
pub(crate) fn boundary(
    mut outside: f64,
    mut inside: f64,
    halvings: usize,
    is_inside: impl Fn(f64) -> bool,
) -> f64 {
    for _ in 0..halvings {
        let middle = f64::midpoint(outside, inside);
        if is_inside(middle) { inside = middle } else { outside = middle }
    }
    inside
}

/// The area of the standard normal below `z`.
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * erf::erfc(-z / SQRT_2)
}

/// The height of the standard normal at `z`.
fn normal_density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_close;

    /// Reference values: scipy 1.17, stats.norm.ppf, norm.cdf, chi2.sf, f.isf.
    #[test]
    fn values_are_those_of_scipy() {
        assert_close(normal_quantile(0.975), 1.959_963_984_540_054, 1e-12);
        assert_close(normal_quantile(1e-9), -5.997_807_015_007_686_5, 1e-10);
        assert_close(normal_two_sided(-3.0), 2.699_796_063_260_187e-3, 1e-10);
        assert_close(t_quantile(1.959_963_984_540_054, 4.0), 2.776_445_105_197_793_6, 1e-8);
        assert_close(t_quantile(1.959_963_984_540_054, 1.0), 12.706_204_736_174_694, 1e-8);
        assert_close(f_quantile_above(0.05 / 3.0, 2.0, 18.0), 5.184527401343131, 1e-8);
        assert_close(f_quantile_above(0.001, 1.0, 1.0), 405284.0679028482, 1e-8);
        assert_close(t_above(2.0, 5.0), 0.050_969_739_414_928_96, 1e-9);
        assert_close(t_above(-2.0, 5.0), 1.0 - 0.050_969_739_414_928_96, 1e-9);
        assert_close(chi_squared_above(7.3, 3), 0.062_926_236_459_043_12, 1e-12);
        assert_close(chi_squared_above(150.0, 9), 8.819_629_954_805_395e-28, 1e-9);
    }

    #[test]
    fn degenerate_cases_are_certain() {
        assert_eq!(chi_squared_above(3.0, 0), 1.0);
        assert_eq!(chi_squared_above(0.0, 2), 1.0);
        assert_eq!(normal_two_sided(0.0), 1.0);
        assert_eq!((normal_quantile(0.0), normal_quantile(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    /// Reference values: scipy 1.17, stats.studentized_range.ppf(1 - alpha, k, inf).
    #[test]
    fn quantiles_are_those_of_scipy() {
        for (alpha, k, expected) in [
            (0.05, 2, 2.771_807_65),
            (0.05, 3, 3.314_493_16),
            (0.05, 5, 3.857_655_51),
            (0.05, 10, 4.474_124_22),
            (0.05, 20, 5.011_688_79),
            (0.05, 50, 5.646_026_03),
            (0.1, 2, 2.326_174_31),
            (0.1, 3, 2.902_380_21),
            (0.1, 5, 3.478_280_55),
            (0.1, 10, 4.129_346_4),
            (0.1, 20, 4.694_104_41),
            (0.1, 50, 5.356_686_88),
            (0.01, 2, 3.642_772_74),
            (0.01, 3, 4.120_303_21),
            (0.01, 5, 4.602_821_04),
            (0.01, 10, 5.156_634_96),
            (0.01, 20, 5.645_214_7),
            (0.01, 50, 6.228_392_61),
        ] {
            assert_close(range_quantile(alpha, k), expected, 1e-6);
        }
    }

    #[test]
    fn ranges_are_certain_at_both_ends() {
        assert_eq!(range_cdf(0.0, 5), 0.0);
        assert_close(range_cdf(50.0, 5), 1.0, 1e-9);
    }
}
