//! Intervals by resampling.
//!
//! A resample draws as many units as there are, with replacement; a unit is whatever was sampled independently: a run,
//! or a puzzle with all its runs. The interval is between percentiles of the statistic over the resamples.
//!
//! Source: B. Efron 1979, Bootstrap methods: another look at the jackknife, doi:10.1214/aos/1176344552; the percentile
//! interval, B. Efron, R. J. Tibshirani 1993, An Introduction to the Bootstrap, chapter 13,
//! doi:10.1201/9780429246593.

use super::Interval;

/// How a bootstrap is done.
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
#[derive(Clone, Copy, Debug, PartialEq)]
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
        if units == 0 || self.resamples == 0 {
            return Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        let mut counts = vec![0; units];
        let mut values: Vec<f64> = (0..self.resamples)
            .map(|_| {
                counts.fill(0);
                (0..units).for_each(|_| counts[draw(units)] += 1);
                statistic(&counts)
            })
            .collect();
        values.sort_unstable_by(f64::total_cmp);
        let last = self.resamples - 1;
        let beyond = (((1.0 - self.level) / 2.0 * last as f64) as usize).min(last / 2);
        Interval { low: values[beyond], high: values[last - beyond] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::draws;

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
}
