//! Replacement: who survives of parents and offspring.
//!
//! A new member implements [`Replacement`], or chooses a rival for each child (`OneByOne`). It compares guides, not fitness.

mod age_layers;
mod crowding;
mod generational;
mod mu_comma_lambda;
mod plus;
mod restricted_tournament;
mod steady_state;

use crate::budget::Guard;
use crate::rng::RunRng;
use crate::search::Population;
use crate::spec::{Family, Param, ParamKind};

/// Children that compete with a whole population each between two looks at the guard.
const CHECK_EVERY: usize = 16;

/// A few offspring.
const OFFSPRING: Param = Param::count("offspring", 2).about("offspring per generation");

/// As many offspring as individuals, unless the number is given.
const OFFSPRING_OR_POPULATION: Param = Param::optional("offspring", ParamKind::Integer(1, 1_000_000))
    .about("offspring per generation; if absent, the size of the population");

/// A way to make the next population of the last one and its offspring.
pub trait Replacement: Send {
    /// How many offspring a generation has, 1 or more, for this many individuals.
    fn offspring(&self, population: usize) -> usize;

    /// The second parent of a pair whose places selection has chosen, in a population of `len`.
    fn mate(&self, places: [usize; 2], _len: usize, _rng: &mut RunRng) -> usize {
        places[1]
    }

    /// Called when a random population of `len` has been made.
    fn begin(&mut self, _len: usize) {}

    /// The best individual never gets lost.
    fn is_elitist(&self) -> bool {
        true
    }

    /// The replacement as one that re-initialises individuals, which may bring in digits that no operator makes; `None`
    /// if it does not.
    fn renewal(&mut self) -> Option<&mut dyn Renewal> {
        None
    }

    /// Leaves the next generation in `population`; after the guard has cut, part of it. `offspring` has the size that
    /// [`offspring`](Self::offspring) returned; its content is undefined afterwards.
    fn replace(
        &mut self,
        population: &mut Population,
        offspring: &mut Population,
        rng: &mut RunRng,
        guard: &mut Guard,
    );
}

/// The individual whose place a child of `offspring` takes unless the child is worse; `None` if it is refused.
type Rival = Box<dyn Fn(&Population, &Population, usize, &mut RunRng) -> Option<usize> + Send>;

/// Children compete one after the other, each with one rival.
struct OneByOne {
    offspring: usize,
    rival: Rival,
}

impl Replacement for OneByOne {
    fn offspring(&self, _population: usize) -> usize {
        self.offspring
    }

    fn replace(
        &mut self,
        population: &mut Population,
        offspring: &mut Population,
        rng: &mut RunRng,
        guard: &mut Guard,
    ) {
        for child in 0..offspring.len() {
            if guard.cuts_at(child, CHECK_EVERY) {
                return;
            }
            if let Some(rival) = (self.rival)(population, offspring, child, rng) {
                compete(population, rival, offspring, child);
            }
        }
    }
}

/// A child takes a place unless it is worse than the individual there.
fn compete(population: &mut Population, place: usize, offspring: &Population, child: usize) {
    if offspring.guide()[child] <= population.guide()[place] {
        population.copy_from(place, offspring, child);
    }
}

/// A replacement that re-initialises individuals before a generation.
pub trait Renewal {
    /// The number of individuals, from the first, to re-initialise before the next generation; without meaning after
    /// the guard has cut.
    fn give_up(&mut self, population: &mut Population, rng: &mut RunRng, guard: &mut Guard) -> usize;
}

/// Every replacement.
pub static REPLACEMENT: Family<Box<dyn Replacement>> = Family::new(
    "replacement",
    "who survives of parents and offspring",
    &[
        &generational::ENTRY,
        &plus::ENTRY,
        &mu_comma_lambda::ENTRY,
        &steady_state::ENTRY,
        &crowding::ENTRY,
        &restricted_tournament::ENTRY,
        &age_layers::ENTRY,
    ],
);

/// The fitness of the next generation, of parents and children with these.
#[cfg(test)]
fn next(replacement: &mut dyn Replacement, parents: &[u32], children: &[u32]) -> Vec<u32> {
    let [population, offspring] = &mut [parents, children].map(Population::of_fitness);
    let rng = &mut crate::rng::StreamKey::run(1, "", 0).rng();
    replacement.replace(population, offspring, rng, &mut Guard::default());
    population.fitness().to_vec()
}
