//! What crossover and mutation have in common beside what they do to genomes.

use crate::search::{Closure, Space};

/// An operator that makes new genomes of old ones, as those who watch and steer it see it.
///
/// The defaults are those of an operator that may bring in any digit, knows no conflicts and chooses nothing.
pub trait Variation {
    /// What it can make of genomes, so that a run that has lost every solution is found dead; `None` if it brings in
    /// digits.
    fn closure(&self, _space: &Space) -> Option<Closure> {
        None
    }

    /// It reads the conflicts of parents, which are computed only then.
    fn reads_conflicts(&self) -> bool {
        false
    }

    /// The operator as one that chooses between several and learns from what their children gain; `None` if it does not.
    fn chooser(&mut self) -> Option<&mut dyn Chooser> {
        None
    }
}

/// What an operator that chooses between several has beside what every operator of its family has.
pub trait Chooser {
    /// Which of them made the last child, or pair of children.
    fn chosen(&self) -> usize;

    /// Learns what a child that `chosen` made gained over the parent it takes after, 0 to 1.
    fn credit(&mut self, chosen: usize, gain: f64);
}
