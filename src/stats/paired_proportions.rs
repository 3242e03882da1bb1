//! Two shares on the same units: the same puzzle and replicate under two settings.
//!
//! Sources: Q. McNemar 1947, Note on the sampling error of the difference between correlated proportions or
//! percentages, doi:10.1007/BF02295996; mid-p, M. W. Fagerland, S. Lydersen,
//! P. Laake 2013, doi:10.1186/1471-2288-13-91; R. G. Newcombe 1998, Improved confidence intervals
//! for the difference between binomial proportions based on paired data, method 10,
//! doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C.

use super::distribution::binomial;
use super::two_proportions::Share;
use super::{Interval, TestResult};

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
            *match pair {
                (true, true) => &mut found.both,
                (true, false) => &mut found.only_first,
                (false, true) => &mut found.only_second,
                (false, false) => &mut found.neither,
            } += 1;
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
        let (p, q) = (self.first().value(), self.second().value());
        let (a, b) = (self.first().interval(z), self.second().interval(z));
        let phi = self.correlation();
        Interval {
            low: p - q - distance(p - a.low, b.high - q, phi),
            high: p - q + distance(a.high - p, q - b.low, phi),
        }
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

/// The length of the difference of two correlated deviations.
fn distance(x: f64, y: f64, phi: f64) -> f64 {
    (x * x - 2.0 * phi * x * y + y * y).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Z_95;
    use crate::stats::testing::assert_close;

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
}
