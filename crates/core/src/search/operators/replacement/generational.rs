//! Generational replacement: offspring replace the population, except for an elite.
//!
//! ```text
//! parents    2 5 7 9     offspring   8 3 6 4
//! elitism 1: the old best, 2, beats the new best, 3, and takes the place of the new worst
//! next       2 3 6 4
//! ```

use std::mem;

use crate::budget::Guard;
use crate::rng::RunRng;
use crate::search::Population;
use crate::search::population::least;
use crate::spec::{Builder, Member, Param};

use super::Replacement;

struct Generational {
    elitism: usize,
    old: Vec<u32>,
    new: Vec<u32>,
}

pub(super) static ENTRY: Builder<Box<dyn Replacement>> = Member::new("generational")
    .about("offspring replace the population, except for an elite of parents that beat the best offspring")
    .source("K. A. De Jong 1975 (elitism); rule of C. S. Perone 2009, Pyevolve, doi:10.1145/1656395.1656397")
    .params(&[Param::integer("elitism", 0..=1_000_000, 1).about("number of best parents that may survive")])
    .build(|spec| Box::new(Generational { elitism: spec.size("elitism"), old: Vec::new(), new: Vec::new() }));

impl Replacement for Generational {
    fn offspring(&self, population: usize) -> usize {
        population
    }

    fn is_elitist(&self) -> bool {
        self.elitism > 0
    }

    fn replace(
        &mut self,
        population: &mut Population,
        offspring: &mut Population,
        _rng: &mut RunRng,
        _guard: &mut Guard,
    ) {
        // An elite of one needs no order.
        if self.elitism == 1 {
            if least(population.guide()) < least(offspring.guide()) {
                offspring.copy_from(offspring.worst(), population, population.best());
            }
        } else if self.elitism > 1 {
            self.keep_elite(population, offspring);
        }
        mem::swap(population, offspring);
    }
}

impl Generational {
    fn keep_elite(&mut self, population: &Population, offspring: &mut Population) {
        population.order_into(&mut self.old);
        offspring.order_into(&mut self.new);
        for (rank, &old) in self.old.iter().enumerate().take(self.elitism) {
            let last = self.new.len() - 1 - rank;
            // Past the middle the place itself holds the better child; neither of the two has been replaced yet.
            let rival = self.new[rank.min(last)] as usize;
            if population.guide()[old as usize] < offspring.guide()[rival] {
                offspring.copy_from(self.new[last] as usize, population, old as usize);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    fn next(elitism: usize, parents: &[u32], children: &[u32]) -> Vec<u32> {
        let (mut parents, mut children) = (Population::of_fitness(parents), Population::of_fitness(children));
        let mut replacement = Generational { elitism, old: Vec::new(), new: Vec::new() };
        let rng = &mut StreamKey::run(1, "", 0).rng();
        replacement.replace(&mut parents, &mut children, rng, &mut Guard::default());
        assert!(
            (0..parents.len()).all(|index| u32::from(parents.genome(index)[0]) == parents.fitness()[index])
        );
        parents.fitness().to_vec()
    }

    #[test]
    fn a_better_old_best_takes_the_place_of_the_new_worst() {
        assert_eq!(next(1, &[2, 5, 7, 9], &[8, 3, 6, 4]), [2, 3, 6, 4]);
        assert_eq!(next(1, &[3, 5, 7, 9], &[8, 3, 6, 4]), [8, 3, 6, 4]);
    }

    #[test]
    fn elites_are_compared_rank_by_rank() {
        assert_eq!(next(0, &[1, 1], &[5, 6]), [5, 6]);
        assert_eq!(next(2, &[2, 3, 9, 9], &[8, 4, 5, 7]), [2, 4, 5, 3]);
        assert_eq!(next(9, &[2, 3], &[4, 5]), [3, 2]);
    }

    #[test]
    fn a_large_elite_never_displaces_a_better_child() {
        assert_eq!(next(2, &[2, 9], &[1, 10]), [1, 10]);
        assert_eq!(next(9, &[1, 2, 9], &[5, 3, 4]), [1, 3, 2]);
    }
}
