//! Topologies: who sends migrants to whom.

mod bidirectional_ring;
mod complete;
mod isolated;
mod ring;
mod star;

use crate::spec::Family;

/// The edges of an archipelago.
pub trait Topology: Send + Sync {
    /// The islands, of `islands` numbered from 0, that island `from` sends migrants to; never itself, none twice.
    fn targets(&self, from: usize, islands: usize) -> Vec<usize>;
}

/// Every topology.
pub static TOPOLOGY: Family<Box<dyn Topology>> = Family {
    name: "topology",
    about: "who sends migrants to whom",
    entries: &[&ring::ENTRY, &bidirectional_ring::ENTRY, &star::ENTRY, &complete::ENTRY, &isolated::ENTRY],
};
