//! How much predictions of held-out puzzles depend on a feature.
//!
//! ```text
//! repeat REPEATS times
//!     every held-out puzzle gets the feature's value of another puzzle, in a random order of all
//!     predict it by the model that has not seen it
//! importance = mean increase of the squared error, as a share of the squared error of the mean: the loss of R²
//! ```
//!
//! The features of a group ([`groups`](super::groups)) are exchanged together: a forest that has lost one of them still has
//! the others, and each alone would look unimportant. An importance is of this model and these puzzles; it is no cause.
//!
//! Sources: L. Breiman 2001, Random forests, doi:10.1023/A:1010933404324; A. Fisher, C. Rudin, F. Dominici 2019, All models
//! are wrong, but many are useful, Journal of Machine Learning Research 20 (177), 1-81.

use super::model::CrossValidated;
use super::resample::{Resampling, sum};
use kenga_core::budget::Interrupt;
use kenga_core::rng::RunRng;
use kenga_stats::Estimate;

/// How often values are exchanged.
const REPEATS: usize = 10;

/// The importance of each group of features, in their order; `None` when interrupted. The errors of the mean are not all 0.
pub(super) fn importance(
    model: &CrossValidated,
    groups: &[Vec<usize>],
    rng: &mut RunRng,
    with: &mut Resampling<'_>,
    interrupt: &Interrupt,
) -> Option<Vec<Estimate>> {
    let of_mean = model.predictions.errors_of_mean();
    let mut importance = Vec::with_capacity(groups.len());
    for group in groups {
        if interrupt.is_raised() {
            return None;
        }
        // A group is exchanged as a whole: what one of its features loses, the others still tell.
        let increase = increase(model, group, rng);
        importance.push(with.estimate((f64::NEG_INFINITY, f64::INFINITY), |weight| {
            let whole = sum(weight, &of_mean);
            if whole > 0.0 { Some(sum(weight, &increase) / whole) } else { None }
        })?);
    }
    Some(importance)
}

/// By how much the squared error of each puzzle grows, on average, when a group of features is exchanged.
fn increase(model: &CrossValidated, group: &[usize], rng: &mut RunRng) -> Vec<f64> {
    let mut increase: Vec<f64> = model.predictions.errors().iter().map(|error| -error).collect();
    let mut donors: Vec<usize> = (0..increase.len()).collect();
    for _ in 0..REPEATS {
        rng.shuffle(&mut donors);
        let predicted = model.predict_with(group, &donors);
        for (puzzle, error) in model.predictions.squares(&predicted).into_iter().enumerate() {
            increase[puzzle] += error / REPEATS as f64;
        }
    }
    increase
}
