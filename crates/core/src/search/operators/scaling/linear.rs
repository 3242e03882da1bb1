//! Linear scaling, with the guard that Pyevolve uses.
//!
//! With mean A, largest M and smallest m, the scaled score is max(0, a s + b):
//!
//! ```text
//! if A = M:                  a = 1, b = 0
//! else if m > c A - M/c - 1: a = (c - 1) A / (M - A),  b = A (M - c A) / (M - A)
//! else:                      a = A / (A - m),          b = -m A / (A - m)
//! ```
//!
//! The first branch keeps the mean and gives the best `c` times the mean. The second, used when that would make the
//! worst negative, keeps the mean and gives the worst 0. Goldberg's guard reads m > (c A - M) / (c - 1). Pyevolve lacks
//! the parentheses, and so does the original experiment, which this reproduces.

use crate::spec::{Builder, Member, Param};

use super::Scaling;

struct Linear {
    c: f64,
}

pub(super) static ENTRY: Builder<Box<dyn Scaling>> = Member::new("linear")
    .about("linear scaling: keeps the mean and makes the best score c times the mean, if none turns negative")
    .source("D. E. Goldberg 1989, Genetic Algorithms in Search, Optimization and Machine Learning")
    .params(&[Param::real("c", 1.0..=10.0, 1.2).about("the best scaled score, as a multiple of the mean")])
    .build(|spec| Box::new(Linear { c: spec.real("c") }));

/// The coefficients (a, b) for scores with this mean, largest and smallest.
fn coefficients(c: f64, mean: f64, largest: f64, smallest: f64) -> (f64, f64) {
    if mean == largest {
        (1.0, 0.0)
    } else if smallest > c * mean - largest / c - 1.0 {
        let spread = largest - mean;
        ((c - 1.0) * mean / spread, mean * (largest - c * mean) / spread)
    } else {
        let spread = mean - smallest;
        (mean / spread, -smallest * mean / spread)
    }
}

impl Scaling for Linear {
    fn scale(&self, scores: &[f64], _progress: f64, scaled: &mut [f64]) {
        // In one pass: each of the three waits for its last addition or comparison, not for the others.
        let (mut sum, mut largest, mut smallest) = (0.0, f64::MIN, f64::MAX);
        for &score in scores {
            sum += score;
            largest = if score > largest { score } else { largest };
            smallest = if score < smallest { score } else { smallest };
        }
        let (a, b) = coefficients(self.c, sum / scores.len() as f64, largest, smallest);
        for (scaled, score) in scaled.iter_mut().zip(scores) {
            *scaled = (a * score + b).max(0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scores_stay_as_they_are() {
        assert_eq!(coefficients(1.2, 900.0, 900.0, 900.0), (1.0, 0.0));
    }

    #[test]
    fn the_guard_is_the_one_without_parentheses() {
        // 1.2 * 900 - 910 / 1.2 - 1 = 320.7: a smallest score above it takes the first branch, which Goldberg's guard,
        // (1.2 * 900 - 910) / 0.2 = 850, would refuse below 850.
        let (a, b) = coefficients(1.2, 900.0, 910.0, 800.0);
        assert!((a - 18.0).abs() < 1e-9 && (b + 15_300.0).abs() < 1e-9);
        let (a, b) = coefficients(1.2, 900.0, 910.0, 300.0);
        assert!((a - 1.5).abs() < 1e-9 && (b + 450.0).abs() < 1e-9);
    }

    #[test]
    fn no_score_becomes_negative() {
        let (mut scores, mut scaled) = ([910.0; 12], [0.0; 12]);
        scores[3] = 790.0;
        Linear { c: 1.2 }.scale(&scores, 0.0, &mut scaled);
        assert!((scaled[0] - 1080.0).abs() < 1e-9, "c times the mean");
        assert_eq!(scaled[3], 0.0);
    }
}
