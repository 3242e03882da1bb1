//! Crossover: two children from two parents.

mod blocks;
mod cage;
mod cycle;
mod order;
mod partially_mapped;
mod row;
mod segments;
mod single_point;
mod two_point;
mod uniform;

use crate::rng::RunRng;
use crate::search::Space;
use crate::search::operators::schedule::SCHEDULE;
use crate::spec::{Family, Kind, Param, Preset};

/// A way to make two children of two parents.
pub trait Crossover: Send {
    /// Writes both children. Every gene of a child comes from one of the parents, or, on permutations, every segment
    /// stays a permutation of the same digits; fixed genes stay.
    fn cross(&mut self, space: &Space, parents: [&[u8]; 2], children: [&mut [u8]; 2], rng: &mut RunRng);
}

/// Every crossover.
pub static CROSSOVER: Family<Box<dyn Crossover>> = Family {
    name: "crossover",
    about: "two children from two parents",
    entries: &[
        &single_point::ENTRY,
        &two_point::ENTRY,
        &uniform::ENTRY,
        &row::ENTRY,
        &cage::ENTRY,
        &order::ENTRY,
        &partially_mapped::ENTRY,
        &cycle::ENTRY,
    ],
};

/// How likely a pair of parents is crossed; else it is cloned. Every crossover has it.
pub const RATE: Param = Param {
    name: "rate",
    kind: Kind::Scheduled(0.0, 1.0, &SCHEDULE),
    default: Preset::Real(0.9),
    about: "probability that a pair of parents is crossed, else cloned",
};
