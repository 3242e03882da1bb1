//! Tournament selection: the winner among a few random individuals.
//!
//! ```text
//! drawn    17   4  61        scores   5   9   7
//! duels    17 - 4: 4 wins    4 - 61: 4 wins
//! ```
//!
//! Individuals are drawn with replacement. The first is champion. Each further one challenges the champion, and the
//! better of the two is the next champion with probability `p`; of equals the champion counts as the better. With `p`
//! of 1 the best of all drawn wins; with 0.5 and two drawn all individuals are equally likely.

use crate::rng::RunRng;
use crate::spec::{Builder, Member, Param};

use super::Selection;

struct Tournament {
    size: usize,
    p: f64,
}

pub(super) static ENTRY: Builder<Box<dyn Selection>> = Member::new("tournament")
    .about("the winner among a few individuals drawn at random, with replacement")
    .source(
        "D. E. Goldberg, K. Deb 1991, A comparative analysis of selection schemes, \
                 doi:10.1016/B978-0-08-050684-5.50008-2; A. Brindle 1981",
    )
    .params(&[
        Param::integer("size", 2..=1_000_000, 2).about("individuals in a tournament"),
        Param::real("p", 0.5..=1.0, 1.0).about("probability that the better of two wins"),
    ])
    .build(|spec| Box::new(Tournament { size: spec.size("size"), p: spec.real("p") }));

/// The champion after a duel: the better of the two, or, in an upset, the other; the champion is the better of equals.
fn duel(scores: &[f64], champion: usize, challenger: usize, upset: bool) -> usize {
    let beaten = scores[challenger] > scores[champion];
    if beaten != upset { challenger } else { champion }
}

impl Selection for Tournament {
    fn prepare(&mut self, _scores: &[f64], _picks: usize, _progress: f64, _rng: &mut RunRng) {}

    fn pick(&mut self, scores: &[f64], rng: &mut RunRng) -> usize {
        let mut champion = rng.below(scores.len());
        for _ in 1..self.size {
            let challenger = rng.below(scores.len());
            // No coin is drawn where the better always wins.
            let upset = self.p < 1.0 && !rng.coin(self.p);
            champion = duel(scores, champion, challenger, upset);
        }
        champion
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    #[test]
    fn the_better_wins_but_for_an_upset_and_the_champion_wins_a_tie() {
        let scores = [5.0, 9.0, 5.0];
        assert_eq!([duel(&scores, 0, 1, false), duel(&scores, 1, 0, false)], [1, 1]);
        assert_eq!([duel(&scores, 0, 1, true), duel(&scores, 1, 0, true)], [0, 0]);
        assert_eq!([duel(&scores, 0, 2, false), duel(&scores, 2, 0, false)], [0, 2]);
    }

    #[test]
    fn the_best_wins_as_often_as_the_formula_says() {
        // With two individuals, two drawn and p = 0.8, the best is drawn twice with probability 1/4 and once with 1/2:
        // 1/4 + 1/2 * 0.8 = 0.65.
        let mut rng = StreamKey::run(1, "", 0).rng();
        let mut tournament = Tournament { size: 2, p: 0.8 };
        let wins = (0..10_000).map(|_| tournament.pick(&[1.0, 2.0], &mut rng)).sum::<usize>();
        assert!(wins.abs_diff(6500) < 5 * 48, "{wins}");
    }
}
