//! Replacement: who lives on.

mod crowding;
mod generational;
mod plus;
mod restricted_tournament;
mod steady_state;

use crate::rng::RunRng;
use crate::search::Population;
use crate::spec::Family;

/// A way to make the next population of the last one and its offspring.
pub trait Replacement: Send {
    /// How many offspring a generation has, 1 or more, for this many individuals.
    fn offspring(&self, population: usize) -> usize;

    /// Leaves the next generation in `population`; `offspring` holds as many as asked for, and is scratch afterwards.
    fn replace(&mut self, population: &mut Population, offspring: &mut Population, rng: &mut RunRng);
}

/// Every replacement.
pub static REPLACEMENT: Family<Box<dyn Replacement>> = Family {
    name: "replacement",
    about: "who lives on",
    entries: &[
        &generational::ENTRY,
        &plus::ENTRY,
        &steady_state::ENTRY,
        &crowding::ENTRY,
        &restricted_tournament::ENTRY,
    ],
};
