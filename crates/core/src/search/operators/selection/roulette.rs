//! Roulette-wheel selection: a parent with a probability proportional to its scaled score.

use crate::rng::RunRng;
use crate::search::operators::scaling::{SCALING, Scaling};
use crate::spec::{Builder, Member, Param};

use super::{Selection, Wheel};

pub(super) const SCALING_PARAM: Param =
    Param::member("scaling", &SCALING, "none").about("how scores become shares of the roulette wheel");

struct Roulette {
    scaling: Box<dyn Scaling>,
    wheel: Wheel,
}

pub(super) static ENTRY: Builder<Box<dyn Selection>> = Member::new("roulette")
    .about("fitness-proportionate: with a probability proportional to the scaled score")
    .source("J. H. Holland 1975, Adaptation in Natural and Artificial Systems")
    .params(&[SCALING_PARAM])
    .build(|spec| {
        Box::new(Roulette { scaling: SCALING.build(spec.spec("scaling")), wheel: Wheel::default() })
    });

impl Selection for Roulette {
    fn prepare(&mut self, scores: &[f64], _picks: usize, progress: f64, _rng: &mut RunRng) {
        self.wheel.set(scores.len(), |shares| self.scaling.scale(scores, progress, shares));
    }

    fn pick(&mut self, _scores: &[f64], rng: &mut RunRng) -> usize {
        self.wheel.spin(rng)
    }
}
