//! The Bayesian signed-rank test: how probable it is that one of two is better by more than what matters in practice.
//!
//! The distribution of the differences has a Dirichlet process for a prior, with the weight of half an observation at
//! difference 0. A draw of the posterior gives every difference a weight; the shares of pairs of differences whose mean lies
//! below, within and above the region of practical equivalence sum to 1, and the largest of the three wins the draw. The
//! probabilities are the shares of draws won. Unlike a p-value they can say that two are equivalent.
//!
//! Sources: A. Benavoli, F. Mangili, G. Corani, M. Zaffalon, F. Ruggeri 2014, A Bayesian Wilcoxon signed-rank test based on
//! the Dirichlet process, Proceedings of Machine Learning Research 32(2), 1026-1034; A. Benavoli, G. Corani, J. Demšar,
//! M. Zaffalon 2017, Time for a change: a tutorial for comparing multiple classifiers through Bayesian analysis, Journal of
//! Machine Learning Research 18(77), 1-36.

use std::f64::consts::TAU;

/// How probable the three outcomes are; they sum to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PracticalDifference {
    /// Differences tend to lie below the region.
    pub below: f64,
    /// They tend to lie within it.
    pub within: f64,
    /// They tend to lie above it.
    pub above: f64,
}

/// Draws of the posterior; the probabilities are then known to some 0.4 points.
const DRAWS: usize = 20_000;

/// Replaces an infinite difference: two of opposite sign average to 0.
const BEYOND: f64 = 1e300;

/// The test of differences, of which none is NaN, with the region from `-region` to `region`, 0 or more. `unit` draws uniform
/// reals from [0, 1): the same stream gives the same probabilities. `None` without differences.
///
/// A mean at the bound of the region lies within it; baycomp counts half of it as beyond. A difference may be infinite: it lies beyond every region unless its opposite averages it to 0. O(n) a draw.
pub fn bayesian_signed_rank(
    differences: &[f64],
    region: f64,
    mut unit: impl FnMut() -> f64,
) -> Option<PracticalDifference> {
    if differences.is_empty() {
        return None;
    }
    let mut values: Vec<f64> = differences.iter().map(|one| one.clamp(-BEYOND, BEYOND)).collect();
    values.sort_unstable_by(f64::total_cmp);
    let prior = values.partition_point(|value| *value <= 0.0);
    values.insert(prior, 0.0);
    let above = Partners::of(&values, 2.0 * region);
    // What lies below the region is what lies above it among the negated differences, in their ascending order.
    values.reverse();
    for value in &mut values {
        *value = -*value;
    }
    let below = Partners::of(&values, 2.0 * region);
    let mut won = [0_usize; 3];
    let mut weights = vec![0.0; values.len()];
    for _ in 0..DRAWS {
        // In ascending order of the differences: the order of draws decides the probabilities.
        for (place, weight) in weights.iter_mut().enumerate() {
            *weight = if place == prior { half_gamma(unit(), unit()) } else { -logarithm(unit()) };
        }
        let total: f64 = weights.iter().sum();
        let upper = above.share(&weights) / total / total;
        weights.reverse();
        let lower = below.share(&weights) / total / total;
        won[largest([lower, 1.0 - lower - upper, upper])] += 1;
    }
    let [below, within, above] = won.map(|won| won as f64 / DRAWS as f64);
    Some(PracticalDifference { below, within, above })
}

/// The index of the largest, the first of several.
fn largest(shares: [f64; 3]) -> usize {
    let first = usize::from(shares[1] > shares[0]);
    if shares[2] > shares[first] { 2 } else { first }
}

/// The natural logarithm of 1 - `unit`, which is finite: minus it is an exponential draw, of gamma's distribution with shape 1.
fn logarithm(unit: f64) -> f64 {
    (1.0 - unit).ln()
}

/// A draw of gamma's distribution with shape 1/2: half the square of a normal draw (Box and Muller 1958,
/// doi:10.1214/aoms/1177706645).
fn half_gamma(radius: f64, angle: f64) -> f64 {
    -logarithm(radius) * (TAU * angle).cos().powi(2)
}

/// For every ascending value the first place of those whose sum with it exceeds a threshold.
struct Partners {
    from: Vec<usize>,
}

impl Partners {
    fn of(values: &[f64], threshold: f64) -> Self {
        let mut from = Vec::with_capacity(values.len());
        for value in values {
            from.push(values.partition_point(|other| value + other <= threshold));
        }
        Self { from }
    }

    /// The weight of the pairs beyond the threshold.
    fn share(&self, weights: &[f64]) -> f64 {
        let mut sum = 0.0;
        let mut before = Vec::with_capacity(weights.len() + 1);
        for weight in weights {
            before.push(sum);
            sum += weight;
        }
        before.push(sum);
        let mut share = 0.0;
        for (weight, from) in weights.iter().zip(&self.from) {
            share += weight * (sum - before[*from]);
        }
        share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::rng::StreamKey;

    fn found(differences: &[f64], region: f64) -> [f64; 3] {
        let mut rng = StreamKey::run(1, "bayes", 0).rng();
        let found = bayesian_signed_rank(differences, region, || rng.unit()).expect("differences");
        [found.below, found.within, found.above]
    }

    /// Reference values: baycomp 1.0.3, SignedRankTest.probs(zeros, differences, rope, nsamples=200000).
    #[test]
    fn probabilities_are_those_of_baycomp() {
        for (differences, region, expected) in [
            (&[0.5, -0.2, 0.8, 1.1, 0.3, -0.1, 0.9, 0.4, 0.05, 0.7], 0.301, [0.0, 0.2157, 0.7843]),
            (&[0.01, -0.02, 0.015, 0.0, 0.03, -0.01, 0.005, 0.02], 0.05, [0.0, 1.0, 0.0]),
            (&[-1.0, -2.0, 0.5, -0.3, -1.5], 0.101, [0.9807, 0.0021, 0.0172]),
            (&[3.0, -1.0, 2.0, 4.0, 0.0, 0.25, 1.0, -0.5, 1.0, 1.0], 1.01, [0.0, 0.7228, 0.2772]),
            (&[2.0], 0.5, [0.0, 0.1582, 0.8418]),
        ] as [(&[f64], f64, [f64; 3]); _]
        {
            let found = found(differences, region);
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 0.012, "{differences:?} {found} is not {expected}");
            }
        }
    }

    #[test]
    fn the_turned_differences_have_the_turned_answer() {
        let differences = [3.0, -1.0, 2.0, 4.0, 0.0, 0.25];
        let turned: Vec<f64> = differences.iter().map(|one| -one).collect();
        let (one, other) = (found(&differences, 0.5), found(&turned, 0.5));
        assert!((one[0] - other[2]).abs() < 0.012 && (one[2] - other[0]).abs() < 0.012, "{one:?} {other:?}");
        assert!((one.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn failures_lie_beyond_every_region() {
        let inf = f64::INFINITY;
        assert!(found(&[inf; 20], 5.0)[2] > 0.99);
        assert!(found(&[-inf; 20], 5.0)[0] > 0.99);
        assert_eq!(found(&[0.0; 20], 0.1), [0.0, 1.0, 0.0]);
        assert_eq!(bayesian_signed_rank(&[], 0.1, || 0.5), None);
    }

    #[test]
    fn what_lies_at_the_bound_lies_within_the_region() {
        assert_eq!(found(&[0.0; 8], 0.0), [0.0, 1.0, 0.0]);
        let whole = [3.0, -1.0, 2.0, 4.0, 0.0, 0.25, 1.0, -0.5, 1.0, 1.0];
        assert_eq!(found(&whole, 1.0), found(&whole, 1.01));
    }
}
