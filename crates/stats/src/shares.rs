//! Shares: the interval of one, the difference of two, independent or paired, and a test of two within puzzles.
//!
//! # One share
//!
//! Source: E. B. Wilson 1927, Probable inference, the law of succession, and statistical inference,
//! doi:10.1080/01621459.1927.10502953.
//!
//! Where it must never be too narrow, the exact one: C. J. Clopper, E. S. Pearson 1934, The use of confidence or fiducial limits
//! illustrated in the case of the binomial, doi:10.1093/biomet/26.4.404.
//!
//! # Two shares of independent samples
//!
//! Source: R. G. Newcombe 1998, Interval estimation for the difference between independent proportions, method 10,
//! doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I.
//!
//! # Two shares on the same units: the same puzzle and replicate under two settings
//!
//! Sources: Q. McNemar 1947, Note on the sampling error of the difference between correlated proportions or
//! percentages, doi:10.1007/BF02295996; mid-p, M. W. Fagerland, S. Lydersen,
//! P. Laake 2013, doi:10.1186/1471-2288-13-91; R. G. Newcombe 1998, Improved confidence intervals
//! for the difference between binomial proportions based on paired data, method 10,
//! doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C.
//!
//! # Whether two shares differ when runs belong to puzzles: the Cochran-Mantel-Haenszel test, exact
//!
//! Given how many runs of a puzzle solve, the number of them on the first side is hypergeometric where the sides do not
//! differ. Its sum over the puzzles is compared with the sum of these distributions: no puzzle is compared with another,
//! and one run for each puzzle and side is enough. The p-value is the mid-p, which counts half of the probability of what
//! was seen: the exact one is conservative, most where runs are few.
//!
//! Sources: W. G. Cochran 1954, Some methods for strengthening the common chi-squared tests, doi:10.2307/3001616;
//! N. Mantel, W. Haenszel 1959, Statistical aspects of the analysis of data from retrospective studies of disease,
//! doi:10.1093/jnci/22.4.719; mid-p, M. W. Fagerland, S. Lydersen, P. Laake 2013, doi:10.1186/1471-2288-13-91.

use super::distribution::{LatticeSum, beta_quantile, binomial, unimodal};
use super::{Estimate, Interval, TestResult};

/// Wilson's score interval of a share of `trials`, for the normal quantile `z`; 0 to 1 without trials.
pub fn wilson(successes: u64, trials: u64, z: f64) -> Interval {
    wilson_of_share(successes as f64 / trials as f64, trials as f64, z)
}

/// [`wilson`] for a share from 0 to 1 of trials that need not be a whole number.
pub fn wilson_of_share(share: f64, trials: f64, z: f64) -> Interval {
    if trials <= 0.0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let denominator = 1.0 + z * z / trials;
    let centre = (share + z * z / (2.0 * trials)) / denominator;
    let variance = share * (1.0 - share) / trials + z * z / (4.0 * trials * trials);
    let half = z / denominator * variance.sqrt();
    // Rounding could move an end away from 0 or 1.
    let low = if share == 0.0 { 0.0 } else { centre - half };
    let high = if share == 1.0 { 1.0 } else { centre + half };
    Interval { low, high }
}

/// The exact interval of a share of `trials`: it misses the true share with probability `alpha` at most.
pub fn clopper_pearson(successes: u64, trials: u64, alpha: f64) -> Interval {
    let (hits, misses) = (successes as f64, (trials - successes) as f64);
    let low = if successes == 0 { 0.0 } else { beta_quantile(alpha / 2.0, hits, misses + 1.0) };
    let high = if successes == trials { 1.0 } else { beta_quantile(1.0 - alpha / 2.0, hits + 1.0, misses) };
    Interval { low, high }
}

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

    fn estimate(&self, z: f64) -> Estimate {
        Estimate { value: self.value(), interval: self.interval(z) }
    }
}

/// Newcombe's hybrid score interval of the first share minus the second, from -1 to 1, for the normal quantile `z`.
pub fn newcombe(first: Share, second: Share, z: f64) -> Interval {
    let (a, b) = (first.interval(z), second.interval(z));
    let (p, q) = (first.value(), second.value());
    Interval { low: p - q - (p - a.low).hypot(b.high - q), high: p - q + (a.high - p).hypot(q - b.low) }
}

/// Counts of pairs by which of the two succeeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairedOutcomes {
    /// Both succeeded.
    pub both: u64,
    /// Only the first did.
    pub only_first: u64,
    /// Only the second did.
    pub only_second: u64,
    /// Neither did.
    pub neither: u64,
}

impl PairedOutcomes {
    /// Counts the pairs (first succeeded, second succeeded).
    pub fn count(pairs: impl IntoIterator<Item = (bool, bool)>) -> Self {
        let mut found = Self::default();
        for pair in pairs {
            match pair {
                (true, true) => found.both += 1,
                (true, false) => found.only_first += 1,
                (false, true) => found.only_second += 1,
                (false, false) => found.neither += 1,
            }
        }
        found
    }

    /// How many pairs there are.
    pub fn pairs(&self) -> u64 {
        self.both + self.only_first + self.only_second + self.neither
    }

    /// The share of pairs in which the first succeeded.
    pub fn first(&self) -> Share {
        Share { successes: self.both + self.only_first, trials: self.pairs() }
    }

    /// The share of pairs in which the second succeeded.
    pub fn second(&self) -> Share {
        Share { successes: self.both + self.only_second, trials: self.pairs() }
    }

    /// McNemar's test that both succeed equally often, by its mid-p: the exact one is conservative, most where few pairs
    /// disagree. The statistic is the lesser of the two discordant counts.
    pub fn mcnemar(&self) -> TestResult {
        let (least, most) = (self.only_first.min(self.only_second), self.only_first.max(self.only_second));
        if most == 0 {
            return TestResult { statistic: 0.0, p: 1.0 };
        }
        let coins = binomial((least + most) as usize, 0.5);
        let tails = 2.0 * coins[..least as usize].iter().sum::<f64>();
        TestResult { statistic: least as f64, p: (tails + coins[least as usize]).min(1.0) }
    }

    /// Newcombe's score interval of the first share minus the second, from -1 to 1, for the normal quantile `z`;
    /// -1 to 1 without pairs.
    pub fn difference(&self, z: f64) -> Interval {
        if self.pairs() == 0 {
            return Interval { low: -1.0, high: 1.0 };
        }
        difference_of_shares(self.first().estimate(z), self.second().estimate(z), self.correlation())
    }

    /// The correlation of the two outcomes as method 10 estimates it: corrected for continuity when positive, 0 when a
    /// margin is empty.
    fn correlation(&self) -> f64 {
        let [a, b, c, d] =
            [self.both, self.only_first, self.only_second, self.neither].map(|count| count as f64);
        let margins = (a + b) * (c + d) * (a + c) * (b + d);
        let excess = a * d - b * c;
        let excess = if excess > 0.0 { (excess - (a + b + c + d) / 2.0).max(0.0) } else { excess };
        if margins == 0.0 { 0.0 } else { excess / margins.sqrt() }
    }
}

/// Newcombe's interval of the first share minus the second, of which each has an interval of its own.
pub fn difference_of_shares(first: Estimate, second: Estimate, correlation: f64) -> Interval {
    let far = |x: f64, y: f64| (x * x - 2.0 * correlation * x * y + y * y).max(0.0).sqrt();
    let (p, q) = (first.value, second.value);
    Interval {
        low: p - q - far(p - first.interval.low, second.interval.high - q),
        high: p - q + far(first.interval.high - p, q - second.interval.low),
    }
}

/// Tests that the shares of both sides are the same on every puzzle; puzzles that a side has no run of are ignored. The
/// statistic is the successes of the first beyond those expected. p is 1 without informative puzzles. O(puzzles times
/// runs), less where the tails are negligible.
pub fn cochran_mantel_haenszel(strata: &[[Share; 2]]) -> TestResult {
    let (mut sum, mut seen, mut expected) = (LatticeSum::default(), 0, 0.0);
    for [first, second] in strata {
        if first.trials == 0 || second.trials == 0 {
            continue;
        }
        let successes = first.successes + second.successes;
        let (m, n) = (first.trials, second.trials);
        let (low, high) = (successes.saturating_sub(n), successes.min(m));
        // Hypergeometric: how much likelier `k + 1` successes on the first side are than `k`.
        let ratio = |k: usize| {
            let k = k as u64;
            ((m - k) * (successes - k)) as f64 / ((k + 1) * (n + k + 1 - successes)) as f64
        };
        sum.add(low as usize, &unimodal(low as usize, high as usize, ratio));
        seen += first.successes as usize;
        expected += successes as f64 * m as f64 / (m + n) as f64;
    }
    TestResult { statistic: seen as f64 - expected, p: sum.mid_p(seen) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Z_95;
    use crate::testing::assert_close;

    fn close(interval: Interval, low: f64, high: f64) -> bool {
        (interval.low - low).abs() < 1e-6 && (interval.high - high).abs() < 1e-6
    }

    /// Reference values: the closed form evaluated in Python.
    #[test]
    fn the_exact_interval_is_that_of_the_tables() {
        for (successes, low, high) in
            [(0, 0.0, 0.308_497_1), (5, 0.187_086, 0.812_914), (10, 0.691_502_9, 1.0)]
        {
            let found = clopper_pearson(successes, 10, 0.05);
            assert_close(found.low, low, 1e-5);
            assert_close(found.high, high, 1e-5);
        }
    }

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
    fn without_trials_nothing_is_known_of_two_shares() {
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

    fn outcomes([both, only_first, only_second, neither]: [u64; 4]) -> PairedOutcomes {
        PairedOutcomes { both, only_first, only_second, neither }
    }

    /// Reference values: scipy 1.17, 2 binom.cdf(k - 1, n, 1/2) + binom.pmf(k, n, 1/2).
    #[test]
    fn p_values_are_those_of_the_binomial_mid_p() {
        for (counts, p) in MCNEMAR {
            assert_close(outcomes(counts).mcnemar().p, p, 1e-9);
        }
        assert_eq!(outcomes([5, 0, 0, 2]).mcnemar(), TestResult { statistic: 0.0, p: 1.0 });
        assert_eq!(outcomes([0; 4]).mcnemar().p, 1.0);
    }

    /// Reference values: the closed form of method 10 evaluated in Python; the first is in Newcombe's table III.
    #[test]
    fn intervals_are_those_of_method_10() {
        for (counts, low, high) in METHOD_10 {
            let found = outcomes(counts).difference(Z_95);
            assert_close(found.low, low, 1e-9);
            assert_close(found.high, high, 1e-9);
        }
        assert_eq!(outcomes([0; 4]).difference(Z_95), Interval { low: -1.0, high: 1.0 });
    }

    #[test]
    fn pairs_are_counted_by_who_succeeded() {
        let pairs = [(true, true), (true, false), (false, false), (true, false), (false, true)];
        assert_eq!(PairedOutcomes::count(pairs), outcomes([1, 2, 1, 1]));
        assert_eq!(PairedOutcomes::count(pairs).first(), Share { successes: 3, trials: 5 });
        assert_eq!(PairedOutcomes::count(pairs).second(), Share { successes: 2, trials: 5 });
    }

    const MCNEMAR: [([u64; 4], f64); 5] = [
        ([10, 6, 12, 3], 0.167_068_481_445_312_56),
        ([0, 1, 0, 0], 0.500_000_000_000_000_1),
        ([0, 0, 9, 0], 0.001_953_125_000_000_000_4),
        ([50, 15, 40, 2], 0.000_685_564_156_378_382_5),
        ([0, 520, 480, 0], 0.206_107_310_832_952_9),
    ];

    const METHOD_10: [([u64; 4], f64, f64); 6] = [
        ([36, 12, 2, 0], 0.056_929_584_003_238_69, 0.340_427_602_974_940_7),
        ([20, 12, 2, 16], 0.056_156_424_841_748_24, 0.329_206_995_400_140_53),
        ([1, 1, 0, 12], -0.164_331_094_065_653_47, 0.317_885_166_419_637_93),
        ([0, 10, 0, 0], 0.607_509_350_430_524_2, 1.0),
        ([7, 0, 0, 3], -0.200_192_888_950_248_23, 0.200_192_888_950_248_23),
        ([1, 0, 0, 0], -0.793_450_685_622_762_6, 0.793_450_685_622_762_6),
    ];

    /// Reference values: the sum of scipy 1.17, stats.hypergeom, convolved in Python.
    #[test]
    fn values_are_those_of_convolved_tables() {
        let three = [[share(7, 10), share(2, 9)], [share(3, 5), share(4, 12)], [share(1, 1), share(0, 1)]];
        let large = [[share(95, 100), share(17, 20)], [share(2, 20), share(30, 100)]];
        assert_close(cochran_mantel_haenszel(&three[..1]).p, 0.055_749_204_356_015_505, 1e-10);
        assert_close(cochran_mantel_haenszel(&three).p, 0.020_431_196_816_855_87, 1e-10);
        assert_close(cochran_mantel_haenszel(&large).p, 0.442_159_812_730_381_74, 1e-10);
    }

    #[test]
    fn easy_and_hard_runs_in_other_numbers_show_nothing() {
        let mixed = [[share(95, 100), share(19, 20)], [share(2, 20), share(10, 100)]];
        assert!(cochran_mantel_haenszel(&mixed).p > 0.8);
        assert!(cochran_mantel_haenszel(&[[share(97, 120), share(29, 120)]]).p < 1e-9);
    }

    #[test]
    fn data_that_tell_nothing_have_p_1() {
        for strata in [
            vec![],
            vec![[share(3, 3), share(0, 0)]],
            vec![[share(5, 5), share(9, 9)]],
            vec![[share(0, 5), share(0, 9)], [share(1, 1), share(1, 1)]],
        ] {
            assert_eq!(cochran_mantel_haenszel(&strata).p, 1.0, "{strata:?}");
        }
    }

    #[test]
    fn one_run_a_puzzle_is_the_mid_p_of_mcnemar() {
        let only_first = [[share(1, 1), share(0, 1)]; 8];
        let only_second = [[share(0, 1), share(1, 1)]; 2];
        let both = [[share(1, 1), share(1, 1)]; 5];
        let found = cochran_mantel_haenszel(&[&only_first[..], &only_second, &both].concat());
        // 2 (1 + 10 + 45 / 2) / 1024.
        assert_close(found.p, 67.0 / 1024.0, 1e-12);
    }
}
