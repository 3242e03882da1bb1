//! Levels of tests after Holm's correction, and effects whose intervals agree with them.
//!
//! A pair of settings is tested at the level that Holm's procedure gives it: `alpha` over the number of hypotheses that are left.
//! Its interval has that level, too, so that it excludes the neutral value exactly if the difference is significant.
//!
//! Source: S. Holm 1979, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 65-70.

use kenga_core::sort::sort_by;
use kenga_stats::{Aim, Estimate, Interval, SwapTest, normal_quantile};

/// The level at which a pair is tested.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    /// The family-wise error rate over the number of hypotheses left.
    pub(super) alpha: f64,
    /// That number.
    pub(super) left: f64,
    /// The p-value after the correction.
    pub(super) holm: f64,
    /// Whether the test rejects.
    pub(super) is_shown: bool,
}

impl Level {
    /// The levels of some of `tests` tests, in the order given; the others count as not significant.
    pub(super) fn of_each(p_values: &[f64], tests: usize, alpha: f64) -> Vec<Self> {
        let mut order: Vec<usize> = (0..p_values.len()).collect();
        sort_by(&mut order, |&a, &b| p_values[a].total_cmp(&p_values[b]));
        let mut levels = vec![Self { alpha, left: tests as f64, holm: 1.0, is_shown: false }; p_values.len()];
        let (mut largest, mut left) = (0.0_f64, tests as f64);
        for (step, index) in order.into_iter().enumerate() {
            // From the first test that does not reject on, all have its level.
            if largest < alpha {
                left = (tests - step) as f64;
            }
            largest = largest.max(p_values[index] * (tests - step) as f64).min(1.0);
            levels[index] = Self { alpha: alpha / left, left, holm: largest, is_shown: largest < alpha };
        }
        levels
    }

    /// The p-value of one claim of a pair whose claims together have this level.
    pub(super) fn of_claim(&self, p: f64) -> f64 {
        self.holm.max((p * self.left).min(1.0))
    }

    /// The normal quantile of two-sided intervals.
    pub(super) fn z(&self) -> f64 {
        -normal_quantile(self.alpha / 2.0)
    }

    /// What an experiment at this level should reach.
    pub(super) fn aim(&self) -> Aim {
        Aim { alpha: self.alpha, ..Aim::default() }
    }
}

/// An effect with its interval.
pub(super) struct Effect {
    /// The ratio of costs, or of values that are no times A12.
    pub(super) estimate: Estimate,
    /// Whether the second costs less, or has the lower values.
    pub(super) is_second_better: bool,
}

impl Effect {
    /// The ratio of costs that a test shows at a level. If p-values are not valid, because results decided how many runs there are,
    /// the interval is that of the level alone.
    pub(super) fn of_costs(test: &SwapTest, level: &Level, is_valid: bool) -> Self {
        let value = test.ratio.unwrap_or(1.0);
        let interval = test.ratio_interval(level.alpha, level.is_shown || !is_valid);
        let is_shown = is_valid.then_some(level.is_shown && test.p < level.alpha);
        Self::new(Estimate { value, interval }, 1.0, is_shown)
    }

    /// A12, of values that are no times.
    pub(super) fn of_values(test: &SwapTest, a12: Interval, level: &Level, is_valid: bool) -> Self {
        let value = (test.difference + 0.5).clamp(0.0, 1.0);
        let interval = Interval { low: a12.low.min(value), high: a12.high.max(value) };
        let is_shown = is_valid.then_some(level.is_shown && test.spent_p < level.alpha);
        Self::new(Estimate { value, interval }, 0.5, is_shown)
    }

    fn new(estimate: Estimate, neutral: f64, is_shown: Option<bool>) -> Self {
        let is_second_better = estimate.value < neutral;
        let estimate = is_shown.map_or(estimate, |is_shown| agreeing(estimate, neutral, is_shown));
        Self { estimate, is_second_better }
    }
}

/// An estimate with an end moved to the neutral value if the interval disagrees with the test.
pub(super) fn agreeing(mut estimate: Estimate, neutral: f64, is_shown: bool) -> Estimate {
    let Interval { low, high } = &mut estimate.interval;
    if !is_shown {
        (*low, *high) = (low.min(neutral), high.max(neutral));
    } else if estimate.value < neutral {
        *high = high.min(neutral);
    } else {
        *low = low.max(neutral);
    }
    estimate
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_stats::holm_among;

    #[test]
    fn corrected_values_are_holms_and_a_test_rejects_exactly_below_its_level() {
        for p_values in [&[0.001, 0.04, 0.012, 0.3][..], &[0.049], &[0.01, 0.0101, 0.0099], &[0.2, 0.011]] {
            for tests in [p_values.len(), 6] {
                let levels = Level::of_each(p_values, tests, 0.05);
                let holm: Vec<f64> = levels.iter().map(|level| level.holm).collect();
                assert_eq!(holm, holm_among(p_values, tests));
                for (p, level) in p_values.iter().zip(&levels) {
                    assert_eq!(*p < level.alpha, level.is_shown, "{p} {level:?}");
                    assert_eq!(level.of_claim(*p) < 0.05, level.is_shown);
                }
            }
        }
    }
}
