//! Stochastic universal sampling: the roulette wheel spun once, with as many equally spaced pointers as parents are
//! wanted.
//!
//! ```text
//! scaled scores   |  3  | 1 |   4    |  2 |      four parents, pointers 2.5 apart
//! pointers           ^      ^       ^       ^     at 1.2, 3.7, 6.2 and 8.7: each is picked once
//! ```
//!
//! Every individual is picked as often as its share says, rounded up or down: without bias, and with the least spread.
//! The parents are shuffled, because otherwise neighbours on the wheel would mate.

use crate::rng::RunRng;
use crate::search::operators::scaling::{SCALING, Scaling};
use crate::spec::{Builder, Member};

use super::roulette::SCALING_PARAM;
use super::{Selection, Wheel};

struct StochasticUniversal {
    scaling: Box<dyn Scaling>,
    wheel: Wheel,
    parents: Vec<u32>,
}

pub(super) static ENTRY: Builder<Box<dyn Selection>> = Member::new("stochastic_universal")
    .about("stochastic universal sampling: one spin of the wheel with equally spaced pointers")
    .source("J. E. Baker 1987, Reducing bias and inefficiency in the selection algorithm, Proc. 2nd ICGA")
    .params(&[SCALING_PARAM])
    .build(|spec| {
        let scaling = SCALING.build(spec.spec("scaling"));
        Box::new(StochasticUniversal { scaling, wheel: Wheel::default(), parents: Vec::new() })
    });

/// The individuals that `picks` pointers point at; `turn` in [0, 1) is where the first stands, in distances.
fn point(wheel: &Wheel, picks: usize, turn: f64, parents: &mut Vec<u32>) {
    // One turn for all pointers: that is what keeps the spread least.
    let distance = wheel.total / picks as f64;
    parents.clear();
    parents.extend((0..picks).map(|pointer| wheel.at((pointer as f64 + turn) * distance) as u32));
}

impl Selection for StochasticUniversal {
    fn prepare(&mut self, scores: &[f64], picks: usize, progress: f64, rng: &mut RunRng) {
        self.wheel.set(scores.len(), |shares| self.scaling.scale(scores, progress, shares));
        point(&self.wheel, picks, rng.unit(), &mut self.parents);
        rng.shuffle(&mut self.parents);
    }

    fn pick(&mut self, _scores: &[f64], _rng: &mut RunRng) -> usize {
        self.parents.pop().expect("no more parents are picked than were prepared") as usize
    }
}

#[cfg(test)]
mod tests {
    use super::super::wheel;
    use super::*;

    #[test]
    fn pointers_are_equally_spaced() {
        let (wheel, mut parents) = (wheel(&[3.0, 1.0, 4.0, 2.0]), Vec::new());
        point(&wheel, 4, 0.48, &mut parents);
        assert_eq!(parents, [0, 1, 2, 3]);
        point(&wheel, 4, 0.0, &mut parents);
        assert_eq!(parents, [0, 0, 2, 2]);
        point(&wheel, 10, 0.5, &mut parents);
        assert_eq!(parents, [0, 0, 0, 1, 2, 2, 2, 2, 3, 3]);
    }

    #[test]
    fn shares_of_zero_are_passed_over() {
        let mut parents = Vec::new();
        point(&wheel(&[0.0, 2.0, 0.0, 2.0, 0.0]), 4, 0.0, &mut parents);
        assert_eq!(parents, [1, 1, 3, 3]);
    }
}
