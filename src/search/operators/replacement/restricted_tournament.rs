//! A child against the most similar of a few.
//!
//! ```text
//! drawn from the population   17  4  61       distances to the child   12  30  9
//! rival   61: the child takes its place unless it is worse
//! ```

use crate::budget::Guard;
use crate::rng::RunRng;
use crate::search::Population;
use crate::spec::{Builder, Member, Param};

use super::{CHILDREN_A_LOOK, Replacement};

struct RestrictedTournament {
    offspring: usize,
    window: usize,
}

pub(super) static ENTRY: Builder<Box<dyn Replacement>> = Member::new("restricted_tournament")
    .about("each child takes the place of the most similar of a few uniform individuals unless it is worse")
    .source("G. R. Harik 1995, Finding multimodal solutions using restricted tournament selection, Proc. 6th ICGA")
    .params(&[
            Param::count("offspring", 2).about("children made a generation"),
            Param::count("window", 10).about("individuals drawn, with replacement"),
        ])
    .build(|spec| {
        Box::new(RestrictedTournament { offspring: spec.size("offspring"), window: spec.size("window") })
    });

impl Replacement for RestrictedTournament {
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
            if child % CHILDREN_A_LOOK == CHILDREN_A_LOOK - 1 && guard.cuts() {
                return;
            }
            let genome = offspring.genome(child);
            let drawn = (0..self.window).map(|_| rng.below(population.len()));
            let rival = drawn.min_by_key(|place| population.distance(*place, genome));
            let rival = rival.expect("a window is never empty");
            if offspring.guide()[child] <= population.guide()[rival] {
                population.copy_from(rival, offspring, child);
            }
        }
    }
}
