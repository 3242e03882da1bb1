//! Weights: whether what guides the search is the fitness, or a violation whose weights adapt.

mod none;
mod saw;

use crate::fitness::{Guide, Tally};
use crate::spec::Family;

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
    about: "whether constraints that stay violated come to weigh more",
    entries: &[&none::ENTRY, &saw::ENTRY],
};
