//! The density of states: how common each value is among all genomes, from uniform samples.
//!
//! ```text
//! depth = mean / standard deviation            how many deviations solutions lie below the mean
//! slope = ln(F(m) / F(q)) / (m - q)            F(v): share of genomes with value v or less
//! ```
//!
//! m is the median and q the value that one genome in a hundred does not exceed: how fast genomes become rarer with every
//! unit of value, towards the solutions. The histogram reaches as far down as a uniform sample does.
//!
//! Source: H. Rosé, W. Ebeling, T. Asselmeyer 1996, The density of states: a measure of the difficulty of optimisation
//! problems, Parallel Problem Solving from Nature 4, 208-217.

use super::estimate::{from_counts, from_sums, mean};
use super::{Measure, Outcome, Quantity, Survey, quantity};

pub(super) const MEASURE: Measure = Measure {
    name: "density",
    about: "how common each value is among random genomes",
    source: "H. Rosé, W. Ebeling, T. Asselmeyer 1996, Parallel Problem Solving from Nature 4, 208-217",
    quantities: QUANTITIES,
    take,
};

const QUANTITIES: &[Quantity] = &[
    quantity("density_mean", "mean value of a random genome", 0.0, f64::INFINITY),
    quantity(
        "density_depth",
        "standard deviations from the mean value down to a solution",
        0.0,
        f64::INFINITY,
    ),
    quantity(
        "density_slope",
        "log of how much rarer genomes become with each unit of value",
        0.0,
        f64::INFINITY,
    ),
];

fn take(survey: &mut Survey<'_>) -> Vec<Outcome> {
    let points = survey.points();
    let mut with = survey.resampler("density");
    let mut values: Vec<f64> = points.iter().map(|point| point.around.value as f64).collect();
    values.sort_unstable_by(f64::total_cmp);
    let moments: Vec<[f64; 2]> = values.iter().map(|value| [*value, value * value]).collect();
    let depth = if survey.is_zero_a_bound {
        Outcome::UNDEFINED
    } else {
        from_sums(&moments, &QUANTITIES[1], &mut with, depth)
    };
    vec![
        mean(&values, &QUANTITIES[0], &mut with),
        depth,
        from_counts(values.len(), &QUANTITIES[2], &mut with, |counts| slope(&values, counts)),
    ]
}

/// The mean over the standard deviation, from the sums of values and of their squares.
fn depth([sum, squares]: [f64; 2], units: f64) -> f64 {
    let mean = sum / units;
    let variance = squares / units - mean * mean;
    if variance > 1e-9 { mean / variance.sqrt() } else { f64::NAN }
}

/// The slope of the log of the cumulative share, from ascending values that count so often.
fn slope(values: &[f64], counts: &[u32]) -> f64 {
    let (low, middle) = (quantile(values, counts, 0.01), quantile(values, counts, 0.5));
    if middle > low {
        (up_to(values, counts, middle) / up_to(values, counts, low)).ln() / (middle - low)
    } else {
        f64::NAN
    }
}

fn quantile(values: &[f64], counts: &[u32], share: f64) -> f64 {
    let total: u32 = counts.iter().sum();
    let wanted = (share * f64::from(total)).ceil().max(1.0);
    let mut below = 0.0;
    for (value, count) in values.iter().zip(counts) {
        below += f64::from(*count);
        if below >= wanted {
            return *value;
        }
    }
    f64::NAN
}

/// How often values count that are at most `end`.
fn up_to(values: &[f64], counts: &[u32], end: f64) -> f64 {
    let below = values.partition_point(|value| *value <= end);
    counts[..below].iter().map(|count| f64::from(*count)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_an_exponential_is_its_rate() {
        // One value of 1, two of 2, four of 3, ...: cumulative shares nearly double with each.
        let values: Vec<f64> = (0..10).flat_map(|v| vec![f64::from(v); 1 << v]).collect();
        let found = slope(&values, &vec![1; values.len()]);
        assert!((found - std::f64::consts::LN_2).abs() < 0.05, "{found}");
        assert!(slope(&[3.0, 3.0], &[1, 1]).is_nan());
    }
}
