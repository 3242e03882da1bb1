//! Niching leaves scores that selection can use, and lowers none but by company.

use kenga_core::budget::Guard;
use kenga_core::search::Population;
use kenga_core::search::operators::niching::NICHING;

use super::setup::rng;
use kenga_core::spec::Spec;

/// Scores stay finite, and only company lowers them.
pub(super) fn check(settings: &[Spec]) {
    for setting in settings {
        let (niching, mut rng) = (NICHING.build(setting), rng("niching"));
        for (count, width) in [(1, 1), (1, 16), (2, 1), (2, 16), (7, 1), (7, 16), (80, 1), (80, 16)] {
            let mut population = Population::new(count, width);
            for index in 0..count {
                for gene in population.genome_mut(index) {
                    *gene = rng.below(3) as u8;
                }
            }
            let before: Vec<f64> = (0..count).map(|_| rng.below(1000) as f64).collect();
            let mut scores = before.clone();
            assert!(niching.apply(&population, &mut scores, &mut Guard::default()));
            for (new, old) in scores.iter().zip(&before) {
                assert!((0.0..=*old).contains(new), "{setting:?} {before:?} {scores:?}");
            }
            // One individual is in nobody's company.
            assert!(count > 1 || scores == before, "{setting:?}");
        }
    }
}
