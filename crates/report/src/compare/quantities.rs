//! Names, units, ratios, shares and intervals of a comparison in sentences.

use crate::{decimal, rounded};
use kenga_lab::study::{Comparison, Metric};
use kenga_stats::{Estimate, Interval};

/// The unit of the cost of a solution.
pub(super) fn unit(metric: Metric) -> &'static str {
    match metric {
        Metric::Evaluations => "evaluations",
        Metric::Moves => "moves",
        Metric::CpuS => "CPU seconds",
        _ => "calls",
    }
}

/// The name of the quantity that is compared, for headings.
pub(super) fn about(comparison: &Comparison) -> &'static str {
    match comparison.metric {
        Metric::BestFitness => comparison.facts.subject.best(),
        metric => metric.about(),
    }
}

/// A difference of shares in points.
pub(super) fn points(share: f64) -> String {
    decimal(share * 100.0, 1).replace('-', "−")
}

/// A ratio with two or three digits.
pub(super) fn factor(value: f64) -> String {
    match value {
        value if value.is_infinite() => "∞".to_owned(),
        value if value >= 99.95 => rounded(value),
        0.0 => "0".to_owned(),
        value if value < 0.001 => "< 0.001".to_owned(),
        value if value < 0.0995 => decimal(value, 3),
        value => decimal(value, 2),
    }
}

/// A ratio with its interval in a sentence that goes on, of which the second setting's cost is the larger one unless it is turned:
/// `2.5 times (1.5 to 4.1`.
pub(super) fn ratio_range(ratio: Estimate, is_turned: bool) -> String {
    let value = if is_turned { 1.0 / ratio.value } else { ratio.value };
    format!("{} times ({}", short_factor(value), factor_range(turned(ratio.interval, is_turned)))
}

/// The ends of a ratio in words: `1.5 to 4.1`, `at least 1.5`.
pub(super) fn factor_range(Interval { low, high }: Interval) -> String {
    match (low > 0.0, high.is_finite()) {
        (true, true) => format!("{} to {}", short_factor(low), short_factor(high)),
        (false, true) => format!("at most {}", short_factor(high)),
        (true, false) => format!("at least {}", short_factor(low)),
        (false, false) => "any ratio is possible".to_owned(),
    }
}

/// The ends of a ratio, or of its inverse.
pub(super) fn turned(interval: Interval, is_turned: bool) -> Interval {
    let Interval { low, high } = interval;
    if is_turned { Interval { low: 1.0 / high, high: 1.0 / low } } else { interval }
}

/// A ratio for a sentence.
pub(super) fn short_factor(value: f64) -> String {
    match value {
        value if value < 1.995 => decimal(value, 2).trim_end_matches('0').trim_end_matches('.').to_owned(),
        value if value < 9.95 => decimal(value, 1),
        value => rounded(value).replace(".00", ""),
    }
}
