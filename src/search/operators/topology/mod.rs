//! Topologies: which islands send migrants to which.

mod bidirectional_ring;
mod complete;
mod edges;
mod hypercube;
mod isolated;
mod ring;
mod star;
mod torus;

use thiserror::Error;

use crate::spec::{Family, SpecError};

/// The edges of an archipelago.
pub trait Topology: Send + Sync {
    /// Says whether so many islands can be joined; all can unless a topology says otherwise.
    ///
    /// # Errors
    /// [`TopologyError`], naming what does not fit.
    fn check(&self, islands: usize) -> Result<(), TopologyError> {
        let _ = islands;
        Ok(())
    }

    /// The islands, of `islands` numbered from 0, that island `from` sends migrants to; never itself, none twice. The
    /// number is one that was checked.
    fn targets(&self, from: usize, islands: usize) -> Vec<usize>;
}

/// A topology that joins any number of islands: the targets of an island, of so many.
struct Targets(fn(usize, usize) -> Vec<usize>);

impl Topology for Targets {
    fn targets(&self, from: usize, islands: usize) -> Vec<usize> {
        (self.0)(from, islands)
    }
}

/// Why a number of islands cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TopologyError {
    /// A hypercube has a power of two of corners.
    #[error("a `hypercube` joins a power of two of islands, and `count` is {count}")]
    NoPowerOfTwo {
        /// The number of islands.
        count: usize,
    },
    /// An edge names an island that is not there.
    #[error("`{pair}` in `pairs` names island {island}, and `count` is {count}: the last one is {}", count - 1)]
    NoSuchIsland {
        /// The edge, as it was written.
        pair: String,
        /// The island.
        island: usize,
        /// The number of islands.
        count: usize,
    },
}

/// Checks what a resolved spec alone cannot say, and makes the topology.
pub type TopologyResult = Result<Box<dyn Topology>, SpecError>;

/// Every topology.
pub static TOPOLOGY: Family<TopologyResult> = Family {
    name: "topology",
    about: "which islands send migrants to which",
    entries: &[
        &ring::ENTRY,
        &bidirectional_ring::ENTRY,
        &torus::ENTRY,
        &hypercube::ENTRY,
        &star::ENTRY,
        &complete::ENTRY,
        &edges::ENTRY,
        &isolated::ENTRY,
    ],
};
