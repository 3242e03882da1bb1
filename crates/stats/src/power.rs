//! How many runs detect a difference of a stated size, and p-values for tests that are repeated as the data grow.
//!
//! # A p-value for a test that is repeated while the data grow
//!
//! A test at 5 % that is repeated after every block is certain to become significant in the end. Standardised sums over n
//! blocks move like W(n) / sqrt(n) of a Wiener process, and for every a
//!
//! ```text
//! P(|W(n)| >= sqrt(n (a^2 + ln(n / first))) for some n >= first) = P(chi-squared with 3 degrees of freedom > a^2)
//! ```
//!
//! so that the chance is spread over all looks to come, however many: blocks that are added later change no decision.
//!
//! Source: H. Robbins, D. Siegmund 1970, Boundary crossing probabilities for the Wiener process and sample sums,
//! doi:10.1214/aoms/1177696787.
//!
//! Where the last look is planned, the chance is spread over the looks up to it, little of it over the first ones. For every a
//!
//! ```text
//! P(|W(n)| >= a sqrt(last) for some n <= last) <= 4 P(Z > a)
//! ```
//!
//! for a standard normal Z: the Wiener process is above a bound somewhere twice as often as at its end, and there are two sides.
//!
//! Sources: P. C. O'Brien, T. R. Fleming 1979, A multiple testing procedure for clinical trials, doi:10.2307/2530245; K. K. G. Lan,
//! D. L. DeMets 1983, Discrete sequential boundaries for clinical trials, doi:10.1093/biomet/70.3.659.

use super::distribution::{chi_squared_above, normal_quantile, normal_two_sided};

/// The error rates that a comparison should keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// The chance to find a difference where there is none, two-sided, between 0 and 1.
    pub alpha: f64,
    /// The chance to find a difference where there is one, between 0 and 1.
    pub power: f64,
}

impl Default for Aim {
    fn default() -> Self {
        Self { alpha: 0.05, power: 0.8 }
    }
}

impl Aim {
    /// Units, such as runs or puzzles, whose mean shows a difference if a single one varies with the standard deviation `spread`;
    /// at least 2.
    pub fn for_spread(&self, spread: f64, difference: f64) -> u64 {
        // Not of 1 - alpha / 2, which is 1 for an alpha that is shared by many pairs.
        let quantiles = normal_quantile(self.power) - normal_quantile(self.alpha / 2.0);
        (quantiles.max(0.0) * spread / difference).powi(2).ceil().max(2.0) as u64
    }
}

/// The p-value over all looks of a two-sided test with `p` after `now` blocks, where the first look is after `first`. Not
/// below `p`; 1 where `p` is too large.
pub fn over_looks(p: f64, first: u64, now: u64) -> f64 {
    let z = normal_quantile(p.max(f64::MIN_POSITIVE) / 2.0);
    let rest = z * z - (now.max(1) as f64 / first.clamp(1, now.max(1)) as f64).ln();
    chi_squared_above(rest, 3)
}

/// The p-value over all looks of a two-sided test with `p` after `now` of at most `last` blocks. Not below `p`; 1 where `p` is
/// too large.
pub fn over_planned_looks(p: f64, now: u64, last: u64) -> f64 {
    let z = normal_quantile(p.max(f64::MIN_POSITIVE) / 2.0);
    let part = now as f64 / last.max(now).max(1) as f64;
    (2.0 * normal_two_sided(z * part.sqrt())).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_close;

    /// Reference values: the formula evaluated in Python with scipy 1.17, stats.norm.ppf.
    #[test]
    fn numbers_are_those_of_the_formula() {
        assert_eq!(Aim::default().for_spread(1.0, 0.5), 32);
        assert_eq!(Aim { alpha: 0.01, power: 0.95 }.for_spread(2.0, 0.25), 1141);
        assert_eq!(Aim { alpha: 0.5, power: 0.01 }.for_spread(1.0, 0.01), 2);
        assert!((800..1100).contains(&Aim { alpha: 1e-18, power: 0.8 }.for_spread(1.0, 0.3)));
    }

    /// Reference values: the formula evaluated in Python with scipy 1.17, stats.norm.
    #[test]
    fn planned_looks_cost_less_near_the_last() {
        assert_close(over_planned_looks(0.001, 100, 100), 0.002, 1e-9);
        assert_close(over_planned_looks(0.001, 25, 100), 0.199_831_022_261_453_2, 1e-9);
        assert_close(over_planned_looks(1e-6, 21, 100), 0.049_970_544_399_759_585, 1e-9);
        assert_eq!(over_planned_looks(0.3, 6, 100), 1.0);
        assert_eq!(over_planned_looks(1.0, 0, 0), 1.0);
        let at_once = over_planned_looks(0.0, 1, 1);
        assert!(at_once < 1e-300, "{at_once}");
    }

    #[test]
    fn later_looks_cost_more() {
        assert_close(over_looks(0.001, 6, 6), 0.012_695_784_687_026_156, 1e-9);
        assert_close(over_looks(0.001, 6, 100), 0.045_720_059_223_918_15, 1e-9);
        assert_eq!(over_looks(1.0, 6, 6), 1.0);
        assert_eq!(over_looks(0.3, 6, 600), 1.0);
        assert!(over_looks(0.0, 6, 9) < 1e-100);
        assert!(over_looks(0.01, 0, 0) > 0.01);
    }
}
