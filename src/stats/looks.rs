//! A p-value for a test that is made again and again while the data grow.
//!
//! A test at 5 % that is repeated after every block is certain to show something in the end. Standardised sums over
//! n blocks move like W(n) / sqrt(n) of a Wiener process, and for every a
//!
//! ```text
//! P(|W(n)| >= sqrt(n (a^2 + ln(n / first))) for some n >= first) = P(chi-squared with 3 degrees of freedom > a^2)
//! ```
//!
//! so that the chance is spent over all looks to come, however many: asking for more blocks later changes no decision.
//!
//! Source: H. Robbins, D. Siegmund 1970, Boundary crossing probabilities for the Wiener process and sample sums,
//! doi:10.1214/aoms/1177696787.

use super::distribution::{chi_squared_above, normal_quantile};

/// The p-value over all looks of a two-sided test with `p` after `now` blocks, where the first look is after `first`.
/// Not below `p`; 1 where one look shows too little.
pub fn over_looks(p: f64, first: u64, now: u64) -> f64 {
    let z = normal_quantile(p.max(f64::MIN_POSITIVE) / 2.0);
    let rest = z * z - (now.max(1) as f64 / first.clamp(1, now.max(1)) as f64).ln();
    chi_squared_above(rest, 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::assert_close;

    /// Reference values: scipy 1.17, chi2.sf(norm.isf(p / 2)**2 - log(now / first), 3).
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
