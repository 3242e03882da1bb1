//! Two shares of independent samples: the interval of their difference.
//!
//! Source: R. G. Newcombe 1998, Interval estimation for the difference between independent proportions, method 10,
//! doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I.

use super::{Interval, wilson};

/// Successes out of trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// How many succeeded, at most `trials`.
    pub successes: u64,
    /// How many there were.
    pub trials: u64,
}

impl Share {
    /// The share itself, from 0 to 1; a half without trials.
    pub fn value(&self) -> f64 {
        if self.trials == 0 { 0.5 } else { self.successes as f64 / self.trials as f64 }
    }

    /// Wilson's interval for the normal quantile `z`.
    pub fn interval(&self, z: f64) -> Interval {
        wilson(self.successes, self.trials, z)
    }
}

/// Newcombe's hybrid score interval of the first share minus the second, from -1 to 1, for the normal quantile `z`.
pub fn newcombe(first: Share, second: Share, z: f64) -> Interval {
    let (a, b) = (first.interval(z), second.interval(z));
    let (p, q) = (first.value(), second.value());
    Interval { low: p - q - (p - a.low).hypot(b.high - q), high: p - q + (a.high - p).hypot(q - b.low) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Z_95;
    use crate::stats::testing::assert_close;

    fn share(successes: u64, trials: u64) -> Share {
        Share { successes, trials }
    }

    /// Reference values: statsmodels 0.15, confint_proportions_2indep(a, m, b, n, method="newcomb").
    #[test]
    fn differences_are_those_of_statsmodels() {
        let table = NEWCOMBE;
        for (a, m, b, n, low, high) in table {
            let found = newcombe(share(a, m), share(b, n), Z_95);
            assert_close(found.low, low, 1e-9);
            assert_close(found.high, high, 1e-9);
        }
    }

    #[test]
    fn without_trials_nothing_is_known() {
        let found = newcombe(share(0, 0), share(0, 0), Z_95);
        assert!(found.low < -0.7 && found.high > 0.7);
        assert_eq!(share(0, 0).value(), 0.5);
    }

    const NEWCOMBE: [(u64, u64, u64, u64, f64, f64); 6] = [
        (56, 70, 48, 80, 0.052_431_472_402_364_98, 0.333_872_654_036_906_14),
        (9, 10, 3, 10, 0.170_522_723_934_502_9, 0.809_017_973_535_488),
        (5, 56, 0, 29, -0.038_137_147_903_536_936, 0.192_560_013_855_111_65),
        (10, 10, 0, 20, 0.679_086_037_141_914_5, 1.0),
        (0, 10, 0, 20, -0.161_125_158_052_819_4, 0.277_532_799_862_889_26),
        (20000, 50000, 19000, 50000, 0.013_954_348_417_461_9, 0.026_043_589_275_130_112),
    ];
}
