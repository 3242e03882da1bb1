//! Estimates with intervals: by resampling, of a median, and of a mean of estimates.
//!
//! # Resampling
//!
//! A resample draws as many units as there are, with replacement; a unit is whatever was sampled independently: a run,
//! or a puzzle with all its runs. The interval is between percentiles of the statistic over the resamples.
//!
//! Source: B. Efron 1979, Bootstrap methods: another look at the jackknife, doi:10.1214/aos/1176344552; the percentile
//! interval, B. Efron, R. J. Tibshirani 1993, An Introduction to the Bootstrap, chapter 13,
//! doi:10.1201/9780429246593.
//!
//! # The median
//!
//! The number of values below the true median is binomial with one half, whatever the distribution, so that the j-th
//! smallest and the j-th largest value enclose it with a probability that depends on j alone. Censored values are
//! infinite: they lie above whatever the others are.
//!
//! Source: H. A. David, H. N. Nagaraja 2003, Order Statistics, section 7.1, doi:10.1002/0471722162.
//!
//! # The mean over strata, such as puzzles, each counting alike
//!
//! ```text
//! mean = sum of value_i / k     low = mean - sqrt(sum of (value_i - low_i)^2) / k     high likewise
//! ```
//!
//! The estimates are independent, and their intervals need not be symmetric: variances are recovered from the distance
//! of either end. With Wilson's intervals of shares the ends stay within 0 to 1; a single stratum keeps its interval.
//!
//! Source: G. Y. Zou, A. Donner 2008, Construction of confidence limits about effect measures: a general approach,
//! doi:10.1002/sim.3095.

/// An interval; either end may be infinite.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The size and the confidence of a bootstrap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bootstrap {
    /// How many resamples: 1000 or more for an interval to be reported.
    pub resamples: usize,
    /// The confidence, between 0 and 1.
    pub level: f64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self { resamples: 2000, level: 0.95 }
    }
}

/// A value with its interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The value on all the data; may be infinite.
    pub value: f64,
    /// The interval; either end may be infinite.
    pub interval: Interval,
}

impl Bootstrap {
    /// The percentile interval of `statistic` over `units` units.
    ///
    /// `draw(n)` gives a uniform integer below `n`; the interval depends on nothing else that is random, so that the
    /// same stream gives the same interval. The statistic takes how often each unit was drawn, `units` counts that sum
    /// to `units`; it may be infinite, never NaN. Percentiles are those of single resamples, without interpolation,
    /// rounded outwards. From minus to plus infinity without units or resamples. Cost: `units` draws and one statistic
    /// a resample.
    pub fn interval(
        &self,
        units: usize,
        draw: &mut impl FnMut(usize) -> usize,
        mut statistic: impl FnMut(&[u32]) -> f64,
    ) -> Interval {
        let found = self.interval_unless_cut(units, draw, |counts| Some(statistic(counts)));
        found.expect("the statistic ends nothing")
    }

    /// As [`interval`](Self::interval); `None` as soon as the statistic is.
    pub fn interval_unless_cut(
        &self,
        units: usize,
        draw: &mut impl FnMut(usize) -> usize,
        mut statistic: impl FnMut(&[u32]) -> Option<f64>,
    ) -> Option<Interval> {
        if units == 0 || self.resamples == 0 {
            return Some(Interval { low: f64::NEG_INFINITY, high: f64::INFINITY });
        }
        let mut counts = vec![0; units];
        let mut values = Vec::with_capacity(self.resamples);
        for _ in 0..self.resamples {
            counts.fill(0);
            for _ in 0..units {
                counts[draw(units)] += 1;
            }
            values.push(statistic(&counts)?);
        }
        values.sort_unstable_by(f64::total_cmp);
        let last = self.resamples - 1;
        // Rounded down at both ends, which makes the interval wider; of very few resamples the ends must not
        // cross.
        let beyond = (((1.0 - self.level) / 2.0 * last as f64) as usize).min(last / 2);
        Some(Interval { low: values[beyond], high: values[last - beyond] })
    }
}

/// The median of values, infinite ones censored, with an interval of at least 95 %: from minus to plus infinity for fewer
/// than 6 values. `None` without values.
pub fn median(values: &[f64]) -> Option<Estimate> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len();
    let (low, high) = (*sorted.get(n.checked_sub(1)? / 2)?, *sorted.get(n / 2)?);
    let value = if low == high { low } else { (low + high) / 2.0 };
    let interval = match enclosing_rank(n) {
        Some(rank) => Interval { low: sorted[rank - 1], high: sorted[n - rank] },
        None => Interval { low: f64::NEG_INFINITY, high: f64::INFINITY },
    };
    Some(Estimate { value, interval })
}

/// The largest rank j for which at most 2.5 % of binomial(n, 1/2) lies below j: the interval from the j-th smallest to
/// the j-th largest value then has at least 95 %.
fn enclosing_rank(n: usize) -> Option<usize> {
    // In logarithms: 2^-n is 0 in floating point beyond some thousand values.
    let mut log_term = -(n as f64) * std::f64::consts::LN_2;
    let (mut below, mut rank) = (0.0, 0);
    while rank < n {
        below += log_term.exp();
        if below > 0.025 {
            break;
        }
        log_term += ((n - rank) as f64).ln() - ((rank + 1) as f64).ln();
        rank += 1;
    }
    (rank > 0).then_some(rank)
}

/// The mean of estimates with an interval of the same confidence as theirs; `None` without any.
pub fn mean_of_strata(strata: &[Estimate]) -> Option<Estimate> {
    let count = strata.len() as f64;
    if strata.is_empty() {
        return None;
    }
    let value = strata.iter().map(|one| one.value).sum::<f64>() / count;
    let (mut down, mut up) = (0.0, 0.0);
    for Estimate { value, interval } in strata {
        down += (value - interval.low).powi(2);
        up += (value - interval.high).powi(2);
    }
    let interval = Interval { low: value - down.sqrt() / count, high: value + up.sqrt() / count };
    Some(Estimate { value, interval })
}

/// The value that `percent` of ascending values, 1 to 99, do not exceed: the mean of two where it falls between them.
///
/// Source: definition 2 of R. J. Hyndman, Y. Fan 1996, Sample quantiles in statistical packages,
/// doi:10.1080/00031305.1996.10473566.
///
/// # Panics
/// Without values, and when `percent` is 100 or more.
pub fn quantile(ascending: &[f64], percent: usize) -> f64 {
    let (whole, rest) = (ascending.len() * percent / 100, ascending.len() * percent % 100);
    let upper = ascending[whole];
    if rest > 0 || whole == 0 || ascending[whole - 1] == upper {
        upper
    } else {
        f64::midpoint(ascending[whole - 1], upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::draws;
    use crate::{Z_95, wilson};

    fn mean(values: &[f64], counts: &[u32]) -> f64 {
        let total: f64 = values.iter().zip(counts).map(|(value, &count)| value * f64::from(count)).sum();
        total / values.len() as f64
    }

    #[test]
    fn the_interval_of_a_mean_is_near_that_of_the_normal() {
        let values: Vec<f64> = (0..400).map(|i| f64::from(i % 20)).collect();
        let found = Bootstrap::default().interval(400, &mut draws(1), |counts| mean(&values, counts));
        // The mean is 9.5; its standard error is sqrt(33.25 / 400) = 0.288.
        assert!((found.low - (9.5 - 1.96 * 0.288)).abs() < 0.06, "{found:?}");
        assert!((found.high - (9.5 + 1.96 * 0.288)).abs() < 0.06, "{found:?}");
    }

    #[test]
    fn the_same_stream_gives_the_same_interval() {
        let values = [1.0, 2.0, 5.0, 9.0];
        let find = |seed| Bootstrap::default().interval(4, &mut draws(seed), |counts| mean(&values, counts));
        assert_eq!(find(1), find(1));
        let first = Bootstrap { resamples: 50, level: 0.9 };
        let narrow = first.interval(4, &mut draws(1), |counts| mean(&values, counts));
        assert!(find(1).low <= narrow.low && narrow.high <= find(1).high);
    }

    #[test]
    fn infinite_statistics_and_no_units_have_intervals() {
        let everything = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
        assert_eq!(Bootstrap::default().interval(0, &mut draws(1), |_| 1.0), everything);
        let often = Bootstrap::default().interval(2, &mut draws(1), |counts| 1.0 / f64::from(counts[0]));
        assert_eq!(often, Interval { low: 0.5, high: f64::INFINITY });
        let one = Bootstrap { resamples: 1, level: 0.95 }.interval(1, &mut draws(1), |_| 3.0);
        assert_eq!(one, Interval { low: 3.0, high: 3.0 });
    }

    /// Reference values: exact binomial sums in Python's integers.
    #[test]
    fn ranks_are_those_of_exact_binomial_sums() {
        let table = [(5, None), (6, Some(1)), (9, Some(2)), (20, Some(6)), (50, Some(18)), (100, Some(40))];
        for (n, rank) in table {
            assert_eq!(enclosing_rank(n), rank, "n = {n}");
        }
        assert_eq!(enclosing_rank(10_000), Some(4902));
    }

    #[test]
    fn censored_values_lie_above_all_others() {
        let inf = f64::INFINITY;
        let found = median(&[3.0, inf, 1.0, inf, 2.0, 4.0, 5.0]).expect("values");
        assert_eq!(found, Estimate { value: 4.0, interval: Interval { low: 1.0, high: inf } });
        assert_eq!(median(&[1.0, inf, inf]).expect("values").value, inf);
        assert_eq!(median(&[1.0, 2.0]).expect("values").value, 1.5);
        assert_eq!(median(&[]), None);
    }

    fn share(solved: u64, runs: u64) -> Estimate {
        Estimate { value: solved as f64 / runs as f64, interval: wilson(solved, runs, Z_95) }
    }

    #[test]
    fn one_stratum_keeps_its_own_interval() {
        let (one, mean) = (share(7, 20), mean_of_strata(&[share(7, 20)]).expect("a stratum"));
        assert!((mean.interval.low - one.interval.low).abs() < 1e-12);
        assert!((mean.interval.high - one.interval.high).abs() < 1e-12);
        assert_eq!(mean_of_strata(&[]), None);
    }

    /// Reference values: Wilson's intervals of statsmodels put together by hand.
    #[test]
    fn strata_count_alike_however_many_runs_they_have() {
        let mean = mean_of_strata(&[share(10, 10), share(0, 40)]).expect("strata");
        assert!((mean.value - 0.5).abs() < 1e-12);
        assert!((mean.interval.low - (0.5 - 0.277_533 / 2.0)).abs() < 1e-5, "{mean:?}");
        assert!((mean.interval.high - (0.5 + 0.087_622 / 2.0)).abs() < 1e-5, "{mean:?}");
    }

    #[test]
    fn the_mean_of_shares_stays_between_none_and_all() {
        for solved in [0, 1, 20] {
            let mean = mean_of_strata(&[share(solved, 20), share(solved, 20)]).expect("strata");
            assert!(mean.interval.low >= -1e-12 && mean.interval.high <= 1.0 + 1e-12, "{mean:?}");
        }
    }

    /// Reference values: definition 2, by hand.
    #[test]
    fn quantiles_fall_on_values_or_between_two() {
        let values = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];
        assert_eq!(
            [10, 25, 50, 75, 90].map(|percent| quantile(&values, percent)),
            [1.5, 4.0, 24.0, 128.0, 384.0]
        );
        assert_eq!([10, 50, 90].map(|percent| quantile(&[7.0], percent)), [7.0; 3]);
        assert_eq!(quantile(&[1.0, f64::INFINITY, f64::INFINITY, f64::INFINITY], 50), f64::INFINITY);
    }
}
