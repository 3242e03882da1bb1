//! Linear ranking: a parent with a probability that falls in equal steps from the best to the worst.
//!
//! ```text
//! scores            40  90  10  70      pressure s = 1.5
//! ranks from worst   1   3   0   2      share = 2 - s + 2 (s - 1) rank / (n - 1)
//! shares           5/6 9/6 3/6 7/6      their mean is 1: the expected parents a pick and individual
//! ```
//!
//! Equal scores share the mean of their ranks, so that they are equally likely.

use crate::rng::RunRng;
use crate::spec::{Builder, Member, Param};

use super::{Selection, Wheel};

struct Rank {
    pressure: f64,
    order: Vec<u32>,
    wheel: Wheel,
}

pub(super) static ENTRY: Builder<Box<dyn Selection>> = Member::new("rank")
    .about("linear ranking: with a probability that falls in equal steps from the best to the worst")
    .source("J. E. Baker 1985, Adaptive selection methods for genetic algorithms, Proc. 1st ICGA")
    .params(&[Param::real("pressure", 1.0..=2.0, 1.5).about(
        "selection probability of the best, as a multiple of the mean; that of the worst is 2 - pressure",
    )])
    .build(|spec| {
        Box::new(Rank { pressure: spec.real("pressure"), order: Vec::new(), wheel: Wheel::default() })
    });

/// Writes the share of every individual, of mean 1; `order` is scratch.
fn shares(scores: &[f64], pressure: f64, order: &mut Vec<u32>, shares: &mut [f64]) {
    let score = |index: &u32| scores[*index as usize];
    order.clear();
    order.extend(0..scores.len() as u32);
    order.sort_unstable_by(|a, b| score(a).total_cmp(&score(b)));
    let last = (scores.len() - 1).max(1) as f64;
    let mut below = 0;
    for equals in order.chunk_by(|a, b| score(a) == score(b)) {
        // The mean of the ranks that the equals take up together.
        let rank = below as f64 + (equals.len() - 1) as f64 / 2.0;
        // The ranks of a lone individual, or of equals only, have no spread; theirs is the mean.
        let height = if equals.len() == scores.len() { 0.5 } else { rank / last };
        equals
            .iter()
            .for_each(|index| shares[*index as usize] = 2.0 - pressure + 2.0 * (pressure - 1.0) * height);
        below += equals.len();
    }
}

impl Selection for Rank {
    fn prepare(&mut self, scores: &[f64], _picks: usize, _progress: f64, _rng: &mut RunRng) {
        let (pressure, order) = (self.pressure, &mut self.order);
        self.wheel.set(scores.len(), |slots| shares(scores, pressure, order, slots));
    }

    fn pick(&mut self, _scores: &[f64], rng: &mut RunRng) -> usize {
        self.wheel.spin(rng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares_of(scores: &[f64], pressure: f64) -> Vec<f64> {
        let mut out = vec![0.0; scores.len()];
        shares(scores, pressure, &mut Vec::new(), &mut out);
        out.iter().map(|share| (share * 6.0).round() / 6.0).collect()
    }

    #[test]
    fn shares_rise_in_equal_steps() {
        let sixths = [5.0, 9.0, 3.0, 7.0].map(|sixths| sixths / 6.0);
        assert_eq!(shares_of(&[40.0, 90.0, 10.0, 70.0], 1.5), sixths);
        assert_eq!(shares_of(&[1.0, 2.0], 2.0), [0.0, 2.0]);
        assert_eq!(shares_of(&[1.0, 2.0], 1.0), [1.0, 1.0]);
    }

    #[test]
    fn equal_scores_share_the_mean_of_their_ranks() {
        assert_eq!(shares_of(&[7.0, 7.0, 1.0, 9.0], 2.0), [1.0, 1.0, 0.0, 2.0]);
        assert_eq!(shares_of(&[0.0, 0.0, 0.0], 2.0), [1.0, 1.0, 1.0]);
        assert_eq!(shares_of(&[3.0], 2.0), [1.0]);
    }
}
