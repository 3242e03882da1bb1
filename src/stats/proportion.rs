//! The interval of a proportion.
//!
//! Source: E. B. Wilson 1927, Probable inference, the law of succession, and statistical inference,
//! doi:10.1080/01621459.1927.10502953.

use super::Interval;

/// Wilson's score interval of a share of `trials`, for the normal quantile `z`; 0 to 1 without trials.
pub fn wilson(successes: u64, trials: u64, z: f64) -> Interval {
    wilson_of_share(successes as f64 / trials as f64, trials as f64, z)
}

/// [`wilson`] for a share that is known as such, from 0 to 1, of trials that need not be a whole number.
pub fn wilson_of_share(share: f64, trials: f64, z: f64) -> Interval {
    if trials <= 0.0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let denominator = 1.0 + z * z / trials;
    let centre = (share + z * z / (2.0 * trials)) / denominator;
    let variance = share * (1.0 - share) / trials + z * z / (4.0 * trials * trials);
    let half = z / denominator * variance.sqrt();
    // At the ends rounding could leave the closed form a hair inside.
    let low = if share == 0.0 { 0.0 } else { centre - half };
    let high = if share == 1.0 { 1.0 } else { centre + half };
    Interval { low, high }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Z_95;

    fn close(interval: Interval, low: f64, high: f64) -> bool {
        (interval.low - low).abs() < 1e-6 && (interval.high - high).abs() < 1e-6
    }

    /// Reference values: the closed form evaluated in Python.
    #[test]
    fn intervals_are_those_of_the_closed_form() {
        assert!(close(wilson(275, 300, Z_95), 0.879_878_4, 0.942_919_1));
        assert!(close(wilson(0, 10, Z_95), 0.0, 0.277_532_8));
        assert!(close(wilson(10, 10, Z_95), 0.722_467_2, 1.0));
    }

    #[test]
    fn without_trials_nothing_is_known() {
        assert!(close(wilson(0, 0, Z_95), 0.0, 1.0));
    }
}
