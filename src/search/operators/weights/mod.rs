//! Weights: whether what guides the search is the fitness, or a violation whose weights adapt.

mod saw;

use crate::fitness::{Guide, Tally};
use crate::spec::{Builder, Family, Member};

/// A way to change the weights of constraints while the search runs.
pub trait Weights: Send {
    /// What the guide counts; `None` where fitness itself guides.
    fn guide(&self) -> Option<Guide>;

    /// Says whether weights change now that so many evaluations are spent.
    fn is_due(&mut self, evaluations: u64) -> bool;

    /// Changes the weights of a tally that stands at the best individual.
    fn adapt(&self, tally: &mut Tally);
}

/// Every way to weigh.
pub static WEIGHTS: Family<Box<dyn Weights>> = Family {
    name: "weights",
    about: "whether the weights of violated constraints adapt during the run",
    entries: &[&NONE, &saw::ENTRY],
};

/// Fitness itself guides the search.
struct Unweighted;

static NONE: Builder<Box<dyn Weights>> = Member::new("none")
    .about("the weights of the configuration stay as they are")
    .source("J. H. Holland 1975, Adaptation in Natural and Artificial Systems")
    .build(|_| Box::new(Unweighted));

impl Weights for Unweighted {
    fn guide(&self) -> Option<Guide> {
        None
    }

    fn is_due(&mut self, _evaluations: u64) -> bool {
        false
    }

    fn adapt(&self, _tally: &mut Tally) {}
}
