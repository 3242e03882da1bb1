//! A random one of the individuals that tie for best, which Pyevolve calls rank selection.

use crate::spec::{Builder, Member};

use super::Selection;
use super::truncation::Truncation;

/// The best share of a population is never empty: the least has the best and those that tie with it.
const LEAST: f64 = 0.0;

pub(super) static ENTRY: Builder<Box<dyn Selection>> = Member::new("best_ties")
    .about("a random one of the individuals that tie for best (Pyevolve calls this rank selection)")
    .source("C. S. Perone 2009, Pyevolve, doi:10.1145/1656395.1656397")
    .build(|_| Box::new(Truncation::new(LEAST)));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    #[test]
    fn only_the_best_are_picked_and_each_of_them_is() {
        let (scores, mut rng) = ([3.0, 5.0, 1.0, 5.0], StreamKey::run(1, "", 0).rng());
        let mut selection = Truncation::new(LEAST);
        selection.prepare(&scores, 100, 0.0, &mut rng);
        let mut picks: Vec<usize> = (0..100).map(|_| selection.pick(&scores, &mut rng)).collect();
        picks.sort_unstable();
        picks.dedup();
        assert_eq!(picks, [1, 3]);
    }
}
