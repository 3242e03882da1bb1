//! (μ + λ): the best of parents and offspring survive.
//!
//! ```text
//! parents  2 5 7 9     offspring  8 3 6 5
//! next     2 3 5 5     an offspring before an equal parent
//! ```
//!
//! Offspring precede equal parents, so that a population can drift between genomes of equal fitness.

use crate::budget::Guard;
use crate::rng::RunRng;
use crate::search::Population;
use crate::spec::{Builder, Member};

use super::{OFFSPRING_OR_POPULATION, Replacement};

struct Plus {
    offspring: Option<usize>,
    old: Vec<u32>,
    new: Vec<u32>,
}

pub(super) static ENTRY: Builder<Box<dyn Replacement>> = Member::new("plus")
    .about("(μ + λ): the best of parents and offspring survive, offspring before equal parents")
    .source("T. Bäck, H.-P. Schwefel 1993, doi:10.1162/evco.1993.1.1.1")
    .params(&[OFFSPRING_OR_POPULATION])
    .build(|spec| {
        Box::new(Plus { offspring: spec.size_or_absent("offspring"), old: Vec::new(), new: Vec::new() })
    });

impl Replacement for Plus {
    fn offspring(&self, population: usize) -> usize {
        self.offspring.unwrap_or(population)
    }

    fn replace(
        &mut self,
        population: &mut Population,
        offspring: &mut Population,
        _rng: &mut RunRng,
        _guard: &mut Guard,
    ) {
        population.order_into(&mut self.old);
        offspring.order_into(&mut self.new);
        // The k-th best child survives if it is at least as good as the k-th worst parent, which it replaces.
        for (parent, child) in self.old.iter().rev().zip(&self.new) {
            let (place, child) = (*parent as usize, *child as usize);
            if offspring.guide()[child] > population.guide()[place] {
                break;
            }
            population.copy_from(place, offspring, child);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    /// The fitness of the survivors, and how many of them are offspring.
    fn next(parents: &[u32], children: &[u32]) -> (Vec<u32>, usize) {
        let filled =
            |fitness: &[u32], mark: u8| Population::of(fitness.iter().map(|fitness| ([mark], *fitness)));
        let (mut population, mut offspring) = (filled(parents, 0), filled(children, 1));
        let mut plus = Plus { offspring: None, old: Vec::new(), new: Vec::new() };
        let rng = &mut StreamKey::run(1, "", 0).rng();
        plus.replace(&mut population, &mut offspring, rng, &mut Guard::default());
        let young = (0..population.len()).filter(|index| population.genome(*index)[0] == 1).count();
        (population.fitness().to_vec(), young)
    }

    #[test]
    fn the_best_of_both_live_on_and_ties_go_to_the_offspring() {
        assert_eq!(next(&[2, 5, 7, 9], &[8, 3, 6, 5]), (vec![2, 5, 5, 3], 2));
        assert_eq!(next(&[2, 5], &[10, 11]), (vec![2, 5], 0));
        assert_eq!(next(&[5, 5], &[5, 5, 5]), (vec![5, 5], 2));
        assert_eq!(next(&[6, 5, 7], &[1]), (vec![6, 5, 1], 1));
        assert_eq!(next(&[4], &[3, 1, 2]), (vec![1], 1));
    }
}
