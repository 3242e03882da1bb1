//! Fitness sharing: similar individuals share their scores.
//!
//! ```text
//! genomes   1111  1111  1112  4321      radius 0.5: two genes of four
//! scores       8     8     6     6
//! niches     2.5   2.5     2     1      1 + 1 + 0.5,  1 + 1 + 0.5,  0.5 + 0.5 + 1,  1
//! shared     3.2   3.2     3     6      the one without neighbours scores best
//! ```
//!
//! A score is divided by the sum over the population, itself included, of
//!
//! ```text
//! 1 - (d / radius) ^ alpha      where d < radius, else 0; d is the share of genes that differ
//! ```
//!
//! so that niches grow in proportion to their scores. It has no effect on the selection `uniform`, which ignores
//! scores. A generation costs O(population²) comparisons of genomes.

use crate::budget::Guard;
use crate::search::Population;
use crate::spec::{Builder, Member, Param};

use super::Niching;

struct Sharing {
    radius: f64,
    alpha: f64,
}

pub(super) static ENTRY: Builder<Box<dyn Niching>> = Member::new("sharing")
    .about(
        "fitness sharing: divides a score by the number of similar individuals, each weighted by similarity",
    )
    .source(
        "D. E. Goldberg, J. Richardson 1987, Genetic algorithms with sharing for multimodal function \
                 optimization, Proc. 2nd ICGA",
    )
    .params(&[
        Param::probability("radius", 0.2)
            .about("share of genes in which individuals must differ to belong to different niches"),
        Param::real("alpha", 0.1..=10.0, 1.0).about(
            "shape of the sharing function: 1 falls linearly with distance, above 1 later, below 1 earlier",
        ),
    ])
    .build(|spec| Box::new(Sharing { radius: spec.real("radius"), alpha: spec.real("alpha") }));

/// Comparisons of genes between two looks at the guard, or those of one individual with all others if they are more.
const COMPARISONS_PER_CHECK: usize = 1 << 20;

impl Sharing {
    /// What an individual at this distance, from 0 to 1, adds to a niche.
    fn share(&self, distance: f64) -> f64 {
        if distance < self.radius { 1.0 - (distance / self.radius).powf(self.alpha) } else { 0.0 }
    }
}

impl Niching for Sharing {
    fn apply(&self, population: &Population, scores: &mut [f64], guard: &mut Guard) -> bool {
        let genes = population.width().max(1);
        // A distance is a number of genes: there are few, and powers are dear.
        let shares: Vec<f64> = (0..=genes).map(|apart| self.share(apart as f64 / genes as f64)).collect();
        let comparisons = population.len() * genes;
        for (index, score) in scores.iter_mut().enumerate() {
            // Large populations take seconds here: the guard is looked at by the work done, not by the individual.
            if index.is_multiple_of(1 + COMPARISONS_PER_CHECK / comparisons) && guard.cuts() {
                return false;
            }
            let genome = population.genome(index);
            let others = (0..population.len()).filter(|other| *other != index);
            let niche = 1.0 + others.map(|other| shares[population.distance(other, genome)]).sum::<f64>();
            *score /= niche;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(radius: f64, alpha: f64) -> [f64; 4] {
        let genomes = [[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 2], [4, 3, 2, 1]];
        let population = Population::of(genomes.map(|genome| (genome, 0)));
        let mut scores = [8.0, 8.0, 6.0, 6.0];
        assert!(Sharing { radius, alpha }.apply(&population, &mut scores, &mut Guard::default()));
        scores
    }

    #[test]
    fn a_guard_ends_it_before_all_have_been_compared() {
        // An individual costs 2^20 comparisons, so that the guard is looked at for every second one.
        let population = Population::new(1 << 10, 1 << 10);
        let mut scores = vec![1.0; population.len()];
        assert!(!Sharing { radius: 1.0, alpha: 1.0 }.apply(&population, &mut scores, &mut Guard::until(3)));
        assert_eq!(scores.iter().filter(|score| **score < 1.0).count(), 4);
    }

    #[test]
    fn near_individuals_share_and_far_ones_do_not() {
        assert_eq!(shared(0.5, 1.0), [3.2, 3.2, 3.0, 6.0]);
        assert_eq!(shared(0.5, 2.0), [8.0 / 2.75, 8.0 / 2.75, 2.4, 6.0]);
        assert_eq!(shared(0.25, 1.0), [4.0, 4.0, 6.0, 6.0]);
    }

    #[test]
    fn a_radius_of_zero_shares_nothing() {
        assert_eq!(shared(0.0, 1.0), [8.0, 8.0, 6.0, 6.0]);
    }
}
