//! Niching: how the scores of similar individuals depend on each other, before selection.

mod none;
mod sharing;

use crate::budget::Guard;
use crate::search::Population;
use crate::spec::Family;

/// A change of scores by who else is near. Scores are 0 or more, higher is better, before and after.
pub trait Niching: Send + Sync {
    /// Changes the scores of a population, one for every individual; says whether the guard let it.
    fn apply(&self, population: &Population, scores: &mut [f64], guard: &mut Guard) -> bool;
}

/// Every niching.
pub static NICHING: Family<Box<dyn Niching>> = Family {
    name: "niching",
    about: "how the scores of similar individuals depend on each other",
    entries: &[&none::ENTRY, &sharing::ENTRY],
};
