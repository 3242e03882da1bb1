//! Niching: how similar individuals lower each other's scores before selection.
//!
//! A new member implements [`Niching`]. It draws nothing, and looks at the guard where a population takes long.

mod sharing;

use crate::budget::Guard;
use crate::search::Population;
use crate::spec::{Builder, Family, Member};

/// A way to lower the scores of similar individuals. Scores are 0 or more, higher is better, before and after.
pub trait Niching: Send + Sync {
    /// Changes the scores of a population, one for every individual. False if the guard cuts.
    fn apply(&self, population: &Population, scores: &mut [f64], guard: &mut Guard) -> bool;
}

/// Every niching.
pub static NICHING: Family<Box<dyn Niching>> =
    Family::new("niching", "how similar individuals lower each other's scores", &[&NONE, &sharing::ENTRY]);

/// Leaves scores as they are.
struct Alone;

static NONE: Builder<Box<dyn Niching>> = Member::new("none")
    .about("no niching: scores stay as they are")
    .source("J. H. Holland 1975, Adaptation in Natural and Artificial Systems")
    .build(|_| Box::new(Alone));

impl Niching for Alone {
    fn apply(&self, _population: &Population, _scores: &mut [f64], _guard: &mut Guard) -> bool {
        true
    }
}
