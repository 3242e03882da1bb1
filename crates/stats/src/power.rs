//! How many runs detect a difference of a stated size, and p-values for tests that are repeated as the data grow.
//!
//! # The number of runs
//!
//! Sources: J. E. Connett, J. A. Smith, R. B. McHugh 1987, Sample size and power for pair-matched case-control studies,
//! Statistics in Medicine 6, 53-59; G. E. Noether 1987, Sample size determination for some common nonparametric tests,
//! doi:10.1080/01621459.1987.10478478.
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
    /// Pairs to detect a difference of two success rates by McNemar's test when the first alone succeeds in a share `only_first`
    /// of the pairs and the second alone in `only_second`; `None` when they are equal.
    fn pairs_for_discordance(&self, only_first: f64, only_second: f64) -> Option<u64> {
        let (discordant, difference) = (only_first + only_second, only_first - only_second);
        let truth = (discordant - difference * difference).max(0.0).sqrt();
        runs(self.alpha_quantile() * discordant.sqrt() + self.power_quantile() * truth, difference)
    }

    /// Pairs to detect a difference of two success rates whose outcomes have this correlation, from -1 to 1, moved to the
    /// nearest that the rates allow. Pairing saves runs when it is positive.
    ///
    /// # Panics
    /// When a share is not from 0 to 1.
    pub fn pairs_for_shares(&self, first: f64, second: f64, correlation: f64) -> Option<u64> {
        assert!([first, second].iter().all(|share| (0.0..=1.0).contains(share)), "shares are from 0 to 1");
        let spread = (first * (1.0 - first) * second * (1.0 - second)).sqrt();
        let both = first * second + correlation * spread;
        let both = both.clamp((first + second - 1.0).max(0.0), first.min(second));
        self.pairs_for_discordance(first - both, second - both)
    }

    /// Runs per setting to find by the Mann-Whitney test that the true A12 is `a12`; `None` for a half.
    pub fn runs_for_a12(&self, a12: f64) -> Option<u64> {
        runs(self.both_quantiles() / 6.0_f64.sqrt(), a12 - 0.5)
    }

    fn alpha_quantile(&self) -> f64 {
        // Not of 1 - alpha / 2, which is 1 for an alpha that is shared by many pairs.
        -normal_quantile(self.alpha / 2.0)
    }

    fn power_quantile(&self) -> f64 {
        normal_quantile(self.power)
    }

    fn both_quantiles(&self) -> f64 {
        self.alpha_quantile() + self.power_quantile()
    }
}

/// The runs at which a standard deviation of `spread` shrinks to the difference; at least 1, which is enough for a power
/// that chance alone exceeds.
fn runs(spread: f64, difference: f64) -> Option<u64> {
    // Rates that differ by rounding are equal.
    (difference.abs() > 1e-12).then(|| (spread.max(0.0) / difference).powi(2).ceil().max(1.0) as u64)
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
    use crate::PairedOutcomes;
    use crate::testing::{assert_close, draws};

    const AIM: Aim = Aim { alpha: 0.05, power: 0.8 };

    /// Reference values: the formulas evaluated in Python with scipy 1.17, stats.norm.ppf.
    #[test]
    fn numbers_are_those_of_the_formulas() {
        let strict = Aim { alpha: 0.01, power: 0.95 };
        assert_eq!(AIM.pairs_for_discordance(0.25, 0.1), Some(120));
        assert_eq!(strict.pairs_for_discordance(0.05, 0.15), Some(350));
        assert_eq!(AIM.pairs_for_shares(0.5, 0.7, 0.3), Some(69));
        assert_eq!(AIM.pairs_for_shares(0.5, 0.7, 0.0), Some(96));
        assert_eq!(AIM.runs_for_a12(0.64), Some(67));
        assert_eq!(strict.runs_for_a12(0.29), Some(68));
    }

    #[test]
    fn equal_rates_cannot_be_told_apart() {
        assert_eq!(AIM.pairs_for_discordance(0.1, 0.1), None);
        assert_eq!(AIM.pairs_for_shares(0.4, 0.4, 0.5), None);
        assert_eq!(AIM.runs_for_a12(0.5), None);
    }

    #[test]
    fn certain_differences_take_few_runs() {
        assert!(AIM.pairs_for_shares(0.0, 1.0, 0.9).expect("they differ") <= 4);
        assert_eq!(Aim { alpha: 0.5, power: 0.5 }.runs_for_a12(1.0), Some(1));
    }

    #[test]
    fn an_alpha_shared_by_many_pairs_is_still_one() {
        let shared = Aim { alpha: 1e-18, power: 0.8 };
        assert!(shared.pairs_for_shares(0.5, 0.7, 0.0).is_some_and(|runs| (900..1200).contains(&runs)));
    }

    #[test]
    fn less_power_than_chance_gives_takes_one_run() {
        assert_eq!(Aim { alpha: 0.5, power: 0.01 }.runs_for_a12(0.51), Some(1));
    }

    #[test]
    fn positive_correlation_saves_pairs() {
        let pairs = |correlation| AIM.pairs_for_shares(0.6, 0.7, correlation).expect("they differ");
        assert!(pairs(0.5) < pairs(0.0) && pairs(0.0) < pairs(-0.3));
        assert_eq!(pairs(0.99), pairs(1.0));
    }

    /// Of 400 simulated comparisons with that many runs, about the stated share shows the difference.
    #[test]
    fn stated_power_is_reached() {
        let mut draw = draws(7);
        let n = AIM.pairs_for_discordance(0.25, 0.10).expect("they differ");
        let mut pair = || match draw(100) {
            0..25 => (true, false),
            25..35 => (false, true),
            _ => (true, true),
        };
        let found =
            (0..400).filter(|_| PairedOutcomes::count((0..n).map(|_| pair())).mcnemar().p < 0.05).count();
        // The exact test is conservative.
        assert!((270..=350).contains(&found), "{found}");
        // A pair among 28, with Bonferroni's correction.
        let aim = Aim { alpha: 0.05 / 28.0, power: 0.8 };
        let n = aim.pairs_for_shares(0.25, 0.35, 0.0).expect("they differ");
        let mut pair = || (draw(100) < 25, draw(100) < 35);
        let found = (0..400)
            .filter(|_| PairedOutcomes::count((0..n).map(|_| pair())).mcnemar().p * 28.0 < 0.05)
            .count();
        assert!((290..=350).contains(&found), "{found}");
    }

    /// Reference values: scipy 1.17, chi2.sf(norm.isf(p / 2)**2 - log(now / first), 3).
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
