//! The time to a solution: what a run shows of it, its expectation with restarts, its penalised mean, and its distribution.
//!
//! Sources: expected running time, A. Auger, N. Hansen 2005, Performance evaluation of an advanced local search
//! evolutionary algorithm, doi:10.1109/CEC.2005.1554903; penalised average runtime, F. Hutter, H. H. Hoos,
//! K. Leyton-Brown, T. Stützle 2009, ParamILS, doi:10.1613/jair.2861.
//!
//! # The expected running time of few runs, with an interval
//!
//! An algorithm that is restarted whenever it fails takes (1 - p) / p failed runs and then one that solves:
//!
//! ```text
//! ERT = (1 - p) / p * mean of a failed run + mean of a run that solves
//! ```
//!
//! The share p has Wilson's interval; the means have Student's on a logarithmic scale, that of solved runs at most the
//! longest time. The intervals are combined from the distances of their ends, which need not be symmetric. With 3 to 10 runs
//! bootstrap intervals cover 69 to 85 %, these 94 to 97.
//!
//! Sources: A. Auger, N. Hansen 2005, doi:10.1109/CEC.2005.1554903; G. Y. Zou, A. Donner 2008, Construction of confidence
//! limits about effect measures: a general approach, doi:10.1002/sim.3095.
//!
//! # The ratio of two mean times, with an interval
//!
//! ```text
//! log r = log mean of the first - log mean of the second
//! variance = s1^2 / (n1 m1^2) + s2^2 / (n2 m2^2)          by the delta method; m a mean, s^2 a variance
//! interval = log r +- t * sqrt(variance)                  Student's t, with Welch's degrees of freedom
//! ```
//!
//! Sources: G. W. Oehlert 1992, A note on the delta method, doi:10.1080/00031305.1992.10475842; B. L. Welch 1947, The
//! generalization of "Student's" problem, doi:10.1093/biomet/34.1-2.28.
//!
//! # The distribution of run lengths, drawn over a logarithmic axis
//!
//! Source: H. H. Hoos, T. Stützle 1998, Evaluating Las Vegas algorithms: pitfalls and remedies; N. Hansen, A. Auger,
//! D. Brockhoff, T. Tušar 2022, Anytime performance assessment in blackbox optimization benchmarking,
//! doi:10.1109/TEVC.2022.3210897.

use super::distribution::t_quantile;
use super::estimate::Estimate;
use super::one_sample::{mean, squares_about, standard_error};
use super::{Interval, wilson};

/// What a run spent and whether it solved. A failed run is censored: its time to a solution lies beyond what it spent, and
/// is never averaged as if it were known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observed {
    /// Evaluations, moves or seconds until the solution, or until the run gave up; 0 or more, finite.
    pub spent: f64,
    /// Whether it ended with a solution.
    pub solved: bool,
}

impl Observed {
    /// A run that solved after `spent`.
    pub fn solved(spent: f64) -> Self {
        Self { spent, solved: true }
    }

    /// A run that gave up after `spent`.
    pub fn failed(spent: f64) -> Self {
        Self { spent, solved: false }
    }

    /// The time that PAR-10 averages: a failed run counts [`PENALTY`] budgets.
    pub fn penalised(&self, budget: f64) -> f64 {
        if self.solved { self.spent } else { PENALTY * budget }
    }

    /// The value that rank tests compare: the time to the solution, infinite without one. All failures tie as the
    /// worst, whatever they spent.
    pub fn rank_value(&self) -> f64 {
        if self.solved { self.spent } else { f64::INFINITY }
    }
}

/// The values that rank tests compare, in the order of the runs; see [`Observed::rank_value`].
pub fn rank_values(runs: &[Observed]) -> Vec<f64> {
    runs.iter().map(Observed::rank_value).collect()
}

/// How many of the runs solved.
pub fn successes(runs: &[Observed]) -> usize {
    runs.iter().filter(|run| run.solved).count()
}

/// The expected running time of an algorithm that is restarted whenever it fails (ERT): all that was spent, over
/// the successes; infinite without a success.
pub fn expected_running_time(runs: &[Observed]) -> f64 {
    match successes(runs) {
        0 => f64::INFINITY,
        count => runs.iter().map(|run| run.spent).sum::<f64>() / count as f64,
    }
}

/// What a failed run counts in PAR-10, in budgets, or in the longest runs where budgets differ.
pub const PENALTY: f64 = 10.0;

/// [`expected_running_time`] with its interval for the normal quantile `z`. `budget` is what a run may spend, possibly
/// infinite: it is the cost of a failure where all runs solved. Without a success the value and the upper end are infinite.
pub fn expected_time_interval(runs: &[Observed], budget: f64, z: f64) -> Estimate {
    let (solved, all) = (successes(runs), runs.len());
    let value = expected_running_time(runs);
    let share = wilson(solved as u64, all as u64, z);
    let (mut solved_times, mut failed_times) = (Vec::new(), Vec::new());
    for run in runs {
        if run.solved { solved_times.push(run.spent) } else { failed_times.push(run.spent) }
    }
    let longest = if budget.is_finite() { budget } else { failed_times.iter().copied().fold(0.0, f64::max) };
    let longest = if longest > 0.0 { longest } else { f64::INFINITY };
    let solving = mean_time(&solved_times, longest, z);
    let failing = if solved < all {
        mean_time(&failed_times, longest, z)
    } else {
        // No run failed: a failure costs the budget, and never happens without one.
        let cost = if budget.is_finite() { budget } else { 0.0 };
        Estimate { value: cost, interval: Interval { low: cost, high: cost } }
    };
    let retries = (all - solved) as f64 / solved as f64;
    if solved == 0 {
        let low = if all > 0 { odds(share.high) * failing.interval.low } else { 0.0 };
        return Estimate { value, interval: Interval { low, high: f64::INFINITY } };
    }
    combined(value, retries, share, failing, solving)
}

/// The expected time from how many runs fail for one that solves, what these spend, and what that one spends.
pub(super) fn combined(
    value: f64,
    retries: f64,
    share: Interval,
    failing: Estimate,
    solving: Estimate,
) -> Estimate {
    // How far each of the three estimates alone moves an end.
    let down = [
        (retries - odds(share.high)) * failing.value,
        retries * (failing.value - failing.interval.low),
        solving.value - solving.interval.low,
    ];
    let up = [
        (odds(share.low) - retries) * failing.value,
        retries * (failing.interval.high - failing.value),
        solving.interval.high - solving.value,
    ];
    Estimate { value, interval: Interval { low: (value - length(down)).max(0.0), high: value + length(up) } }
}

/// How many runs fail for one that solves.
pub(super) fn odds(share: f64) -> f64 {
    (1.0 - share) / share
}

/// The length of a vector.
fn length(parts: [f64; 3]) -> f64 {
    squares_about(&parts, 0.0).sqrt()
}

/// The mean of times of at most `longest`; for a single time the interval is 0 to `longest`.
fn mean_time(times: &[f64], longest: f64, z: f64) -> Estimate {
    let value = if times.is_empty() { 0.0 } else { mean(times) };
    if value <= 0.0 {
        return Estimate { value: 0.0, interval: Interval { low: 0.0, high: 0.0 } };
    }
    if times.len() < 2 {
        let low = if value == longest { value } else { 0.0 };
        return Estimate { value, interval: Interval { low, high: longest.max(value) } };
    }
    let error = standard_error(times, value) / value;
    let factor = (t_quantile(z, times.len() as f64 - 1.0) * error).exp();
    let interval = Interval { low: value / factor, high: (value * factor).min(longest.max(value)) };
    Estimate { value, interval }
}

/// log10 of the ratio of two means of positive values, the first over the second, with its interval for the normal quantile `z`. It
/// knows only the failures that it sees: of penalised times without one, the interval is that of the times alone. Unbounded where a
/// side has fewer than two values.
pub fn log_ratio_of_means(first: &[f64], second: &[f64], z: f64) -> Estimate {
    let (first, second) = (LogMean::of(first), LogMean::of(second));
    let value = first.value - second.value;
    let variance = first.variance + second.variance;
    let half = if first.freedom < 1.0 || second.freedom < 1.0 {
        f64::INFINITY
    } else if variance > 0.0 {
        let parts = first.variance.powi(2) / first.freedom + second.variance.powi(2) / second.freedom;
        t_quantile(z, variance.powi(2) / parts) * variance.sqrt()
    } else {
        0.0
    };
    Estimate { value, interval: Interval { low: value - half, high: value + half } }
}

/// log10 of a mean.
struct LogMean {
    value: f64,
    variance: f64,
    /// Degrees of freedom of the variance.
    freedom: f64,
}

impl LogMean {
    fn of(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = mean(values);
        let of_mean = squares_about(values, mean) / (n - 1.0) / n;
        let variance = of_mean * (std::f64::consts::LOG10_E / mean).powi(2);
        Self { value: mean.log10(), variance, freedom: n - 1.0 }
    }
}

/// Points (time, share of all runs solved by then), one for each time at which runs solved, ascending: between them
/// the share is constant, and before the first it is 0.
///
/// Failed runs count as unsolved at every time. Where budgets differ that is a lower bound beyond the least of them. Empty
/// when nothing solved. O(n log n).
pub fn run_length_distribution(runs: &[Observed]) -> Vec<(f64, f64)> {
    let mut times: Vec<f64> = runs.iter().filter(|run| run.solved).map(|run| run.spent).collect();
    times.sort_unstable_by(f64::total_cmp);
    let (mut points, mut solved) = (Vec::new(), 0);
    for equal in times.chunk_by(|a, b| a == b) {
        solved += equal.len();
        points.push((equal[0], solved as f64 / runs.len() as f64));
    }
    points
}

/// `points` times from `low` to `high`, both included, equally far apart on a logarithmic axis; only `high` for one
/// point.
///
/// # Panics
/// When not 0 < `low` <= `high`, both finite.
pub fn logarithmic_axis(low: f64, high: f64, points: usize) -> Vec<f64> {
    assert!(0.0 < low && low <= high && high.is_finite(), "a logarithmic axis needs 0 < {low} <= {high}");
    let mut axis = Vec::with_capacity(points);
    for step in 1..points {
        axis.push(low * (high / low).powf((step - 1) as f64 / (points - 1) as f64));
    }
    if points > 0 {
        // The last is exact.
        axis.push(high);
    }
    axis
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Z_95;
    use crate::testing::assert_close;

    #[test]
    fn all_failures_tie_as_the_worst() {
        let runs = [Observed::failed(10.0), Observed::solved(99.0), Observed::failed(50.0)];
        assert_eq!(rank_values(&runs), [f64::INFINITY, 99.0, f64::INFINITY]);
        assert_eq!(successes(&runs), 1);
        assert_eq!(rank_values(&[]), [0.0; 0]);
    }

    fn runs() -> Vec<Observed> {
        let solved = [10.0, 20.0, 30.0].map(Observed::solved);
        [&solved[..], &[Observed::failed(100.0); 2]].concat()
    }

    #[test]
    fn failures_count_what_they_spent_and_are_no_successes() {
        assert_eq!(expected_running_time(&runs()), 260.0 / 3.0);
    }

    #[test]
    fn without_a_success_the_time_is_infinite() {
        let inf = f64::INFINITY;
        let failed = [Observed::failed(5.0); 3];
        assert_eq!(expected_running_time(&failed), inf);
        assert_eq!(expected_running_time(&[]), inf);
    }

    /// Reference values: the same written in Python with scipy 1.17, stats.t.ppf.
    #[test]
    fn intervals_are_those_of_the_formula() {
        let solved = [10.0, 20.0, 30.0].map(Observed::solved);
        let runs = [&solved[..], &[Observed::failed(100.0); 2]].concat();
        let found = expected_time_interval(&runs, 100.0, Z_95);
        assert_eq!(found.value, 260.0 / 3.0);
        assert_close(found.interval.low, 31.465_809_573_004_613, 1e-6);
        assert_close(found.interval.high, 357.927_127_449_579_87, 1e-6);
        let all = expected_time_interval(&solved, 100.0, Z_95);
        assert_close(all.interval.low, 5.775_722_851_575_413, 1e-6);
        assert_close(all.interval.high, 157.195_282_203_377_67, 1e-6);
    }

    #[test]
    fn what_nothing_bounds_is_infinite_and_nothing_is_nan() {
        let inf = f64::INFINITY;
        let none = expected_time_interval(&[], 9.0, Z_95);
        assert_eq!((none.value, none.interval), (inf, Interval { low: 0.0, high: inf }));
        let failed = expected_time_interval(&[Observed::failed(5.0); 3], 5.0, Z_95);
        assert_eq!((failed.value, failed.interval.high), (inf, inf));
        assert!(failed.interval.low > 3.0, "{failed:?}");
        let one = expected_time_interval(&[Observed::solved(4.0)], inf, Z_95);
        assert_eq!((one.value, one.interval), (4.0, Interval { low: 0.0, high: inf }));
        let zero = expected_time_interval(&[Observed::solved(0.0); 4], inf, Z_95);
        assert_eq!((zero.value, zero.interval), (0.0, Interval { low: 0.0, high: 0.0 }));
    }

    /// Reference values: the same written in Python with scipy 1.17, stats.t.ppf.
    #[test]
    fn the_ratio_of_means_has_the_interval_of_the_formula() {
        let found = log_ratio_of_means(&[100.0, 300.0, 200.0, 1000.0], &[10.0, 12.0, 11.0], Z_95);
        assert_close(found.value, 1.560_667_306_169_737_6, 1e-9);
        assert_close(found.interval.low, 0.859_853_010_358_593_7, 1e-6);
        assert_close(found.interval.high, 2.261_481_601_980_881_4, 1e-6);
        let same = log_ratio_of_means(&[1000.0; 4], &[10.0; 2], Z_95);
        assert_eq!((same.value, same.interval), (2.0, Interval { low: 2.0, high: 2.0 }));
        let few = log_ratio_of_means(&[1000.0; 4], &[10.0], Z_95);
        assert_eq!((few.interval.low, few.interval.high), (f64::NEG_INFINITY, f64::INFINITY));
    }

    fn five_runs() -> Vec<Observed> {
        let solved = [30.0, 10.0, 10.0, 500.0].map(Observed::solved);
        [&solved[..], &[Observed::failed(1000.0)]].concat()
    }

    #[test]
    fn failed_runs_never_count_as_solved() {
        assert_eq!(run_length_distribution(&five_runs()), [(10.0, 0.4), (30.0, 0.6), (500.0, 0.8)]);
        assert_eq!(run_length_distribution(&[Observed::failed(3.0)]), []);
        assert_eq!(run_length_distribution(&[]), []);
        assert_eq!(run_length_distribution(&[Observed::solved(3.0)]), [(3.0, 1.0)]);
    }

    #[test]
    fn axes_hold_both_ends() {
        let axis = logarithmic_axis(1.0, 1000.0, 4);
        axis.iter()
            .zip([1.0, 10.0, 100.0, 1000.0])
            .for_each(|(&at, expected)| assert_close(at, expected, 1e-12));
        assert_eq!(logarithmic_axis(2.0, 7.0, 1), [7.0]);
        assert_eq!(logarithmic_axis(2.0, 2.0, 2), [2.0, 2.0]);
        assert_eq!(logarithmic_axis(2.0, 7.0, 0), [0.0; 0]);
    }

    #[test]
    #[should_panic(expected = "a logarithmic axis needs 0 < 0 <= 5")]
    fn an_axis_from_zero_is_refused() {
        logarithmic_axis(0.0, 5.0, 3);
    }
}
