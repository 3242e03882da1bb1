//! (μ, λ): the best offspring survive and no parent.
//!
//! ```text
//! parents  2 5 7 9     offspring  8 3 6 5 4 9 7 8
//! next     3 4 5 6
//! ```
//!
//! Every parent dies, the best too, so that the population can leave a local optimum that `plus` never leaves. There
//! are at least as many offspring as individuals.

use crate::budget::Guard;
use crate::rng::RunRng;
use crate::search::Population;
use crate::spec::{Builder, Member, Param, ParamKind};

use super::Replacement;

struct MuCommaLambda {
    offspring: Option<usize>,
    order: Vec<u32>,
}

/// Offspring for each individual, if their number is not given.
const PER_PLACE: usize = 7;

pub(super) static ENTRY: Builder<Box<dyn Replacement>> = Member::new("mu_comma_lambda")
    .about("(μ, λ): the best offspring survive and no parent")
    .source(
        "H.-P. Schwefel 1981, Numerical Optimization of Computer Models; T. Bäck, H.-P. Schwefel 1993, \
                 doi:10.1162/evco.1993.1.1.1",
    )
    .params(&[Param::optional("offspring", ParamKind::Integer(1, 1_000_000)).about(
        "offspring per generation, λ; if absent, seven times the population; never fewer than the population",
    )])
    .build(|spec| Box::new(MuCommaLambda { offspring: spec.size_or_absent("offspring"), order: Vec::new() }));

impl Replacement for MuCommaLambda {
    fn offspring(&self, population: usize) -> usize {
        self.offspring.unwrap_or(PER_PLACE * population).max(population)
    }

    fn is_elitist(&self) -> bool {
        false
    }

    fn replace(
        &mut self,
        population: &mut Population,
        offspring: &mut Population,
        _rng: &mut RunRng,
        _guard: &mut Guard,
    ) {
        // Equals in the order in which they were bred.
        offspring.order_into(&mut self.order);
        for (place, child) in (0..population.len()).zip(&self.order) {
            population.copy_from(place, offspring, *child as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(parents: &[u32], children: &[u32]) -> Vec<u32> {
        super::super::next(&mut MuCommaLambda { offspring: None, order: Vec::new() }, parents, children)
    }

    #[test]
    fn the_best_offspring_live_on_and_no_parent() {
        assert_eq!(next(&[2, 5, 7, 9], &[8, 3, 6, 5, 4, 9, 7, 8]), [3, 4, 5, 6]);
        assert_eq!(next(&[0], &[2, 1, 3]), [1]);
    }

    #[test]
    fn there_are_never_fewer_offspring_than_places() {
        let offspring = |given| MuCommaLambda { offspring: given, order: Vec::new() }.offspring(10);
        assert_eq!([None, Some(3), Some(30)].map(offspring), [70, 10, 30]);
    }
}
