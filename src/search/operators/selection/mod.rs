//! Selection: who becomes a parent.

mod best_ties;
mod roulette;
mod wheel;

use crate::rng::RunRng;
use crate::spec::Family;

/// A way to choose parents. Scores are 0 or more, higher is better.
pub trait Selection: Send {
    /// Readies the choice of up to `picks` parents from individuals with these scores. `progress` is the share of the
    /// budget spent, 0 to 1.
    fn prepare(&mut self, scores: &[f64], picks: usize, progress: f64, rng: &mut RunRng);

    /// The index of the next parent; the scores are those of [`prepare`](Self::prepare).
    fn pick(&mut self, scores: &[f64], rng: &mut RunRng) -> usize;
}

/// Every selection.
pub static SELECTION: Family<Box<dyn Selection>> = Family {
    name: "selection",
    about: "who becomes a parent",
    entries: &[&roulette::ENTRY, &best_ties::ENTRY],
};
