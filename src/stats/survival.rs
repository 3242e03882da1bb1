//! The distribution of the time to a solution when some runs gave up.
//!
//! The estimate falls only where runs solve; a run that gave up leaves those at risk and says no more.
//!
//! Sources: E. L. Kaplan, P. Meier 1958, Nonparametric estimation from incomplete observations,
//! doi:10.1080/01621459.1958.10501452; the variance, M. Greenwood 1926, in its log-log form, J. D. Kalbfleisch,
//! R. L. Prentice 2002, doi:10.1002/9781118032985; quantiles, R. Brookmeyer, J. Crowley 1982, A confidence interval for
//! the median survival time, doi:10.2307/2530286.

use super::bootstrap::Estimate;
use super::{Interval, Observed};

/// A share that rounding moved by less counts as reached.
const ROUNDING: f64 = 1e-12;

/// A time at which runs solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurvivalStep {
    /// The time.
    pub time: f64,
    /// Runs still searching just before it.
    pub at_risk: u64,
    /// Runs that solved at it.
    pub solved: u64,
    /// The estimated share of runs unsolved just after it, from 0 to 1.
    pub unsolved: f64,
    /// Greenwood's sum so far: the variance of the logarithm of the share; infinite once it is 0.
    pub log_variance: f64,
}

/// The Kaplan-Meier estimate of the share of runs unsolved, as steps at times ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct KaplanMeier {
    steps: Vec<SurvivalStep>,
    last: f64,
}

impl KaplanMeier {
    /// Estimates from runs. Runs that gave up at the very time at which others solved were at risk of it. O(n log n).
    pub fn estimate(runs: &[Observed]) -> Self {
        let mut sorted = runs.to_vec();
        sorted.sort_unstable_by(|a, b| a.spent.total_cmp(&b.spent));
        Self::from_sorted(&sorted, |_| 1)
    }

    /// Estimates from runs sorted by time, each counted as often as its weight says.
    pub(crate) fn from_sorted(sorted: &[Observed], weight: impl Fn(usize) -> u64) -> Self {
        let mut at_risk: u64 = (0..sorted.len()).map(&weight).sum();
        let (mut unsolved, mut log_variance, mut start) = (1.0, 0.0, 0);
        let (mut steps, mut last) = (Vec::new(), 0.0);
        for together in sorted.chunk_by(|a, b| a.spent == b.spent) {
            let weighed = (start..).zip(together).map(|(index, run)| (weight(index), run.solved));
            let (all, solved) = weighed
                .fold((0, 0), |(all, solved), (count, is)| (all + count, solved + count * u64::from(is)));
            if solved > 0 {
                let (d, n) = (solved as f64, at_risk as f64);
                unsolved *= 1.0 - d / n;
                log_variance += d / (n * (n - d));
                steps.push(SurvivalStep { time: together[0].spent, at_risk, solved, unsolved, log_variance });
            }
            if all > 0 {
                last = together[0].spent;
            }
            at_risk -= all;
            start += together.len();
        }
        Self { steps, last }
    }

    /// The steps, by time.
    pub fn steps(&self) -> &[SurvivalStep] {
        &self.steps
    }

    /// The longest time seen, solved or not; 0 without runs. Beyond it nothing is known unless all have solved.
    pub fn longest(&self) -> f64 {
        self.last
    }

    /// The estimated share unsolved after `time`, from 0 to 1. O(log n).
    pub fn unsolved(&self, time: f64) -> f64 {
        self.until(time).last().map_or(1.0, |step| step.unsolved)
    }

    /// The log-log interval of [`KaplanMeier::unsolved`] for the normal quantile `z`, within 0 and 1. It is 1 to 1
    /// before anything solved, and where all have solved from 0 to the upper end before the last did.
    pub fn interval(&self, time: f64, z: f64) -> Interval {
        let steps = self.until(time);
        steps
            .len()
            .checked_sub(1)
            .map_or(Interval { low: 1.0, high: 1.0 }, |last| self.step_interval(last, z))
    }

    /// The least time by which an estimated share `p`, strictly between 0 and 1, has solved, with its
    /// Brookmeyer-Crowley interval: the times at which the log-log interval of the share holds `1 - p`. Infinite where
    /// the runs were too short to tell. The median is `p = 0.5`.
    pub fn quantile(&self, p: f64, z: f64) -> Estimate {
        let least = 1.0 - p + ROUNDING;
        let first = |share: &dyn Fn(usize) -> f64| {
            let step = (0..self.steps.len()).find(|&index| share(index) <= least);
            step.map_or(f64::INFINITY, |index| self.steps[index].time)
        };
        Estimate {
            value: first(&|index| self.steps[index].unsolved),
            interval: Interval {
                low: first(&|index| self.step_interval(index, z).low),
                high: first(&|index| self.step_interval(index, z).high),
            },
        }
    }

    /// The mean of the time to a solution or `horizon`, whichever comes first: the area below the estimate, which
    /// keeps its last value beyond the longest time. O(n).
    pub fn restricted_mean(&self, horizon: f64) -> f64 {
        let (mut area, mut since, mut unsolved) = (0.0, 0.0, 1.0);
        for step in self.until(horizon) {
            area += (step.time - since) * unsolved;
            (since, unsolved) = (step.time, step.unsolved);
        }
        area + (horizon - since) * unsolved
    }

    fn until(&self, time: f64) -> &[SurvivalStep] {
        &self.steps[..self.steps.partition_point(|step| step.time <= time)]
    }

    fn step_interval(&self, index: usize, z: f64) -> Interval {
        let step = self.steps[index];
        if step.unsolved <= 0.0 {
            let high = index.checked_sub(1).map_or(1.0, |before| self.step_interval(before, z).high);
            return Interval { low: 0.0, high };
        }
        let factor = (z * step.log_variance.sqrt() / step.unsolved.ln()).exp();
        // The logarithm is negative, so that the factor is below 1 and its power the upper end.
        Interval { low: step.unsolved.powf(1.0 / factor), high: step.unsolved.powf(factor) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Z_95;
    use crate::stats::testing::assert_close;

    /// The times to relapse of 21 patients under 6-mercaptopurine: E. J. Freireich and others 1963.
    fn runs() -> Vec<Observed> {
        let solved = [6.0, 6.0, 6.0, 7.0, 10.0, 13.0, 16.0, 22.0, 23.0].map(Observed::solved);
        let failed =
            [6.0, 9.0, 10.0, 11.0, 17.0, 19.0, 20.0, 25.0, 32.0, 32.0, 34.0, 35.0].map(Observed::failed);
        [&solved[..], &failed[..]].concat()
    }

    /// Reference values: lifelines 0.30, KaplanMeierFitter().fit(...).survival_function_, .confidence_interval_.
    #[test]
    fn shares_and_intervals_are_those_of_lifelines() {
        let found = KaplanMeier::estimate(&runs());
        for (time, unsolved, low, high) in [
            (5.0, 1.0, 1.0, 1.0),
            (6.0, 0.857_142_857_142_857, 0.619_717_955_265_983_8, 0.951_551_747_646_996_9),
            (9.0, 0.806_722_689_075_629_9, 0.563_146_564_622_233_3, 0.922_809_019_202_880_2),
            (10.0, 0.752_941_176_470_587_8, 0.503_199_510_799_956_4, 0.889_361_835_169_265_1),
            (15.0, 0.690_196_078_431_372_2, 0.431_610_222_486_183_9, 0.849_065_963_349_450_5),
            (16.0, 0.627_450_980_392_156_6, 0.367_510_855_987_501_94, 0.804_912_189_471_841_1),
            (22.0, 0.537_815_126_050_419_9, 0.267_778_936_767_134_93, 0.746_790_717_635_394_3),
            (23.0, 0.448_179_271_708_683_27, 0.188_052_005_959_232_33, 0.680_142_628_495_241_2),
            (35.0, 0.448_179_271_708_683_27, 0.188_052_005_959_232_33, 0.680_142_628_495_241_2),
        ] {
            assert_close(found.unsolved(time), unsolved, 1e-12);
            assert_close(found.interval(time, Z_95).low, low, 1e-9);
            assert_close(found.interval(time, Z_95).high, high, 1e-9);
        }
        assert_eq!((found.longest(), found.steps().len(), found.steps()[0].at_risk), (35.0, 7, 21));
    }

    /// Reference values: lifelines 0.30, utils.qth_survival_times and median_survival_times(confidence_interval_),
    /// utils.restricted_mean_survival_time.
    #[test]
    fn quantiles_are_those_of_lifelines() {
        let found = KaplanMeier::estimate(&runs());
        for (p, value, low, high) in [
            (0.1, 6.0, 6.0, 10.0),
            (0.25, 13.0, 6.0, 22.0),
            (0.5, 23.0, 13.0, f64::INFINITY),
            (0.75, f64::INFINITY, 23.0, f64::INFINITY),
        ] {
            let interval = Interval { low, high };
            assert_eq!(found.quantile(p, Z_95), Estimate { value, interval }, "{p}");
        }
        assert_close(found.restricted_mean(20.0), 16.116_526_610_644_254, 1e-12);
        assert_close(found.restricted_mean(35.0), 23.287_394_957_983_185, 1e-12);
    }

    #[test]
    fn none_one_and_only_failed_runs_are_estimated() {
        let inf = f64::INFINITY;
        for runs in [vec![], vec![Observed::failed(3.0); 5]] {
            let found = KaplanMeier::estimate(&runs);
            assert_eq!(found.unsolved(1e9), 1.0);
            assert_eq!(found.interval(1e9, Z_95), Interval { low: 1.0, high: 1.0 });
            assert_eq!(found.quantile(0.5, Z_95).value, inf);
            assert_eq!(found.restricted_mean(4.0), 4.0);
        }
        let one = KaplanMeier::estimate(&[Observed::solved(5.0)]);
        assert_eq!((one.unsolved(4.9), one.unsolved(5.0)), (1.0, 0.0));
        assert_eq!(one.interval(5.0, Z_95), Interval { low: 0.0, high: 1.0 });
        assert_eq!(
            one.quantile(0.5, Z_95),
            Estimate { value: 5.0, interval: Interval { low: 5.0, high: inf } }
        );
        let equal = KaplanMeier::estimate(&[Observed::solved(5.0); 7]);
        assert_eq!(equal.quantile(0.9, Z_95).value, 5.0);
        assert_eq!(equal.restricted_mean(9.0), 5.0);
    }

    #[test]
    fn a_hundred_thousand_runs_are_no_trouble() {
        let runs: Vec<Observed> =
            (0..100_000).map(|i| Observed::solved(f64::from(i * 7919 % 100_003))).collect();
        let found = KaplanMeier::estimate(&runs).quantile(0.5, Z_95);
        assert!((found.value - 50_000.0).abs() < 10.0 && found.interval.low > 49_600.0);
    }
}
