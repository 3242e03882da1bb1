//! Differences that are linear in a ratio, and the ratios at which they are not significant.

use crate::Interval;

/// A contrast `r x - y` that is linear in r: `x` and `y` with their second moments.
pub(super) struct Contrast {
    pub(super) first: f64,
    second: f64,
    pub(super) squares: f64,
    pub(super) products: f64,
    pub(super) second_squares: f64,
    /// The number of pairs of whose influences these are sums, which add up to twice the contrast; `None` if the moments are
    /// variances.
    pairs: Option<f64>,
}

impl Contrast {
    pub(super) fn of_pairs(pairs: usize) -> Self {
        Self { pairs: Some(pairs as f64), ..Self::of_runs(0.0, 0.0) }
    }

    pub(super) fn of_runs(first: f64, second: f64) -> Self {
        Self { first, second, squares: 0.0, products: 0.0, second_squares: 0.0, pairs: None }
    }

    pub(super) fn add(&mut self, first: f64, second: f64) {
        self.first += first;
        self.second += second;
        self.squares += first * first;
        self.products += first * second;
        self.second_squares += second * second;
    }

    /// Adds to the spread alone.
    pub(super) fn spread(&mut self, first: f64, second: f64) {
        self.squares += first * first;
        self.products += first * second;
        self.second_squares += second * second;
    }

    fn variance(&self, ratio: f64) -> f64 {
        (ratio * ratio * self.squares - 2.0 * ratio * self.products + self.second_squares).max(0.0)
    }

    /// The statistic of the hypothesis that the ratio is this, on the scale of Student's.
    pub(super) fn statistic(&self, ratio: f64) -> f64 {
        let sum = ratio * self.first - self.second;
        let variance = self.variance(ratio);
        if sum == 0.0 || variance <= 0.0 {
            return if sum == 0.0 { 0.0 } else { f64::INFINITY };
        }
        let square = sum * sum / variance;
        match self.pairs {
            Some(n) => (square * (n - 1.0) / (n - square).max(n * 1e-12)).max(0.0).sqrt() / 2.0,
            None => square.sqrt(),
        }
    }

    /// The standard error of `r x - y`.
    pub(super) fn error(&self, ratio: f64) -> f64 {
        let variance = self.variance(ratio);
        let Some(n) = self.pairs else { return variance.sqrt() };
        let about_mean = variance - (ratio * self.first - self.second).powi(2) / n;
        2.0 * (about_mean * n / (n - 1.0)).max(0.0).sqrt()
    }

    /// The values of r around y / x whose statistic is at most `critical`.
    pub(super) fn interval(&self, critical: f64) -> Interval {
        let everything = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
        if critical.is_infinite() || (self.first == 0.0 && self.second == 0.0) {
            return everything;
        }
        let square = critical * critical;
        let square = self.pairs.map_or(square, |n| 4.0 * square * n / (n - 1.0 + 4.0 * square));
        // a r^2 - 2 b r + c is negative inside.
        let a = self.first * self.first - square * self.squares;
        let b = self.first * self.second - square * self.products;
        let c = self.second * self.second - square * self.second_squares;
        let root = (b * b - a * c).max(0.0).sqrt();
        if a > 0.0 {
            let (low, high) = ((b - root) / a, (b + root) / a);
            // Rounding must not move an end across the estimate.
            let value = self.second / self.first;
            return Interval { low: low.min(value), high: high.max(value) };
        }
        // x may be 0: nothing bounds the ratio from above.
        if b * b - a * c < 0.0 {
            return everything;
        }
        let beyond = if a == 0.0 { c / (2.0 * b) } else { (b - root) / a };
        let is_above = self.second >= beyond * self.first;
        Interval { low: if is_above { beyond } else { f64::NEG_INFINITY }, high: f64::INFINITY }
    }
}
