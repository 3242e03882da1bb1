//! Scalings: from raw scores to what roulette and its relatives share out.

mod linear;
mod none;

use crate::spec::Family;

/// A scaling of scores; higher is better before and after.
pub trait Scaling: Send {
    /// Writes the scaled `scores` (0 or more, none empty) into `scaled`, each 0 or more. `progress` is the share of the
    /// budget spent, 0 to 1.
    fn scale(&self, scores: &[f64], progress: f64, scaled: &mut [f64]);
}

/// Every scaling.
pub static SCALING: Family<Box<dyn Scaling>> = Family {
    name: "scaling",
    about: "from raw scores to shares of the roulette wheel",
    entries: &[&none::ENTRY, &linear::ENTRY],
};
