//! Sigma scaling: by how many standard deviations a score lies above the mean.
//!
//! With mean A and standard deviation σ (of the population itself), the scaled score is
//!
//! ```text
//! max(floor, 1 + (s - A) / (c σ))      1 for all if σ is 0
//! ```
//!
//! so that selection pressure does not depend on how far apart the scores are. The formula is Forrest's; the least
//! share, `floor`, with which every individual can be selected, is Tanese's.

use crate::spec::{Builder, Member, Param};

use super::Scaling;

struct Sigma {
    c: f64,
    floor: f64,
}

pub(super) static ENTRY: Builder<Box<dyn Scaling>> = Member::new("sigma")
    .about("sigma scaling: 1 + (score - mean) / (c standard deviations), at least floor")
    .source(
        "S. Forrest 1985, Documentation for prisoner's dilemma and norms programs that use the genetic \
         algorithm; R. Tanese 1989 (floor); in M. Mitchell 1996, An Introduction to Genetic Algorithms",
    )
    .params(&[
        Param::real("c", 0.1..=100.0, 2.0).about("standard deviations above the mean that double a share"),
        Param::probability("floor", 0.1).about("least share; an individual with the mean score has 1"),
    ])
    .build(|spec| Box::new(Sigma { c: spec.real("c"), floor: spec.real("floor") }));

/// The mean and the standard deviation.
fn moments(scores: &[f64]) -> (f64, f64) {
    let count = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / count;
    let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / count;
    (mean, variance.sqrt())
}

impl Scaling for Sigma {
    fn scale(&self, scores: &[f64], _progress: f64, scaled: &mut [f64]) {
        let (mean, deviation) = moments(scores);
        // All scores are equal, and so are the shares.
        if deviation == 0.0 {
            return scaled.fill(1.0);
        }
        for (scaled, score) in scaled.iter_mut().zip(scores) {
            *scaled = (1.0 + (score - mean) / (self.c * deviation)).max(self.floor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scaled<const N: usize>(c: f64, floor: f64, scores: [f64; N]) -> [f64; N] {
        let mut scaled = [9.0; N];
        Sigma { c, floor }.scale(&scores, 0.0, &mut scaled);
        scaled
    }

    #[test]
    fn shares_count_standard_deviations_from_the_mean() {
        // Mean 5 and standard deviation 2, a textbook's sample.
        let scores = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0];
        assert_eq!(moments(&scores), (5.0, 2.0));
        assert_eq!(scaled(2.0, 0.0, scores), [0.25, 0.75, 0.75, 0.75, 1.0, 1.0, 1.5, 2.0]);
    }

    #[test]
    fn no_share_falls_below_the_floor_and_equal_scores_get_one() {
        assert_eq!(scaled(0.5, 0.1, [0.0, 4.0]), [0.1, 3.0]);
        assert_eq!(scaled(2.0, 0.1, [0.0, 0.0]), [1.0, 1.0]);
    }
}
