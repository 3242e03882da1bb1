//! Scaling: how scores become shares of the roulette wheel.
//!
//! A new member implements [`Scaling`], a function of the scores alone: it draws nothing.

mod boltzmann;
mod linear;
mod power;
mod sigma;

use crate::spec::{Builder, Family, Member};

/// A scaling of scores; higher is better before and after.
pub trait Scaling: Send + Sync {
    /// Writes the scaled `scores` (0 or more, none empty) into `scaled`, each 0 or more. `progress` is the share of the
    /// budget spent, 0 to 1.
    fn scale(&self, scores: &[f64], progress: f64, scaled: &mut [f64]);
}

/// Every scaling.
pub static SCALING: Family<Box<dyn Scaling>> = Family::new(
    "scaling",
    "how scores become shares of the roulette wheel",
    &[&NONE, &linear::ENTRY, &sigma::ENTRY, &boltzmann::ENTRY, &power::ENTRY],
);

/// Leaves scores as they are.
struct Unscaled;

static NONE: Builder<Box<dyn Scaling>> = Member::new("none")
    .about("no scaling: scores stay as they are")
    .source("J. H. Holland 1975, Adaptation in Natural and Artificial Systems")
    .build(|_| Box::new(Unscaled));

impl Scaling for Unscaled {
    fn scale(&self, scores: &[f64], _progress: f64, scaled: &mut [f64]) {
        scaled.copy_from_slice(scores);
    }
}
