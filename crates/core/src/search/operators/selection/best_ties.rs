//! A random one of the individuals that tie for best, which Pyevolve calls rank selection.

use crate::rng::RunRng;
use crate::spec::{Builder, Member};

use super::Selection;

#[derive(Default)]
struct BestTies {
    best: Vec<u32>,
}

pub(super) static ENTRY: Builder<Box<dyn Selection>> = Member::new("best_ties")
    .about("a random one of the individuals that tie for best (Pyevolve calls this rank selection)")
    .source("C. S. Perone 2009, Pyevolve, doi:10.1145/1656395.1656397")
    .build(|_| Box::new(BestTies::default()));

impl Selection for BestTies {
    fn prepare(&mut self, scores: &[f64], _picks: usize, _progress: f64, _rng: &mut RunRng) {
        let best = scores.iter().copied().fold(f64::MIN, f64::max);
        self.best.clear();
        self.best.extend((0..scores.len() as u32).filter(|index| scores[*index as usize] == best));
    }

    fn pick(&mut self, _scores: &[f64], rng: &mut RunRng) -> usize {
        self.best[rng.below(self.best.len())] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    #[test]
    fn only_the_best_are_picked_and_each_of_them_is() {
        let (scores, mut rng) = ([3.0, 5.0, 1.0, 5.0], StreamKey::run(1, "", 0).rng());
        let mut selection = BestTies::default();
        selection.prepare(&scores, 100, 0.0, &mut rng);
        let mut picks: Vec<usize> = (0..100).map(|_| selection.pick(&scores, &mut rng)).collect();
        picks.sort_unstable();
        picks.dedup();
        assert_eq!(picks, [1, 3]);
    }
}
