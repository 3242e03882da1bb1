//! Power law scaling: scores to the power of an exponent.
//!
//! ```text
//! (s / M)^k      M: the largest score
//! ```
//!
//! An exponent above 1 widens the differences, one below narrows them. The division changes no ratio and avoids
//! overflow.

use crate::spec::{Builder, Member, Param};

use super::Scaling;

struct Power {
    exponent: f64,
}

pub(super) static ENTRY: Builder<Box<dyn Scaling>> = Member::new("power")
    .about("power-law scaling: score^exponent")
    .source(
        "A. M. Gillies 1985, Machine learning procedures for generating image domain feature detectors; in \
                 D. E. Goldberg 1989, Genetic Algorithms in Search, Optimization and Machine Learning",
    )
    .params(&[Param::real("exponent", 0.0..=100.0, 2.0)
        .about("above 1 widens the differences between scores, below 1 narrows them; 0 makes all equal")])
    .build(|spec| Box::new(Power { exponent: spec.real("exponent") }));

impl Scaling for Power {
    fn scale(&self, scores: &[f64], _progress: f64, scaled: &mut [f64]) {
        let largest = scores.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        for (scaled, score) in scaled.iter_mut().zip(scores) {
            *scaled = (score / largest).powf(self.exponent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scaled(exponent: f64, scores: [f64; 3]) -> [f64; 3] {
        let mut scaled = [9.0; 3];
        Power { exponent }.scale(&scores, 0.0, &mut scaled);
        scaled
    }

    #[test]
    fn ratios_are_raised_to_the_exponent() {
        assert_eq!(scaled(2.0, [4.0, 2.0, 1.0]), [1.0, 0.25, 0.0625]);
        assert_eq!(scaled(1.0, [4.0, 2.0, 0.0]), [1.0, 0.5, 0.0]);
        assert_eq!(scaled(0.0, [4.0, 2.0, 0.0]), [1.0, 1.0, 1.0]);
    }

    #[test]
    fn zero_and_huge_scores_stay_finite() {
        assert_eq!(scaled(2.0, [0.0; 3]), [0.0; 3]);
        assert_eq!(scaled(100.0, [4e9, 0.0, 4e9]), [1.0, 0.0, 1.0]);
    }
}
