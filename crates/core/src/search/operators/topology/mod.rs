//! Topologies: which islands send migrants to which.
//!
//! A new member is a function for `IslandTargets`, or implements [`Topology`] where it cannot link any number of islands. The order of
//! its targets is that in which migrants settle: it is part of the format.

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

/// A way to link the islands of an archipelago.
pub trait Topology: Send + Sync {
    /// Refuses a number of islands that it cannot link; by default none.
    ///
    /// # Errors
    /// [`TopologyError`], naming what does not fit.
    fn check(&self, islands: usize) -> Result<(), TopologyError> {
        let _ = islands;
        Ok(())
    }

    /// The islands that island `from`, of `islands` numbered from 0, sends migrants to: never itself, none twice.
    /// `islands` has been [checked](Self::check).
    fn targets(&self, from: usize, islands: usize) -> Vec<usize>;
}

/// A topology that links any number of islands; the function returns the targets of an island among that number.
struct IslandTargets(fn(usize, usize) -> Vec<usize>);

impl Topology for IslandTargets {
    fn targets(&self, from: usize, islands: usize) -> Vec<usize> {
        (self.0)(from, islands)
    }
}

/// Why a topology cannot link a number of islands.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TopologyError {
    /// A hypercube has a power of two of corners.
    #[error("a `hypercube` links a power of two of islands, and `count` is {count}")]
    NoPowerOfTwo {
        /// The number of islands.
        count: usize,
    },
    /// An edge names an island that does not exist.
    #[error("`{pair}` in `pairs` names island {island}, and `count` is {count}: the last one is {}", count - 1)]
    NoSuchIsland {
        /// The edge, as it was written.
        pair: String,
        /// The island.
        island: usize,
        /// The number of islands.
        count: usize,
    },
    /// A topology of a program's own cannot link so many.
    #[error("{0}")]
    Unsuitable(String),
}

/// A topology, or why its parameters are wrong.
pub type TopologyResult = Result<Box<dyn Topology>, SpecError>;

/// Every topology.
pub static TOPOLOGY: Family<TopologyResult> = Family::new(
    "topology",
    "which islands send migrants to which",
    &[
        &ring::ENTRY,
        &bidirectional_ring::ENTRY,
        &torus::ENTRY,
        &hypercube::ENTRY,
        &star::ENTRY,
        &complete::ENTRY,
        &edges::ENTRY,
        &isolated::ENTRY,
    ],
);
