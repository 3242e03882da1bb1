//! The roulette wheel: a parent with probability in proportion to its scaled score.
//!
//! ```text
//! scaled scores   3   1   4   2
//! prefix sums     3   4   8  10      a draw of 5.2 in [0, 10) picks the third
//! ```

use crate::rng::RunRng;
use crate::search::operators::scaling::{SCALING, Scaling};
use crate::spec::{Entry, Kind, Member, Param, Preset, Spec};

use super::Selection;

pub(super) const SCALING_PARAM: Param = Param {
    name: "scaling",
    kind: Kind::Member(&SCALING),
    default: Preset::Text("none"),
    about: "how scores become shares of the wheel",
};

struct Roulette {
    scaling: Box<dyn Scaling>,
    wheel: Vec<f64>,
}

pub(super) static ENTRY: Entry<Box<dyn Selection>> = Entry {
    member: Member {
        name: "roulette",
        about: "with probability in proportion to the scaled score",
        source: "J. H. Holland 1975, Adaptation in Natural and Artificial Systems",
        encodings: &[],
        params: &[SCALING_PARAM],
    },
    build: |spec: &Spec| {
        Box::new(Roulette { scaling: SCALING.build(spec.spec("scaling")), wheel: Vec::new() })
    },
};

/// Turns shares into prefix sums; shares that are all 0 count as equal.
pub(super) fn prefix_sums(shares: &mut [f64]) {
    let mut sum = 0.0;
    for share in shares.iter_mut() {
        sum += *share;
        *share = sum;
    }
    if sum <= 0.0 {
        (1..).zip(shares).for_each(|(index, share)| *share = f64::from(index));
    }
}

/// The first index whose prefix sum exceeds `point`; the last one where rounding leaves none.
#[inline]
pub(super) fn locate(wheel: &[f64], point: f64) -> usize {
    let (mut base, mut size) = (0, wheel.len());
    while size > 1 {
        let half = size / 2;
        base += if wheel[base + half - 1] <= point { half } else { 0 };
        size -= half;
    }
    base
}

impl Selection for Roulette {
    fn prepare(&mut self, scores: &[f64], _picks: usize, progress: f64, _rng: &mut RunRng) {
        self.wheel.resize(scores.len(), 0.0);
        self.scaling.scale(scores, progress, &mut self.wheel);
        prefix_sums(&mut self.wheel);
    }

    fn pick(&mut self, _scores: &[f64], rng: &mut RunRng) -> usize {
        locate(&self.wheel, rng.unit() * self.wheel[self.wheel.len() - 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_belongs_to_the_share_it_falls_in() {
        let mut wheel = [3.0, 1.0, 0.0, 4.0, 2.0];
        prefix_sums(&mut wheel);
        let picks: Vec<usize> = [0.0, 2.9, 3.0, 4.0, 7.9, 8.0, 9.9].map(|p| locate(&wheel, p)).to_vec();
        assert_eq!(picks, [0, 0, 1, 3, 3, 4, 4]);
    }

    #[test]
    fn every_length_is_searched_right() {
        for length in 1..40 {
            let wheel: Vec<f64> = (1..=length).map(f64::from).collect();
            for index in 0..length {
                assert_eq!(locate(&wheel, f64::from(index) + 0.5), index as usize, "of {length}");
            }
        }
    }

    #[test]
    fn shares_that_are_all_zero_count_as_equal() {
        let mut wheel = [0.0; 3];
        prefix_sums(&mut wheel);
        assert_eq!(wheel, [1.0, 2.0, 3.0]);
    }
}
