//! The expected running time over puzzles, from the means of the starts of each.

use super::Interval;
use super::distribution::t_quantile;
use super::estimate::Estimate;
use super::one_sample::{mean, squares_about};
use super::running_time::{combined, odds};

/// The mean effort of the runs of a start, by how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// The mean effort of runs that solved, others counting 0.
    pub solving: f64,
    /// The mean effort of failed runs, others counting 0.
    pub failing: f64,
    /// The share that solved.
    pub solved: f64,
}

/// The expected running time over puzzles, each counting alike: the sum over puzzles of the mean that is spent, over the sum of
/// the shares solved. `puzzles` holds the starts of each puzzle, `share` the mean share with its interval, and `budget` what a
/// failure costs where none was seen. The interval is that of [`expected_time_interval`](super::expected_time_interval) for a single puzzle whose starts have one
/// run each.
pub fn expected_time_over_puzzles(puzzles: &[Vec<Effort>], share: Interval, budget: f64, z: f64) -> Estimate {
    let mut sums = Effort::default();
    for starts in puzzles {
        let n = starts.len() as f64;
        for start in starts {
            sums.solving += start.solving / n;
            sums.failing += start.failing / n;
            sums.solved += start.solved / n;
        }
    }
    let count = puzzles.len() as f64;
    let failures = count - sums.solved;
    let longest = if budget > 0.0 { budget } else { f64::INFINITY };
    let part = |number: fn(&Effort) -> f64, weight: fn(&Effort) -> f64| {
        mean_of_parts(puzzles, number, weight, longest, z)
    };
    let solving = part(|start| start.solving, |start| start.solved);
    let failing = if failures > 1e-12 {
        part(|start| start.failing, |start| 1.0 - start.solved)
    } else {
        let cost = if budget.is_finite() { budget } else { 0.0 };
        Estimate { value: cost, interval: Interval { low: cost, high: cost } }
    };
    if sums.solved <= 0.0 {
        let low = if count > 0.0 { odds(share.high) * failing.interval.low } else { 0.0 };
        return Estimate { value: f64::INFINITY, interval: Interval { low, high: f64::INFINITY } };
    }
    let value = (sums.solving + sums.failing) / sums.solved;
    combined(value, failures / sums.solved, share, failing, solving)
}

/// The mean of what starts spent, weighted by the share of their runs that it is about, with an interval on a logarithmic scale
/// from the spread within puzzles.
fn mean_of_parts(
    puzzles: &[Vec<Effort>],
    number: fn(&Effort) -> f64,
    weight: fn(&Effort) -> f64,
    longest: f64,
    z: f64,
) -> Estimate {
    let (mut sum, mut weights) = (0.0, 0.0);
    for starts in puzzles {
        let n = starts.len() as f64;
        sum += starts.iter().map(number).sum::<f64>() / n;
        weights += starts.iter().map(weight).sum::<f64>() / n;
    }
    let value = if weights > 0.0 { sum / weights } else { 0.0 };
    if value <= 0.0 {
        return Estimate { value: 0.0, interval: Interval { low: 0.0, high: 0.0 } };
    }
    let (mut variance, mut freedom, mut informative) = (0.0, 0.0, 0);
    for starts in puzzles {
        let mut residuals = Vec::with_capacity(starts.len());
        for start in starts {
            if weight(start) > 0.0 {
                residuals.push(number(start) - value * weight(start));
            }
        }
        informative += residuals.len();
        let n = residuals.len() as f64;
        // A single start of a puzzle shows no spread within it: its distance from the mean of all stands in.
        let centre = if residuals.len() > 1 { mean(&residuals) } else { 0.0 };
        let correction = if residuals.len() > 1 { n / (n - 1.0) } else { 1.0 };
        if residuals.len() > 1 {
            freedom += n - 1.0;
        }
        variance += correction * squares_about(&residuals, centre) / (starts.len() * starts.len()) as f64;
    }
    if informative < 2 {
        let low = if value == longest { value } else { 0.0 };
        return Estimate { value, interval: Interval { low, high: longest.max(value) } };
    }
    let freedom = if freedom > 0.0 { freedom } else { informative as f64 - 1.0 };
    let factor = (t_quantile(z, freedom) * variance.sqrt() / weights / value).exp();
    Estimate {
        value,
        interval: Interval { low: value / factor, high: (value * factor).min(longest.max(value)) },
    }
}
